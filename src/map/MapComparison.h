//===- MapComparison.h - what changed between two links -------------------===//
#ifndef XLINK_MAP_MAPCOMPARISON_H
#define XLINK_MAP_MAPCOMPARISON_H

#include "map/LinkMap.h"
#include "map/MapMatching.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// `after` - `before`, at most what 64 bits with a sign can hold.
int64_t difference(uint64_t before, uint64_t after);

/// `a` + `b`, likewise: sizes of symbols are whatever objects say.
int64_t saturatingSum(int64_t a, int64_t b);

/// Something that has a size, in two maps; nothing: it is not in that one.
struct SizeChange {
  std::string name;                      ///< the new one, if both have it
  std::optional<uint64_t> before, after; ///< bytes
  /// What has no file: padding, what the linker makes, data of the script.
  MapPart::Kind kind = MapPart::Input;
  /// Not padding between things, but room for heaps and stacks.
  bool setAside = false;
  /// Of an object which file of the new map, of an archive which archive.
  uint32_t file = LinkMap::kNoIndex;

  int64_t change() const {
    return difference(before.value_or(0), after.value_or(0));
  }
};

struct RegionChange {
  /// Bytes from the origin to where the next section would begin.
  SizeChange used;
  std::optional<uint64_t> lengthBefore, lengthAfter; ///< bytes
  bool differs() const {
    return used.before != used.after || lengthBefore != lengthAfter;
  }
};

/// A function or variable; nothing: that map does not have it.
struct SymbolChange {
  SymbolInMap before, after;
};

/// How two maps differ. Sizes are those of what takes memory (SHF_ALLOC).
/// Lists are sorted by the amount of the change, the largest first, and have
/// only what differs; regions are all there, in the order of the new map.
struct MapComparison {
  MapComparison(const LinkMap &before, const LinkMap &after)
      : before(before), after(after) {}

  const LinkMap &before, &after;
  /// Code, what else has initial values, what is set to zero; and all of it.
  SizeChange code, data, zero, total;
  std::vector<RegionChange> regions;
  std::vector<SizeChange> outputs, archives, objects;
  /// Those that grew, shrank, appeared or vanished; of a size.
  std::vector<SymbolChange> symbols;
  std::vector<SymbolChange> moved; ///< of the same size, elsewhere; in order
  /// Of each file of `before` which of `after` it is, or LinkMap::kNoIndex.
  std::vector<uint32_t> files;

  /// Symbols of one output section that moved by the same distance.
  struct Move {
    bool back;         ///< to a lower address
    uint64_t distance; ///< bytes
    uint32_t output;   ///< of the new map
    size_t symbols = 0;
    SymbolChange first, last; ///< in the order of `moved`
  };
  /// Those of most symbols first; of as many, in the order of `moved`.
  std::vector<Move> moves() const;

  /// Nothing differs that is compared.
  bool equal() const;
  /// The size of a symbol in both maps.
  SizeChange sizesOf(const SymbolChange &symbol) const;
};

/// Compares two maps, which must outlive the result.
MapComparison compareMaps(const LinkMap &before, const LinkMap &after);

/// Name and file of a symbol.
struct NamedSymbol {
  llvm::StringRef name;
  std::string file;
};
NamedSymbol namedSymbol(const LinkMap &map, SymbolInMap symbol);
/// As the new map has it, if it does.
NamedSymbol namedSymbol(const MapComparison &comparison,
                        const SymbolChange &symbol);

/// The files that are compared, and whether text shows names demangled.
struct ComparisonNames {
  std::string before, after;
  bool demangle = true;
};
/// For programs, as map/README.md says.
std::string comparisonJson(const MapComparison &comparison,
                           const ComparisonNames &names);
/// The same for the page of --html-report: without what only moved, and with
/// the numbers of files and symbols in the new map.
std::string comparisonOfPage(const MapComparison &comparison);

} // namespace xlink
#endif
