//===- Rows.h - building relocation rows ----------------------------------===//
//
// A machine's table should read like the table in its ABI: number, name, field,
// and then only its peculiarities. The functions here build a
// RelocationRow from such a line at compile time:
//
//     pcRelative(2, "R_NYUZI_BRANCH20", Use::Branch, kImm20)
//         .scaled(2).range(Check::Signed).wrap(Wrap::Mod32Signed)
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_ROWS_H
#define XLINK_ARCH_ROWS_H

#include "arch/Relocation.h"

namespace xlink {

/// The unit's size and the places of the value's bits.
/// Several rows may share one.
struct Field {
  uint8_t bytes;                ///< size of the storage unit
  uint8_t bits;                 ///< width of the value
  llvm::ArrayRef<Piece> pieces; ///< array with static lifetime
  uint8_t signBit = kNoSignBit; ///< sign beside a magnitude
};

inline constexpr Piece kWhole8[] = {{0, 8, 0}};
inline constexpr Piece kWhole16[] = {{0, 16, 0}};
inline constexpr Piece kWhole32[] = {{0, 32, 0}};
inline constexpr Piece kWhole64[] = {{0, 64, 0}};

/// Fields that fill their unit.
inline constexpr Field kByte{1, 8, kWhole8};
inline constexpr Field kHalf{2, 16, kWhole16};
inline constexpr Field kWord{4, 32, kWhole32};
inline constexpr Field kDouble{8, 64, kWhole64};

/// A row under construction; each call returns a changed copy.
struct Row {
  RelocationRow row;

  constexpr Row(uint32_t number, const char *name, Formula formula, Use use,
                const Field &field)
      : row{number,       name,
            field.bytes,  1,
            formula,      PlaceBias::None,
            Wrap::None,   0,
            Scale::Exact, field.bits,
            Check::None,  use,
            field.pieces, field.signBit} {}
  constexpr operator RelocationRow() const { return row; }
  /// With another value of a member.
  template <class Value>
  constexpr Row with(Value RelocationRow::*member, Value value) const {
    Row changed = *this;
    changed.row.*member = value;
    return changed;
  }

  /// V is the sum divided by 2^shift, which must divide it.
  constexpr Row scaled(uint8_t shift) const {
    return with(&RelocationRow::shift, shift);
  }
  /// V is the sum shifted right; the bits below are dropped.
  constexpr Row floored(uint8_t shift) const {
    return scaled(shift).with(&RelocationRow::scale, Scale::Floor);
  }
  constexpr Row range(Check check) const {
    return with(&RelocationRow::check, check);
  }
  constexpr Row wrap(Wrap wrap) const {
    return with(&RelocationRow::wrap, wrap);
  }
  constexpr Row bias(PlaceBias bias) const {
    return with(&RelocationRow::bias, bias);
  }
  /// The place must be a multiple of `align`.
  constexpr Row placed(uint8_t align) const {
    return with(&RelocationRow::placeAlign, align);
  }
  constexpr Row hint(const char *text) const {
    return with(&RelocationRow::hint, text);
  }
  /// SHT_REL keeps the addend in this field.
  constexpr Row addendInField() const {
    return with(&RelocationRow::fieldAddend, true);
  }
  /// Both calls and instructions that take an address have it; the latter set
  /// `bit`.
  constexpr Row alsoTakesAddress(uint8_t bit = kNoAddressBit) const {
    return with(&RelocationRow::takesAddress, true)
        .with(&RelocationRow::addressBit, bit);
  }
  /// Both instructions that take an address and jumps have it.
  constexpr Row alsoJumps() const {
    return with(&RelocationRow::alsoJumps, true);
  }
  constexpr Row base(uint8_t index) const {
    return with(&RelocationRow::base, index);
  }
};

/// Writes nothing.
constexpr Row nothing(uint32_t number, const char *name) {
  return Row(number, name, Formula::None, Use::Data, Field{0, 0, {}});
}
/// S + A.
constexpr Row absolute(uint32_t number, const char *name, Use use,
                       const Field &field) {
  return Row(number, name, Formula::Abs, use, field);
}
/// S + A - P.
constexpr Row pcRelative(uint32_t number, const char *name, Use use,
                         const Field &field) {
  return Row(number, name, Formula::PcRel, use, field);
}
/// S + A minus the base with this index.
constexpr Row baseRelative(uint32_t number, const char *name, Use use,
                           const Field &field, uint8_t base) {
  return Row(number, name, Formula::BaseRel, use, field).base(base);
}
/// G + A.
constexpr Row gotOffset(uint32_t number, const char *name, Use use,
                        const Field &field) {
  return Row(number, name, Formula::GotOffset, use, field);
}

} // namespace xlink
#endif
