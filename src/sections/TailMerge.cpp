//===- TailMerge.cpp ------------------------------------------------------===//
//
// Problem: of different strings find those that another one ends in. Many end
// alike without that: messages in line feeds, names in what C++ appends.
//
// Method: sorted by their bytes read backwards, strings stand in front of those
// that end in them, and nothing else stands between. So after sorting one walk
// from the last to the first knows, with the last string that stays, what the
// next one can be read in. Strings with different last bytes have nothing to do
// with each other: they are put into buckets by that byte, and each bucket is
// sorted and walked by one thread. The empty string, which ends all, is read in
// the first of all.
//
// Seven bytes at a time make a number, the key; the first are at hand. Strings
// of one key stand in a part, which is sorted by their next seven bytes; those
// are elsewhere in memory for each string, so keys are what is moved and
// compared.
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
#include "sections/TailMerge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>
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
  uint64_t key = 0; ///< that of the last seven bytes, if `at` is not 0
};

/// Strings by their last bytes.
class TailMerger {
public:
  TailMerger(const Parallel &parallel, MergeTable &pieces, uint64_t unit)
      : parallel(parallel), pieces(pieces), unit(unit) {}
  void run();

private:
  static constexpr size_t kBuckets = 256;
  static size_t bucketOf(const SectionPiece &piece) { return piece.tail >> 56; }
  void collect();
  const Tail *share(MutableArrayRef<Tail> bucket);

  const Parallel parallel;
  MergeTable &pieces;
  const uint64_t unit;
  uint32_t empty = kNone;  ///< the number of the empty string, if it is there
  std::vector<Tail> tails; ///< of all others, by bucket
  std::array<size_t, kBuckets + 1> begin = {}; ///< of each bucket
  /// Only strings that exceed a multiple of this by the same share an end.
  uint64_t modulus = 1;
};

} // namespace

/// Sets the keys of strings to those in front of the last bytes that those of
/// each part have in common. In the order in which they are sorted they are far
/// from each other in memory, which is asked for them early: first for what is
/// known of a string, then for its bytes. Parts may be small, so that is done
/// for many of them at once.
static void makeKeys(const MergeTable &pieces, ArrayRef<TailPart> parts) {
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
    tails[i]->key = tailKey(pieces[tails[i]->piece].bytes().drop_back(at));
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

/// Sorts strings by their bytes read backwards. The keys are those at 0
/// afterwards. Inputs decide how often parts are equal once more, so this is no
/// recursion.
static void sortTails(const MergeTable &pieces, MutableArrayRef<Tail> tails) {
  std::vector<TailPart> parts = {{tails}}, equal;
  for (; !parts.empty(); parts = std::exchange(equal, {})) {
    if (parts[0].at != 0)
      makeKeys(pieces, parts);
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

/// Whether `whole` ends in `tail`. Most strings are told apart without a look
/// at their bytes.
static bool endsIn(const MergeTable &pieces, const Tail &whole,
                   const Tail &tail) {
  const unsigned known = unsigned(std::min<uint64_t>(tail.size, kTailBytes));
  if (whole.size <= tail.size ||
      (known && (whole.key ^ tail.key) >> (64 - 8 * known)))
    return false;
  return pieces[whole.piece].bytes().ends_with(pieces[tail.piece].bytes());
}

/// Whether there `tail` is as aligned as it asks.
static bool isAlignedIn(const MergeTable &pieces, const Tail &whole,
                        const Tail &tail) {
  const unsigned align = pieces[tail.piece].alignLog2;
  return pieces[whole.piece].alignLog2 >= align &&
         (whole.size - tail.size) % (uint64_t(1) << align) == 0;
}

/// Of the strings from `at` on that may be in no order, the first one. They
/// have one size and one key; so have some behind them that are in order.
static const Tail *firstOfTie(const MergeTable &pieces, ArrayRef<Tail> tails,
                              const Tail *at) {
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

/// From the last string to the first, finds what each can be read in. Returns
/// the string that stays and is the first, or one of its tie.
static const Tail *walk(MergeTable &pieces, ArrayRef<Tail> tails) {
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
  return whole;
}

/// Puts the strings into buckets.
void TailMerger::collect() {
  uint8_t leastAlign = UINT8_MAX, mostAlign = 0;
  for (uint32_t number = 0; number < pieces.size(); ++number) {
    const SectionPiece &piece = pieces[number];
    leastAlign = std::min(leastAlign, piece.alignLog2);
    mostAlign = std::max(mostAlign, piece.alignLog2);
    if (piece.size == 0)
      empty = number;
    else
      ++begin[bucketOf(piece) + 1];
  }
  for (size_t b = 0; b < kBuckets; ++b)
    begin[b + 1] += begin[b];
  tails.resize(begin[kBuckets]);
  std::array<size_t, kBuckets + 1> next = begin;
  for (uint32_t number = 0; number < pieces.size(); ++number)
    if (const SectionPiece &piece = pieces[number]; piece.size != 0)
      tails[next[bucketOf(piece)]++] = {piece.tail, number, piece.size};
  if (leastAlign == mostAlign && uint64_t(1) << mostAlign > unit)
    modulus = uint64_t(1) << mostAlign;
}

/// Finds what the strings of a bucket can be read in. Returns the one in which
/// the empty string could be read, or one of its tie; null: there is none.
const Tail *TailMerger::share(MutableArrayRef<Tail> bucket) {
  auto excess = [&](const Tail &t) { return t.size % modulus; };
  if (modulus != 1)
    llvm::sort(bucket, [&](const Tail &a, const Tail &b) {
      return excess(a) < excess(b);
    });
  const Tail *first = nullptr;
  for (size_t begin = 0, end; begin < bucket.size(); begin = end) {
    end = begin + 1;
    while (end < bucket.size() && excess(bucket[end]) == excess(bucket[begin]))
      ++end;
    const MutableArrayRef<Tail> alike = bucket.slice(begin, end - begin);
    sortTails(pieces, alike);
    const Tail *whole = walk(pieces, alike);
    if (begin == 0 && excess(alike[0]) == 0)
      first = whole;
  }
  return first;
}

void TailMerger::run() {
  collect();
  std::array<const Tail *, kBuckets> firsts;
  parallel.forEach(kBuckets, tails.size() * 64, [&](size_t b) {
    firsts[b] =
        share(MutableArrayRef(tails).slice(begin[b], begin[b + 1] - begin[b]));
  });
  const auto first = find_if(firsts, [](const Tail *t) { return t; });
  if (empty == kNone || first == firsts.end())
    return;
  const Tail *whole = firstOfTie(pieces, tails, *first);
  if (isAlignedIn(pieces, *whole, {pieces[empty].tail, empty, 0}))
    pieces[empty].whole = whole->piece;
}

void mergeTails(const Parallel &parallel, MergeTable &pieces, uint64_t unit) {
  TailMerger(parallel, pieces, unit).run();
}

} // namespace xlink
