//===- Pairs.cpp ----------------------------------------------------------===//
//
// Problem: between two links files have other names, functions move from one
// file to another, and several items have one name. Matched wrongly, they turn
// a small change into a long list.
//
// Method: rounds. Each has a key, of items that no earlier round has joined;
// equal keys are a run in either list, and runs are joined in their order. The
// first keys have all that can agree, later ones less.
//
// Cost: a hash table a round, linear in the items that are left.
//
//===----------------------------------------------------------------------===//
#include "map/Pairs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

using namespace llvm;

namespace xlink {

void Pairs::joinInOrder(ArrayRef<uint32_t> runA, ArrayRef<uint32_t> runB) {
  size_t next = 0;
  for (uint32_t a : runA) {
    if (ofA[a] != kNone)
      continue;
    while (next < runB.size() && ofB[runB[next]] != kNone)
      ++next;
    if (next == runB.size())
      return;
    join(a, runB[next]);
  }
}

void Pairs::round(KeyOf keyOfA, KeyOf keyOfB, JoinRuns joinRuns) {
  struct Runs {
    SmallVector<uint32_t, 1> a, b;
  };
  using Key = std::tuple<StringRef, StringRef, StringRef, uint64_t, uint64_t>;
  auto tupleOf = [](const PairKey &key) {
    return Key(key.name, key.file, key.place, key.number, key.size);
  };
  std::vector<Runs> runs; // in the order of the first list
  DenseMap<Key, uint32_t> known;
  for (uint32_t i = 0; i < ofA.size(); ++i)
    if (ofA[i] == kNone)
      if (const std::optional<PairKey> key = keyOfA(i)) {
        const auto [it, isNew] = known.try_emplace(tupleOf(*key), runs.size());
        if (isNew)
          runs.emplace_back();
        runs[it->second].a.push_back(i);
      }
  for (uint32_t i = 0; i < ofB.size() && !runs.empty(); ++i)
    if (ofB[i] == kNone)
      if (const std::optional<PairKey> key = keyOfB(i))
        if (const auto it = known.find(tupleOf(*key)); it != known.end())
          runs[it->second].b.push_back(i);
  for (const Runs &both : runs)
    if (joinRuns && !both.b.empty())
      joinRuns(both.a, both.b);
    else
      joinInOrder(both.a, both.b);
}

} // namespace xlink
