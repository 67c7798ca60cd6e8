//===- RelocationText.cpp - names and texts of relocation rows ------------===//

#include "arch/Target.h"
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

std::string baseName(const RelocationRow &row, const Target &target) {
  if (!row.subtractsBase())
    return "";
  if (row.baseKind == BaseKind::Flag)
    return target.baseSymbols[row.base].shortName;
  const std::string name = target.bases[row.base].name;
  return row.baseKind == BaseKind::Cpu ? name + " base" : name;
}

/// The sum, of terms as they shall stand there: "S 0x11408 + A 0 - cp 0x10400".
std::string sumText(const RelocationRow &row, const std::string &symbol,
                    const std::string &addend, const std::string &place,
                    const std::string &base) {
  std::string text = symbol + " + " + addend;
  if (row.page)
    text = "page(" + text + ", " + hexText(uint64_t(1) << row.page) + ")";
  if (row.negate)
    text = "-(" + text + ")";
  if (row.subtractsPlace() && !place.empty())
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
  const uint64_t rounds = carries(row); // which the user need not know of
  const uint64_t plain = uint64_t(outcome.sum) - rounds;
  // An address with the topmost bit set is no negative number.
  std::string sum =
      target.is64 && row.isPlainSum() ? hexText(plain) : signedHex(plain);
  const std::string base = baseName(row, target) + " " + hexText(outcome.base);
  const std::string arithmetic =
      sumText(row,
              row.addsSlot() ? "G " + hexText(ops.G) : "S " + hexText(ops.S),
              "A " + signedHex(ops.A),
              outcome.isWeak ? "" : "P " + hexText(outcome.P), base) +
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

namespace {

std::string formulaText(const RelocationRow &row, const Target &target) {
  if (!row.hasField())
    return row.alignsBehind ? "align-hint" : row.hint ? "refused" : "";
  std::string text =
      sumText(row, row.addsSlot() ? "G" : "S", "A", "P", baseName(row, target));
  if (row.shift)
    text = "(" + text + ") >> " + std::to_string(row.shift);
  return text;
}

std::string checkText(const RelocationRow &row) {
  static constexpr const char *checks[] = {
      "", "unsigned ", "signed ", "signed or unsigned ", "magnitude ", "low "};
  std::string text;
  if (row.check == Check::Limits)
    text = std::to_string(row.low) + " to " + std::to_string(row.high);
  else if (row.check != Check::None)
    text = checks[size_t(row.check)] + std::to_string(row.bits);
  auto add = [&text](const std::string &more) {
    text += (text.empty() ? "" : ", ") + more;
  };
  if (row.multiple)
    add("multiple of " + std::to_string(uint64_t(1) << row.multiple));
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
  if (row.signBit != kNoBit)
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
