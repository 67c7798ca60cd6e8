//===- MemoryUsage.h - how full the regions are ---------------------------===//
#ifndef XLINK_REPORT_MEMORYUSAGE_H
#define XLINK_REPORT_MEMORYUSAGE_H

#include "model/Link.h"
#include <string>

namespace xlink {

/// The table of --print-memory-usage, as GNU ld prints it: used size, region
/// size and the share in percent, without the last line's end.
std::string memoryUsageText(const Link &link);

} // namespace xlink
#endif
