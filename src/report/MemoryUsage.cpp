//===- MemoryUsage.cpp ----------------------------------------------------===//
#include "report/MemoryUsage.h"
#include "report/ResourceUsage.h"
#include "llvm/ADT/STLExtras.h"
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

/// The region in which the entry stands, kNone without one.
static RegionId entryRegion(const Link &link) {
  if (link.program.entrySymbol == kNone)
    return kNone;
  const BoundSymbol entry = link.symbol(link.program.entrySymbol);
  if (entry.kind != SymbolKind::Defined || !link.placed(entry.section))
    return kNone;
  return link.output(link.section(entry.section).output).region;
}

std::string stackUsageText(const Link &link, const SymbolValues &values,
                           Diagnostics &diag) {
  const Program &program = link.program;
  if (!sharesStack(program))
    return "";
  std::string text;
  raw_string_ostream out(text);
  out << "\n" << right_justify("stack", 16) << ": ";
  const std::optional<StackNeed> need = stackNeed(link, values);
  if (!need) {
    out << " not known; --print-resource-usage says why";
    return text;
  }
  const uint64_t bytes = need->words * program.addressSize();
  printSize(out, bytes);
  out << "    " << need->words << " words, from " << need->function;
  const RegionId region = entryRegion(link);
  if (region == kNone)
    return text;
  const RegionPlace &r = link.geometry.regions[region];
  const uint64_t used = r.cursor.sizeFrom(r.origin), length = r.length;
  const uint64_t left = length - std::min(used, length);
  if (bytes > left)
    diag.warn(WarningGroup::General,
              "the stack, " + std::to_string(bytes) + " bytes from '" +
                  need->function + "', does not fit into region '" +
                  program.script.memory[region.index()].name.str() +
                  "': " + std::to_string(left) + " bytes are left");
  return text;
}

} // namespace xlink
