//===- Extremes.cpp -------------------------------------------------------===//
#include "mutation/Extremes.h"
#include "llvm/ADT/StringExtras.h"
#include <iterator>

using namespace llvm;

namespace xlink::test {

uint64_t nearAnEnd(Picker pick) {
  static const uint64_t ends[] = {0, // 2^64 as well
                                  0,
                                  uint64_t(1) << 31,
                                  uint64_t(1) << 32,
                                  uint64_t(1) << 48,
                                  uint64_t(1) << 63};
  static const uint64_t sizes[] = {0,    1,    4,     7,      8,       16,
                                   0x24, 0x40, 0x100, 0x1000, 0x10000, 0x80000};
  const uint64_t end = ends[pick(std::size(ends))];
  const uint64_t distance = pick(3) ? sizes[pick(std::size(sizes))] : pick(512);
  return pick(3) ? end - distance : end + distance;
}

std::string nearAnEndText(Picker pick) {
  return "0x" + utohexstr(nearAnEnd(pick), /*LowerCase=*/true);
}

std::vector<std::string> extremeOptions(Picker pick) {
  static const char *const forms[] = {
      "-Ttext=@",
      "-Tdata=@",
      "-Tbss=@",
      "-Ttext-segment=@",
      "--image-base=@",
      "--section-start=.text=@",
      "--section-start=.data=@",
      "--section-start=.bss=@",
      "--section-start=.rodata=@",
      "--defsym=_start=@",
      "--defsym=other=@+@",
      "--defsym=N=@-SIZEOF(.text)",
      "--oformat=binary",
      "--no-check-sections",
      "--gc-sections",
      "--emit-relocs",
  };
  std::vector<std::string> options;
  do {
    std::string option;
    for (const char *c = forms[pick(std::size(forms))]; *c; ++c)
      option += *c == '@' ? nearAnEndText(pick) : std::string(1, *c);
    options.push_back(std::move(option));
  } while (pick(3) == 0);
  return options;
}

} // namespace xlink::test
