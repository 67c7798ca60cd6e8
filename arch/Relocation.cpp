//===- Relocation.cpp - the interpreter of relocation rows
//-----------------===//
//
// Problem: five machines have some seventy relocation types. The usual linker
// states the meaning of a type in several places (how to compute, how to write,
// how to read back, to check, to print), and nothing forces them to
// agree.
//
// Method: each of those is derived here from the one row, so a row that writes
// the right bits also prints and reads the right bits. Computing takes fixed
// steps: sum, reduction, address map, alignment, scale, range. Writing treats
// the storage unit as one little-endian number, up to 128 bits wide for
// sequences of instructions, and copies each piece of the value to its place in
// it.
//
// Cost: no allocation and no branch on a machine until something fails. A field
// costs a loop over its pieces, one or two for most rows, and none where it is
// a part of one word. CompiledRow has the numbers that all relocations of a
// link share as masks and limits.
//
//===----------------------------------------------------------------------===//

#include "arch/Relocation.h"
#include "arch/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::support;

namespace xlink {

namespace {

__extension__ typedef unsigned __int128 Word128;

/// The lowest `width` bits, 1 to 64 of them.
constexpr uint64_t lowBits(unsigned width) {
  return ~uint64_t(0) >> (64 - width);
}

int64_t signExtend(uint64_t value, unsigned width) {
  return int64_t(value << (64 - width)) >> (64 - width);
}

/// The number in a unit of up to 8 bytes.
uint64_t loadUnit(const uint8_t *unit, unsigned bytes) {
  uint64_t word = 0;
  for (unsigned i = bytes; i-- > 0;)
    word = word << 8 | unit[i];
  return word;
}

void storeUnit(uint8_t *unit, unsigned bytes, uint64_t word) {
  for (unsigned i = 0; i < bytes; ++i)
    unit[i] = uint8_t(word >> (8 * i));
}

template <class Word> int64_t gather(const RelocationRow &row, Word word) {
  uint64_t value = 0;
  for (const Piece &piece : row.pieces) {
    uint64_t mask = lowBits(piece.width);
    value |= (uint64_t(word >> piece.wordBit) & mask) << piece.valueBit;
  }
  if (row.signBit != kNoSignBit)
    return (word >> row.signBit) & 1 ? -value : value;
  if (row.check == Check::Unsigned || row.check == Check::LowPart)
    return value;
  return signExtend(value, row.bits);
}

} // namespace

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

std::optional<std::pair<int64_t, int64_t>>
fieldLimits(const RelocationRow &row) {
  if (row.check == Check::None || row.check == Check::LowPart || row.bits >= 63)
    return std::nullopt;
  const int64_t full = int64_t(1) << row.bits; // bits >= 1 for any check
  const int64_t low = row.check == Check::Unsigned    ? 0
                      : row.check == Check::Magnitude ? 1 - full
                                                      : -full / 2;
  return std::pair(low, row.check == Check::Signed ? full / 2 - 1 : full - 1);
}

/// Whether control goes to the symbol. A distance to data is an address.
static bool isJump(const RelocationRow &row) {
  return row.use == Use::Call || row.use == Use::Branch;
}

CompiledRow::CompiledRow(const RelocationRow &row, const Target &target,
                         const TargetState &state)
    : source(&row), target(&target), map(target.mapAddress), shift(row.shift) {
  placeMask = row.hasField() ? row.placeAlign - 1 : 0;
  const PlaceBias of = state.usePlaceBias ? row.bias : PlaceBias::None;
  const uint64_t rounded = of == PlaceBias::NextBundle ? 3 : 0;
  bias = of == PlaceBias::None ? 0 : row.bytes + rounded;
  placeKeep = ~rounded;
  subtracted = row.subtractsPlace() ? ~uint64_t(0) : 0;
  baseMask = row.subtractsBase() ? ~uint64_t(0) : 0;
  ownBase = row.subtractsBase() && !row.usesBaseSymbol() ? state.fieldBase : 0;
  wrapMask = row.wrap == Wrap::None ? ~uint64_t(0) : lowBits(32);
  wrapSign = row.wrap == Wrap::Mod32Signed ? uint64_t(1) << 31 : 0;
  if (row.scale == Scale::Exact && row.shift)
    scaleMask = lowBits(row.shift);
  const auto limits = fieldLimits(row);
  low = limits ? limits->first : INT64_MIN;
  high = limits ? limits->second : INT64_MAX;
  direct = row.addsSymbol() && !row.usesBaseSymbol() &&
           !(row.use == Use::Branch && !target.memories.empty());
  if (row.bytes == 4 && row.pieces.size() == 1 && row.pieces[0].valueBit == 0 &&
      row.signBit == kNoSignBit) {
    fieldBit = row.pieces[0].wordBit;
    fieldMask = uint32_t(lowBits(row.pieces[0].width) << fieldBit);
  }
}

/// Sets `out.fault` where the place or the value is not as the row demands.
void CompiledRow::check(RelocationOutcome &out, uint64_t place) const {
  if (place & placeMask) {
    out.fault = RelocationFault::PlaceAlign;
    return;
  }
  if (uint64_t(out.sum) & scaleMask) {
    out.fault = RelocationFault::Align;
    return;
  }
  // -1 that was reduced modulo 2^32 is still -1 to a field with negative
  // values.
  const int64_t negative = int64_t(int32_t(out.sum)) >> shift;
  if (source->wrap == Wrap::Mod32 && negative < 0 && negative >= low)
    out.V = negative;
  else
    out.fault = RelocationFault::Range;
}

RelocationOutcome CompiledRow::evaluate(const RelocationOperands &ops) const {
  const uint64_t base = source->usesBaseSymbol() ? ops.base : ownBase;
  RelocationOutcome out =
      compute((source->addsSlot() ? ops.G : ops.S) + uint64_t(ops.A), ops.place,
              base, ops.alloc);
  RelocationOutcome none; // a plain 0
  none.P = out.P;
  none.base = out.base;
  if (!source->hasField())
    return none;
  if (out.fault == RelocationFault::PlaceAlign) {
    none.fault = out.fault;
    return none;
  }
  // Code that tests a weak symbol never takes the branch to it; address 0 is
  // too far from most code for the field, so the field gets a plain 0. The test
  // itself wants the address.
  const bool isDistance = source->subtractsPlace();
  if ((isDistance || source->subtractsBase()) && ops.undefinedAccepted)
    return none;
  if (isDistance && ops.undefinedWeak && isJump(*source) && !ops.keepsAddress)
    return none;
  if (source->subtractsBase() && ops.undefinedWeak) {
    none.fault = RelocationFault::UndefinedBase;
    return none;
  }
  if (source->use == Use::Branch && ops.alloc && ops.inSection)
    if (const Memory *memory = memoryAt(*target, uint64_t(out.sum));
        memory && memory->holds != Memory::Code)
      out.fault = RelocationFault::NoCode;
  return out;
}

RelocationOutcome evaluate(const RelocationRow &row, const Target &target,
                           const TargetState &state,
                           const RelocationOperands &ops) {
  return CompiledRow(row, target, state).evaluate(ops);
}

std::vector<uint64_t> solutions(const RelocationRow &row, const Target &target,
                                const TargetState &state,
                                const RelocationOperands &ops,
                                const uint8_t *unit) {
  std::vector<uint64_t> found;
  if (!row.addsSymbol())
    return found;
  const uint64_t limit = target.is64 ? UINT64_MAX : UINT32_MAX;
  auto add = [&](uint64_t value) {
    if (!is_contained(found, value & limit))
      found.push_back(value & limit);
  };
  const int64_t field = extractField(row, unit);
  const uint64_t low =
      row.bits < 64 ? uint64_t(field) & lowBits(row.bits) : uint64_t(field);
  if (!target.mapAddress) {
    const RelocationOutcome out = evaluate(row, target, state, ops);
    const uint64_t subtracted = row.subtractsPlace()  ? out.P
                                : row.subtractsBase() ? out.base
                                                      : 0;
    add((uint64_t(field) << row.shift) + subtracted);
    if (row.isPlainSum()) // the field may hold no negative values
      add(low << row.shift);
    return found;
  }
  // The map of addresses has no inverse, but each memory has one of its own.
  for (const Memory &memory : target.memories)
    if (low <= (memory.end - memory.begin) / memory.unit)
      if (const uint64_t address = memory.begin + low * memory.unit;
          target.mapAddress(address) == low)
        add(address);
  return found;
}

//===----------------------------------------------------------------------===//
// Writing and reading fields
//===----------------------------------------------------------------------===//

/// A unit with V in its field.
template <class Word>
static Word withField(const RelocationRow &row, int64_t V, Word word) {
  uint64_t bits = uint64_t(V);
  if (row.signBit != kNoSignBit) {
    const Word sign = Word(1) << row.signBit;
    word = V < 0 ? word | sign : word & ~sign;
    bits = V < 0 ? -bits : bits;
  }
  for (const Piece &piece : row.pieces) {
    const uint64_t mask = lowBits(piece.width);
    word &= ~(Word(mask) << piece.wordBit);
    word |= Word(bits >> piece.valueBit & mask) << piece.wordBit;
  }
  return word;
}

void deposit(const RelocationRow &row, int64_t V, uint8_t *unit) {
  if (row.bytes <= 8) {
    storeUnit(unit, row.bytes, withField(row, V, loadUnit(unit, row.bytes)));
    return;
  }
  const unsigned rest = row.bytes - 8;
  Word128 word = Word128(loadUnit(unit + 8, rest)) << 64 | loadUnit(unit, 8);
  word = withField(row, V, word);
  storeUnit(unit, 8, uint64_t(word));
  storeUnit(unit + 8, rest, uint64_t(word >> 64));
}

bool takesAddressAt(const RelocationRow &row, const uint8_t *unit) {
  return row.addressBit != kNoAddressBit &&
         loadUnit(unit, row.bytes) >> row.addressBit & 1;
}

int64_t extractField(const RelocationRow &row, const uint8_t *unit) {
  if (row.pieces.empty())
    return 0;
  if (row.bytes <= 8)
    return gather(row, loadUnit(unit, row.bytes));
  return gather(row, Word128(loadUnit(unit + 8, row.bytes - 8)) << 64 |
                         loadUnit(unit, 8));
}

std::optional<int64_t> extractAddend(const RelocationRow &row,
                                     const uint8_t *unit) {
  if (!row.hasField())
    return 0; // no field, and nothing that an addend would change
  bool fillsUnit = row.pieces.size() == 1 && row.bits == 8 * row.bytes;
  if (row.scale == Scale::Floor || row.check == Check::LowPart ||
      !(fillsUnit || row.fieldAddend))
    return std::nullopt;
  return int64_t(uint64_t(extractField(row, unit)) << row.shift);
}

//===----------------------------------------------------------------------===//
// Names and texts
//===----------------------------------------------------------------------===//

const RelocationRow *findRelocation(const Target &target, uint32_t number) {
  ArrayRef<RelocationRow> rows = target.relocations;
  // Most tables begin without gaps.
  if (number < rows.size() && rows[number].number == number)
    return &rows[number];
  const RelocationRow *row =
      partition_point(rows, [number](const RelocationRow &candidate) {
        return candidate.number < number;
      });
  return row != rows.end() && row->number == number ? row : nullptr;
}

std::string relocationName(const Target &target, uint32_t number) {
  if (const RelocationRow *row = findRelocation(target, number))
    return row->name;
  return "unknown relocation type " + std::to_string(number);
}

namespace {

/// "0", "0x1008", "-0x4": numbers that may be negative.
std::string signedHex(int64_t value) {
  if (value == 0)
    return "0";
  std::string text = value < 0 ? "-" : "";
  text += hexText(value < 0 ? -uint64_t(value) : value);
  return text;
}

StringRef baseName(const RelocationRow &row, const Target &target) {
  if (row.base == kFieldBase)
    return target.fieldBaseName ? target.fieldBaseName : "base";
  return row.base < target.baseSymbols.size()
             ? target.baseSymbols[row.base].shortName
             : "base";
}

/// The sum, of terms as they shall stand there: "S 0x11408 + A 0 - cp 0x10400".
std::string sumText(const RelocationRow &row, const std::string &symbol,
                    const std::string &addend, const std::string &place,
                    const std::string &base) {
  std::string text = symbol + " + " + addend;
  if (row.subtractsPlace())
    text += " - " + place;
  if (row.subtractsBase())
    text += " - " + base;
  return text;
}

/// The unit of V.
std::string unitWord(unsigned shift) {
  static constexpr const char *words[] = {"bytes", "halfwords", "words"};
  return shift < std::size(words)
             ? words[shift]
             : "units of " + std::to_string(uint64_t(1) << shift) + " bytes";
}

} // namespace

std::string describeFault(const RelocationRow &row, const Target &target,
                          const RelocationOperands &ops,
                          const RelocationOutcome &outcome) {
  std::string text = "relocation " + std::string(row.name);
  // An address with the topmost bit set is no negative number.
  std::string sum = target.is64 && row.isPlainSum() ? hexText(outcome.sum)
                                                    : signedHex(outcome.sum);
  const std::string base =
      (baseName(row, target) + " " + hexText(outcome.base)).str();
  const std::string arithmetic =
      sumText(row,
              row.addsSlot() ? "G " + hexText(ops.G) : "S " + hexText(ops.S),
              "A " + signedHex(ops.A), "P " + hexText(outcome.P), base) +
      " = " + sum;

  switch (outcome.fault) {
  case RelocationFault::None:
    return text + " is applied: " + arithmetic;
  case RelocationFault::PlaceAlign:
    return text + " misaligned: its place " + hexText(ops.place) +
           " is not a multiple of " + std::to_string(row.placeAlign);
  case RelocationFault::UndefinedBase:
    return text +
           " out of range: the symbol is weak and undefined, and its value 0 "
           "is not reached from " +
           base;
  case RelocationFault::Align:
    return text + " misaligned: " + arithmetic + ", not a multiple of " +
           std::to_string(uint64_t(1) << row.shift);
  case RelocationFault::NoCode:
    return text + " branches to " + arithmetic + ", which is in " +
           memoryAt(target, uint64_t(outcome.sum))->name + " and holds no code";
  case RelocationFault::Range:
    break;
  }

  text += " out of range: " + arithmetic;
  // The result of an address map need not count bytes, so no unit then.
  if (ops.alloc && target.mapAddress)
    text += ", mapped to " + signedHex(outcome.mapped) + " = " +
            std::to_string(outcome.V);
  else
    text += " = " + std::to_string(outcome.V) + " " + unitWord(row.shift);
  if (auto limits = fieldLimits(row))
    text += "; the field holds " + std::to_string(limits->first) + ".." +
            std::to_string(limits->second);
  return text;
}

namespace {

std::string formulaText(const RelocationRow &row, const Target &target) {
  if (!row.hasField())
    return "";
  std::string text = sumText(row, row.addsSlot() ? "G" : "S", "A", "P",
                             baseName(row, target).str());
  if (row.shift)
    text = "(" + text + ") >> " + std::to_string(row.shift);
  return text;
}

std::string checkText(const RelocationRow &row) {
  static constexpr const char *checks[] = {
      "", "unsigned ", "signed ", "signed or unsigned ", "magnitude ", "low "};
  std::string text = checks[size_t(row.check)];
  if (row.check != Check::None)
    text += std::to_string(row.bits);
  auto add = [&text](const std::string &more) {
    text += (text.empty() ? "" : ", ") + more;
  };
  if (row.shift && row.scale == Scale::Exact)
    add("multiple of " + std::to_string(uint64_t(1) << row.shift));
  if (row.placeAlign > 1)
    add("place multiple of " + std::to_string(row.placeAlign));
  return text;
}

std::string fieldText(const RelocationRow &row) {
  std::string text;
  raw_string_ostream os(text);
  ListSeparator separator;
  for (const Piece &piece : row.pieces) {
    os << separator << unsigned(piece.valueBit);
    if (piece.width > 1)
      os << '-' << piece.valueBit + piece.width - 1;
    os << " -> " << unsigned(piece.wordBit);
  }
  if (row.signBit != kNoSignBit)
    os << separator << "sign -> " << unsigned(row.signBit);
  return text;
}

} // namespace

std::string listRelocations(const Target &target) {
  std::string text;
  raw_string_ostream os(text);
  auto line = [&os](StringRef number, StringRef name, StringRef bytes,
                    StringRef value, StringRef check, StringRef field) {
    std::string row;
    raw_string_ostream(row)
        << right_justify(number, 6) << "  " << left_justify(name, 26)
        << right_justify(bytes, 5) << "  " << left_justify(value, 28) << "  "
        << left_justify(check, 45) << "  " << field;
    os << StringRef(row).rtrim() << "\n";
  };
  line("number", "name", "bytes", "value", "check",
       "field (value bits -> bit of the unit)");
  for (const RelocationRow &row : target.relocations)
    line(std::to_string(row.number), row.name, std::to_string(row.bytes),
         formulaText(row, target), checkText(row), fieldText(row));
  return text;
}

} // namespace xlink
