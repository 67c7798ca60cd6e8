//===- KnownParts.h - what the maps of two files say of them --------------===//
//
// A map of --map-json knows what stands in a file without a name: which input
// section, or that it is padding; who refers to whom; and the symbols of a file
// that was stripped.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_KNOWNPARTS_H
#define XLINK_INSPECT_KNOWNPARTS_H

#include "inspect/LinkedFile.h"
#include "inspect/Pairing.h"
#include "map/LinkMap.h"

namespace xlink {

/// The parts of a map, by the sections of the file that it is of.
class PartTable {
public:
  /// Part of a section of the file.
  struct Place {
    uint32_t section = 0;
    uint64_t begin = 0, size = 0; ///< in the section
    uint32_t part = 0;            ///< in the map
    uint64_t end() const { return begin + size; }
  };

  /// Places the parts of `map`, which must outlive this, in `file`. Where it is
  /// no map of that file an error, with both names, and nothing.
  static std::optional<PartTable> place(const LinkMap &map,
                                        llvm::StringRef mapName,
                                        const LinkedFile &file,
                                        Diagnostics &diag);

  /// The part with that byte of a section; null: the map knows of none.
  const Place *at(uint32_t section, uint64_t offset) const;
  /// Where a part is; null: in no loaded section of the file.
  const Place *placeOf(uint32_t part) const;
  bool isPadding(uint32_t part) const {
    return map->parts[part].kind == MapPart::Padding;
  }
  /// Of a file, or COMMON: what its relocations refer to is in the map.
  bool isInput(uint32_t part) const {
    return map->parts[part].kind == MapPart::Input ||
           map->parts[part].kind == MapPart::Common;
  }
  /// Whether the map says which part refers to which.
  bool crossed() const { return map->crossed; }
  /// Whether it says that a part refers to another one.
  bool refers(uint32_t from, uint32_t to) const;
  /// "lib.a(m.o):(.rodata)"; of what no file has, its name.
  std::string text(uint32_t part) const;
  /// Whether a symbol that is in no part has that address.
  bool hasAbsolute(uint64_t address) const;
  const LinkMap &linkMap() const { return *map; }

private:
  explicit PartTable(const LinkMap &map) : map(&map) {}
  bool placeParts(llvm::StringRef mapName, const LinkedFile &file,
                  Diagnostics &diag);

  const LinkMap *map;
  std::vector<Place> places;      ///< those with a size, by section and offset
  std::vector<uint32_t> ofPart;   ///< index of places, by part
  std::vector<uint64_t> edges;    ///< from << 32 | to, sorted
  std::vector<uint64_t> absolute; ///< addresses, sorted
};

/// Gives a file without symbols those of its map, whose names it refers to.
void takeSymbols(const PartTable &parts, LinkedFile &file);

/// The parts of both files, and which of them are the same: those of one name
/// in files whose paths have the longest common end, in order.
struct KnownParts {
  KnownParts(PartTable a, PartTable b);
  PartTable a, b;
  Pairs pairs;
  /// Whether chunks without names of these parts can be a pair. A part may be
  /// none (Pairs::kNone).
  bool fit(uint32_t partA, uint32_t partB) const;
};

} // namespace xlink
#endif
