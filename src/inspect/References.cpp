//===- References.cpp -----------------------------------------------------===//
//
// Problem: when one function grows, all behind it moves, and thousands of bytes
// in calls and pointers change. A reader wants to see the function, not the
// calls; but a byte that changed by accident must not hide among them.
//
// Method: where both files kept relocations, these state fields and targets:
// fields are equal if type, symbol and addend are, all other bits are equal,
// and the field holds its relocation's value in both files or in neither (a
// base may be unknown here). Elsewhere each row of the machine's table with a
// whole value in its field is tried: its formula is solved for S + A in each
// file, and the field is taken for a reference if both results are the same
// place. That is hardly an accident, but no proof: the verdict is "probably",
// unless one of the files kept a relocation for the field. Of upper or lower
// bits of an address, the others are searched in the instructions nearby.
// Two places are the same if they lie equally far in a pair of atoms, at a pair
// of symbols, at the ends of a pair of sections, or if nameless equal strings
// or constants stand there.
//
// Cost: for a byte that differs a binary search for relocations, or a test of
// the rows at each possible beginning of an instruction; the bits that differ
// refuse nearly all.
//
//===----------------------------------------------------------------------===//
#include "inspect/References.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

constexpr unsigned kMostBytes = 16; ///< of a row
constexpr size_t kMostCharacters = 256;
/// Relocations at one place; a damaged file may have all of them there.
constexpr std::ptrdiff_t kMostAtOnePlace = 32;
/// The most instructions between the halves of an address.
constexpr int64_t kMostAway = 16;

//===----------------------------------------------------------------------===//
// Places that are the same
//===----------------------------------------------------------------------===//

/// The aligned word that is no code and is never written at an offset; 0: none.
static uint32_t constantAt(const ElfSection &section, uint64_t offset) {
  if (section.isCode() || (section.flags & SHF_WRITE) || offset % 4 ||
      offset > section.data.size() || 4 > section.data.size() - offset)
    return 0;
  return support::endian::read32le(section.data.data() + offset);
}

/// The string at an offset, if it is not too long.
static StringRef stringAt(const ElfSection &section, uint64_t offset) {
  if (section.isCode() || offset >= section.data.size())
    return "";
  const StringRef rest =
      toStringRef(section.data.drop_front(offset)).take_front(kMostCharacters);
  const size_t end = rest.find('\0');
  return end == StringRef::npos ? "" : rest.take_front(end);
}

bool References::samePlace(uint32_t sectionA, uint64_t offsetA,
                           uint32_t sectionB, uint64_t offsetB) const {
  const uint32_t inA = a.table.at(sectionA, offsetA);
  const uint32_t inB = b.table.at(sectionB, offsetB);
  if (inA == kNoIndex || inB == kNoIndex)
    return false;
  const Atom &atomA = a.table.atoms[inA], &atomB = b.table.atoms[inB];
  if (atoms.ofA[inA] == inB && offsetA - atomA.begin == offsetB - atomB.begin)
    return true;
  const ElfSection &s = a.file.sections[sectionA],
                   &t = b.file.sections[sectionB];
  if (atomA.symbol == kNoIndex && atomB.symbol == kNoIndex)
    if (const uint32_t constant = constantAt(s, offsetA);
        constant && constant == constantAt(t, offsetB))
      return true;
  const StringRef string = stringAt(s, offsetA);
  return string.size() > 1 && string == stringAt(t, offsetB);
}

bool References::sameAddress(uint64_t x, uint64_t y) const {
  const uint32_t sectionA = a.sectionAt(x), sectionB = b.sectionAt(y);
  if (sectionA != kNoIndex && sectionB != kNoIndex) {
    if (samePlace(sectionA, x - a.file.sections[sectionA].address, sectionB,
                  y - b.file.sections[sectionB].address))
      return true;
  } else if (sectionA == sectionB && x == y) {
    return true; // outside of both programs
  }
  const uint32_t endA = a.sectionAt(x, true), endB = b.sectionAt(y, true);
  if (endA != kNoIndex && endB != kNoIndex && sections.ofA[endA] == endB &&
      x - a.file.sections[endA].address == a.file.sections[endA].size &&
      y - b.file.sections[endB].address == b.file.sections[endB].size)
    return true;
  return any_of(a.symbolsAt(x), [&](uint32_t s) {
    if (symbols.ofA[s] == kNoIndex)
      return false;
    const ElfSymbol &partner = b.file.symbols[symbols.ofA[s]];
    return partner.section != LinkedFile::kUndefined && partner.value == y;
  });
}

//===----------------------------------------------------------------------===//
// With relocations
//===----------------------------------------------------------------------===//

/// Sets the bits that the row writes.
static void markField(const RelocationRow &row, uint8_t *mask) {
  auto mark = [&](unsigned bit) {
    mask[unitByte(row, bit / 8)] |= uint8_t(1 << bit % 8);
  };
  for (const Piece &piece : row.pieces)
    for (unsigned i = 0; i < piece.width; ++i)
      mark(piece.wordBit + i);
  if (row.signBit != kNoBit)
    mark(row.signBit);
}

/// Whether all bits that differ are in the mask.
static bool differsInside(const uint8_t *x, const uint8_t *y,
                          const uint8_t *mask, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    if ((x[i] ^ y[i]) & ~mask[i])
      return false;
  return true;
}

/// Whether the fields of two rows hold the upper and the lower bits.
static bool areHalves(const RelocationRow &x, const RelocationRow &y) {
  auto fits = [](const RelocationRow &upper, const RelocationRow &lower) {
    return upper.dropsBits() && lower.check == Check::LowPart &&
           upper.shift == lower.bits && lower.shift == 0;
  };
  return x.isPlainSum() && y.isPlainSum() && x.bytes == y.bytes &&
         (fits(x, y) || fits(y, x));
}

References::References(const Side &a, const Side &b, const Pairs &atoms,
                       const Pairs &symbols, const Pairs &sections)
    : a(a), b(b), atoms(atoms), symbols(symbols), sections(sections) {
  const unsigned granule = a.state.codeFill.size();
  const unsigned wordBytes = a.file.target->is64 ? 8 : 4;
  const ArrayRef<RelocationRow> rows = a.file.target->relocations;
  for (const RelocationRow &row : rows) {
    const bool word = row.isPlainSum() && row.bytes == wordBytes &&
                      row.bits == 8 * wordBytes && row.pieces.size() == 1;
    if (!row.hasField() || !row.addsSymbol() || !isPowerOf2_32(row.bytes) ||
        row.bits < 6 || (row.use == Use::Data && !word))
      continue;
    Guess guess{&row, {}, row.bytes, word};
    if (row.dropsBits() || row.check == Check::LowPart) {
      guess.other = find_if(
          rows, [&](const RelocationRow &r) { return areHalves(row, r); });
      if (guess.other == rows.end())
        continue;
    }
    if (granule && isPowerOf2_32(granule))
      guess.step = std::min(guess.step, granule);
    markField(row, guess.mask);
    guesses.push_back(guess);
  }
}

bool References::same(const ElfRelocation &x, const ElfRelocation &y) const {
  if (x.type != y.type || x.hasAddend != y.hasAddend)
    return false;
  const FieldTarget toA = a.targetOf(x), toB = b.targetOf(y);
  if (toA.symbol == kNoIndex || toB.symbol == kNoIndex)
    return toA.symbol == toB.symbol && x.addend == y.addend;
  if (symbols.ofA[toA.symbol] == toB.symbol && x.addend == y.addend)
    return true;
  if (toA.address)
    return toB.address && sameAddress(*toA.address, *toB.address);
  const ElfSymbol &symbolA = a.file.symbols[toA.symbol],
                  &symbolB = b.file.symbols[toB.symbol];
  return symbolA.isIn(a.file) && symbolB.isIn(b.file) &&
         samePlace(symbolA.section, a.file.offsetOf(symbolA) + x.addend,
                   symbolB.section, b.file.offsetOf(symbolB) + y.addend);
}

/// The bytes of a field at an offset of a section; null: they do not fit.
static const uint8_t *fieldAt(const Side &side, uint32_t section,
                              uint64_t offset, unsigned size) {
  const ArrayRef<uint8_t> data = side.file.sections[section].data;
  return offset > data.size() || size > data.size() - offset
             ? nullptr
             : data.data() + offset;
}

static RelocationOperands operandsAt(const Side &side, const RelocationRow &row,
                                     uint32_t section, uint64_t offset) {
  RelocationOperands operands;
  operands.place = side.file.sections[section].address + offset;
  if (row.usesBaseSymbol() && row.base < side.bases.size())
    operands.base = side.bases[row.base];
  return operands;
}

/// Whether a field holds its relocation's value. Nothing where that is unknown:
/// without addresses, or of a slot in a table.
static std::optional<bool> holds(const Side &side, const RelocationRow &row,
                                 const ElfRelocation &relocation,
                                 const uint8_t *field) {
  const FieldTarget to = side.targetOf(relocation);
  if (!to.address || !relocation.hasAddend || row.addsSlot())
    return std::nullopt;
  RelocationOperands operands =
      operandsAt(side, row, relocation.section, relocation.offset);
  operands.S = *to.address - uint64_t(relocation.addend);
  operands.A = relocation.addend;
  operands.alloc = side.file.sections[relocation.section].isLoaded();
  const RelocationOutcome outcome =
      evaluate(row, *side.file.target, side.state, operands);
  if (outcome.fault != RelocationFault::None)
    return std::nullopt;
  uint8_t wanted[kMostBytes];
  std::memcpy(wanted, field, row.bytes);
  deposit(row, outcome.V, wanted);
  return std::memcmp(wanted, field, row.bytes) == 0;
}

FieldVerdict References::judgeKept(AtomByte x, AtomByte y) const {
  const uint32_t sectionA = x.atom->section, sectionB = y.atom->section;
  const uint64_t from = x.offset < kMostBytes ? 0 : x.offset - kMostBytes + 1;
  const auto near =
      a.relocations(sectionA, from, x.offset + 1).take_back(kMostAtOnePlace);
  // All relocations of one place at a time: several may share it.
  for (size_t i = 0; i < near.size();) {
    const uint64_t at = near[i].offset, back = x.offset - at;
    FieldVerdict verdict;
    uint8_t mask[kMostBytes] = {};
    bool allSame = true;
    const uint8_t *fieldA = nullptr, *fieldB = nullptr;
    for (; i < near.size() && near[i].offset == at; ++i) {
      const RelocationRow *row = findRelocation(*a.file.target, near[i].type);
      if (!row || !row->hasField() || back > y.offset)
        continue;
      fieldA = fieldAt(a, sectionA, at, row->bytes);
      fieldB = fieldAt(b, sectionB, y.offset - back, row->bytes);
      if (!fieldA || !fieldB)
        continue;
      const auto others =
          b.relocations(sectionB, y.offset - back, y.offset - back + 1)
              .take_front(kMostAtOnePlace);
      const auto other = find_if(others, [&](const ElfRelocation &r) {
        return r.type == near[i].type;
      });
      markField(*row, mask);
      if (row->bytes > verdict.bytes) {
        verdict.bytes = row->bytes;
        verdict.back = back;
      }
      const bool equal =
          other != others.end() && same(near[i], *other) &&
          holds(a, *row, near[i], fieldA) == holds(b, *row, *other, fieldB);
      if (other != others.end() && (!verdict.row || (allSame && !equal))) {
        verdict.row = row;
        verdict.valueA = extractField(*row, fieldA);
        verdict.valueB = extractField(*row, fieldB);
        verdict.a = a.targetOf(near[i]);
        verdict.b = b.targetOf(*other);
      }
      allSame &= equal;
    }
    if (!verdict.row || verdict.bytes <= back)
      continue;
    verdict.moved =
        allSame && differsInside(fieldA, fieldB, mask, verdict.bytes);
    return verdict;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Without relocations
//===----------------------------------------------------------------------===//

/// Upper or lower bits at two fields: whether the other ones stand in an
/// instruction nearby, and both together are the same place.
bool References::tryHalves(const Guess &guess, AtomByte x, AtomByte y) const {
  const RelocationRow &row = *guess.row, &other = *guess.other;
  auto addressIn = [&](const Side &side, AtomByte at,
                       int64_t by) -> std::optional<uint64_t> {
    const uint32_t section = at.atom->section;
    const uint64_t near = at.offset + by;
    const uint8_t *field = fieldAt(side, section, at.offset, row.bytes),
                  *nearField = fieldAt(side, section, near, row.bytes);
    if (!nearField || near < at.atom->begin ||
        near + row.bytes > at.atom->end())
      return std::nullopt;
    // The lower half is not shifted.
    const uint64_t address = uint64_t(extractField(row, field)) << row.shift |
                             uint64_t(extractField(other, nearField))
                                 << other.shift;
    return side.file.target->is64 ? address : uint32_t(address);
  };
  for (int64_t away = -kMostAway; away <= kMostAway; ++away) {
    const int64_t by = away * int64_t(guess.step);
    const auto from = addressIn(a, x, by), to = addressIn(b, y, by);
    if (by && from && to && sameAddress(*from, *to))
      return true;
  }
  return false;
}

bool References::tryField(const Guess &guess, AtomByte x, AtomByte y,
                          unsigned back, const Side *kept,
                          FieldVerdict &verdict) const {
  const RelocationRow &row = *guess.row;
  // The field has to lie in both atoms.
  if (x.offset - x.atom->begin < back || y.offset - y.atom->begin < back)
    return false;
  x.offset -= back;
  y.offset -= back;
  const uint32_t sectionA = x.atom->section, sectionB = y.atom->section;
  const uint8_t *fieldA = fieldAt(a, sectionA, x.offset, row.bytes),
                *fieldB = fieldAt(b, sectionB, y.offset, row.bytes);
  if (x.atom->end() - x.offset < row.bytes ||
      y.atom->end() - y.offset < row.bytes || !fieldA || !fieldB)
    return false;
  const RelocationOperands inA = operandsAt(a, row, sectionA, x.offset),
                           inB = operandsAt(b, row, sectionB, y.offset);
  if (inA.place % guess.step || inB.place % guess.step ||
      !differsInside(fieldA, fieldB, guess.mask, row.bytes))
    return false;
  if (kept) {
    const AtomByte at = kept == &a ? x : y;
    const auto stated =
        kept->relocations(at.atom->section, at.offset, at.offset + 1);
    if (none_of(stated.take_front(kMostAtOnePlace), [&](const auto &r) {
          return findRelocation(*a.file.target, r.type) == &row;
        }))
      return false;
  }
  auto found = [&](bool moved) {
    verdict.moved = moved;
    verdict.probably = !kept;
    verdict.back = back;
    verdict.bytes = row.bytes;
    verdict.row = &row;
    return moved;
  };
  if (guess.other)
    return tryHalves(guess, x, y) && found(/*moved=*/true);
  auto isBegin = [](const Side &side, uint64_t address) {
    const uint32_t at = side.atomAt(address);
    return at != kNoIndex && side.table.atoms[at].symbol != kNoIndex &&
           side.addressOf(side.table.atoms[at]) == address;
  };
  const Target &target = *a.file.target;
  for (uint64_t from : solutions(row, target, a.state, inA, fieldA))
    for (uint64_t to : solutions(row, target, b.state, inB, fieldB)) {
      const bool moved = sameAddress(from, to);
      // It may be another target: a call or a pointer changed.
      if (!moved && (verdict.row || (!guess.word && row.use != Use::Call) ||
                     !isBegin(a, from) || !isBegin(b, to)))
        continue;
      verdict.valueA = extractField(row, fieldA);
      verdict.valueB = extractField(row, fieldB);
      verdict.a.address = from;
      verdict.b.address = to;
      if (found(moved))
        return true;
    }
  return false;
}

FieldVerdict References::judge(AtomByte x, AtomByte y, bool guess) const {
  const bool keptA = a.keepsRelocations(x.atom->section),
             keptB = b.keepsRelocations(y.atom->section);
  if (keptA && keptB)
    return judgeKept(x, y);
  FieldVerdict verdict;
  if (!guess || !a.file.hasAddresses() || !b.file.hasAddresses())
    return verdict;
  const bool code = a.file.sections[x.atom->section].isCode();
  for (const Guess &row : guesses)
    if (code || row.word)
      for (unsigned back = 0; back < row.row->bytes; ++back)
        if (tryField(row, x, y, back,
                     keptA   ? &a
                     : keptB ? &b
                             : nullptr,
                     verdict))
          return verdict;
  return verdict;
}

//===----------------------------------------------------------------------===//
// One of the files
//===----------------------------------------------------------------------===//

/// Symbols of one value; a damaged file may have one value for all.
constexpr std::ptrdiff_t kMostSymbolsAtAddress = 32;

Side::Side(const LinkedFile &file, const AtomTable &table)
    : file(file), table(table) {
  const Target &target = *file.target;
  state.machine = file.machine;
  state.flags = file.flags;
  const InputHeader header{file.name, file.machine, file.flags, file.osabi};
  std::vector<TargetMessage> ignored; // the link has reported them
  configure(target, {}, header, state, ignored);
  fill.append(state.codeFill.begin(), state.codeFill.end());
  // A finished file does not name the machine's core that it is for.
  for (const Cpu &cpu : target.cpus) {
    TargetOptions options;
    options.cpu = cpu.name;
    TargetState other;
    configure(target, options, header, other, ignored);
    fill.append(other.codeFill.begin(), other.codeFill.end());
  }
  for (const BaseSymbol &base : target.baseSymbols) {
    const auto found = find_if(file.symbols, [&](const ElfSymbol &s) {
      return s.name == base.name && s.section != LinkedFile::kUndefined;
    });
    bases.push_back(found == file.symbols.end() ? 0 : found->value);
  }
  if (!file.hasAddresses())
    return;
  for (uint32_t i = 1; i < file.sections.size(); ++i)
    if (file.sections[i].isLoaded() && file.sections[i].size)
      sectionsByAddress.push_back(i);
  stable_sort(sectionsByAddress, [&](uint32_t x, uint32_t y) {
    return file.sections[x].address < file.sections[y].address;
  });
  for (uint32_t i = 0; i < file.symbols.size(); ++i)
    if (!file.symbols[i].isMark() &&
        file.symbols[i].section != LinkedFile::kUndefined)
      symbolsByValue.push_back(i);
  stable_sort(symbolsByValue, [&](uint32_t x, uint32_t y) {
    return file.symbols[x].value < file.symbols[y].value;
  });
}

uint32_t Side::sectionAt(uint64_t address, bool atEnd) const {
  // A section that ends at an address begins below it.
  const uint64_t inside = address - (atEnd && address ? 1 : 0);
  const auto found = partition_point(sectionsByAddress, [&](uint32_t i) {
    return file.sections[i].address <= inside;
  });
  if (found == sectionsByAddress.begin())
    return kNoIndex;
  const ElfSection &section = file.sections[*std::prev(found)];
  return inside - section.address < section.size ? *std::prev(found) : kNoIndex;
}

uint32_t Side::atomAt(uint64_t address) const {
  const uint32_t section = sectionAt(address);
  return section == kNoIndex
             ? section
             : table.at(section, address - file.sections[section].address);
}

ArrayRef<uint8_t> Side::bytesOf(const Atom &atom) const {
  const ArrayRef<uint8_t> data = file.sections[atom.section].data;
  return data.empty() ? data : data.slice(atom.begin, atom.size);
}

ArrayRef<uint32_t> Side::symbolsAt(uint64_t address) const {
  const auto begin = partition_point(symbolsByValue, [&](uint32_t i) {
    return file.symbols[i].value < address;
  });
  auto end = begin;
  while (end != symbolsByValue.end() && file.symbols[*end].value == address &&
         end - begin < kMostSymbolsAtAddress)
    ++end;
  return ArrayRef(symbolsByValue)
      .slice(begin - symbolsByValue.begin(), end - begin);
}

ArrayRef<ElfRelocation> Side::relocations(uint32_t section, uint64_t from,
                                          uint64_t to) const {
  auto first = [&](uint64_t offset) {
    return partition_point(file.relocations,
                           [&](const ElfRelocation &r) {
                             return std::tie(r.section, r.offset) <
                                    std::tie(section, offset);
                           }) -
           file.relocations.begin();
  };
  const size_t begin = first(from);
  return ArrayRef(file.relocations)
      .slice(begin, std::max<size_t>(first(to), begin) - begin);
}

FieldTarget Side::targetOf(const ElfRelocation &relocation) const {
  FieldTarget to{relocation.symbol, relocation.addend, std::nullopt};
  const ElfSymbol *symbol =
      to.symbol == kNoIndex ? nullptr : &file.symbols[to.symbol];
  if (file.hasAddresses() &&
      (!symbol || symbol->section != LinkedFile::kCommon))
    to.address = (symbol ? symbol->value : 0) + uint64_t(relocation.addend);
  return to;
}

bool Side::isFill(const Atom &atom) const {
  if (atom.symbol != kNoIndex)
    return false;
  const bool code = file.sections[atom.section].isCode();
  return all_of(bytesOf(atom), [&](uint8_t byte) {
    return byte == 0 || (code && is_contained(fill, byte));
  });
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string plus(StringRef name, uint64_t offset) {
  return name.str() + (offset ? "+" + hex(offset) : "");
}

std::string Side::whereText(uint32_t atom) const {
  auto nameOf = [&](uint32_t other) {
    const uint32_t symbol =
        other == kNoIndex ? other : table.atoms[other].symbol;
    return symbol == kNoIndex ? StringRef() : file.symbols[symbol].name;
  };
  if (const StringRef name = nameOf(table.before(atom)); !name.empty())
    return "behind " + name.str();
  if (const StringRef name = nameOf(table.behind(atom)); !name.empty())
    return "in front of " + name.str();
  return "";
}

std::string Side::placeText(uint64_t address) const {
  const uint32_t section = sectionAt(address);
  if (section == kNoIndex) {
    for (uint32_t symbol : symbolsAt(address))
      return file.symbols[symbol].name.str();
    return hex(address);
  }
  const uint64_t offset = address - file.sections[section].address;
  const uint32_t at = table.at(section, offset);
  if (at == kNoIndex || table.atoms[at].symbol == kNoIndex)
    return plus(file.sections[section].name, offset);
  const Atom &atom = table.atoms[at];
  return plus(file.symbols[atom.symbol].name, offset - atom.begin);
}

std::string Side::text(const FieldTarget &target) const {
  if (target.symbol != kNoIndex) {
    const ElfSymbol &symbol = file.symbols[target.symbol];
    const std::string name = !symbol.name.empty() || !symbol.isIn(file)
                                 ? symbol.name.str()
                                 : file.sections[symbol.section].name.str();
    if (!symbol.isMark() || !target.address)
      return target.addend < 0 ? name + "-" + hex(-uint64_t(target.addend))
                               : plus(name, target.addend);
  }
  return target.address ? placeText(*target.address) : "";
}

} // namespace xlink
