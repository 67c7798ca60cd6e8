//===- SizeAttribution.h - the owner of every byte ------------------------===//
#ifndef XLINK_MAP_SIZEATTRIBUTION_H
#define XLINK_MAP_SIZEATTRIBUTION_H

#include "map/LinkMap.h"
#include "llvm/Support/JSON.h"

namespace xlink {

/// A node of the tree: all that memory holds, a region, an output section, an
/// archive, an object, and last a function or variable.
struct SizeNode {
  enum Kind : uint8_t {
    All,
    Region,
    Output,
    Archive,
    Object,
    Function,
    Variable,
    Section,  ///< bytes of an input section that no symbol covers
    Padding,  ///< its children are the causes
    Reserved, ///< its children are the reservations
    Cause,
    Linker, ///< made by the linker
    Data,   ///< of the script
  };
  Kind kind = All;
  std::string name;
  uint32_t parent = 0;         ///< the root's is itself
  llvm::StringRef source = {}; ///< of an object: the compiled file
  uint64_t bytes = 0;          ///< the sum of the children's, if there are any
  std::vector<uint32_t> children =
      {}; ///< into SizeTree::nodes, the largest first
};

/// The tree; node 0 is the root.
struct SizeTree {
  std::vector<SizeNode> nodes;
};

/// Attributes every byte of memory to its owner. A section that is loaded
/// from one region and runs in another is in both. The texts are the map's.
SizeTree attributeSizes(const LinkMap &map);

/// Writes the tree. For people: bytes, the share of all, and names that are
/// indented by their level. For programs: nested objects of `kind`, `name`,
/// `source`, `bytes`, `share` (of all, 0 to 1), `children`; empty ones are left
/// out. `depth`: how many levels below the root, 0: all of them.
/// `demangle`: people read functions and variables as their sources call them.
void writeSizeAttribution(llvm::raw_ostream &text, llvm::json::OStream &json,
                          const SizeTree &tree, unsigned depth, bool demangle);

} // namespace xlink
#endif
