//===- ContentDiff.cpp ----------------------------------------------------===//
//
// Problem: which bytes of a function that is in both files did an edit change?
// Bytes that differ because a callee moved are no news, and behind an insertion
// every byte differs from the one at its offset.
//
// Method: in atoms of one size, each byte that differs is judged
// (References.h): a field with the same target in both files counts as moved,
// all else is a run of bytes or a field that really differs. In atoms of two
// sizes the same is done from the beginning and from the end, up to the first
// byte that really differs; the bytes between were inserted, removed or
// changed.
//
// Cost: linear in the bytes. A judgement costs more than a comparison, so
// behind kMostReal bytes that really differ no more fields are guessed.
//
//===----------------------------------------------------------------------===//
#include "inspect/FileDiff.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

constexpr uint64_t kMostReal = 1024;

namespace {

/// Compares two atoms.
class AtomComparer {
public:
  AtomComparer(const Side &a, const Atom &x, const Side &b, const Atom &y,
               const References &references)
      : a(a), b(b), x(x), y(y), references(references), from(a.bytesOf(x)),
        to(b.bytesOf(y)) {}

  ContentDiff run() {
    diff.size[0] = x.size;
    diff.size[1] = y.size;
    diff.address[0] = a.addressOf(x);
    diff.address[1] = b.addressOf(y);
    // A section may have no bytes in the file.
    if (diff.resized() && !from.empty() && !to.empty()) {
      compareResized();
    } else if (!diff.resized() && from.empty() == to.empty()) {
      compareBytes();
      compareRelocations();
    }
    return std::move(diff);
  }

private:
  FieldVerdict judge(uint64_t atA, uint64_t atB, bool guess) const {
    return references.judge({&x, x.begin + atA}, {&y, y.begin + atB}, guess);
  }
  uint64_t countDiffering(uint64_t atA, uint64_t atB, uint64_t size) const {
    uint64_t count = 0;
    for (uint64_t i = 0; i < size; ++i)
      count += from[atA + i] != to[atB + i];
    return count;
  }
  /// Counts the bytes that differ as moved.
  void addMoved(const FieldVerdict &verdict, uint64_t atA, uint64_t atB,
                uint64_t size) {
    const uint64_t count = countDiffering(atA, atB, size);
    diff.moved += count;
    diff.probably += verdict.probably ? count : 0;
  }

  /// Bytes that really differ; a field if the verdict has a row.
  void addPlace(uint64_t begin, uint64_t end, const FieldVerdict &verdict) {
    if (begin == end)
      return;
    diff.places.push_back({begin, from.slice(begin, end - begin),
                           to.slice(begin, end - begin), verdict.row,
                           verdict.valueA, verdict.valueB, a.text(verdict.a),
                           b.text(verdict.b), verdict.probably});
  }

  void compareBytes() {
    uint64_t runBegin = 0, runEnd = 0; // bytes of no field
    auto endRun = [&] { addPlace(runBegin, runEnd, {}); };
    for (uint64_t i = 0;;) {
      i = std::mismatch(from.begin() + i, from.end(), to.begin() + i).first -
          from.begin();
      if (i == from.size())
        break;
      const FieldVerdict verdict = judge(i, i, /*guess=*/diff.real < kMostReal);
      const uint64_t begin = i - std::min<uint64_t>(verdict.back, i);
      const uint64_t end =
          std::min<uint64_t>(begin + std::max(verdict.bytes, 1u), from.size());
      if (verdict.moved && verdict.back <= i) {
        addMoved(verdict, i, i, end - i);
        i = end;
      } else if (verdict.row && verdict.back <= i &&
                 end - begin == verdict.bytes && begin >= runEnd) {
        endRun();
        diff.real += countDiffering(i, i, end - i);
        addPlace(begin, end, verdict);
        i = runBegin = runEnd = end;
      } else {
        if (i != runEnd) {
          endRun();
          runBegin = i;
        }
        ++diff.real;
        runEnd = ++i;
      }
    }
    endRun();
  }

  /// Extends the bytes at the beginning or at the end that do not really
  /// differ: `length` of at most `most`.
  void extend(uint64_t &length, uint64_t most, bool atEnd) {
    while (length < most) {
      const uint64_t atA = atEnd ? from.size() - length - 1 : length,
                     atB = atEnd ? to.size() - length - 1 : length;
      if (from[atA] == to[atB]) {
        ++length;
        continue;
      }
      const FieldVerdict verdict = judge(atA, atB, /*guess=*/true);
      const uint64_t front = atEnd ? verdict.back : 0,
                     size = atEnd ? verdict.back + 1
                                  : verdict.bytes - verdict.back;
      if (!verdict.moved || length + size > most)
        return;
      addMoved(verdict, atA - front, atB - front, size);
      length += size;
    }
  }

  void compareResized() {
    const uint64_t least = std::min(from.size(), to.size());
    extend(diff.front, least, /*atEnd=*/false);
    extend(diff.back, least - diff.front, /*atEnd=*/true);
    diff.real = std::max(from.size(), to.size()) - diff.front - diff.back;
  }

  /// Adds fields with equal bytes, or bytes that a further link sets, and
  /// another target.
  void compareRelocations() {
    if (!a.keepsRelocations(x.section) || !b.keepsRelocations(y.section))
      return;
    const auto inA = a.relocations(x.section, x.begin, x.end());
    const auto inB = b.relocations(y.section, y.begin, y.end());
    std::vector<PlaceDiff> found;
    auto add = [&](const ElfRelocation *r, const ElfRelocation *s) {
      const uint64_t offset = r ? r->offset - x.begin : s->offset - y.begin;
      // A place that differs anyway is there already.
      const auto at = partition_point(diff.places, [&](const PlaceDiff &place) {
        return place.offset <= offset;
      });
      if (at != diff.places.begin() &&
          offset < std::prev(at)->offset + std::prev(at)->a.size())
        return;
      PlaceDiff place;
      place.offset = offset;
      place.row = findRelocation(*a.file.target, r ? r->type : s->type);
      if (r)
        place.targetA = a.text(a.targetOf(*r));
      if (s)
        place.targetB = b.text(b.targetOf(*s));
      found.push_back(std::move(place));
    };
    for (size_t i = 0, j = 0; i < inA.size() || j < inB.size();) {
      const uint64_t atA =
          i < inA.size() ? inA[i].offset - x.begin : UINT64_MAX;
      const uint64_t atB =
          j < inB.size() ? inB[j].offset - y.begin : UINT64_MAX;
      const ElfRelocation *r = atA <= atB ? &inA[i++] : nullptr,
                          *s = atB <= atA ? &inB[j++] : nullptr;
      if (!r || !s || !references.same(*r, *s))
        add(r, s);
    }
    append_range(diff.places, found);
    stable_sort(diff.places, [](const PlaceDiff &p, const PlaceDiff &q) {
      return p.offset < q.offset;
    });
  }

  const Side &a, &b;
  const Atom &x, &y;
  const References &references;
  const ArrayRef<uint8_t> from, to;
  ContentDiff diff;
};

} // namespace

ContentDiff compareAtoms(const Side &a, const Atom &x, const Side &b,
                         const Atom &y, const References &references) {
  return AtomComparer(a, x, b, y, references).run();
}

} // namespace xlink
