//===- Pairs.h - equal items of two lists, or of two maps -----------------===//
#ifndef XLINK_MAP_PAIRS_H
#define XLINK_MAP_PAIRS_H

#include "map/LinkMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>

namespace xlink {

/// Properties that must agree in two items that are a pair.
struct PairKey {
  llvm::StringRef name, file = {}, place = {};
  uint64_t number = 0, size = 0;
};

/// The partners of the items of two lists, by index, or kNoIndex. They are
/// joined in rounds, from the strictest keys to the loosest.
struct Pairs {
  std::vector<uint32_t> ofA, ofB;

  Pairs(size_t a, size_t b) : ofA(a, kNoIndex), ofB(b, kNoIndex) {}
  void join(uint32_t a, uint32_t b) {
    ofA[a] = b;
    ofB[b] = a;
  }
  /// The key of an index; nothing: it stays out of the round.
  using KeyOf = llvm::function_ref<std::optional<PairKey>(uint32_t)>;
  /// Joins some items of two runs, whose keys are all equal.
  using JoinRuns = llvm::function_ref<void(llvm::ArrayRef<uint32_t>,
                                           llvm::ArrayRef<uint32_t>)>;
  /// A round: joins items without partner that have equal keys, in order, or as
  /// `joinRuns` does. Runs are ascending.
  void round(KeyOf keyOfA, KeyOf keyOfB, JoinRuns joinRuns = nullptr);
  /// Joins those without a partner, the first with the first and so on.
  void joinInOrder(llvm::ArrayRef<uint32_t> runA,
                   llvm::ArrayRef<uint32_t> runB);
};

/// For each of `before` which of `after` it is, or LinkMap::kNoIndex. Names of
/// files: those are the same that have the longest common end.
std::vector<uint32_t> matchPaths(llvm::ArrayRef<std::string> before,
                                 llvm::ArrayRef<std::string> after);

/// The names of the files of a map in messages, in order.
std::vector<std::string> fileNames(const LinkMap &map);

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
