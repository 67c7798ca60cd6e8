//===- ExprFormat.h - entries of link-time expressions --------------------===//
//
// Five words, {type, result, op1, op2, op3}: bits 0-5 of type are the kinds of
// the operands, bits 6-14 the operator (XS1 ABI, "Linker expressions").
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INPUT_EXPRFORMAT_H
#define XLINK_INPUT_EXPRFORMAT_H

#include "llvm/Support/Endian.h"
#include <cstddef>
#include <cstdint>

namespace xlink {

constexpr uint32_t kExprEntrySize = 20;
/// Two words, {name, type}: both are indices into the symbols' string table.
constexpr uint32_t kTypeEntrySize = 8;

/// The kind of an operand's number.
enum class ExprOperandKind : uint8_t { Constant, Symbol, String, Undefined };

/// An entry as the file has it, its numbers unchecked.
struct RawExpr {
  uint32_t type, result;
  uint32_t operands[3];

  explicit RawExpr(const uint8_t *bytes) {
    using llvm::support::endian::read32le;
    type = read32le(bytes);
    result = read32le(bytes + 4);
    for (size_t i = 0; i < 3; ++i)
      operands[i] = read32le(bytes + 8 + 4 * i);
  }
  uint32_t number() const { return type >> 6 & 0x1ff; }
  ExprOperandKind kind(unsigned operand) const {
    return ExprOperandKind(type >> (2 * operand) & 3);
  }
};

} // namespace xlink
#endif
