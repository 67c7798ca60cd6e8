//===- TailMerge.cpp - strings that end others ----------------------------===//
//
// Problem: of different strings find those that another one ends in.
//
// Method: sorted by their bytes read backwards, strings stand in front of those
// that end in them, and nothing else stands between. So after sorting one walk
// from the last to the first finds, for each string, the last one that stays:
// the only one that can end in it. Strings with different last bytes do not end
// each other: they are put into buckets by that byte, which threads share. The
// empty string, which ends all, is read in the first of all.
//
// The last eight bytes of a string as a number, its key, decide most
// comparisons. Where all strings are aligned to a multiple of several
// characters, only those share an end that exceed such a multiple by the same:
// they are sorted by that first.
//
// Cost: n log n comparisons of keys for n strings; strings with equal keys are
// compared by their bytes.
//
//===----------------------------------------------------------------------===//
#include "sections/TailMerge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace xlink {

namespace {

/// The end of a string, by which it is sorted.
struct StringTail {
  uint64_t excess; ///< over a multiple of the common alignment
  uint64_t key;    ///< the last eight bytes, the last one highest
  uint32_t piece;
};

} // namespace

static uint64_t keyOf(StringRef bytes) {
  uint64_t key = 0;
  const size_t known = std::min<size_t>(bytes.size(), 8);
  for (size_t i = 0; i < known; ++i)
    key |= uint64_t(uint8_t(bytes[bytes.size() - 1 - i])) << (56 - 8 * i);
  return key;
}

/// Whether a string comes before another one, both read backwards.
static bool isBefore(ArrayRef<uint8_t> a, ArrayRef<uint8_t> b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(),
                                      b.rend());
}

/// The alignment of all strings, or 1 if they differ or it is a character's.
static uint64_t commonAlignment(ArrayRef<SectionPiece> pieces, uint64_t unit) {
  const uint64_t align = uint64_t(1) << pieces[0].alignLog2;
  const bool alike = all_of(pieces, [&](const SectionPiece &piece) {
    return piece.alignLog2 == pieces[0].alignLog2;
  });
  return alike && align > unit ? align : 1;
}

/// Whether `tail` can be read at the end of `whole`.
static bool endsIn(const SectionPiece &whole, const SectionPiece &tail) {
  const uint64_t distance = whole.bytes.size() - tail.bytes.size();
  return whole.bytes.size() > tail.bytes.size() &&
         whole.alignLog2 >= tail.alignLog2 &&
         distance % (uint64_t(1) << tail.alignLog2) == 0 &&
         whole.bytes.ends_with(tail.bytes);
}

/// Sorts a bucket and finds the string that each of it is read in. Returns the
/// last one that stays.
static uint32_t mergeBucket(MutableArrayRef<SectionPiece> pieces,
                            std::vector<StringTail> &bucket) {
  llvm::sort(bucket, [&](const StringTail &a, const StringTail &b) {
    if (a.excess != b.excess)
      return a.excess < b.excess;
    if (a.key != b.key)
      return a.key < b.key;
    return isBefore(arrayRefFromStringRef(pieces[a.piece].bytes),
                    arrayRefFromStringRef(pieces[b.piece].bytes));
  });
  uint32_t whole = kNone;
  for (const StringTail &tail : reverse(bucket))
    if (whole != kNone && endsIn(pieces[whole], pieces[tail.piece]))
      pieces[tail.piece].whole = whole;
    else
      whole = tail.piece;
  return whole;
}

void mergeTails(const Parallel &parallel, MutableArrayRef<SectionPiece> pieces,
                uint64_t unit) {
  if (pieces.empty())
    return;
  constexpr size_t kBuckets = 256;
  const uint64_t align = commonAlignment(pieces, unit);
  std::vector<StringTail> buckets[kBuckets];
  SectionPiece *empty = nullptr;
  for (const auto &[i, piece] : enumerate(pieces))
    if (piece.bytes.empty())
      empty = &piece;
    else
      buckets[uint8_t(piece.bytes.back())].push_back(
          {piece.bytes.size() % align, keyOf(piece.bytes), uint32_t(i)});
  uint32_t last[kBuckets];
  parallel.forEach(kBuckets, pieces.size() * 64, [&](size_t b) {
    last[b] = mergeBucket(pieces, buckets[b]);
  });
  for (size_t b = 0; b < kBuckets && empty; ++b)
    if (!buckets[b].empty() && buckets[b].front().excess == 0) {
      if (endsIn(pieces[last[b]], *empty))
        empty->whole = last[b];
      return;
    }
}

} // namespace xlink
