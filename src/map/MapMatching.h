//===- MapMatching.h - items that two maps have in common -----------------===//
#ifndef XLINK_MAP_MAPMATCHING_H
#define XLINK_MAP_MAPMATCHING_H

#include "map/LinkMap.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// For each of `before` which of `after` it is, or LinkMap::kNoIndex. Names of
/// files: those are the same that have the longest common end.
std::vector<uint32_t> matchPaths(llvm::ArrayRef<std::string> before,
                                 llvm::ArrayRef<std::string> after);

/// The names of the files of a map in messages, in order.
std::vector<std::string> fileNames(const LinkMap &map);
/// For each file of `before` which of `after` it is, by these names.
std::vector<uint32_t> matchFiles(const LinkMap &before, const LinkMap &after);

/// A symbol of a map, by its index, and the part that it is in.
struct SymbolInMap {
  uint32_t symbol = LinkMap::kNoIndex, part = LinkMap::kNoIndex;
  explicit operator bool() const { return symbol != LinkMap::kNoIndex; }
};

/// Functions, variables and labels of the parts that take memory, in order.
/// Symbols of sections are none.
std::vector<SymbolInMap> symbolsInMemory(const LinkMap &map);

/// Pairs of symbols that are the same in both maps, and those that only one of
/// them has, with an empty one for the other. `files` says for each file of
/// `before` which of `after` it is.
std::vector<std::pair<SymbolInMap, SymbolInMap>>
matchSymbols(const LinkMap &before, const LinkMap &after,
             llvm::ArrayRef<uint32_t> files);

} // namespace xlink
#endif
