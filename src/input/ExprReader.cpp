//===- ExprReader.cpp - link-time expressions and types of symbols --------===//
//
// Entries with operators that the machine does not declare are skipped without
// an error. The symbols that they name still count as mentioned: an undefined
// symbol that only an annotation names must not become an error.
//
// Types are entries of two words, {name, type}, both offsets in the string
// table of the symbols. The machine names the section, for its type number
// means something else on other machines. Type strings are not parsed here:
// most links never need them (input/TypeString). An entry has a name and no
// symbol index. The name is looked up among the object's symbols, so that a
// local symbol's type is not taken for that of a global one of another object.
//
//===----------------------------------------------------------------------===//
#include "input/ExprFormat.h"
#include "input/ObjectReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using llvm::support::endian::read32le;

namespace xlink {

/// Fills `operand`; returns its fault, or "".
std::string ObjectReader::readExprOperand(ExprOperandKind kind, uint32_t value,
                                          ExprOperand &operand) {
  operand.value = value;
  switch (kind) {
  case ExprOperandKind::Constant:
    operand.kind = ExprOperand::Constant;
    return "";
  case ExprOperandKind::Symbol:
    operand.kind = ExprOperand::Symbol;
    if (value >= object->symbols.size())
      return noSymbol(value);
    reference(value);
    return "";
  case ExprOperandKind::String:
    operand.kind = ExprOperand::String;
    return takeName(symbolNames, "string index", value, operand.string);
  case ExprOperandKind::Undefined:
    break;
  }
  return "kind 3 is not defined";
}

void ObjectReader::readExpressions() {
  std::vector<ParsedSection> &sections = object->sections;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &section = sections[i];
    if (section.kind != SectionKind::Expr)
      continue;
    if (!holdsWhole(i, kExprEntrySize, "an expression"))
      continue;
    referenced.resize(object->symbols.size());
    uint32_t count = section.size / kExprEntrySize;
    object->expressions.reserve(object->expressions.size() + count);
    for (uint32_t k = 0; k < count && !saturated(); ++k) {
      const RawExpr raw(section.bytes + size_t(k) * kExprEntrySize);
      const uint32_t result = raw.result, number = raw.number();
      const ExprOperator *known =
          find_if(target.exprOperators,
                  [&](const ExprOperator &op) { return op.number == number; });
      if (known == target.exprOperators.end()) {
        reference(result);
        for (unsigned operand = 0; operand < 3; ++operand)
          if (raw.kind(operand) == ExprOperandKind::Symbol)
            reference(raw.operands[operand]);
        continue;
      }
      auto fail = [&](const Twine &text) {
        errorIn(i, "entry " + Twine(k) + ": " + text);
      };
      ExprEntry entry;
      entry.op = number;
      entry.meaning = known->op;
      entry.result = result;
      entry.number = k;
      if (result >= object->symbols.size())
        fail("result: " + noSymbol(result));
      reference(result);
      for (unsigned operand = 0; operand < 3; ++operand) {
        std::string fault = readExprOperand(
            raw.kind(operand), raw.operands[operand], entry.operands[operand]);
        if (!fault.empty())
          fail("operand " + Twine(operand + 1) + ": " + fault);
      }
      object->expressions.push_back(entry);
      if (known->op == ExprOp::TypeString && result < object->symbols.size())
        for (const ExprOperand &operand : entry.operands)
          if (operand.kind == ExprOperand::String) {
            object->types.push_back({object->symbols[result].name,
                                     operand.string, result, section.name, k});
            break;
          }
    }
  }
  if (referenced.empty() || errors != 0)
    return;
  for (const ParsedSection &section : sections)
    for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
      referenced[object->relocations[r].symbol] = false;
  for (uint32_t i = 1; i < object->symbols.size(); ++i)
    if (referenced[i] && object->symbols[i].place == SymbolPlace::Undefined)
      object->symbols[i].expressionOnly = true;
}

void ObjectReader::readTypes() {
  const std::vector<ParsedSection> &sections = object->sections;
  DenseMap<StringRef, uint32_t> byName;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &section = sections[i];
    if (section.kind != SectionKind::Types)
      continue;
    if (!holdsWhole(i, kTypeEntrySize, "an entry"))
      continue;
    // Of several symbols of one name the global one is meant.
    if (byName.empty())
      for (uint32_t s = 1; s < object->symbols.size(); ++s)
        if (auto [it, isNew] = byName.try_emplace(object->symbols[s].name, s);
            !isNew && object->symbols[s].binding != ELF::STB_LOCAL)
          it->second = s;
    uint32_t count = section.size / kTypeEntrySize;
    object->types.reserve(object->types.size() + count);
    for (uint32_t k = 0; k < count && !saturated(); ++k) {
      const uint8_t *at = section.bytes + size_t(k) * kTypeEntrySize;
      TypeEntry entry;
      auto read = [&](const char *field, uint32_t offset, StringRef &text) {
        std::string fault = takeName(symbolNames, field, offset, text);
        if (!fault.empty())
          errorIn(i, "entry " + Twine(k) + ": " + fault);
      };
      read("name", read32le(at), entry.name);
      read("type", read32le(at + 4), entry.type);
      entry.symbol = byName.lookup(entry.name);
      entry.section = section.name;
      entry.entry = k;
      object->types.push_back(entry);
    }
  }
}

} // namespace xlink
