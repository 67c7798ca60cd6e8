//===- References.cpp -----------------------------------------------------===//
//
// Problem: when one function grows, all behind it moves, and thousands of bytes
// in calls and pointers change with it. Somebody who compares two programs
// wants to see the function, not the calls. But a byte that changed by
// accident must not hide among them.
//
// Method: where a file kept its relocations, they say where fields are and what
// they refer to: the fields are equal if type, symbol and addend are, all bits
// outside of the field are equal, and the field holds what the relocation asks
// for, in both files or in neither (a base may be unknown here). Where there
// are none, every row of the machine's table is tried that has a whole value in
// its field: its formula is solved for S + A in each file, and the field is
// taken for a reference if both results lie at the same place of two things
// that are a pair. That they moved by what the field changed by would be a
// rare accident, but it is no proof, so such a verdict is "probably". Of a
// field with the upper or the lower bits of an address, the other ones are
// looked for in the instructions around it: by itself it would fit too many
// symbols. Where one file alone kept its relocations, the other one's field
// must hold what such a relocation would ask for there. Where maps of both
// files are there, they say which part refers to which: then a reference that
// both know of is certain, and one that a map would know of, and does not, is
// none. Two places are the same in two files if they lie equally far in a pair
// of chunks, at a pair of symbols, at the ends of a pair of sections, or if
// equal strings or constants stand there that have no names.
//
// Cost: for a byte that differs a binary search for relocations, or a test of
// the rows at the places where an instruction may begin; of these the bits that
// differ refuse nearly all.
//
//===----------------------------------------------------------------------===//
#include "inspect/References.h"
#include "inspect/MergedDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

constexpr unsigned kMostBytes = 16; ///< of a row
constexpr size_t kMostCharacters = 256;
/// Relocations at one place; a damaged file may have them all there.
constexpr std::ptrdiff_t kMostAtOnePlace = 32;
/// So many instructions away the other bits of an address may stand.
constexpr int64_t kMostAway = 16;

//===----------------------------------------------------------------------===//
// Places that are the same
//===----------------------------------------------------------------------===//

/// Whether equal words stand there that nobody writes: constants of expressions
/// have no names, and are merged.
bool References::sameConstant(uint32_t sectionA, uint64_t offsetA,
                              uint32_t sectionB, uint64_t offsetB) const {
  const uint32_t word = a.constantAt(sectionA, offsetA);
  return word && word == b.constantAt(sectionB, offsetB);
}

bool References::sameString(uint32_t sectionA, uint64_t offsetA,
                            uint32_t sectionB, uint64_t offsetB) const {
  auto stringAt = [](const LinkedFile::Section &section, uint64_t offset) {
    if (section.isCode() || offset >= section.data.size())
      return StringRef();
    const StringRef rest = toStringRef(section.data.drop_front(offset))
                               .take_front(kMostCharacters);
    const size_t end = rest.find('\0');
    return end == StringRef::npos ? StringRef() : rest.take_front(end);
  };
  const StringRef string = stringAt(a.file.sections[sectionA], offsetA);
  return string.size() > 1 &&
         string == stringAt(b.file.sections[sectionB], offsetB);
}

bool References::samePlace(uint32_t sectionA, uint64_t offsetA,
                           uint32_t sectionB, uint64_t offsetB) const {
  const uint32_t inA = a.chunks.at(sectionA, offsetA);
  const uint32_t inB = b.chunks.at(sectionB, offsetB);
  if (inA == Pairs::kNone || inB == Pairs::kNone)
    return false;
  const Chunk &chunkA = a.chunks.chunks[inA], &chunkB = b.chunks.chunks[inB];
  if (areMerged(a.file, chunkA, b.file, chunkB))
    return isSameMerged(a.file, chunkA, offsetA, b.file, chunkB, offsetB);
  if (chunks.ofA[inA] == inB &&
      offsetA - chunkA.begin == offsetB - chunkB.begin)
    return true;
  if (chunkA.symbol == Pairs::kNone && chunkB.symbol == Pairs::kNone &&
      sameConstant(sectionA, offsetA, sectionB, offsetB))
    return true;
  return sameString(sectionA, offsetA, sectionB, offsetB);
}

bool References::sameAddress(uint64_t x, uint64_t y) const {
  const uint32_t sectionA = a.sectionAt(x), sectionB = b.sectionAt(y);
  if (sectionA != Pairs::kNone && sectionB != Pairs::kNone) {
    if (samePlace(sectionA, x - a.file.sections[sectionA].address, sectionB,
                  y - b.file.sections[sectionB].address))
      return true;
  } else if (sectionA == sectionB && x == y) {
    return true; // in none: not the program's business
  }
  const uint32_t endA = a.sectionAt(x, true), endB = b.sectionAt(y, true);
  if (endA != Pairs::kNone && endB != Pairs::kNone &&
      sections.ofA[endA] == endB &&
      x - a.file.sections[endA].address == a.file.sections[endA].size &&
      y - b.file.sections[endB].address == b.file.sections[endB].size)
    return true;
  for (uint32_t s : a.symbolsAt(x))
    if (symbols.ofA[s] != Pairs::kNone) {
      const LinkedFile::Symbol &partner = b.file.symbols[symbols.ofA[s]];
      if (partner.section != LinkedFile::kUndefined && partner.value == y)
        return true;
    }
  return false;
}

/// Sets the bits that the row writes.
static void markField(const RelocationRow &row, uint8_t *mask) {
  auto mark = [&](unsigned bit) { mask[bit / 8] |= uint8_t(1 << bit % 8); };
  for (const Piece &piece : row.pieces)
    for (unsigned i = 0; i < piece.width; ++i)
      mark(piece.wordBit + i);
  if (row.signBit != kNoSignBit)
    mark(row.signBit);
}

//===----------------------------------------------------------------------===//
// With relocations
//===----------------------------------------------------------------------===//

/// Whether a field holds only some bits of an address.
static bool isPart(const RelocationRow &row) {
  return row.scale == Scale::Floor || row.check == Check::LowPart;
}

/// Whether the fields of two rows hold the upper and the lower bits.
static bool completes(const RelocationRow &x, const RelocationRow &y) {
  auto fits = [](const RelocationRow &upper, const RelocationRow &lower) {
    return upper.scale == Scale::Floor && lower.check == Check::LowPart &&
           upper.shift == lower.bits && lower.shift == 0;
  };
  return x.isPlainSum() && y.isPlainSum() && x.bytes == y.bytes &&
         (fits(x, y) || fits(y, x));
}

References::References(const Side &a, const Side &b, const Pairs &chunks,
                       const Pairs &symbols, const Pairs &sections,
                       const KnownParts *known)
    : a(a), b(b), chunks(chunks), symbols(symbols), sections(sections),
      known(known && a.parts->crossed() && b.parts->crossed() ? known
                                                              : nullptr) {
  const unsigned granule = a.state.codeFill.size();
  const unsigned wordBytes = a.file.target->is64 ? 8 : 4;
  const ArrayRef<RelocationRow> rows = a.file.target->relocations;
  for (const RelocationRow &row : rows) {
    const bool word = row.isPlainSum() && row.bytes == wordBytes &&
                      row.bits == 8 * wordBytes && row.pieces.size() == 1;
    const bool weak = row.use == Use::Data && !word;
    if (!row.hasField() || !row.addsSymbol() || !isPowerOf2_32(row.bytes) ||
        row.bits < 6 || (weak && !known))
      continue;
    Guess guess{&row, {}, row.bytes, word || weak, weak};
    if (isPart(row)) {
      const auto other = find_if(
          rows, [&](const RelocationRow &r) { return completes(row, r); });
      if (other == rows.end())
        continue;
      guess.other = other;
    }
    if (granule && isPowerOf2_32(granule))
      guess.step = std::min(guess.step, granule);
    markField(row, guess.mask);
    guesses.push_back(guess);
  }
}

Reference References::referenceOf(const LinkedFile &file,
                                  const LinkedFile::Relocation &relocation) {
  Reference reference{relocation.symbol, relocation.addend, std::nullopt};
  if (relocation.symbol == LinkedFile::kUndefined)
    reference.symbol = Pairs::kNone;
  const bool exists = reference.symbol != Pairs::kNone;
  if (file.hasAddresses() &&
      (!exists ||
       file.symbols[relocation.symbol].section != LinkedFile::kCommon))
    reference.address = (exists ? file.symbols[relocation.symbol].value : 0) +
                        uint64_t(relocation.addend);
  return reference;
}

bool References::same(const LinkedFile::Relocation &x,
                      const LinkedFile::Relocation &y) const {
  if (x.type != y.type || x.hasAddend != y.hasAddend)
    return false;
  const Reference refA = referenceOf(a.file, x), refB = referenceOf(b.file, y);
  if (refA.symbol == Pairs::kNone || refB.symbol == Pairs::kNone)
    return refA.symbol == refB.symbol && x.addend == y.addend;
  if (symbols.ofA[refA.symbol] == refB.symbol && x.addend == y.addend)
    return true;
  if (refA.address)
    return refB.address && sameAddress(*refA.address, *refB.address);
  const LinkedFile::Symbol &symbolA = a.file.symbols[refA.symbol],
                           &symbolB = b.file.symbols[refB.symbol];
  return symbolA.isIn(a.file) && symbolB.isIn(b.file) &&
         samePlace(symbolA.section, a.file.offsetOf(symbolA) + x.addend,
                   symbolB.section, b.file.offsetOf(symbolB) + y.addend);
}

/// The bytes of a unit, and where it is.
struct Unit {
  const uint8_t *bytes;
  uint64_t address;
};
static std::optional<Unit> unitAt(const Side &side, uint32_t section,
                                  uint64_t offset, unsigned size) {
  const LinkedFile::Section &in = side.file.sections[section];
  if (offset > in.data.size() || size > in.data.size() - offset)
    return std::nullopt;
  return Unit{in.data.data() + offset, in.address + offset};
}

/// Whether a field holds what its relocation asks for. Nothing where that
/// cannot be said: without addresses, or of a slot in a table.
static std::optional<bool> holds(const Side &side, const RelocationRow &row,
                                 const LinkedFile::Relocation &relocation,
                                 const Unit &unit) {
  const Reference reference = References::referenceOf(side.file, relocation);
  if (!reference.address || !relocation.hasAddend || row.addsSlot())
    return std::nullopt;
  RelocationOperands operands;
  operands.S = *reference.address - uint64_t(relocation.addend);
  operands.A = relocation.addend;
  operands.place = unit.address;
  operands.alloc = side.file.sections[relocation.section].isLoaded();
  if (row.usesBaseSymbol() && row.base < side.bases.size())
    operands.base = side.bases[row.base];
  const RelocationOutcome outcome =
      evaluate(row, *side.file.target, side.state, operands);
  if (outcome.fault != RelocationFault::None)
    return std::nullopt;
  uint8_t wanted[kMostBytes];
  std::memcpy(wanted, unit.bytes, row.bytes);
  deposit(row, outcome.V, wanted);
  return std::memcmp(wanted, unit.bytes, row.bytes) == 0;
}

/// Whether all bits that differ are in the mask.
static bool differsInside(const uint8_t *x, const uint8_t *y,
                          const uint8_t *mask, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    if ((x[i] ^ y[i]) & ~mask[i])
      return false;
  return true;
}

Verdict References::judgeKept(Spot x, Spot y) const {
  const uint64_t from = x.offset < kMostBytes ? 0 : x.offset - kMostBytes + 1;
  auto near = a.relocations(x.chunk->section, from, x.offset + 1);
  near = near.take_back(kMostAtOnePlace);
  // All relocations of one unit at a time: several may share it.
  for (size_t i = 0; i < near.size();) {
    size_t end = i;
    Verdict verdict;
    uint8_t mask[kMostBytes] = {};
    bool allSame = true;
    const uint64_t back = x.offset - near[i].offset;
    std::optional<Unit> unitA, unitB;
    for (; end < near.size() && near[end].offset == near[i].offset; ++end) {
      const RelocationRow *row = findRelocation(*a.file.target, near[end].type);
      if (!row || !row->hasField() || back > y.offset)
        continue;
      unitA = unitAt(a, x.chunk->section, x.offset - back, row->bytes);
      unitB = unitAt(b, y.chunk->section, y.offset - back, row->bytes);
      if (!unitA || !unitB)
        continue;
      const auto others =
          b.relocations(y.chunk->section, y.offset - back, y.offset - back + 1)
              .take_front(kMostAtOnePlace);
      const auto other = find_if(others, [&](const LinkedFile::Relocation &r) {
        return r.type == near[end].type;
      });
      markField(*row, mask);
      if (row->bytes > verdict.bytes) {
        verdict.bytes = row->bytes;
        verdict.back = back;
      }
      const bool equal =
          other != others.end() && same(near[end], *other) &&
          holds(a, *row, near[end], *unitA) == holds(b, *row, *other, *unitB);
      if (other != others.end() && (!verdict.row || (allSame && !equal))) {
        verdict.row = row;
        verdict.valueA = extractField(*row, unitA->bytes);
        verdict.valueB = extractField(*row, unitB->bytes);
        verdict.a = referenceOf(a.file, near[end]);
        verdict.b = referenceOf(b.file, *other);
      }
      allSame &= equal;
    }
    i = end;
    if (!verdict.row || verdict.bytes <= back)
      continue;
    verdict.moved = allSame && differsInside(unitA->bytes, unitB->bytes, mask,
                                             verdict.bytes);
    return verdict;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Without relocations
//===----------------------------------------------------------------------===//

/// The parts that may be meant by an address: the one that has it, and the one
/// that ends there.
static SmallVector<uint32_t, 2> partsAt(const Side &side, uint64_t address) {
  SmallVector<uint32_t, 2> found;
  for (const bool atEnd : {false, true}) {
    const uint32_t section = side.sectionAt(address, atEnd);
    if (section == Pairs::kNone)
      continue;
    const uint64_t offset = address - side.file.sections[section].address;
    if (const auto *place = side.parts->at(section, offset - atEnd);
        place && !is_contained(found, place->part))
      found.push_back(place->part);
  }
  return found;
}

References::Evidence References::evidence(Spot x, uint64_t targetA, Spot y,
                                          uint64_t targetB) const {
  if (!known)
    return Evidence::None;
  auto said = [](const Side &side, Spot spot, uint64_t target) {
    const PartTable &parts = *side.parts;
    const PartTable::Place *place = parts.at(spot.chunk->section, spot.offset);
    const SmallVector<uint32_t, 2> meant = partsAt(side, target);
    if (!place || !parts.isInput(place->part) || meant.empty())
      return Evidence::None;
    if (any_of(meant,
               [&](uint32_t to) { return parts.refers(place->part, to); }))
      return Evidence::For;
    // A map does not tell of references within a part, to what the linker made,
    // or to symbols that are in no part.
    const bool silent =
        parts.hasAbsolute(target) || any_of(meant, [&](uint32_t to) {
          return to == place->part || !parts.isInput(to);
        });
    return silent ? Evidence::None : Evidence::Against;
  };
  const Evidence inA = said(a, x, targetA), inB = said(b, y, targetB);
  if (inA == Evidence::Against || inB == Evidence::Against)
    return Evidence::Against;
  return inA == inB ? inA : Evidence::None;
}

/// The S + A for which the row writes what stands in a unit, at most a few.
static std::vector<uint64_t>
solutions(const Side &side, const RelocationRow &row, const Unit &unit) {
  RelocationOperands operands;
  operands.place = unit.address;
  if (row.usesBaseSymbol() && row.base < side.bases.size())
    operands.base = side.bases[row.base];
  return solutions(row, *side.file.target, side.state, operands, unit.bytes);
}

/// Upper or lower bits: the other ones stand in an instruction nearby, and both
/// together are an address.
bool References::tryParts(const Guess &guess, Spot x, Spot y, unsigned back,
                          Verdict &verdict) const {
  const RelocationRow &row = *guess.row, &other = *guess.other;
  const bool upper = row.scale == Scale::Floor;
  const uint64_t limit = a.file.target->is64 ? UINT64_MAX : UINT32_MAX;
  auto address = [&](const Unit &unit, const Unit &near) {
    const uint64_t high =
        extractField(upper ? row : other, upper ? unit.bytes : near.bytes);
    const uint64_t low =
        extractField(upper ? other : row, upper ? near.bytes : unit.bytes);
    return ((high << (upper ? row : other).shift) | low) & limit;
  };
  const uint64_t atA = x.offset - back, atB = y.offset - back;
  const std::optional<Unit> unitA = unitAt(a, x.chunk->section, atA, row.bytes);
  const std::optional<Unit> unitB = unitAt(b, y.chunk->section, atB, row.bytes);
  for (int64_t away = -kMostAway; away <= kMostAway; ++away) {
    const int64_t by = away * int64_t(guess.step);
    const uint64_t nearA = atA + by, nearB = atB + by;
    if (by == 0 || nearA < x.chunk->begin || nearB < y.chunk->begin ||
        nearA + row.bytes > x.chunk->end() ||
        nearB + row.bytes > y.chunk->end())
      continue;
    const std::optional<Unit> otherA =
        unitAt(a, x.chunk->section, nearA, row.bytes);
    const std::optional<Unit> otherB =
        unitAt(b, y.chunk->section, nearB, row.bytes);
    if (!otherA || !otherB)
      continue;
    const uint64_t from = address(*unitA, *otherA),
                   to = address(*unitB, *otherB);
    const Evidence said = evidence(x, from, y, to);
    if (said == Evidence::Against || !sameAddress(from, to))
      continue;
    verdict.moved = true;
    verdict.probably = said != Evidence::For;
    verdict.back = back;
    verdict.bytes = row.bytes;
    verdict.row = &row;
    return true;
  }
  return false;
}

bool References::tryUnit(const Guess &guess, Spot x, Spot y, unsigned back,
                         Verdict &verdict) const {
  const RelocationRow &row = *guess.row;
  // The unit has to lie in both chunks.
  if (x.offset - x.chunk->begin < back || y.offset - y.chunk->begin < back ||
      x.chunk->end() - (x.offset - back) < row.bytes ||
      y.chunk->end() - (y.offset - back) < row.bytes)
    return false;
  const std::optional<Unit> unitA =
      unitAt(a, x.chunk->section, x.offset - back, row.bytes);
  const std::optional<Unit> unitB =
      unitAt(b, y.chunk->section, y.offset - back, row.bytes);
  if (!unitA || !unitB || unitA->address % guess.step ||
      unitB->address % guess.step ||
      !differsInside(unitA->bytes, unitB->bytes, guess.mask, row.bytes))
    return false;
  if (guess.other)
    return tryParts(guess, x, y, back, verdict);
  auto isBegin = [](const Side &side, uint64_t address) {
    const uint32_t section = side.sectionAt(address);
    if (section == Pairs::kNone)
      return false;
    const uint64_t offset = address - side.file.sections[section].address;
    const uint32_t at = side.chunks.at(section, offset);
    return at != Pairs::kNone &&
           side.chunks.chunks[at].symbol != Pairs::kNone &&
           side.chunks.chunks[at].begin == offset;
  };
  for (uint64_t from : solutions(a, row, *unitA))
    for (uint64_t to : solutions(b, row, *unitB)) {
      const Evidence said = evidence(x, from, y, to);
      const bool moved = said != Evidence::Against && sameAddress(from, to);
      if (guess.needsMap && (!moved || said != Evidence::For))
        continue;
      // Something else may be meant: who calls now calls another one.
      if (!moved && (verdict.row || (!guess.word && row.use != Use::Call) ||
                     !isBegin(a, from) || !isBegin(b, to)))
        continue;
      verdict.moved = moved;
      verdict.probably = said != Evidence::For;
      verdict.back = back;
      verdict.bytes = row.bytes;
      verdict.row = &row;
      verdict.valueA = extractField(row, unitA->bytes);
      verdict.valueB = extractField(row, unitB->bytes);
      verdict.a.address = from;
      verdict.b.address = to;
      if (moved)
        return true;
    }
  return false;
}

Verdict References::judgeGuessed(Spot x, Spot y) const {
  Verdict verdict;
  const bool code = a.file.sections[x.chunk->section].isCode();
  for (const Guess &guess : guesses) {
    if (!code && !guess.word)
      continue;
    for (unsigned back = 0; back < guess.row->bytes; ++back)
      if (tryUnit(guess, x, y, back, verdict))
        return verdict;
  }
  return verdict;
}

//===----------------------------------------------------------------------===//
// With the relocations of one file
//===----------------------------------------------------------------------===//

bool References::means(const Side &kept, const Side &other,
                       const LinkedFile::Relocation &relocation,
                       uint32_t section, uint64_t offset) const {
  const RelocationRow &row =
      *findRelocation(*kept.file.target, relocation.type);
  const std::optional<Unit> unit = unitAt(other, section, offset, row.bytes);
  const Reference reference = referenceOf(kept.file, relocation);
  if (!unit || !reference.address)
    return false;
  const bool fromA = &kept == &a;
  auto asks = [&](uint32_t symbol, int64_t addend) {
    LinkedFile::Relocation there = relocation;
    there.section = section;
    there.offset = offset;
    there.symbol = symbol;
    there.addend = addend;
    return holds(other, row, there, *unit).value_or(false);
  };
  // By the same symbol, else by the same place in a pair of chunks.
  if (reference.symbol != Pairs::kNone)
    if (const uint32_t partner =
            (fromA ? symbols.ofA : symbols.ofB)[reference.symbol];
        partner != Pairs::kNone && asks(partner, relocation.addend))
      return true;
  const uint32_t in = kept.sectionAt(*reference.address);
  if (in != Pairs::kNone) {
    const uint64_t at = *reference.address - kept.file.sections[in].address;
    const uint32_t chunk = kept.chunks.at(in, at);
    const uint32_t partner = chunk == Pairs::kNone
                                 ? chunk
                                 : (fromA ? chunks.ofA : chunks.ofB)[chunk];
    if (partner != Pairs::kNone) {
      const Chunk &to = other.chunks.chunks[partner];
      const uint64_t address = other.file.sections[to.section].address +
                               to.begin +
                               (at - kept.chunks.chunks[chunk].begin);
      if (asks(LinkedFile::kUndefined, int64_t(address)))
        return true;
    }
  }
  if (isPart(row))
    return false;
  return any_of(solutions(other, row, *unit), [&](uint64_t address) {
    return fromA ? sameAddress(*reference.address, address)
                 : sameAddress(address, *reference.address);
  });
}

Verdict References::judgeByOne(Spot x, Spot y, bool keptInA) const {
  const Side &kept = keptInA ? a : b, &other = keptInA ? b : a;
  const Spot at = keptInA ? x : y, there = keptInA ? y : x;
  const uint64_t from = at.offset < kMostBytes ? 0 : at.offset - kMostBytes + 1;
  const auto near = kept.relocations(at.chunk->section, from, at.offset + 1);
  for (const LinkedFile::Relocation &r : near.take_back(kMostAtOnePlace)) {
    const RelocationRow *row = findRelocation(*kept.file.target, r.type);
    const uint64_t back = at.offset - r.offset;
    if (!row || !row->hasField() || back >= row->bytes || back > there.offset)
      continue;
    const std::optional<Unit> unit =
        unitAt(kept, at.chunk->section, r.offset, row->bytes);
    const std::optional<Unit> unitThere =
        unitAt(other, there.chunk->section, there.offset - back, row->bytes);
    uint8_t mask[kMostBytes] = {};
    markField(*row, mask);
    if (!unit || !unitThere ||
        !differsInside(unit->bytes, unitThere->bytes, mask, row->bytes))
      continue;
    Verdict verdict;
    verdict.back = back;
    verdict.bytes = row->bytes;
    verdict.row = row;
    verdict.valueA = extractField(*row, (keptInA ? unit : unitThere)->bytes);
    verdict.valueB = extractField(*row, (keptInA ? unitThere : unit)->bytes);
    (keptInA ? verdict.a : verdict.b) = referenceOf(kept.file, r);
    if (!isPart(*row))
      if (const auto found = solutions(other, *row, *unitThere); !found.empty())
        (keptInA ? verdict.b : verdict.a).address = found.front();
    verdict.moved =
        holds(kept, *row, r, *unit).value_or(false) &&
        means(kept, other, r, there.chunk->section, there.offset - back);
    return verdict;
  }
  return {};
}

Verdict References::judge(Spot x, Spot y, bool guess) const {
  const bool keptInA = a.keepsRelocations(x.chunk->section),
             keptInB = b.keepsRelocations(y.chunk->section);
  if (keptInA && keptInB)
    return judgeKept(x, y);
  if ((keptInA || keptInB) && a.file.hasAddresses() && b.file.hasAddresses())
    return judgeByOne(x, y, keptInA);
  if (guess && a.file.hasAddresses() && b.file.hasAddresses())
    return judgeGuessed(x, y);
  return {};
}

} // namespace xlink
