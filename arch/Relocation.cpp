//===- Relocation.cpp - the arithmetic of relocation rows -----------------===//
//
// Problem: five machines have some seventy relocation types. The usual linker
// states the meaning of a type in several places (how to compute, how to write,
// how to read back, to check, to print), and nothing forces them to
// agree.
//
// Method: each of those is derived here from the one row, so a row that writes
// the right bits also prints and reads the right bits. Computing takes fixed
// steps: sum, carry, reduction, address map, alignment, scale, range. Writing
// treats the storage unit as one number, up to 128 bits wide for sequences of
// instructions, and copies each piece of the value to its place in it.
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
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

unsigned unitByte(const RelocationRow &row, unsigned byte) {
  const unsigned reversed = row.bytes - 1 - byte;
  return row.order == Order::Little         ? byte
         : row.order == Order::LittleHalves ? reversed ^ 1
                                            : reversed;
}

namespace {

__extension__ typedef unsigned __int128 Word128;

/// The lowest `width` bits, 1 to 64 of them.
constexpr uint64_t lowBits(unsigned width) {
  return ~uint64_t(0) >> (64 - width);
}

/// The number in a unit.
template <class Word>
Word loadUnit(const RelocationRow &row, const uint8_t *unit) {
  Word word = 0;
  if (row.order == Order::Little)
    for (unsigned i = row.bytes; i-- > 0;)
      word = word << 8 | unit[i];
  else
    for (unsigned i = row.bytes; i-- > 0;)
      word = word << 8 | unit[unitByte(row, i)];
  return word;
}

template <class Word>
void storeUnit(const RelocationRow &row, uint8_t *unit, Word word) {
  if (row.order == Order::Little)
    for (unsigned i = 0; i < row.bytes; ++i)
      unit[i] = uint8_t(word >> (8 * i));
  else
    for (unsigned i = 0; i < row.bytes; ++i)
      unit[unitByte(row, i)] = uint8_t(word >> (8 * i));
}

/// The pieces of a unit as one number of the value's bits.
template <class Word> uint64_t gather(const RelocationRow &row, Word word) {
  uint64_t value = 0;
  for (const Piece &piece : row.pieces)
    value |= (uint64_t(word >> piece.wordBit) & lowBits(piece.width))
             << piece.valueBit;
  return value;
}

/// The sum of 2^(B-1) for those carries B of a row that are above `bit` of the
/// sum.
uint64_t roundsAbove(const RelocationRow &row, int bit) {
  uint64_t rounds = 0;
  for (uint64_t rest = row.carry; rest != 0; rest &= rest - 1)
    if (const int carry = countr_zero(rest); carry > bit)
      rounds += uint64_t(1) << (carry - 1);
  return rounds;
}

/// The bits of V that are inverted.
uint64_t flipped(const RelocationRow &row, uint64_t V) {
  return row.flipUnless != kNoBit && (V >> row.flipUnless & 1) ? 0 : row.flip;
}

/// Whether a base is subtracted from the sum behind its reduction: a distance
/// from a register counts upwards from its base.
bool isLateBase(const RelocationRow &row) {
  return row.subtractsBase() &&
         (row.baseKind == BaseKind::Flag || row.baseKind == BaseKind::Cpu);
}

} // namespace

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

const Memory *memoryAt(const Target &target, uint64_t address) {
  const Memory *memory = find_if(target.memories, [address](const Memory &m) {
    return m.begin <= address && address < m.end;
  });
  return memory == target.memories.end() ? nullptr : memory;
}

uint64_t mapAddress(const Target &target, uint64_t address) {
  for (const AddressMap &map : target.maps)
    if ((address & map.mask) == map.match)
      return ((address & ~map.clear) >> map.shift) + (address & map.keepLow);
  return address;
}

std::optional<std::pair<int64_t, int64_t>>
fieldLimits(const RelocationRow &row) {
  if (row.check == Check::Limits)
    return std::pair(row.low, row.high);
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

bool isVendors(const Target &target, uint32_t number) {
  return !target.vendors.empty() && number >= 192 && number <= 255;
}

CompiledRow::CompiledRow(const RelocationRow &row, const Target &target,
                         const TargetState &state)
    : source(&row), target(&target), shift(row.shift),
      maps(!target.maps.empty()) {
  placeMask = row.hasField() ? row.placeAlign - 1 : 0;
  plus = state.usePlaceBias ? row.placePlus : 0;
  placeKeep =
      ~(state.usePlaceBias && row.placeDown ? lowBits(row.placeDown) : 0);
  subtracted = row.subtractsPlace() ? ~uint64_t(0) : 0;
  baseMask = isLateBase(row) ? ~uint64_t(0) : 0;
  if (isLateBase(row) && row.baseKind == BaseKind::Cpu)
    ownBase = state.fieldBase;
  round = carries(row);
  wrapMask = row.wrapBits ? lowBits(row.wrapBits) : ~uint64_t(0);
  wrapSign = row.wrapSigned ? uint64_t(1) << (row.wrapBits - 1) : 0;
  multiple = row.multiple ? lowBits(row.multiple) : 0;
  const auto limits = fieldLimits(row);
  low = limits ? limits->first : INT64_MIN;
  high = limits ? limits->second : INT64_MAX;
  direct = row.addsSymbol() && !row.usesBaseSymbol() && !row.negate &&
           row.page == 0 && row.pair.empty() &&
           !(row.use == Use::Branch && !target.memories.empty()) &&
           !isVendors(target, row.number);
  if (row.bytes != 4 || row.order != Order::Little || row.op != FieldOp::Set ||
      row.signBit != kNoBit || row.flip != 0 || row.pieces.size() > 2 ||
      any_of(row.pieces, [&](const Piece &piece) {
        return roundsAbove(row, piece.valueBit + row.shift) != 0;
      }))
    return;
  for (const auto &[i, piece] : enumerate(row.pieces))
    slices[i] = {uint32_t(lowBits(piece.width) << piece.wordBit),
                 piece.valueBit, piece.wordBit};
}

void CompiledRow::setBase(std::optional<uint64_t> value) {
  if (!source->subtractsBase() || isLateBase(*source))
    return;
  minus = value.value_or(0);
  direct &= value.has_value();
}

uint64_t carries(const RelocationRow &row) { return roundsAbove(row, -1); }

int64_t CompiledRow::mapped(int64_t sum) const {
  return int64_t(mapAddress(*target, uint64_t(sum)));
}

/// Sets `out.fault` where the place or the value is not as the row demands.
void CompiledRow::check(RelocationOutcome &out, uint64_t place) const {
  if (place & placeMask) {
    out.fault = RelocationFault::PlaceAlign;
    return;
  }
  if (uint64_t(out.sum) & multiple) {
    out.fault = RelocationFault::Align;
    return;
  }
  // -1 that was reduced to an unsigned number is still -1 to a field with
  // negative values.
  const int64_t negative =
      source->wrapBits && !source->wrapSigned
          ? SignExtend64(uint64_t(out.sum), source->wrapBits) >> shift
          : 0;
  if (negative < 0 && negative >= low)
    out.V = negative;
  else
    out.fault = RelocationFault::Range;
}

RelocationOutcome CompiledRow::evaluate(const RelocationOperands &ops) const {
  const uint64_t base = source->usesBaseSymbol() ? ops.base : ownBase;
  uint64_t sum = (source->addsSlot() ? ops.G : ops.S) + uint64_t(ops.A);
  if (source->page)
    sum &= ~lowBits(source->page);
  if (source->negate)
    sum = -sum;
  RelocationOutcome out = compute(sum, ops.place, base, ops.alloc);
  if (source->subtractsBase() && !isLateBase(*source))
    out.base = minus;
  RelocationOutcome none; // a plain 0, of which a carry is taken off again
  none.V = int64_t(carries(*source) >> shift);
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
  if (isDistance && ops.undefinedWeak && isJump(*source) && !source->weakMask &&
      !ops.keepsAddress)
    return none;
  if (isDistance && ops.undefinedWeak && source->weakMask) {
    CompiledRow address = *this;
    address.subtracted = 0;
    out = address.compute(sum, ops.place, base, ops.alloc);
    out.isWeak = true;
  }
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
  CompiledRow compiled(row, target, state);
  compiled.setBase(ops.base);
  return compiled.evaluate(ops);
}

std::vector<uint64_t> solutions(const RelocationRow &row, const Target &target,
                                const TargetState &state,
                                const RelocationOperands &ops,
                                const uint8_t *unit) {
  std::vector<uint64_t> found;
  if (!row.addsSymbol() || row.negate || row.page || row.carry ||
      !row.pair.empty() || row.op != FieldOp::Set)
    return found;
  const uint64_t limit = target.is64 ? UINT64_MAX : UINT32_MAX;
  auto add = [&](uint64_t value) {
    if (!is_contained(found, value & limit))
      found.push_back(value & limit);
  };
  const int64_t field = extractField(row, unit);
  const uint64_t low =
      row.bits < 64 ? uint64_t(field) & lowBits(row.bits) : uint64_t(field);
  if (target.maps.empty()) {
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
          mapAddress(target, address) == low)
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
  if (row.op != FieldOp::Set)
    bits = gather(row, word) + (row.op == FieldOp::Add ? bits : -bits);
  if (row.signBit != kNoBit) {
    const Word sign = Word(1) << row.signBit;
    word = V < 0 ? word | sign : word & ~sign;
    bits = V < 0 ? -bits : bits;
  }
  for (const Piece &piece : row.pieces) {
    const uint64_t mask = lowBits(piece.width);
    // Bits below a carry come from the value without it.
    const uint64_t value =
        bits - (roundsAbove(row, piece.valueBit + row.shift) >> row.shift);
    word &= ~(Word(mask) << piece.wordBit);
    word |= Word((value ^ flipped(row, bits)) >> piece.valueBit & mask)
            << piece.wordBit;
  }
  return word;
}

template <class Word>
static void deposit(const RelocationRow &row, int64_t V, uint8_t *unit) {
  storeUnit(row, unit, withField(row, V, loadUnit<Word>(row, unit)));
}

void deposit(const RelocationRow &row, int64_t V, uint8_t *unit) {
  if (row.bytes <= 8)
    deposit<uint64_t>(row, V, unit);
  else
    deposit<Word128>(row, V, unit);
}

void deposit(const RelocationRow &row, const RelocationOutcome &outcome,
             uint8_t *unit) {
  deposit(row, outcome.V, unit);
  if (outcome.isWeak)
    storeUnit(row, unit,
              (loadUnit<Word128>(row, unit) & ~Word128(row.weakMask)) |
                  row.weakCode);
}

bool takesAddressAt(const RelocationRow &row, const uint8_t *unit) {
  return row.addressBit != kNoBit &&
         (loadUnit<Word128>(row, unit) >> row.addressBit & 1);
}

int64_t extractField(const RelocationRow &row, const uint8_t *unit) {
  if (row.pieces.empty())
    return 0;
  const Word128 word = loadUnit<Word128>(row, unit);
  uint64_t value = gather(row, word);
  value ^= flipped(row, value);
  if (row.signBit != kNoBit)
    return word >> row.signBit & 1 ? -value : value;
  // Bits above a carry have it already; those below, if they are placed, not.
  uint64_t placed = 0;
  for (const Piece &piece : row.pieces)
    placed |= lowBits(piece.width) << piece.valueBit;
  for (uint64_t rest = row.carry; rest != 0; rest &= rest - 1)
    if (const int bit = countr_zero(rest) - row.shift;
        bit > 0 && (placed >> (bit - 1) & 1))
      value = (value & ~lowBits(bit)) |
              ((value + (uint64_t(1) << (bit - 1))) & lowBits(bit));
  if (row.check == Check::Unsigned || row.check == Check::LowPart ||
      (row.check == Check::Limits && row.low >= 0))
    return value;
  return SignExtend64(value, row.bits);
}

std::optional<int64_t> extractAddend(const RelocationRow &row,
                                     const uint8_t *unit) {
  if (!row.hasField())
    return 0; // no field, and nothing that an addend would change
  if (row.addendBits != 0) {
    uint64_t field = extractField(row, unit);
    if (row.check == Check::LowPart || row.dropsBits() || row.addendSigned ||
        row.addendBits != row.bits)
      field = SignExtend64(field, row.addendBits);
    return int64_t(row.dropsBits() ? field : field << row.shift);
  }
  const bool fillsUnit = row.pieces.size() == 1 && row.bits == 8 * row.bytes;
  if (!fillsUnit || row.dropsBits() || row.check == Check::LowPart ||
      row.op != FieldOp::Set)
    return std::nullopt;
  return int64_t(uint64_t(extractField(row, unit)) << row.shift);
}

} // namespace xlink
