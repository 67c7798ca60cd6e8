//===- ManyClassesTest.cpp - kinds of sections, met in another order ------===//
//
// Files are surveyed some at a time, and each part numbers the kinds of its
// sections as they come. Whatever kind a later part meets first, a section
// stays of its own type, flags and alignment.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// More than what one part of the survey has.
constexpr unsigned kSections = 1100;

/// The kinds of sections that a file has in turn.
struct Kind {
  const char *name, *type, *flags;
  unsigned align;
};
constexpr Kind kCode{".text", "SHT_PROGBITS", "SHF_ALLOC, SHF_EXECINSTR", 4};
constexpr Kind kData{".data", "SHT_PROGBITS", "SHF_ALLOC, SHF_WRITE", 32};
constexpr Kind kBss{".bss", "SHT_NOBITS", "SHF_ALLOC, SHF_WRITE", 16};

/// Sections of one byte each, their number, of `kinds` in turn.
Bytes fileOf(ArrayRef<Kind> kinds, unsigned first) {
  std::string text = "Sections:\n";
  for (unsigned i = 0; i < kSections; ++i) {
    const Kind &kind = kinds[i % kinds.size()];
    const bool noBits = StringRef(kind.type) == "SHT_NOBITS";
    const uint8_t number = uint8_t(first + i);
    text += std::string("  - { Name: ") + kind.name + ".s" + std::to_string(i) +
            ", Type: " + kind.type + ", Flags: [ " + kind.flags +
            " ], AddressAlign: " + std::to_string(kind.align) +
            (noBits ? ", Size: 1 }\n"
                    : ", Content: '" + hexDigits({number}) + "' }\n");
  }
  return nyuzi(text);
}

TEST(ManyClasses, EachStaysWhatItIs) {
  const std::vector<std::vector<Kind>> files = {
      {kCode, kData, kBss}, {kBss, kCode, kData}, {kData, kBss}, {kCode}};
  LinkHarness links;
  std::vector<std::string> arguments = {"-e", "0", "-T", "s.ld"};
  links.file("s.ld", "SECTIONS { . = 0x1000; .text : { *(.text.*) } "
                     ".data : { *(.data.*) } .bss : { *(.bss.*) } }");
  std::string code, data;
  uint64_t bss = 0;
  for (unsigned f = 0; f < files.size(); ++f) {
    const std::string name = "f" + std::to_string(f) + ".o";
    links.file(name, fileOf(files[f], f * 7));
    arguments.push_back(name);
    for (unsigned i = 0; i < kSections; ++i) {
      const Kind &kind = files[f][i % files[f].size()];
      std::string *bytes = kind.align == kCode.align   ? &code
                           : kind.align == kData.align ? &data
                                                       : nullptr;
      if (!bytes) {
        bss = alignTo(bss, kind.align) + 1;
        continue;
      }
      bytes->resize(alignTo(bytes->size(), kind.align));
      *bytes += char(f * 7 + i);
    }
  }
  const OutFile out = quiet(links.link(arguments));
  EXPECT_TRUE(textOf(out, ".text") == code);
  EXPECT_TRUE(textOf(out, ".data") == data);
  const auto zeros = find_if(
      out.sections, [](const OutSection &s) { return s.name == ".bss"; });
  ASSERT_NE(zeros, out.sections.end());
  EXPECT_EQ(zeros->size, bss);
  EXPECT_EQ(zeros->type, uint32_t(ELF::SHT_NOBITS));
}

} // namespace
} // namespace xlink::test
