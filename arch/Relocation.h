//===- Relocation.h - relocations as rows of a table ----------------------===//
//
// One row says everything about one relocation type: how its value is computed,
// which bits of the storage unit receive it, and which faults it can have. From
// the row alone follow application, extraction (SHT_REL), the bounds and range
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
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// Range check of the value after scaling.
enum class Check : uint8_t {
  None,      ///< any value; the field takes its low bits
  Unsigned,  ///< 0 .. 2^bits - 1
  Signed,    ///< -2^(bits-1) .. 2^(bits-1) - 1
  Either,    ///< -2^(bits-1) .. 2^bits - 1
  Magnitude, ///< -(2^bits - 1) .. 2^bits - 1, stored as sign and magnitude
  LowPart,   ///< truncation is the meaning
  Limits,    ///< RelocationRow::low .. high, whatever the field's width
};

/// The number that the bytes of a unit make; a row's pieces name its bits.
enum class Order : uint8_t {
  Little,
  Big,
  LittleHalves, ///< parcels of 16 bits, the first one highest, each little
  BigHalves,    ///< the same, each big: as Big
};

/// The change of the field.
enum class FieldOp : uint8_t {
  Set, ///< it becomes V
  Add, ///< V is added to it
  Sub, ///< V is subtracted from it
};

/// The kinds of values that a relocation of Formula::BaseRel subtracts.
enum class BaseKind : uint8_t {
  Flag,     ///< the value of Target::baseSymbols[base]
  Symbol,   ///< that of a symbol of the program, Target::bases[base]
  Cpu,      ///< TargetState::fieldBase
  TlsStart, ///< the start of the first section with SHF_TLS, and more
  Got,      ///< the start of the global offset table
};

/// The purpose of a relocation; reports and stack analysis read it.
enum class Use : uint8_t { Data, Address, Call, Branch };

/// A run of value bits and where it lies in the unit.
struct Piece {
  uint8_t valueBit; ///< lowest bit of the value
  uint8_t width;    ///< number of bits, 1..64
  uint8_t wordBit;  ///< bit of the unit that receives `valueBit`

  bool operator==(const Piece &) const = default;
};

/// No bit, in members of RelocationRow that name one.
constexpr uint8_t kNoBit = 0xff;

/// One relocation type of one machine, as a row of its machine file. Computing
/// takes the members in their order: sum, wrap, map, multiple, shift, check.
struct RelocationRow {
  uint32_t number = 0;                ///< r_type
  const char *name = nullptr;         ///< ABI name, e.g. "R_NYUZI_HI19"
  uint8_t bytes = 0;                  ///< size of the unit, 0..16
  uint8_t placeAlign = 1;             ///< the place's alignment, a power of two
  Formula formula = Formula::None;    ///< how the value is computed
  bool negate = false;                ///< the sum is negated: -S - A
  uint8_t page = 0;                   ///< S + A loses so many low bits
  BaseKind baseKind = BaseKind::Flag; ///< of BaseRel
  uint8_t base = 0; ///< BaseRel: an index into the list that its kind names
  uint8_t placePlus = 0; ///< P is r_offset + placePlus,
  uint8_t placeDown = 0; ///< ... without so many low bits
  /// The sum is reduced modulo 2^wrapBits, 0: it is not; then read as a signed
  /// number if wrapSigned. Without that its sign is lost, so a check that knows
  /// negative values also tries it as a signed number. Distances from a Flag or
  /// Cpu base reduce S + A alone: one below the base stays negative.
  uint8_t wrapBits = 0;
  bool wrapSigned = false;
  uint8_t multiple = 0; ///< so many low bits of the sum must be 0
  uint8_t shift = 0;    ///< V = sum >> shift
  /// For each bit B of it, value bits from B up come from V + 2^(B-1), which
  /// the check sees, too.
  uint64_t carry = 0;
  uint8_t bits = 0;                  ///< width of V, for the check
  Check check = Check::None;         ///< range check of V
  int64_t low = 0, high = 0;         ///< of Check::Limits
  uint64_t flip = 0;                 ///< bits of V that are stored inverted
  uint8_t flipUnless = kNoBit;       ///< ... but where this bit of V is set
  llvm::ArrayRef<Piece> pieces = {}; ///< the places of the bits of V
  uint8_t signBit = kNoBit;          ///< bit of the sign beside a magnitude
  Order order = Order::Little;       ///< of the unit's bytes
  FieldOp op = FieldOp::Set;         ///< the change of the field
  Use use = Use::Data;               ///< its purpose
  /// Advice when it does not reach, or null. Of a row without a field, whose
  /// relocations are not supported: how to make objects without them.
  const char *hint = nullptr;
  /// SHT_REL: the ABI keeps addends in this field, numbers of so many bits. 0:
  /// it does not.
  uint8_t addendBits = 0;
  bool addendSigned = false; ///< also where the check is for unsigned values
  /// Of a call's or branch's row: instructions that take the address of a
  /// function, to keep or to compare it, have the same relocation.
  bool takesAddress = false;
  uint8_t addressBit = kNoBit; ///< bit of the unit that only these set
  /// Of an address's row: jumps to a function have the same relocation.
  bool alsoJumps = false;
  /// S + A is the value of the relocation, of one of these types, that stands
  /// where the symbol is.
  llvm::ArrayRef<uint32_t> pair = {};
  /// Where S is undefined and weak, V is S + A without `- P`, and these bits of
  /// the unit become `weakCode`. 0: there is no such form.
  uint64_t weakMask = 0, weakCode = 0;
  /// The place of a row without a field begins A bytes of filler, and what is
  /// behind them needs the alignment of the next power of two above A: the hint
  /// is for those that do not have it.
  bool alignsBehind = false;

  /// Whether it writes anything. One that does not is an edge for liveness all
  /// the same, and its place may be where there are no bytes.
  constexpr bool hasField() const { return formula != Formula::None; }
  /// Whether it is an error where it stands.
  constexpr bool isRefused() const {
    return !hasField() && hint && !alignsBehind;
  }
  // The terms of the formula beside A.
  constexpr bool addsSymbol() const {
    return hasField() && formula != Formula::GotOffset;
  }
  /// The sum is S + A.
  constexpr bool isPlainSum() const {
    return formula == Formula::Abs && !negate && page == 0;
  }
  constexpr bool addsSlot() const { return formula == Formula::GotOffset; }
  constexpr bool subtractsPlace() const { return formula == Formula::PcRel; }
  constexpr bool subtractsBase() const { return formula == Formula::BaseRel; }
  /// Whether it subtracts the base of a group of sections.
  constexpr bool usesBaseSymbol() const {
    return subtractsBase() && baseKind == BaseKind::Flag;
  }
  /// Whether the bits that the shift drops need not be 0: that is the
  /// relocation's meaning (HI19).
  constexpr bool dropsBits() const { return multiple < shift; }
};

/// The numbers a relocation is computed from.
struct RelocationOperands {
  uint64_t S = 0;             ///< symbol value
  int64_t A = 0;              ///< addend
  uint64_t place = 0;         ///< address of r_offset
  uint64_t base = 0;          ///< BaseRel: value of the base
  uint64_t G = 0;             ///< GotOffset: the slot's offset
  bool alloc = true;          ///< the place lies in a section with SHF_ALLOC
  bool undefinedWeak = false; ///< S is an undefined weak symbol (S = 0)
  /// Beside undefinedWeak: the field is not of a call or a branch but of an
  /// instruction that keeps or compares the address (takesAddressAt).
  bool keepsAddress = false;
  /// Beside undefinedWeak: the user accepts that S is undefined, and a distance
  /// to it is 0 whatever it counts from.
  bool undefinedAccepted = false;
  /// S is a place in a section; used for branches of machines with several
  /// memories alone.
  bool inSection = false;
};

enum class RelocationFault : uint8_t {
  None,
  Range,         ///< V does not fit the field
  Align,         ///< the sum is not a multiple of RelocationRow::multiple
  PlaceAlign,    ///< the place is not aligned as the row demands
  UndefinedBase, ///< base-relative reference to an undefined weak symbol
  /// A branch into a memory that holds no code (Target::memories).
  NoCode,
};

/// The arithmetic of one relocation, kept for the error text.
struct RelocationOutcome {
  RelocationFault fault = RelocationFault::None;
  uint64_t P = 0;      ///< the place as the row takes it
  uint64_t base = 0;   ///< of a BaseRel row: the base
  int64_t sum = 0;     ///< after wrap and carry, before the address map
  int64_t mapped = 0;  ///< after the machine's address map (= sum without one)
  int64_t V = 0;       ///< the field's value, with all carries
  bool isWeak = false; ///< in the form of RelocationRow::weakMask
};

/// A row with the part of its arithmetic that is the same for all relocations
/// of a link: masks, shifts and limits.
class CompiledRow {
public:
  /// That of no row.
  CompiledRow() = default;
  CompiledRow(const RelocationRow &row, const Target &target,
              const TargetState &state);

  const RelocationRow *row() const { return source; }
  /// Computes and checks, touches no bytes.
  RelocationOutcome evaluate(const RelocationOperands &ops) const;
  /// Whether apply() is all that there is to a relocation that adds a defined
  /// symbol.
  bool isDirect() const { return direct; }
  /// The value of a base that is neither of kind Flag nor Cpu; nothing: the
  /// program does not have it.
  void setBase(std::optional<uint64_t> value);
  /// The same as evaluate() where neither an undefined symbol nor a memory
  /// without code has a say. `sum`: S + A, or G + A. `base`: of a row with a
  /// base of kind Flag or Cpu.
  RelocationOutcome compute(uint64_t sum, uint64_t place, uint64_t base,
                            bool alloc) const {
    RelocationOutcome out;
    out.P = placeFor(place);
    out.base = base & baseMask;
    out.sum = reduced(sum, out.P, out.base);
    out.mapped = maps && alloc ? mapped(out.sum) : out.sum;
    out.V = out.mapped >> shift;
    if (LLVM_UNLIKELY(hasFault(place, out.sum, out.V)))
      check(out, place);
    return out;
  }

  /// Computes, checks and stores a value of a row with isDirect(). False:
  /// nothing is stored, and evaluate() decides.
  bool apply(uint64_t sum, uint64_t place, bool alloc, uint8_t *unit) const {
    const int64_t plain = reduced(sum, placeFor(place), ownBase & baseMask);
    const int64_t V = (maps && alloc ? mapped(plain) : plain) >> shift;
    if (LLVM_UNLIKELY(hasFault(place, plain, V)))
      return false;
    store(V, unit);
    return true;
  }

private:
  /// The place as the row takes it.
  uint64_t placeFor(uint64_t place) const { return (place + plus) & placeKeep; }
  /// The sum without `P` and base, wrapped.
  int64_t reduced(uint64_t sum, uint64_t P, uint64_t base) const {
    sum = (sum + round - minus - (P & subtracted)) & wrapMask;
    return int64_t((sum ^ wrapSign) - wrapSign - base);
  }
  bool hasFault(uint64_t place, int64_t sum, int64_t V) const {
    return (place & placeMask) | (uint64_t(sum) & multiple) || V < low ||
           V > high;
  }
  /// The same as deposit() with this row.
  void store(int64_t V, uint8_t *unit) const;
  void check(RelocationOutcome &out, uint64_t place) const;
  int64_t mapped(int64_t sum) const;

  const RelocationRow *source = nullptr;
  const Target *target = nullptr;
  int64_t low = 0, high = 0; ///< V's limits
  uint64_t round = 0;        ///< sum of 2^(B-1) of all carries
  uint64_t minus = 0;        ///< the base of setBase(), if it is subtracted
  uint64_t wrapMask = 0;     ///< bits of the sum that count
  uint64_t wrapSign = 0;     ///< the highest of them, if it is a sign
  uint64_t multiple = 0;     ///< bits of the sum that must be zero
  uint64_t placeMask = 0;    ///< those of the place
  uint64_t plus = 0;         ///< P is place + plus,
  uint64_t placeKeep = 0;    ///< ... of which these bits
  uint64_t subtracted = 0;   ///< all bits: the sum loses P
  uint64_t baseMask = 0;     ///< all bits: the sum loses compute()'s base
  uint64_t ownBase = 0;      ///< the machine's own base, else 0
  /// Of a field that is one or two pieces of a little-endian unit of 4 bytes:
  /// their bits of the unit, and where these begin there and in V; else 0.
  struct Slice {
    uint32_t mask = 0;
    uint8_t valueBit = 0, wordBit = 0;
  } slices[2];
  uint8_t shift = 0;
  bool maps = false; ///< Target::maps has entries
  bool direct = false;
};

/// The same of a row for one relocation.
RelocationOutcome evaluate(const RelocationRow &row, const Target &target,
                           const TargetState &state,
                           const RelocationOperands &ops);

/// An address as a field holds it: the first of Target::maps that matches.
uint64_t mapAddress(const Target &target, uint64_t address);

/// The inverse: values of S + A for which the row writes the unit's contents,
/// at most a few. Of `ops` place and base count.
std::vector<uint64_t> solutions(const RelocationRow &row, const Target &target,
                                const TargetState &state,
                                const RelocationOperands &ops,
                                const uint8_t *unit);

/// Sets the row's bits in the `row.bytes` bytes at `unit` to V (sign and
/// magnitude where the row has a sign bit), or adds V to them. Other bits stay.
void deposit(const RelocationRow &row, int64_t V, uint8_t *unit);
/// The same of a computed value in its form.
void deposit(const RelocationRow &row, const RelocationOutcome &outcome,
             uint8_t *unit);

inline void CompiledRow::store(int64_t V, uint8_t *unit) const {
  using namespace llvm::support::endian;
  const auto [one, two] = slices;
  if (!one.mask)
    return deposit(*source, V, unit);
  const uint32_t bits =
      (uint32_t(V >> one.valueBit) << one.wordBit & one.mask) |
      (uint32_t(V >> two.valueBit) << two.wordBit & two.mask);
  write32le(unit, (read32le(unit) & ~(one.mask | two.mask)) | bits);
}

/// The byte of a unit in memory that has bits 8 * `byte` and up of its number.
unsigned unitByte(const RelocationRow &row, unsigned byte);

/// Whether the instruction in the unit is one of those that take an address
/// with a relocation of calls or branches.
bool takesAddressAt(const RelocationRow &row, const uint8_t *unit);

/// Reads the field back: the addend of an SHT_REL relocation, scale applied.
/// Only fields that fill their unit have a meaning there which all machines
/// share; a part of an instruction holds an addend where the machine's ABI says
/// so (RelocationRow::addendBits). Nothing for all others.
std::optional<int64_t> extractAddend(const RelocationRow &row,
                                     const uint8_t *unit);
/// The field's V as it stands in the unit, for tests and listings: signed
/// unless the check is Unsigned or LowPart.
int64_t extractField(const RelocationRow &row, const uint8_t *unit);

/// The sum of 2^(B-1) for all carries B: the outcome's sum has it in addition.
uint64_t carries(const RelocationRow &row);

/// The values that the row's check accepts, both included; nothing when it
/// accepts every value.
std::optional<std::pair<int64_t, int64_t>>
fieldLimits(const RelocationRow &row);

/// The error's sentence without its place: "relocation R_X out of range: S 0x..
/// + A 0 - cp 0x.. = 0x.. = 1026 words; the field holds 0..1023".
std::string describeFault(const RelocationRow &row, const Target &target,
                          const RelocationOperands &ops,
                          const RelocationOutcome &outcome);

// Parts of a row as its machine file has them.
/// "(S + A - next) / 2"
std::string valueText(const RelocationRow &row, const Target &target);
/// "wrap s32, carry 12, signed 32, place 4"
std::string checkText(const RelocationRow &row);
/// "11:0 -> 15:4, sign 3, big, in-field"
std::string fieldText(const RelocationRow &row, const Target &target);

/// Whether a type is one of those that a vendor defines; see Vendor.
bool isVendors(const Target &target, uint32_t number);

/// The row of type `number`, or null.
const RelocationRow *findRelocation(const Target &target, uint32_t number);
/// "R_NYUZI_HI19", or "unknown relocation type 99".
std::string relocationName(const Target &target, uint32_t number);
/// The printed table of --list-relocations.
std::string listRelocations(const Target &target);

} // namespace xlink
#endif
