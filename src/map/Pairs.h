//===- Pairs.h - equal items of two lists ---------------------------------===//
#ifndef XLINK_MAP_PAIRS_H
#define XLINK_MAP_PAIRS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace xlink {

/// Properties that must agree in two items that are a pair.
struct PairKey {
  llvm::StringRef name, file = {}, place = {};
  uint64_t number = 0, size = 0;
};

/// The partners of the items of two lists, by index. They are joined in rounds,
/// from the strictest keys to the loosest.
struct Pairs {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> ofA, ofB;

  Pairs(size_t a, size_t b) : ofA(a, kNone), ofB(b, kNone) {}
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

} // namespace xlink
#endif
