//===- ContentDiff.cpp ----------------------------------------------------===//
//
// Problem: of a function that is in both files, which bytes did somebody
// change? Those that differ because a callee moved are no news, and behind an
// insertion every byte differs from the one at its place.
//
// Method: where the sizes are equal, bytes are compared place by place, and
// each that differs is judged (References.h): a field that means the same in
// both files counts as moved, everything else is a run of bytes or a field that
// really differs. Constants without names that other fields follow to another
// place count as moved, too. Where the sizes differ, the same is done from the
// beginning and from the end, up to the first byte that really differs; between
// the two lies what was inserted, removed or changed, and nothing more is said
// of it.
//
// Cost: linear in the bytes. A judgement costs more than a comparison, so
// behind kMostReal bytes of a chunk that really differ, fields are no longer
// guessed there: it is another function by then.
//
//===----------------------------------------------------------------------===//
#include "inspect/ContentDiff.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

constexpr uint64_t kMostReal = 1024;

/// Bytes of a chunk; fewer than its size where the file has none.
static ArrayRef<uint8_t> bytesOf(const Side &side, const Chunk &chunk) {
  const ArrayRef<uint8_t> data = side.file.sections[chunk.section].data;
  return data.empty() ? data : data.slice(chunk.begin, chunk.size);
}

/// Asks why bytes differ, and notes which constants have moved.
Verdict ContentComparer::judge(Spot x, Spot y, bool guess) {
  const Verdict verdict = references.judge(x, y, guess);
  if (verdict.moved)
    constants.note(verdict.a, verdict.b, verdict.probably);
  return verdict;
}

/// Behind the word around a byte that differs, where it was moved there; else
/// the byte itself.
uint64_t ContentComparer::takeMoved(const Chunk &x, const Chunk &y,
                                    uint64_t offset, ContentDiff &diff) const {
  const uint64_t begin = offset - offset % kConstantBytes;
  const uint64_t end = begin + kConstantBytes;
  if (!MovedConstants::areIn(a, x) || !MovedConstants::areIn(b, y) ||
      x.begin % kConstantBytes || y.begin % kConstantBytes || end > x.size)
    return offset;
  const MovedConstants::Word word = constants.at(x, y, begin);
  if (word == MovedConstants::Word::Changed)
    return offset;
  const ArrayRef<uint8_t> from = bytesOf(a, x), to = bytesOf(b, y);
  for (uint64_t i = offset; i < end; ++i)
    if (from[i] != to[i]) {
      ++diff.moved;
      diff.probably += word == MovedConstants::Word::ProbablyMoved;
    }
  return end;
}

void ContentComparer::addField(const Chunk &x, const Chunk &y, uint64_t offset,
                               const Verdict &verdict,
                               ContentDiff &diff) const {
  PlaceDiff place;
  place.offset = offset;
  place.a = bytesOf(a, x).slice(offset, verdict.bytes);
  place.b = bytesOf(b, y).slice(offset, verdict.bytes);
  place.row = verdict.row;
  place.valueA = verdict.valueA;
  place.valueB = verdict.valueB;
  place.targetA = a.text(verdict.a);
  place.targetB = b.text(verdict.b);
  place.probably = verdict.probably;
  diff.places.push_back(std::move(place));
}

void ContentComparer::compareEqual(const Chunk &x, const Chunk &y,
                                   ContentDiff &diff) {
  const ArrayRef<uint8_t> from = bytesOf(a, x), to = bytesOf(b, y);
  auto differing = [&](uint64_t begin, uint64_t end) {
    uint64_t count = 0;
    for (uint64_t i = begin; i < end; ++i)
      count += from[i] != to[i];
    return count;
  };
  uint64_t runBegin = 0, runEnd = 0; // bytes that nobody explains
  auto endRun = [&] {
    if (runBegin == runEnd)
      return;
    PlaceDiff place;
    place.offset = runBegin;
    place.a = from.slice(runBegin, runEnd - runBegin);
    place.b = to.slice(runBegin, runEnd - runBegin);
    diff.places.push_back(place);
    runBegin = runEnd;
  };
  for (uint64_t i = 0;;) {
    i = std::mismatch(from.begin() + i, from.end(), to.begin() + i).first -
        from.begin();
    if (i == from.size())
      break;
    if (const uint64_t behind = takeMoved(x, y, i, diff); behind != i) {
      i = behind;
      continue;
    }
    const Verdict verdict = judge({&x, x.begin + i}, {&y, y.begin + i},
                                  /*guess=*/diff.real < kMostReal);
    const uint64_t begin = i - std::min<uint64_t>(verdict.back, i);
    const uint64_t end =
        std::min<uint64_t>(begin + std::max(verdict.bytes, 1u), from.size());
    if (verdict.moved && verdict.back <= i) {
      const uint64_t count = differing(i, end);
      diff.moved += count;
      diff.probably += verdict.probably ? count : 0;
      i = end;
    } else if (verdict.row && verdict.back <= i &&
               end - begin == verdict.bytes && begin >= runEnd) {
      endRun();
      diff.real += differing(i, end);
      addField(x, y, begin, verdict, diff);
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

void ContentComparer::compareResized(const Chunk &x, const Chunk &y,
                                     ContentDiff &diff) {
  const ArrayRef<uint8_t> from = bytesOf(a, x), to = bytesOf(b, y);
  const uint64_t least = std::min(from.size(), to.size());
  auto count = [&](const Verdict &verdict, uint64_t atA, uint64_t atB,
                   uint64_t size) {
    for (uint64_t i = 0; i < size; ++i)
      if (from[atA + i] != to[atB + i]) {
        ++diff.moved;
        diff.probably += verdict.probably;
      }
  };
  while (diff.front < least) {
    if (from[diff.front] == to[diff.front]) {
      ++diff.front;
      continue;
    }
    const Verdict verdict =
        judge({&x, x.begin + diff.front}, {&y, y.begin + diff.front}, true);
    const uint64_t ahead = verdict.bytes - verdict.back;
    if (!verdict.moved || diff.front + ahead > least)
      break;
    count(verdict, diff.front, diff.front, ahead);
    diff.front += ahead;
  }
  const uint64_t left = least - diff.front;
  while (diff.back < left) {
    const uint64_t atA = from.size() - diff.back - 1,
                   atB = to.size() - diff.back - 1;
    if (from[atA] == to[atB]) {
      ++diff.back;
      continue;
    }
    const Verdict verdict =
        judge({&x, x.begin + atA}, {&y, y.begin + atB}, true);
    if (!verdict.moved || diff.back + verdict.back + 1 > left)
      break;
    count(verdict, atA - verdict.back, atB - verdict.back, verdict.back + 1);
    diff.back += verdict.back + 1;
  }
  diff.real = std::max(from.size(), to.size()) - diff.front - diff.back;
}

/// Fields whose bytes are equal, or will be filled by another link, and which
/// mean something else.
void ContentComparer::compareRelocations(const Chunk &x, const Chunk &y,
                                         ContentDiff &diff) {
  const auto inA = a.relocations(x.section, x.begin, x.end());
  const auto inB = b.relocations(y.section, y.begin, y.end());
  if (inA.empty() && inB.empty())
    return;
  if (!a.keepsRelocations(x.section) || !b.keepsRelocations(y.section))
    return;
  // Places that are known to differ need no second mention.
  std::vector<std::pair<uint64_t, uint64_t>> told;
  for (const PlaceDiff &place : diff.places)
    told.push_back({place.offset, place.offset + place.a.size()});
  std::vector<PlaceDiff> found;
  auto add = [&](const LinkedFile::Relocation *r,
                 const LinkedFile::Relocation *s) {
    const uint64_t offset = r ? r->offset - x.begin : s->offset - y.begin;
    const auto at = std::upper_bound(told.begin(), told.end(),
                                     std::pair(offset, UINT64_MAX));
    if (at != told.begin() && offset < std::prev(at)->second)
      return;
    PlaceDiff place;
    place.offset = offset;
    place.row = findRelocation(*a.file.target, r ? r->type : s->type);
    if (r)
      place.targetA = a.text(References::referenceOf(a.file, *r));
    if (s)
      place.targetB = b.text(References::referenceOf(b.file, *s));
    found.push_back(std::move(place));
  };
  size_t i = 0, j = 0;
  while (i < inA.size() || j < inB.size()) {
    const uint64_t atA = i < inA.size() ? inA[i].offset - x.begin : UINT64_MAX;
    const uint64_t atB = j < inB.size() ? inB[j].offset - y.begin : UINT64_MAX;
    if (atA < atB) {
      add(&inA[i++], nullptr);
    } else if (atB < atA) {
      add(nullptr, &inB[j++]);
    } else {
      if (!references.same(inA[i], inB[j]))
        add(&inA[i], &inB[j]);
      else
        constants.note(References::referenceOf(a.file, inA[i]),
                       References::referenceOf(b.file, inB[j]),
                       /*probably=*/false);
      ++i;
      ++j;
    }
  }
  diff.places.insert(diff.places.end(), std::make_move_iterator(found.begin()),
                     std::make_move_iterator(found.end()));
  stable_sort(diff.places, [](const PlaceDiff &p, const PlaceDiff &q) {
    return p.offset < q.offset;
  });
}

ContentDiff ContentComparer::compareAlone(const Chunk &chunk, bool isA) const {
  ContentDiff diff;
  (isA ? diff.sizeA : diff.sizeB) = chunk.size;
  (isA ? diff.addressA : diff.addressB) =
      (isA ? a : b).file.sections[chunk.section].address + chunk.begin;
  const MovedConstants::Bytes bytes = constants.in(chunk, isA);
  diff.moved = bytes.moved;
  diff.probably = bytes.probably;
  diff.real = chunk.size - bytes.moved;
  return diff;
}

ContentDiff ContentComparer::compare(const Chunk &x, const Chunk &y) {
  ContentDiff diff;
  diff.sizeA = x.size;
  diff.sizeB = y.size;
  diff.addressA = a.file.sections[x.section].address + x.begin;
  diff.addressB = b.file.sections[y.section].address + y.begin;
  const ArrayRef<uint8_t> from = bytesOf(a, x), to = bytesOf(b, y);
  if (from.empty() != to.empty()) // one of them has no bytes in its file
    return diff;
  if (x.size != y.size) {
    if (!from.empty())
      compareResized(x, y, diff);
    return diff;
  }
  compareEqual(x, y, diff);
  compareRelocations(x, y, diff);
  return diff;
}

} // namespace xlink
