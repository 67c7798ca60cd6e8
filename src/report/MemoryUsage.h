//===- MemoryUsage.h - how full the regions are ---------------------------===//
#ifndef XLINK_REPORT_MEMORYUSAGE_H
#define XLINK_REPORT_MEMORYUSAGE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <string>

namespace xlink {

/// The table of --print-memory-usage, as GNU ld prints it: used size, region
/// size and the share in percent, without the last line's end.
std::string memoryUsageText(const Link &link);

/// A further line where the stack takes what the program leaves of its memory
/// and objects say how large it is; a warning when it does not fit. Nothing
/// where nobody says anything about it.
std::string stackUsageText(const Link &link, const SymbolValues &values,
                           Diagnostics &diag);

} // namespace xlink
#endif
