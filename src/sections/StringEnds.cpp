//===- StringEnds.cpp -----------------------------------------------------===//
//
// Problem: of distinct strings find those that another one ends in. Many end
// alike without that: messages in line feeds, names in what C++ appends.
//
// Method: sorted by their bytes read backwards, strings stand in front of those
// that end in them, and nothing else stands between. So after sorting one walk
// from the last to the first knows, with the last string that stays, what the
// next one can be read in.
//
// Seven bytes at a time make a number, the key; the first are at hand. Strings
// of one key stand in a part, which is sorted by their next seven bytes; those
// are elsewhere in memory for each string, so keys are what is moved and
// compared. A part that is too large for one thread is dealt by all of them: a
// sample of its keys is sorted, and they are dealt into what is between two of
// these and what is equal to one. What most strings end in is so frequent that
// the sample has it, and those strings are a part of their own, again dealt by
// all threads. Parts that are small enough go to one thread each.
//
// Strings of one size do not end each other. So a part in which all have one
// size, a tie, stays in any order: what ends one of them ends all, and stands
// in front of them. Only when there is such a string, the first of them is
// found, for that to be read in.
//
// Cost: n log n comparisons of keys for n strings, and a look at the memory of
// a string for each seven bytes that it has in common with one of another size.
//
//===----------------------------------------------------------------------===//
#include "sections/StringEnds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

using namespace llvm;

namespace xlink {

namespace {

/// The end of a string, by which it is sorted.
struct Tail {
  uint64_t key; ///< tailKey of the string or of what it begins with
  uint32_t piece;
  uint32_t size; ///< of the string
};

/// Strings whose last `at` bytes are equal.
struct TailPart {
  MutableArrayRef<Tail> tails;
  uint64_t at = 0;
  uint64_t key = 0;   ///< that of the last seven bytes, if these are some
  bool keyed = false; ///< whether the keys are those in front of `at`
};

class TailSorter {
public:
  TailSorter(const Parallel &parallel, const DistinctPieces &pieces)
      : parallel(parallel), pieces(pieces) {}
  /// Sorts strings by their bytes read backwards.
  void sort(MutableArrayRef<Tail> tails);

private:
  /// More than this many are dealt by all threads.
  static constexpr size_t kLarge = 8192;
  static constexpr size_t kSample = 1024, kSplitters = 63;

  /// Parts of one `at`.
  void makeKeys(ArrayRef<TailPart> parts) const;
  void sortAlone(TailPart whole) const;
  std::vector<uint64_t> chooseSplitters(ArrayRef<Tail> tails) const;
  void deal(TailPart part);
  void wait(const TailPart &part);

  const Parallel parallel;
  const DistinctPieces &pieces;
  std::vector<TailPart> large, small;
  std::unique_ptr<Tail[]> room;
};

} // namespace

/// Sets the keys of strings to those in front of the last bytes that those of
/// each part have in common. In the order in which they are sorted they are far
/// from each other in memory, which is asked for them early: first for what is
/// known of a string, then for its bytes. Parts may be small, so that is done
/// for many of them at once.
void TailSorter::makeKeys(ArrayRef<TailPart> parts) const {
  constexpr size_t early = 32, late = 16;
  size_t count = 0;
  for (const TailPart &part : parts)
    count += part.tails.size();
  std::vector<Tail *> tails;
  tails.reserve(count);
  for (const TailPart &part : parts)
    for (Tail &t : part.tails)
      tails.push_back(&t);
  const uint64_t at = parts[0].at;
  for (size_t i = 0; i < tails.size(); ++i) {
    if (i + early < tails.size())
      __builtin_prefetch(&pieces[tails[i + early]->piece]);
    if (i + late < tails.size())
      __builtin_prefetch(pieces[tails[i + late]->piece].bytes().end() - at);
    const DistinctPiece &piece = pieces[tails[i]->piece];
    tails[i]->key = tailKey(piece.begin, piece.size - at);
  }
}

/// Whether strings with one key need no further order: none ends another.
static bool allOfOneSize(ArrayRef<Tail> tails) {
  return all_of(tails, [&](const Tail &t) { return t.size == tails[0].size; });
}

/// Calls fn(begin, end) for each run of equal keys in which strings may end
/// others. Of strings that end within a key there is one.
static void forEachRun(ArrayRef<Tail> tails,
                       function_ref<void(size_t, size_t)> fn) {
  for (size_t begin = 0, end; begin < tails.size(); begin = end) {
    for (end = begin + 1; end < tails.size(); ++end)
      if (tails[end].key != tails[begin].key)
        break;
    if (!allOfOneSize(tails.slice(begin, end - begin)))
      fn(begin, end);
  }
}

/// Sorts a part on this thread. The keys are those at 0 afterwards. Inputs
/// decide how often parts are equal once more, so this is no recursion.
void TailSorter::sortAlone(TailPart whole) const {
  std::vector<TailPart> parts = {whole}, equal;
  for (; !parts.empty(); parts = std::exchange(equal, {})) {
    if (!parts[0].keyed)
      makeKeys(parts);
    for (const TailPart &part : parts) {
      llvm::sort(part.tails,
                 [](const Tail &a, const Tail &b) { return a.key < b.key; });
      forEachRun(part.tails, [&](size_t begin, size_t end) {
        equal.push_back({part.tails.slice(begin, end - begin),
                         part.at + kTailBytes,
                         part.at == 0 ? part.tails[begin].key : part.key});
      });
      if (part.at != 0)
        for (Tail &t : part.tails)
          t.key = part.key;
    }
  }
}

/// Keys that part the others into shares of about the same size.
std::vector<uint64_t> TailSorter::chooseSplitters(ArrayRef<Tail> tails) const {
  std::array<uint64_t, kSample> sample;
  for (size_t i = 0; i < kSample; ++i)
    sample[i] = tails[tails.size() / kSample * i].key;
  llvm::sort(sample);
  std::vector<uint64_t> splitters;
  for (size_t i = 1; i <= kSplitters; ++i)
    splitters.push_back(sample[i * kSample / (kSplitters + 1)]);
  splitters.erase(llvm::unique(splitters), splitters.end());
  return splitters;
}

void TailSorter::wait(const TailPart &part) {
  (part.tails.size() > kLarge ? large : small).push_back(part);
}

/// Deals a part into smaller ones by its keys. Runs of it are counted first, so
/// that each knows where its strings go.
void TailSorter::deal(TailPart part) {
  const size_t count = part.tails.size(), bytes = count * 64;
  const size_t runs = std::min<size_t>(count / 1024, 64);
  auto run = [&](size_t r) {
    const size_t begin = count * r / runs;
    return part.tails.slice(begin, count * (r + 1) / runs - begin);
  };
  if (!part.keyed)
    parallel.forEach(runs, bytes, [&](size_t r) {
      makeKeys(TailPart{run(r), part.at});
    });
  const std::vector<uint64_t> splitters = chooseSplitters(part.tails);
  // Even: between two splitters. Odd: equal to one.
  auto bucketOf = [&](const Tail &t) {
    const uint64_t *at = splitters.data();
    for (size_t n = splitters.size(); n > 1; n -= n / 2)
      at += at[n / 2] <= t.key ? n / 2 : 0;
    const size_t i = size_t(at - splitters.data());
    return 2 * i + (t.key < *at ? 0 : t.key == *at ? 1 : 2);
  };
  const size_t buckets = 2 * splitters.size() + 1;
  std::vector<std::vector<size_t>> places(runs);
  parallel.forEach(runs, bytes, [&](size_t r) {
    places[r].assign(buckets, 0);
    for (const Tail &t : run(r))
      ++places[r][bucketOf(t)];
  });
  std::vector<size_t> begin;
  size_t end = 0;
  for (size_t b = 0; b < buckets; ++b) {
    begin.push_back(end);
    for (std::vector<size_t> &place : places)
      end += std::exchange(place[b], end);
  }
  begin.push_back(end);
  parallel.forEach(runs, bytes, [&](size_t r) {
    for (const Tail &t : run(r))
      room[places[r][bucketOf(t)]++] = t;
  });
  parallel.forEach(runs, bytes, [&](size_t r) {
    const MutableArrayRef<Tail> to = run(r);
    std::copy_n(room.get() + (to.data() - part.tails.data()), to.size(),
                to.data());
  });
  for (size_t b = 0; b < buckets; ++b) {
    TailPart bucket{part.tails.slice(begin[b], begin[b + 1] - begin[b]),
                    part.at, part.key, true};
    if (b % 2 == 1) {
      if (part.at == 0)
        bucket.key = splitters[b / 2];
      bucket.at += kTailBytes;
      bucket.keyed = false;
    }
    if (b % 2 == 1 && allOfOneSize(bucket.tails))
      for (Tail &t : bucket.tails)
        t.key = bucket.key;
    else if (!bucket.tails.empty())
      wait(bucket);
  }
}

void TailSorter::sort(MutableArrayRef<Tail> tails) {
  if (tails.size() > kLarge)
    room = std::make_unique_for_overwrite<Tail[]>(tails.size());
  small.clear();
  wait({tails, 0, 0, true});
  while (!large.empty()) {
    const TailPart part = large.back();
    large.pop_back();
    deal(part);
  }
  parallel.forEach(small.size(), tails.size() * 64,
                   [&](size_t i) { sortAlone(small[i]); });
}

/// Whether `whole` ends in `tail`. Most strings are told apart without a look
/// at their bytes.
static bool endsIn(const DistinctPieces &pieces, const Tail &whole,
                   const Tail &tail) {
  const unsigned known = unsigned(std::min<uint64_t>(tail.size, kTailBytes));
  if (whole.size <= tail.size ||
      (known && (whole.key ^ tail.key) >> (64 - 8 * known)))
    return false;
  return pieces[whole.piece].bytes().ends_with(pieces[tail.piece].bytes());
}

/// Whether there `tail` is as aligned as it asks.
static bool isAlignedIn(const DistinctPieces &pieces, const Tail &whole,
                        const Tail &tail) {
  const uint64_t align = pieces[tail.piece].alignLog2();
  return pieces[whole.piece].alignLog2() >= align &&
         (whole.size - tail.size) % (uint64_t(1) << align) == 0;
}

/// Of the strings from `at` on that may be in no order, the first one. They
/// have one size and one key; so have some behind them that are in order.
static const Tail *firstOfTie(const DistinctPieces &pieces,
                              ArrayRef<Tail> tails, const Tail *at) {
  auto isLess = [&](const Tail &a, const Tail &b) {
    const auto x = arrayRefFromStringRef(pieces[a.piece].bytes()),
               y = arrayRefFromStringRef(pieces[b.piece].bytes());
    return std::lexicographical_compare(x.rbegin(), x.rend(), y.rbegin(),
                                        y.rend());
  };
  const Tail *first = at;
  for (const Tail *t = at + 1;
       t != tails.end() && t->size == at->size && t->key == at->key; ++t)
    if (isLess(*t, *first))
      first = t;
  return first;
}

/// From the last string to the first, finds what each can be read in.
static void walk(DistinctPieces &pieces, ArrayRef<Tail> tails) {
  const Tail *whole = nullptr;
  bool isFirst = false; // of those of its tie
  for (const Tail &t : reverse(tails)) {
    const bool ends = whole && endsIn(pieces, *whole, t);
    if (ends && !isFirst)
      whole = firstOfTie(pieces, tails, whole);
    isFirst = ends;
    if (ends && isAlignedIn(pieces, *whole, t)) {
      pieces[t.piece].whole = whole->piece;
    } else {
      whole = &t;
      isFirst = false;
    }
  }
}

namespace {

/// All strings that somebody asks for.
struct AllTails {
  AllTails(const Parallel &parallel, const DistinctPieces &pieces);

  std::unique_ptr<Tail[]> tails;
  size_t count = 0;
  /// Binary logarithms of the alignments that they ask for.
  uint64_t leastAlign = 64, mostAlign = 0;
};

} // namespace

AllTails::AllTails(const Parallel &parallel, const DistinctPieces &pieces) {
  const size_t blocks = pieces.blockCount();
  std::vector<size_t> begin;
  for (size_t b = 0; b < blocks; ++b) {
    begin.push_back(count);
    count += pieces.inBlock(b).second;
  }
  // Nobody need ask for the empty string.
  const bool noEmpty = pieces[DistinctPieces::kEmpty].claim == 0;
  tails = std::make_unique_for_overwrite<Tail[]>(count);
  std::vector<std::pair<uint64_t, uint64_t>> asked(blocks, {64, 0});
  parallel.forEach(blocks, count * 64, [&](size_t b) {
    const auto [number, used] = pieces.inBlock(b);
    for (uint32_t i = 0; i < used; ++i) {
      const DistinctPiece &p = pieces[number + i];
      tails[begin[b] + i] = {p.tail, number + i, p.size};
      if (p.claim == 0)
        continue;
      asked[b].first = std::min(asked[b].first, p.alignLog2());
      asked[b].second = std::max(asked[b].second, p.alignLog2());
    }
  });
  for (auto [least, most] : asked) {
    leastAlign = std::min(leastAlign, least);
    mostAlign = std::max(mostAlign, most);
  }
  if (noEmpty)
    tails[DistinctPieces::kEmpty] = tails[--count];
}

void shareStringEnds(const Parallel &parallel, DistinctPieces &pieces,
                     uint64_t unit) {
  TailSorter sorter(parallel, pieces);
  AllTails all(parallel, pieces);
  const MutableArrayRef<Tail> tails(all.tails.get(), all.count);
  if (tails.empty())
    return;
  // Where all are aligned alike, only strings that exceed a multiple of that
  // by the same can share an end: they come together.
  const uint64_t common = uint64_t(1) << all.mostAlign;
  if (all.leastAlign != all.mostAlign || common <= unit) {
    sorter.sort(tails);
  } else {
    auto excess = [&](const Tail &t) { return t.size % common; };
    llvm::sort(tails, [&](const Tail &a, const Tail &b) {
      return excess(a) < excess(b);
    });
    for (size_t begin = 0, end; begin < tails.size(); begin = end) {
      end = begin + 1;
      while (end < tails.size() && excess(tails[end]) == excess(tails[begin]))
        ++end;
      sorter.sort(tails.slice(begin, end - begin));
    }
  }
  walk(pieces, tails);
}

} // namespace xlink
