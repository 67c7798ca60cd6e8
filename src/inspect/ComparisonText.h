//===- ComparisonText.h - what changed between two links, for people ------===//
#ifndef XLINK_INSPECT_COMPARISONTEXT_H
#define XLINK_INSPECT_COMPARISONTEXT_H

#include "map/MapComparison.h"
#include <string>

namespace xlink {

std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names);
/// For a pull request: a line, the regions, and all else folded away.
std::string comparisonMarkdown(const MapComparison &comparison,
                               const ComparisonNames &names);

} // namespace xlink
#endif
