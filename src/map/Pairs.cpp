//===- Pairs.cpp ----------------------------------------------------------===//
//
// Problem: between two links of a program the build directory may have another
// name, files are renamed, functions move from one file to another, and several
// items have one name, of which one is new. Matched wrongly, they turn a small
// change into a long list.
//
// Method: rounds. Each has a key, of items that no earlier round has joined;
// equal keys are a run in either list, and runs are joined in their order. The
// first keys have all that can agree, later ones less.
// Files: the same name, then the same last 16 components of it, 15, and so on
// down to the last one; where several have the same end, only if both maps have
// as many of them. Symbols: name, file and size; name and file; name alone, of
// globals, for a program has one definition of it; file, size and name without
// the number behind its last dot, of locals, for compilers count those of a
// file.
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
    if (ofA[a] != kNoIndex)
      continue;
    while (next < runB.size() && ofB[runB[next]] != kNoIndex)
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
    if (ofA[i] == kNoIndex)
      if (const std::optional<PairKey> key = keyOfA(i)) {
        const auto [it, isNew] = known.try_emplace(tupleOf(*key), runs.size());
        if (isNew)
          runs.emplace_back();
        runs[it->second].a.push_back(i);
      }
  for (uint32_t i = 0; i < ofB.size() && !runs.empty(); ++i)
    if (ofB[i] == kNoIndex)
      if (const std::optional<PairKey> key = keyOfB(i))
        if (const auto it = known.find(tupleOf(*key)); it != known.end())
          runs[it->second].b.push_back(i);
  for (const Runs &both : runs)
    if (joinRuns && !both.b.empty())
      joinRuns(both.a, both.b);
    else
      joinInOrder(both.a, both.b);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The last `count` components of a path, or "" when it has fewer.
static StringRef lastComponents(StringRef path, unsigned count) {
  size_t from = path.size();
  for (; count; --count) {
    if (from == StringRef::npos || from == 0)
      return "";
    from = path.take_front(from).rfind('/');
  }
  return from == StringRef::npos ? path : path.drop_front(from + 1);
}

std::vector<uint32_t> matchPaths(ArrayRef<std::string> before,
                                 ArrayRef<std::string> after) {
  Pairs pairs(before.size(), after.size());
  pairs.round([&](uint32_t i) { return PairKey{before[i]}; },
              [&](uint32_t i) { return PairKey{after[i]}; });
  constexpr unsigned kMostComponents = 16;
  for (unsigned count = kMostComponents; count; --count) {
    auto end = [&](StringRef name) -> std::optional<PairKey> {
      const StringRef end = lastComponents(name, count);
      return end.empty() ? std::nullopt : std::optional(PairKey{end});
    };
    pairs.round([&](uint32_t i) { return end(before[i]); },
                [&](uint32_t i) { return end(after[i]); },
                [&](ArrayRef<uint32_t> runA, ArrayRef<uint32_t> runB) {
                  if (runA.size() == runB.size())
                    pairs.joinInOrder(runA, runB);
                });
  }
  return std::move(pairs.ofA);
}

std::vector<std::string> fileNames(const LinkMap &map) {
  std::vector<std::string> names;
  names.reserve(map.files.size());
  for (uint32_t i = 0; i < map.files.size(); ++i)
    names.push_back(map.fileName(i));
  return names;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

std::vector<SymbolInMap> symbolsInMemory(const LinkMap &map) {
  std::vector<SymbolInMap> result;
  result.reserve(map.symbols.size());
  for (uint32_t p = 0; p < map.parts.size(); ++p) {
    const MapPart &part = map.parts[p];
    if (!(map.outputs[part.output].flags & ELF::SHF_ALLOC))
      continue;
    for (uint32_t s = 0; s < part.symbols; ++s)
      if (map.symbols[part.firstSymbol + s].kind != MapSymbol::Section)
        result.push_back({part.firstSymbol + s, p});
  }
  return result;
}

/// "count.12": "count"; "" where no number follows a dot.
static StringRef withoutNumber(StringRef name) {
  const StringRef stem = name.rtrim("0123456789");
  return stem.size() != name.size() && stem.ends_with(".") ? stem : "";
}

std::vector<std::pair<SymbolInMap, SymbolInMap>>
matchSymbols(const LinkMap &before, const LinkMap &after,
             ArrayRef<uint32_t> files) {
  const std::vector<SymbolInMap> lefts = symbolsInMemory(before),
                                 rights = symbolsInMemory(after);
  Pairs pairs(lefts.size(), rights.size());
  // The file of an old symbol is one of the new map; those that are gone have
  // numbers behind these.
  auto oldFile = [&](uint32_t file) -> uint32_t {
    if (file == kNoIndex || files[file] != kNoIndex)
      return file == kNoIndex ? file : files[file];
    return uint32_t(after.files.size()) + file;
  };
  auto round =
      [&](function_ref<PairKey(const MapSymbol &, uint32_t file)> key) {
        auto named = [](const PairKey &key) {
          return key.name.empty() ? std::nullopt : std::optional(key);
        };
        pairs.round(
            [&](uint32_t i) {
              return named(key(before.symbols[lefts[i].symbol],
                               oldFile(before.parts[lefts[i].part].file)));
            },
            [&](uint32_t i) {
              return named(key(after.symbols[rights[i].symbol],
                               after.parts[rights[i].part].file));
            });
      };
  round([](const MapSymbol &s, uint32_t file) {
    return PairKey{s.name, {}, {}, file, s.size};
  });
  round([](const MapSymbol &s, uint32_t file) {
    return PairKey{s.name, {}, {}, file};
  });
  round([](const MapSymbol &s, uint32_t) {
    return PairKey{s.local ? "" : s.name};
  });
  round([](const MapSymbol &s, uint32_t file) {
    return PairKey{s.local ? withoutNumber(s.name) : "", {}, {}, file, s.size};
  });
  std::vector<std::pair<SymbolInMap, SymbolInMap>> result;
  result.reserve(std::max(lefts.size(), rights.size()));
  for (uint32_t i = 0; i < lefts.size(); ++i)
    result.emplace_back(lefts[i], pairs.ofA[i] == kNoIndex
                                      ? SymbolInMap{}
                                      : rights[pairs.ofA[i]]);
  for (uint32_t i = 0; i < rights.size(); ++i)
    if (pairs.ofB[i] == kNoIndex)
      result.emplace_back(SymbolInMap{}, rights[i]);
  return result;
}

} // namespace xlink
