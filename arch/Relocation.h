//===- Relocation.h - relocations as rows of a table ----------------------===//
//
// One row says everything about one relocation type: how its value is computed,
// which bits of the storage unit receive it, and what may go wrong. From the
// row alone follow application, extraction (SHT_REL), the bounds and range
// checks, the error text with its arithmetic, the printed table and the tests
// over all rows. Letters are the psABI's: S symbol value, A addend, P place, G
// offset of the GOT slot from the GOT's start, V the value that enters the
// field.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_RELOCATION_H
#define XLINK_ARCH_RELOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace xlink {

struct Target;
struct TargetState;

/// How S, A, P and friends combine, before wrap, scale and checks.
enum class Formula : uint8_t {
  None,      ///< nothing is written; still an edge for liveness
  Abs,       ///< S + A
  PcRel,     ///< S + A - P
  BaseRel,   ///< S + A - base (RelocationRow::base says which base)
  GotOffset, ///< G + A
};

/// The terms of a formula beside A.
struct FormulaTerms {
  bool symbol = false; ///< S is added
  bool place = false;  ///< P is subtracted
  bool base = false;   ///< a base is subtracted
  bool slot = false;   ///< G is added
};
constexpr FormulaTerms termsOf(Formula formula) {
  switch (
      formula) { // no default: the compiler tells of a formula without a row
  case Formula::None:
    return {};
  case Formula::Abs:
    return {.symbol = true};
  case Formula::PcRel:
    return {.symbol = true, .place = true};
  case Formula::BaseRel:
    return {.symbol = true, .base = true};
  case Formula::GotOffset:
    return {.slot = true};
  }
  return {}; // not reached
}

/// What is added to r_offset to get P (XS1: the pc has advanced when the
/// instruction executes).
enum class PlaceBias : uint8_t {
  None,       ///< P = address of r_offset
  UnitSize,   ///< P = r_offset + the unit's size
  NextBundle, ///< P = r_offset + the unit's size, rounded up to a multiple of 4
};

/// Reduction of the sum before alignment and range are checked. A BaseRel row
/// reduces S + A alone: a distance below the base stays negative.
enum class Wrap : uint8_t {
  None,        ///< the 64-bit sum as it is
  Mod32,       ///< modulo 2^32, unsigned; its sign is lost, so a check that
               ///< knows negative values also tries it as a signed number
  Mod32Signed, ///< modulo 2^32, then read as a signed 32-bit number
};

/// What happens to the bits that the scale shifts out.
enum class Scale : uint8_t {
  Exact, ///< they must be zero: anything else is an alignment error
  Floor, ///< they are dropped: that is the relocation's meaning (HI19)
};

/// Range check of the value after scaling.
enum class Check : uint8_t {
  None,      ///< any value; the field takes its low bits
  Unsigned,  ///< 0 .. 2^bits - 1
  Signed,    ///< -2^(bits-1) .. 2^(bits-1) - 1
  Either,    ///< -2^(bits-1) .. 2^bits - 1
  Magnitude, ///< -(2^bits - 1) .. 2^bits - 1, stored as sign and magnitude
  LowPart,   ///< truncation is the meaning
};

/// What the relocation is used for; reports and stack analysis read it.
enum class Use : uint8_t { Data, Address, Call, Branch };

/// A run of value bits and where it lies in the little-endian container.
struct Piece {
  uint8_t valueBit; ///< lowest bit of the value
  uint8_t width;    ///< number of bits, 1..64
  uint8_t wordBit;  ///< bit of the container that receives `valueBit`
};

/// Which base a BaseRel row subtracts: an index into Target::baseSymbols, or
/// the machine's own base, TargetState::fieldBase.
constexpr uint8_t kFieldBase = 0xff;
/// RelocationRow::signBit of a row that has no separate sign bit.
constexpr uint8_t kNoSignBit = 0xff;
/// RelocationRow::addressBit of a row that does not tell instructions apart.
constexpr uint8_t kNoAddressBit = 0xff;

/// One relocation type of one machine. Aggregate: tables are constant data.
struct RelocationRow {
  uint32_t number;              ///< r_type
  const char *name;             ///< ABI name, e.g. "R_NYUZI_HI19"
  uint8_t bytes;                ///< size of the storage unit, 0..16
  uint8_t placeAlign;           ///< the place's alignment, a power of two
  Formula formula;              ///< how the value is computed
  PlaceBias bias;               ///< what P adds to r_offset
  Wrap wrap;                    ///< reduction before the checks
  uint8_t shift;                ///< V = sum >> shift
  Scale scale;                  ///< what the shifted-out bits mean
  uint8_t bits;                 ///< width of V in the field, for the check
  Check check;                  ///< range check of V
  Use use;                      ///< what it is used for
  llvm::ArrayRef<Piece> pieces; ///< where the bits of V go
  uint8_t signBit = kNoSignBit; ///< container bit of the sign (Magnitude)
  uint8_t base = 0;             ///< BaseRel: which base
  const char *hint = nullptr;   ///< what to do when it does not reach, or null
  bool fieldAddend = false; ///< SHT_REL: the ABI keeps addends in this field
  /// Of a call's or branch's row: instructions that take the address of a
  /// function, to keep or to compare it, have the same relocation.
  bool takesAddress = false;
  uint8_t addressBit = kNoAddressBit; ///< container bit that only these set
  /// Of an address's row: jumps to a function have the same relocation.
  bool alsoJumps = false;

  /// Whether it writes anything. One that does not is an edge for liveness all
  /// the same, and its place may be where there are no bytes.
  constexpr bool hasField() const { return formula != Formula::None; }
  constexpr FormulaTerms terms() const { return termsOf(formula); }
  /// Whether the sum is S + A, with nothing subtracted.
  constexpr bool isPlainSum() const {
    const FormulaTerms t = terms();
    return t.symbol && !t.place && !t.base;
  }
  /// Whether it subtracts a base that a symbol names, not the machine's own.
  constexpr bool usesBaseSymbol() const {
    return terms().base && base != kFieldBase;
  }
};

/// The numbers a relocation is computed from.
struct RelocationOperands {
  uint64_t S = 0;     ///< symbol value
  int64_t A = 0;      ///< addend
  uint64_t place = 0; ///< address of r_offset; the row's bias makes it P
  uint64_t base = 0;  ///< BaseRel: value of the base
  uint64_t G = 0;     ///< GotOffset: the slot's offset
  bool alloc = true;  ///< the place lies in a section with SHF_ALLOC
  bool undefinedWeak = false; ///< S is an undefined weak symbol (S = 0)
  /// Beside undefinedWeak: the field is not of a call or a branch but of an
  /// instruction that keeps or compares the address (takesAddressAt).
  bool keepsAddress = false;
  /// Beside undefinedWeak: the user accepts that S is undefined, and a distance
  /// to it is 0 whatever it counts from.
  bool undefinedAccepted = false;
  /// S is a place in a section; false also where nobody asked, as for all rows
  /// but branches of machines with several memories.
  bool inSection = false;
};

enum class RelocationFault : uint8_t {
  None,
  Range,         ///< V does not fit the field
  Align,         ///< the sum is not a multiple of the scale
  PlaceAlign,    ///< the place is not aligned as the row demands
  UndefinedBase, ///< base-relative reference to an undefined weak symbol
  /// A branch into a memory that holds no code (Target::memories).
  NoCode,
};

/// The arithmetic of one relocation, kept for the error text.
struct RelocationOutcome {
  RelocationFault fault = RelocationFault::None;
  uint64_t P = 0;     ///< place with the bias added
  uint64_t base = 0;  ///< what was subtracted, of a BaseRel row
  int64_t sum = 0;    ///< after wrap, before the address map
  int64_t mapped = 0; ///< after the machine's address map (= sum without one)
  int64_t V = 0;      ///< what goes into the field
};

/// Computes and checks, touches no bytes.
RelocationOutcome evaluate(const RelocationRow &row, const Target &target,
                           const TargetState &state,
                           const RelocationOperands &ops);

/// The term that is subtracted from S + A; none where S is no term of the sum.
std::optional<uint64_t> subtracted(const RelocationRow &row,
                                   const TargetState &state,
                                   const RelocationOperands &ops);

/// Clears the row's bits in the `row.bytes` bytes at `unit` and sets them to V
/// (sign and magnitude where the row has a sign bit). Other bits stay.
void deposit(const RelocationRow &row, int64_t V, uint8_t *unit);

/// Whether the instruction in the unit is one of those that take an address
/// with a relocation of calls or branches.
bool takesAddressAt(const RelocationRow &row, const uint8_t *unit);

/// A row in short form, for whoever applies it a million times: where it adds a
/// defined symbol, the addend and perhaps the place, no machine has a say in
/// the sum, and the field lies in one word. There is nothing to decide in it
/// but whether the value fits: the rest is masks, shifts and limits.
class UsualRow {
public:
  /// That of no row.
  UsualRow() = default;
  UsualRow(const RelocationRow &row, const Target &target,
           const TargetState &state);
  /// Stores the value of a relocation whose S + A is `sum` in its field, as
  /// evaluate() and deposit() do. False: nothing is stored, because the row has
  /// no short form or the value does not fit; those two tell.
  bool apply(uint64_t sum, uint64_t place, uint8_t *unit) const {
    sum -= (place + bias) & subtracted;
    sum = ((sum & wrapMask) ^ wrapSign) - wrapSign;
    const int64_t V = int64_t(sum) >> shift;
    if (((place & placeMask) | (sum & scaleMask)) || V < low || V > high)
      return false;
    using namespace llvm::support;
    if (LLVM_LIKELY(bytes == 4))
      endian::write32le(unit, uint32_t(filled(endian::read32le(unit), V)));
    else
      store(V, unit);
    return true;
  }

private:
  static constexpr size_t kPieces = 4;
  /// The unit with V in it.
  uint64_t filled(uint64_t word, uint64_t V) const {
    word &= keep;
    for (unsigned i = 0; i < pieceCount; ++i)
      word |= std::rotl(V, turns[i]) & masks[i];
    return word;
  }
  /// The same in memory, of any size.
  void store(int64_t V, uint8_t *unit) const;

  int64_t low = 0, high = -1;   ///< V's limits; without a short form nothing
  uint64_t wrapMask = 0;        ///< bits of the sum that count
  uint64_t wrapSign = 0;        ///< the highest of them, if it is a sign
  uint64_t scaleMask = 0;       ///< bits that must be zero
  uint64_t placeMask = 0;       ///< those of the place
  uint64_t bias = 0;            ///< the sum loses (place + bias)
  uint64_t subtracted = 0;      ///< ... of which these bits
  uint64_t keep = 0;            ///< bits of the unit that are not the field's
  uint64_t masks[kPieces] = {}; ///< bits of the unit of each piece
  uint8_t turns[kPieces] = {};  ///< by how much V is rotated to get there
  uint8_t bytes = 0;            ///< of the unit
  uint8_t shift = 0, pieceCount = 0;
};

/// Reads the field back: the addend of an SHT_REL relocation, scale applied.
/// Only fields that fill their unit have a meaning there which all machines
/// share; a part of an instruction holds an addend where the machine's ABI says
/// so (RelocationRow::fieldAddend). Nothing for all others, floor and low-part
/// rows among them.
std::optional<int64_t> extractAddend(const RelocationRow &row,
                                     const uint8_t *unit);
/// The field's V as it stands in the unit, for tests and listings: signed
/// unless the check is Unsigned or LowPart.
int64_t extractField(const RelocationRow &row, const uint8_t *unit);

/// The values that the row's check accepts, both included; nothing when it
/// accepts every value.
std::optional<std::pair<int64_t, int64_t>>
fieldLimits(const RelocationRow &row);

/// The error's sentence without its place: "relocation R_X out of range: S 0x..
/// + A 0 - cp 0x.. = 0x.. = 1026 words; the field holds 0..1023".
std::string describeFault(const RelocationRow &row, const Target &target,
                          const RelocationOperands &ops,
                          const RelocationOutcome &outcome);

/// The row of type `number`, or null.
const RelocationRow *findRelocation(const Target &target, uint32_t number);
/// The same for whoever asks a million times: a table of 256, which covers all
/// types of the 32-bit class.
class RelocationIndex {
public:
  explicit RelocationIndex(const Target &target);
  const RelocationRow *find(uint32_t number) const {
    return number < std::size(rows) ? rows[number]
                                    : findRelocation(target, number);
  }

private:
  const Target &target;
  const RelocationRow *rows[256] = {};
};
/// "R_NYUZI_HI19", or "unknown relocation type 99".
std::string relocationName(const Target &target, uint32_t number);
/// The printed table of --list-relocations.
std::string listRelocations(const Target &target);

} // namespace xlink
#endif
