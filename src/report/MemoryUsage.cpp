//===- MemoryUsage.cpp ----------------------------------------------------===//
#include "report/MemoryUsage.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

/// In the largest unit that divides it, 0 included.
static void printSize(raw_ostream &out, uint64_t size) {
  static const char *const units[] = {"GB", "MB", "KB"};
  for (unsigned i = 0, shift = 30; i < 3; ++i, shift -= 10)
    if ((size & ((uint64_t(1) << shift) - 1)) == 0) {
      out << format_decimal(int64_t(size >> shift), 10) << " " << units[i];
      return;
    }
  out << " " << format_decimal(int64_t(size), 10) << " B";
}

std::string memoryUsageText(const Link &link) {
  std::string text;
  raw_string_ostream out(text);
  out << "Memory region         Used Size  Region Size  %age Used";
  for (RegionId id : link.geometry.regions.ids()) {
    const RegionPlace &r = link.geometry.regions[id];
    out << "\n"
        << right_justify(link.program.script.memory[id.index()].name, 16)
        << ": ";
    const uint64_t used = r.cursor.sizeFrom(r.origin);
    printSize(out, used);
    if (r.length) {
      printSize(out, r.length);
      out << "    "
          << format("%6.2f%%", double(used) * 100.0 / double(r.length));
    }
  }
  return text;
}

} // namespace xlink
