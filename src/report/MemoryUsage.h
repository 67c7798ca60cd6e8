//===- MemoryUsage.h - how full the regions are ---------------------------===//
#ifndef XLINK_REPORT_MEMORYUSAGE_H
#define XLINK_REPORT_MEMORYUSAGE_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace xlink {

/// The table of --print-memory-usage, as GNU ld prints it: used size, region
/// size and the share in percent, without the last line's end.
std::string memoryUsageText(const LinkMap &map);

/// More than the table.
struct MemoryDetails {
  /// Follows the table: for each region the sizes that are free, only loaded,
  /// set aside or padding, and the largest files, in bytes and percent of the
  /// region; then the files in no region. Begins with a line's end, or is
  /// empty.
  std::string text;
  /// All of it, and the table, as an object of `regions` and `outside`; sizes
  /// in bytes.
  llvm::json::Object json;
};
MemoryDetails memoryDetails(const LinkMap &map);

/// A further line where the stack takes the rest of the program's memory and
/// objects say how large it is; a warning when it does not fit. Empty where no
/// object states a stack.
std::string stackUsageText(const Link &link, const SymbolValues &values,
                           Diagnostics &diag);

} // namespace xlink
#endif
