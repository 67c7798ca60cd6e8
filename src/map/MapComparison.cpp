//===- MapComparison.cpp --------------------------------------------------===//
//
// Problem: a program has grown by 600 bytes. Which memory, which library, which
// function is it?
//
// Method: the same bytes are counted by what they are in: regions, output
// sections, archives, objects. What has no file (padding, room that is set
// aside for heaps and stacks, what the linker makes, data of the script) has
// rows among the objects, so their changes sum to that of the program.
// Functions and variables have the sizes that their symbols state, which need
// not cover everything, and names for the same bytes count each. Which of the
// one map is which of the other: MapMatching.cpp.
//
// Cost: linear in both maps, but for sorting what changed.
//
//===----------------------------------------------------------------------===//
#include "map/MapComparison.h"
#include "map/Pairs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace llvm;

namespace xlink {

int64_t difference(uint64_t before, uint64_t after) {
  const uint64_t most = INT64_MAX;
  return after >= before ? int64_t(std::min(after - before, most))
                         : -int64_t(std::min(before - after, most));
}

int64_t saturatingSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!AddOverflow(a, b, sum))
    return sum;
  return a > 0 ? INT64_MAX : -INT64_MAX;
}

namespace {

/// What is in memory, counted in several ways.
struct Sums {
  explicit Sums(const LinkMap &map);

  uint64_t code = 0, data = 0, zero = 0, total = 0;
  std::vector<uint64_t> files;          ///< by index
  std::array<uint64_t, 5> without = {}; ///< what has no file, by MapPart::Kind
  uint64_t setAside = 0;                ///< not in `without`
  std::vector<std::string> archives;    ///< in order
  std::vector<uint64_t> archiveSizes;   ///< of each
};

Sums::Sums(const LinkMap &map) : files(map.files.size()) {
  for (const MapOutput &out : map.outputs) {
    if (!(out.flags & ELF::SHF_ALLOC))
      continue;
    uint64_t &sum = out.type == ELF::SHT_NOBITS      ? zero
                    : out.flags & ELF::SHF_EXECINSTR ? code
                                                     : data;
    sum = SaturatingAdd(sum, out.size);
    total = SaturatingAdd(total, out.size);
    // What no part takes is padding too.
    uint64_t rest = out.size;
    for (uint32_t i = 0; i < out.parts; ++i) {
      const MapPart &part = map.parts[out.firstPart + i];
      rest -= std::min(rest, part.size);
      uint64_t &of = part.file != kNoIndex     ? files[part.file]
                     : map.reservationOf(part) ? setAside
                                               : without[part.kind];
      of = SaturatingAdd(of, part.size);
    }
    without[MapPart::Padding] = SaturatingAdd(without[MapPart::Padding], rest);
  }
  StringMap<size_t> known;
  for (size_t i = 0; i < map.files.size(); ++i) {
    if (map.files[i].member.empty())
      continue;
    auto [it, isNew] = known.try_emplace(map.files[i].path, archives.size());
    if (isNew) {
      archives.push_back(map.files[i].path.str());
      archiveSizes.push_back(0);
    }
    uint64_t &of = archiveSizes[it->second];
    of = SaturatingAdd(of, files[i]);
  }
}

/// Adds what differs.
void add(std::vector<SizeChange> &list, SizeChange change) {
  if (change.before != change.after)
    list.push_back(std::move(change));
}

/// Adds what differs of things that `partner` pairs: of each old one the new
/// one, which SizeChange::file is. What has no bytes is as good as absent.
void addPairs(std::vector<SizeChange> &list, ArrayRef<uint32_t> partner,
              ArrayRef<std::string> names, ArrayRef<uint64_t> sizes,
              ArrayRef<std::string> newNames, ArrayRef<uint64_t> newSizes) {
  auto size = [](uint64_t bytes) {
    return bytes ? std::optional(bytes) : std::nullopt;
  };
  std::vector<bool> matched(newNames.size());
  for (size_t i = 0; i < partner.size(); ++i) {
    const uint32_t other = partner[i];
    if (other == kNoIndex) {
      add(list, {names[i], size(sizes[i]), std::nullopt});
      continue;
    }
    matched[other] = true;
    add(list, {newNames[other], size(sizes[i]), size(newSizes[other]),
               MapPart::Input, /*setAside=*/false, other});
  }
  for (size_t i = 0; i < newNames.size(); ++i)
    if (!matched[i])
      add(list, {newNames[i], std::nullopt, size(newSizes[i]), MapPart::Input,
                 /*setAside=*/false, uint32_t(i)});
}

/// Pairs of the same name, the first with the first and so on: calls
/// `fn(old, new)` with null for what one of them lacks.
template <class T>
void forSameNames(const std::vector<T> &before, const std::vector<T> &after,
                  function_ref<void(const T *, const T *)> fn) {
  Pairs pairs(before.size(), after.size());
  pairs.round([&](uint32_t i) { return PairKey{before[i].name}; },
              [&](uint32_t i) { return PairKey{after[i].name}; });
  for (uint32_t i = 0; i < after.size(); ++i)
    fn(pairs.ofB[i] == Pairs::kNone ? nullptr : &before[pairs.ofB[i]],
       &after[i]);
  for (uint32_t i = 0; i < before.size(); ++i)
    if (pairs.ofA[i] == Pairs::kNone)
      fn(&before[i], nullptr);
}

void compareRegions(MapComparison &result) {
  forSameNames<MapRegion>(result.before.regions, result.after.regions,
                          [&](const MapRegion *old, const MapRegion *now) {
                            RegionChange &made = result.regions.emplace_back();
                            made.used.name = (now ? now : old)->name.str();
                            if (old)
                              made.used.before = old->used,
                              made.lengthBefore = old->length;
                            if (now)
                              made.used.after = now->used,
                              made.lengthAfter = now->length;
                          });
}

void compareOutputs(MapComparison &result) {
  auto size = [](const MapOutput *out) {
    return out && (out->flags & ELF::SHF_ALLOC) ? std::optional(out->size)
                                                : std::nullopt;
  };
  forSameNames<MapOutput>(result.before.outputs, result.after.outputs,
                          [&](const MapOutput *old, const MapOutput *now) {
                            add(result.outputs, {(now ? now : old)->name.str(),
                                                 size(old), size(now)});
                          });
}

/// Compares archives and objects; the result is which file is which.
std::vector<uint32_t> compareFiles(MapComparison &result, const Sums &old,
                                   const Sums &now) {
  addPairs(result.archives, matchPaths(old.archives, now.archives),
           old.archives, old.archiveSizes, now.archives, now.archiveSizes);
  const std::vector<std::string> names = fileNames(result.before),
                                 newNames = fileNames(result.after);
  std::vector<uint32_t> partner = matchPaths(names, newNames);
  addPairs(result.objects, partner, names, old.files, newNames, now.files);
  for (size_t kind = 0; kind < old.without.size(); ++kind)
    add(result.objects,
        {"", old.without[kind], now.without[kind], MapPart::Kind(kind)});
  add(result.objects,
      {"", old.setAside, now.setAside, MapPart::Padding, /*setAside=*/true});
  return partner;
}

void compareSymbols(MapComparison &result) {
  for (auto [old, now] :
       matchSymbols(result.before, result.after, result.files)) {
    const SymbolChange change{old, now};
    const SizeChange sizes = result.sizesOf(change);
    // A label has no size: that it came or went changes nothing.
    if (sizes.change())
      result.symbols.push_back(change);
    else if (old && now && sizes.after != 0 &&
             result.before.symbols[old.symbol].address !=
                 result.after.symbols[now.symbol].address)
      result.moved.push_back(change);
  }
}

/// The largest change first, of the same ones by name.
void sortByAmount(std::vector<SizeChange> &list) {
  stable_sort(list, [](const SizeChange &a, const SizeChange &b) {
    const int64_t x = std::abs(a.change()), y = std::abs(b.change());
    return x != y ? x > y : a.name < b.name;
  });
}

void sortSymbols(MapComparison &result) {
  auto key = [&](const SymbolChange &c) {
    const StringRef name = c.after
                               ? result.after.symbols[c.after.symbol].name
                               : result.before.symbols[c.before.symbol].name;
    return std::pair(-std::abs(result.sizesOf(c).change()), name);
  };
  stable_sort(result.symbols,
              [&](const auto &a, const auto &b) { return key(a) < key(b); });
}

} // namespace

SizeChange MapComparison::sizesOf(const SymbolChange &symbol) const {
  SizeChange result;
  if (symbol.before)
    result.before = before.symbols[symbol.before.symbol].size;
  if (symbol.after)
    result.after = after.symbols[symbol.after.symbol].size;
  return result;
}

std::vector<MapComparison::Move> MapComparison::moves() const {
  // In a list beside the numbers: what is found first shall stand first.
  std::vector<Move> list;
  DenseMap<std::pair<uint64_t, uint64_t>, size_t> known;
  for (const SymbolChange &symbol : moved) {
    const uint64_t from = before.symbols[symbol.before.symbol].address;
    const uint64_t to = after.symbols[symbol.after.symbol].address;
    const bool back = to < from;
    const uint32_t output = after.parts[symbol.after.part].output;
    const auto [it, isNew] = known.try_emplace(
        {to - from, uint64_t(output) << 1 | back}, list.size());
    if (isNew)
      list.push_back(
          {back, back ? from - to : to - from, output, 0, symbol, symbol});
    Move &move = list[it->second];
    ++move.symbols;
    move.last = symbol;
  }
  stable_sort(
      list, [](const Move &a, const Move &b) { return a.symbols > b.symbols; });
  return list;
}

bool MapComparison::equal() const {
  return outputs.empty() && objects.empty() && archives.empty() &&
         symbols.empty() && moved.empty() &&
         none_of(regions, [](const RegionChange &r) { return r.differs(); });
}

MapComparison compareMaps(const LinkMap &before, const LinkMap &after) {
  const Sums old(before), now(after);
  MapComparison result(before, after);
  result.code = {"code", old.code, now.code};
  result.data = {"data", old.data, now.data};
  result.zero = {"zero", old.zero, now.zero};
  result.total = {"total", old.total, now.total};
  compareRegions(result);
  compareOutputs(result);
  result.files = compareFiles(result, old, now);
  compareSymbols(result);
  for (std::vector<SizeChange> *list :
       {&result.outputs, &result.archives, &result.objects})
    sortByAmount(*list);
  sortSymbols(result);
  return result;
}

} // namespace xlink
