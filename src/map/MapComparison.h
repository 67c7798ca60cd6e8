//===- MapComparison.h - sizes of two links that differ -------------------===//
#ifndef XLINK_MAP_MAPCOMPARISON_H
#define XLINK_MAP_MAPCOMPARISON_H

#include "map/LinkMap.h"

namespace xlink {

/// `after` - `before`, at most the largest number with a sign.
int64_t difference(uint64_t before, uint64_t after);

/// `a` + `b`, likewise: objects may state any sizes of symbols.
int64_t saturatingSum(int64_t a, int64_t b);

/// The sizes of an item in two maps.
struct SizeChange {
  std::string name; ///< the new one, if both have it
  /// Bytes; nothing: that map lacks it.
  std::optional<uint64_t> before = {}, after = {};
  /// Of an object that is no file: "padding", "reserved" (room for heaps and
  /// stacks), "linker" (made by it), "data" (of the script), "none".
  const char *kind = nullptr;
  /// The index in the new map: of an object a file, of a symbol a symbol.
  uint32_t number = LinkMap::kNoIndex;
  std::string file = {};                  ///< of a symbol
  std::string oldName = {}, oldFile = {}; ///< of a symbol, if they differ
  /// Of a memory region, whose `before` and `after` are the used bytes.
  std::optional<uint64_t> lengthBefore = {}, lengthAfter = {};
  uint64_t addressBefore = 0, addressAfter = 0; ///< of a symbol that moved
  uint32_t output = LinkMap::kNoIndex;          ///< likewise, of the new map

  int64_t change() const {
    return difference(before.value_or(0), after.value_or(0));
  }
  bool differs() const {
    return before != after || lengthBefore != lengthAfter;
  }
};

/// The differences of two maps, in sections that take memory (SHF_ALLOC).
/// Lists are sorted by the amount of the change, the largest first, and have
/// only rows that differ; all regions, in the order of the new map.
struct MapComparison {
  const LinkMap &before, &after;
  /// Code, other initial values, zeros; and all of them.
  SizeChange code = {}, data = {}, zero = {}, total = {};
  std::vector<SizeChange> regions = {}, outputs = {}, archives = {},
                          objects = {};
  /// Functions and variables that grew, shrank, appeared or vanished.
  std::vector<SizeChange> symbols = {};
  std::vector<SizeChange> moved = {}; ///< of one size, elsewhere; in order
  /// Bytes of input sections that no symbol covers, as string constants.
  std::vector<SizeChange> unnamed = {};
  /// Of sizesOf alone: input sections that are not in the output.
  std::vector<SizeChange> discarded = {};

  /// Whether all that is compared is equal.
  bool equal() const;
};

/// Compares two maps, which must outlive the result.
MapComparison compareMaps(const LinkMap &before, const LinkMap &after);

/// The sizes of one map, which must outlive the result: their growth since
/// an empty one, and the discarded sections.
MapComparison sizesOf(const LinkMap &map);

/// The files that are compared, and the form of texts.
struct ComparisonNames {
  std::string before, after;
  bool demangle = true;
  size_t rows = 20; ///< of a table; behind them the sum of the others
};
/// For programs, in the form of comparison.schema.json.
std::string comparisonJson(const MapComparison &comparison,
                           const ComparisonNames &names);
/// The same for the page of --html-report: without symbols that only moved, and
/// with the numbers of files and symbols in the new map.
std::string comparisonOfPage(const MapComparison &comparison);

/// For people. `markdown`: for a pull request, with a line, the regions, and
/// all else folded away; at most 60 lines.
std::string comparisonText(const MapComparison &comparison,
                           const ComparisonNames &names, bool markdown = false);

/// The sizes of one map, of sizesOf.
std::string sizesText(const MapComparison &sizes, const ComparisonNames &names);
/// All rows, for programs.
std::string sizesJson(const MapComparison &sizes, const ComparisonNames &names);

} // namespace xlink
#endif
