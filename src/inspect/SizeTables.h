//===- SizeTables.h - sizes of one map, and changes between two -----------===//
#ifndef XLINK_INSPECT_SIZETABLES_H
#define XLINK_INSPECT_SIZETABLES_H

#include "map/MapComparison.h"
#include <string>

namespace xlink {

/// For people. `markdown`: for a pull request, with a line, the regions, and
/// all else folded away.
std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names, bool markdown = false);

/// The sizes of one map, from its comparison with an empty one. Each table has
/// `rows` rows, and the sum of the others.
std::string sizesText(const MapComparison &sizes, const ComparisonNames &names,
                      size_t rows);
/// All rows, for programs.
std::string sizesJson(const MapComparison &sizes, const ComparisonNames &names);

} // namespace xlink
#endif
