//===- SizeTables.h - what takes memory, and what changed -----------------===//
#ifndef XLINK_INSPECT_SIZETABLES_H
#define XLINK_INSPECT_SIZETABLES_H

#include "map/MapComparison.h"
#include <string>

namespace xlink {

std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names);
/// For a pull request: a line, the regions, and all else folded away.
std::string comparisonMarkdown(const MapComparison &comparison,
                               const ComparisonNames &names);

/// What takes the memory of one map: its comparison with an empty one. Of
/// each table `rows` are shown, and the rest as one sum.
std::string sizesText(const MapComparison &sizes, const ComparisonNames &names,
                      size_t rows);
/// All of that, for programs.
std::string sizesJson(const MapComparison &sizes, const ComparisonNames &names);

} // namespace xlink
#endif
