//===- CollectedSections.h - what --gc-sections took ----------------------===//
#ifndef XLINK_REPORT_COLLECTEDSECTIONS_H
#define XLINK_REPORT_COLLECTEDSECTIONS_H

#include "model/Link.h"
#include <string>

namespace xlink {

/// One line for each section that nothing refers to, for --print-gc-sections.
std::string collectedSectionsText(const Link &link);

} // namespace xlink
#endif
