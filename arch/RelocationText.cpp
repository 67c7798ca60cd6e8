//===- RelocationText.cpp - names and texts of relocation rows ------------===//

#include "arch/MachineText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

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

/// The base's name in the machine file.
std::string baseWord(const RelocationRow &row, const Target &target) {
  return row.usesBaseSymbol() ? target.baseSymbols[row.base].shortName
                              : target.bases[row.base].name;
}

std::string baseName(const RelocationRow &row, const Target &target) {
  return baseWord(row, target) + (row.baseKind == BaseKind::Cpu ? " base" : "");
}

/// The term for P, "next(4)".
std::string placeText(const RelocationRow &row) {
  const uint64_t down = uint64_t(1) << row.placeDown;
  if (row.placePlus == 0 && row.placeDown == 0)
    return "P";
  if (row.placePlus == row.bytes && row.placeDown == 0)
    return "next";
  if (row.placePlus == row.bytes + down - 1)
    return "next(" + std::to_string(down) + ")";
  return "down(P" +
         (row.placePlus ? " + " + std::to_string(row.placePlus) : "") + ", " +
         std::to_string(down) + ")";
}

/// The sum of a fault, with its numbers: "S 0x11408 + A 0 - cp 0x10400".
std::string sumText(const RelocationRow &row, const Target &target,
                    const RelocationOperands &ops,
                    const RelocationOutcome &outcome) {
  std::string text =
      row.addsSlot() ? "G " + hexText(ops.G) : "S " + hexText(ops.S);
  text += " + A " + signedHex(ops.A);
  if (row.page)
    text = "page(" + text + ", " + hexText(uint64_t(1) << row.page) + ")";
  if (row.negate)
    text = "-(" + text + ")";
  if (row.subtractsPlace() && !outcome.isWeak)
    text += " - " + (outcome.P == ops.place ? "P" : placeText(row)) + " " +
            hexText(outcome.P);
  if (row.subtractsBase())
    text += " - " + baseName(row, target) + " " + hexText(outcome.base);
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
  const uint64_t rounds = carries(row); // which the user need not know of
  const uint64_t plain = uint64_t(outcome.sum) - rounds;
  // An address with the topmost bit set is no negative number.
  std::string sum =
      target.is64 && row.isPlainSum() ? hexText(plain) : signedHex(plain);
  const std::string arithmetic =
      sumText(row, target, ops, outcome) + " = " + sum;

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
           baseName(row, target) + " " + hexText(outcome.base);
  case RelocationFault::Align:
    return text + " misaligned: " + arithmetic + ", not a multiple of " +
           std::to_string(uint64_t(1) << row.multiple);
  case RelocationFault::NoCode:
    return text + " branches to " + arithmetic + ", which is in " +
           memoryAt(target, uint64_t(outcome.sum))->name + " and holds no code";
  case RelocationFault::Range:
    break;
  }

  text += " out of range: " + arithmetic;
  // The result of an address map need not count bytes, so no unit then.
  if (ops.alloc && !target.maps.empty())
    text += ", mapped to " + signedHex(outcome.mapped) + " = " +
            std::to_string(outcome.V);
  else
    text += " = " + std::to_string(outcome.V - int64_t(rounds >> row.shift)) +
            " " + unitWord(row.shift);
  if (auto limits = fieldLimits(row))
    text += "; the field holds " + std::to_string(limits->first) + ".." +
            std::to_string(limits->second);
  return text;
}

std::string valueText(const RelocationRow &row, const Target &target) {
  std::string sum = row.addsSlot() ? "G + A" : row.negate ? "-S - A" : "S + A";
  if (row.page != 0)
    sum = "page(" + sum + ", " + hexText(uint64_t(1) << row.page) + ")";
  if (row.subtractsPlace())
    sum += " - " + placeText(row);
  if (row.subtractsBase())
    sum += " - " + baseWord(row, target);
  if (row.shift == 0)
    return sum;
  return "(" + sum +
         (row.multiple == row.shift
              ? ") / " + std::to_string(uint64_t(1) << row.shift)
              : ") >> " + std::to_string(row.shift));
}

std::string checkText(const RelocationRow &row) {
  std::string text;
  raw_string_ostream os(text);
  ListSeparator separator;
  if (row.multiple != 0 && row.multiple != row.shift)
    os << separator << "multiple " << (uint64_t(1) << row.multiple);
  if (row.wrapBits != 0)
    os << separator << "wrap " << (row.wrapSigned ? "s" : "u")
       << unsigned(row.wrapBits);
  if (row.carry != 0)
    os << separator << "carry";
  for (uint64_t rest = row.carry; rest != 0; rest &= rest - 1)
    os << " " << countr_zero(rest);
  if (row.check == Check::Limits)
    os << separator << "limits " << row.low << " .. " << row.high;
  else if (row.check != Check::None)
    os << separator << kCheckWords[size_t(row.check)] << " "
       << unsigned(row.bits);
  if (row.placeAlign != 1)
    os << separator << "place " << unsigned(row.placeAlign);
  return text;
}

static std::string rangeText(unsigned low, unsigned width) {
  return (width == 1 ? "" : std::to_string(low + width - 1) + ":") +
         std::to_string(low);
}

std::string fieldText(const RelocationRow &row, const Target &target) {
  std::string text;
  raw_string_ostream os(text);
  ListSeparator separator;
  for (const Piece &piece : row.pieces)
    os << separator << rangeText(piece.valueBit, piece.width) << " -> "
       << rangeText(piece.wordBit, piece.width);
  if (row.flip != 0)
    os << ", flip " << rangeText(countr_zero(row.flip), popcount(row.flip));
  if (row.flip != 0 && row.flipUnless != kNoBit)
    os << " unless " << unsigned(row.flipUnless);
  if (row.signBit != kNoBit)
    os << ", sign " << unsigned(row.signBit);
  const bool isBig = row.order == Order::Big || row.order == Order::BigHalves;
  if (isBig != target.isBig && row.hasField())
    os << (isBig ? ", big" : ", little");
  if (row.order == Order::LittleHalves || row.order == Order::BigHalves)
    os << ", halves";
  if (row.op != FieldOp::Set)
    os << (row.op == FieldOp::Add ? ", add" : ", sub");
  if (row.addendSigned)
    os << ", in-field signed " << unsigned(row.addendBits);
  else if (row.addendBits != 0)
    os << ", in-field";
  if (row.weakMask != 0)
    os << ", weak " << hexText(row.weakMask) << " " << hexText(row.weakCode);
  return text;
}

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
       "field (bits of the value -> of the unit)");
  for (const RelocationRow &row : target.relocations)
    line(std::to_string(row.number), row.name, std::to_string(row.bytes),
         row.hasField()     ? valueText(row, target)
         : row.alignsBehind ? "align-hint"
         : row.hint         ? "refused"
                            : "",
         checkText(row), fieldText(row, target));
  return text;
}

} // namespace xlink
