//===- PartSource.h - the parts of a map, as long as somebody looks -------===//
//
// Parts and their symbols are what there is most of in a map. Who writes them
// looks at each once, some after the other: whoever can make them needs to keep
// none. So they are asked for in runs, stored or not.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MAP_PARTSOURCE_H
#define XLINK_MAP_PARTSOURCE_H

#include "map/LinkMap.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace xlink {

/// Parts of a map that follow each other, and their symbols.
struct MapParts {
  llvm::ArrayRef<MapPart> parts;
  llvm::ArrayRef<MapSymbol> symbols;
  uint32_t firstSymbol = 0; ///< of the map: symbols[0]

  /// Those of one of the parts, by address.
  llvm::ArrayRef<MapSymbol> symbolsOf(const MapPart &part) const {
    return symbols.slice(part.firstSymbol - firstSymbol, part.symbols);
  }
};

/// Knows all parts of a map.
class PartSource {
public:
  /// Room to make parts in.
  struct Room {
    std::vector<MapPart> parts;
    std::vector<MapSymbol> symbols;
  };

  virtual ~PartSource() = default;
  /// How many there are.
  virtual size_t count() const = 0;
  /// Those from `begin` up to, not including, `end`; perhaps in `room`, until
  /// that is used again. Any thread.
  virtual MapParts parts(size_t begin, size_t end, Room &room) const = 0;
};

/// Parts of a map that has them.
class StoredParts final : public PartSource {
public:
  explicit StoredParts(const LinkMap &map) : map(map) {}
  size_t count() const override { return map.parts.size(); }
  MapParts parts(size_t begin, size_t end, Room &) const override {
    return {llvm::ArrayRef(map.parts).slice(begin, end - begin), map.symbols,
            /*firstSymbol=*/0};
  }

private:
  const LinkMap &map;
};

} // namespace xlink
#endif
