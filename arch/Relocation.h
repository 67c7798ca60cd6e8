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

/// The difference of P and r_offset (XS1: the pc has advanced when the
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

/// Treatment of the bits that the scale shifts out.
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

/// The purpose of a relocation; reports and stack analysis read it.
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

/// The unit's size and the places of the value's bits. Several rows may share
/// one.
struct Field {
  uint8_t bytes = 0;                 ///< size of the storage unit, 0..16
  uint8_t bits = 0;                  ///< width of V, for the check
  llvm::ArrayRef<Piece> pieces = {}; ///< with static lifetime
  uint8_t signBit = kNoSignBit;      ///< bit of the sign beside a magnitude
};

/// Pieces with static lifetime.
template <Piece... list> inline constexpr Piece kPieceList[] = {list...};

// Fields that fill their unit.
inline constexpr Field kField8{1, 8, kPieceList<Piece{0, 8, 0}>};
inline constexpr Field kField16{2, 16, kPieceList<Piece{0, 16, 0}>};
inline constexpr Field kField32{4, 32, kPieceList<Piece{0, 32, 0}>};
inline constexpr Field kField64{8, 64, kPieceList<Piece{0, 64, 0}>};

/// The properties of a row that most rows do not have.
struct RelocationRules {
  uint8_t placeAlign = 1;           ///< the place's alignment, a power of two
  PlaceBias bias = PlaceBias::None; ///< P - r_offset
  Wrap wrap = Wrap::None;           ///< reduction before the checks
  uint8_t shift = 0;                ///< V = sum >> shift
  Scale scale = Scale::Exact;       ///< meaning of the bits shifted out
  Check check = Check::None;        ///< range check of V
  uint8_t base = 0;                 ///< BaseRel: which base
  const char *hint = nullptr;       ///< advice when it does not reach, or null
  bool fieldAddend = false; ///< SHT_REL: the ABI keeps addends in this field
  /// Of a call's or branch's row: instructions that take the address of a
  /// function, to keep or to compare it, have the same relocation.
  bool takesAddress = false;
  uint8_t addressBit = kNoAddressBit; ///< container bit that only these set
  /// Of an address's row: jumps to a function have the same relocation.
  bool alsoJumps = false;
};

/// One relocation type of one machine, as a line of the table in its ABI.
struct RelocationRow : Field, RelocationRules {
  uint32_t number;  ///< r_type
  const char *name; ///< ABI name, e.g. "R_NYUZI_HI19"
  Formula formula;  ///< how the value is computed
  Use use;          ///< its purpose

  constexpr RelocationRow(uint32_t number, const char *name, Formula formula,
                          Use use, const Field &field = {},
                          const RelocationRules &rules = {})
      : Field(field), RelocationRules(rules), number(number), name(name),
        formula(formula), use(use) {}

  /// Whether it writes anything. One that does not is an edge for liveness all
  /// the same, and its place may be where there are no bytes.
  constexpr bool hasField() const { return formula != Formula::None; }
  // The terms of the formula beside A.
  constexpr bool addsSymbol() const {
    return hasField() && formula != Formula::GotOffset;
  }
  /// The sum is S + A.
  constexpr bool isPlainSum() const { return formula == Formula::Abs; }
  constexpr bool addsSlot() const { return formula == Formula::GotOffset; }
  constexpr bool subtractsPlace() const { return formula == Formula::PcRel; }
  constexpr bool subtractsBase() const { return formula == Formula::BaseRel; }
  /// Whether it subtracts a base that a symbol names, not the machine's own.
  constexpr bool usesBaseSymbol() const {
    return subtractsBase() && base != kFieldBase;
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
  /// S is a place in a section; used for branches of machines with several
  /// memories alone.
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
  uint64_t base = 0;  ///< of a BaseRel row: the base
  int64_t sum = 0;    ///< after wrap, before the address map
  int64_t mapped = 0; ///< after the machine's address map (= sum without one)
  int64_t V = 0;      ///< the field's value
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
  /// Whether compute() with fieldBase() is all that there is to a relocation
  /// that adds a defined symbol.
  bool isDirect() const { return direct; }
  uint64_t fieldBase() const { return ownBase; }
  /// The same as evaluate() where neither an undefined symbol nor a memory
  /// without code has a say. `sum`: S + A, or G + A. `base`: of a BaseRel row.
  RelocationOutcome compute(uint64_t sum, uint64_t place, uint64_t base,
                            bool alloc) const {
    RelocationOutcome out;
    out.P = (place + bias) & placeKeep;
    out.base = base & baseMask;
    sum = (sum - (out.P & subtracted)) & wrapMask;
    out.sum = int64_t((sum ^ wrapSign) - wrapSign - out.base);
    out.mapped = map && alloc ? int64_t(map(uint64_t(out.sum))) : out.sum;
    out.V = out.mapped >> shift;
    if (LLVM_UNLIKELY((place & placeMask) | (uint64_t(out.sum) & scaleMask) ||
                      out.V < low || out.V > high))
      check(out, place);
    return out;
  }

  /// The same as deposit() with this row.
  void store(int64_t V, uint8_t *unit) const;

private:
  void check(RelocationOutcome &out, uint64_t place) const;

  const RelocationRow *source = nullptr;
  const Target *target = nullptr;
  uint64_t (*map)(uint64_t) = nullptr; ///< Target::mapAddress
  int64_t low = 0, high = 0;           ///< V's limits
  uint64_t wrapMask = 0;               ///< bits of the sum that count
  uint64_t wrapSign = 0;               ///< the highest of them, if it is a sign
  uint64_t scaleMask = 0;              ///< bits that must be zero
  uint64_t placeMask = 0;              ///< those of the place
  uint64_t bias = 0;                   ///< P is place + bias,
  uint64_t placeKeep = 0;              ///< ... of which these bits
  uint64_t subtracted = 0;             ///< all bits: the sum loses P
  uint64_t baseMask = 0;               ///< all bits: the sum loses a base
  uint64_t ownBase = 0;                ///< the machine's own base, else 0
  /// Of a field that is one piece of 4 bytes: its bits, and the lowest; else 0.
  uint32_t fieldMask = 0;
  uint8_t fieldBit = 0;
  uint8_t shift = 0;
  bool direct = false;
};

/// The same of a row for one relocation.
RelocationOutcome evaluate(const RelocationRow &row, const Target &target,
                           const TargetState &state,
                           const RelocationOperands &ops);

/// The inverse: values of S + A for which the row writes the unit's contents,
/// at most a few. Of `ops` place and base count.
std::vector<uint64_t> solutions(const RelocationRow &row, const Target &target,
                                const TargetState &state,
                                const RelocationOperands &ops,
                                const uint8_t *unit);

/// Clears the row's bits in the `row.bytes` bytes at `unit` and sets them to V
/// (sign and magnitude where the row has a sign bit). Other bits stay.
void deposit(const RelocationRow &row, int64_t V, uint8_t *unit);

inline void CompiledRow::store(int64_t V, uint8_t *unit) const {
  using namespace llvm::support::endian;
  if (!fieldMask)
    return deposit(*source, V, unit);
  const uint32_t bits = uint32_t(V) << fieldBit & fieldMask;
  write32le(unit, (read32le(unit) & ~fieldMask) | bits);
}

/// Whether the instruction in the unit is one of those that take an address
/// with a relocation of calls or branches.
bool takesAddressAt(const RelocationRow &row, const uint8_t *unit);

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
/// "R_NYUZI_HI19", or "unknown relocation type 99".
std::string relocationName(const Target &target, uint32_t number);
/// The printed table of --list-relocations.
std::string listRelocations(const Target &target);

} // namespace xlink
#endif
