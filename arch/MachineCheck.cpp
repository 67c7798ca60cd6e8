//===- MachineCheck.cpp - does a machine do what its file says? -----------===//
//
// Problem: a row that is typed wrongly links wrong programs without a message.
//
// Method: the file's TESTs, which its author takes from the manual, are run;
// and each row is checked against itself: its limits are accepted and the
// values beside them refused, a field's bits and no others change, and a field
// reads back as it was written. The same values are the lines of
// --print-vectors, for an assembler's author to run against his fix-ups.
//
//===----------------------------------------------------------------------===//

#include "arch/MachineFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

static std::string fieldBits(const RelocationRow &row) {
  std::string text;
  for (const Piece &piece : row.pieces)
    text += (text.empty() ? "" : ", ") +
            std::to_string(piece.wordBit + piece.width - 1) +
            (piece.width == 1 ? "" : ":" + std::to_string(piece.wordBit));
  return text;
}

static StringRef faultWord(RelocationFault fault) {
  switch (fault) {
  case RelocationFault::Align:
    return "align";
  case RelocationFault::PlaceAlign:
    return "place";
  default:
    return "range";
  }
}

static TargetState stateFor(const Target &target, const char *cpu) {
  TargetState state;
  TargetOptions options;
  std::vector<TargetMessage> ignored;
  if (cpu)
    options.cpu = cpu;
  configure(target, options, {}, state, ignored);
  return state;
}

/// "expected c0fffff5, got c0ffff05 (V = -2 in bits 24:5)", or nothing.
static std::optional<std::string> runTest(const Target &target,
                                          const MachineTest &test) {
  const RelocationRow &row = *findRelocation(target, test.row);
  RelocationOperands operands = test.operands;
  if (!test.hasAddend && row.addendBits != 0)
    operands.A = extractAddend(row, test.before.data()).value_or(0);
  const RelocationOutcome outcome =
      evaluate(row, target, stateFor(target, test.cpu), operands);
  std::vector<uint8_t> unit = test.before;
  std::string got(faultWord(outcome.fault));
  if (outcome.fault == RelocationFault::None) {
    deposit(row, outcome, unit.data());
    got = toHex(unit, /*LowerCase=*/true);
  }
  const std::string wanted = test.fault == RelocationFault::None
                                 ? toHex(test.after, /*LowerCase=*/true)
                                 : faultWord(test.fault).str();
  if (got == wanted)
    return std::nullopt;
  std::string text = std::string("TEST ") + row.name + ": expected " + wanted +
                     ", got " + got + " (V = " + std::to_string(outcome.V) +
                     " in bits " + fieldBits(row) + ")";
  unit.assign(test.before.rbegin(), test.before.rend());
  deposit(row, outcome, unit.data());
  std::reverse(unit.begin(), unit.end());
  if (test.fault == RelocationFault::None && outcome.fault == test.fault &&
      row.order != Order::LittleHalves && unit == test.after)
    text += std::string("; with its bytes in reverse it is right: '") +
            (row.order == Order::Little ? "big" : "little") +
            "' in 'elf', or in the row?";
  return text;
}

/// Operands for which the row computes V.
static RelocationOperands operandsFor(const RelocationRow &row,
                                      const Target &target,
                                      const TargetState &state, int64_t V) {
  uint64_t sum = (uint64_t(V) << row.shift) - carries(row);
  if (row.negate)
    sum = -sum;
  RelocationOperands ops;
  ops.alloc = false; // without the address map
  ops.place = 0x40000000;
  ops.base = row.baseKind == BaseKind::Cpu ? state.fieldBase : 0x10000;
  const uint64_t from = row.subtractsPlace()
                            ? evaluate(row, target, state, ops).P
                        : row.subtractsBase() ? ops.base
                                              : 0;
  (row.addsSlot() ? ops.G : ops.S) = from + sum;
  if (int64_t(from + sum) < 0) { // no address
    ops.G = 0;
    ops.S = from;
    ops.A = int64_t(sum);
  }
  return ops;
}

/// Values of a row that a relocation can have are multiples of it.
static int64_t stepOf(const RelocationRow &row) {
  return int64_t(1) << std::max(row.multiple - row.shift, 0);
}

/// The least and the greatest value that a row takes.
static std::pair<int64_t, int64_t> valuesOf(const RelocationRow &row) {
  const int64_t step = stepOf(row);
  if (const auto limits = fieldLimits(row))
    return {-(-limits->first / step * step), limits->second / step * step};
  const uint64_t most = maskTrailingOnes<uint64_t>(std::min(+row.bits, 62));
  return {0, int64_t(most) / step * step};
}

/// The first fault of a row by itself, or nothing.
static std::optional<std::string> checkRow(const Target &target,
                                           const RelocationRow &row) {
  const std::string name = row.name;
  const TargetState state = stateFor(target, nullptr);
  const auto [low, high] = valuesOf(row);
  auto isAccepted = [&](int64_t V) {
    return evaluate(row, target, state, operandsFor(row, target, state, V))
               .fault == RelocationFault::None;
  };
  // A sum that wraps may be in reach again.
  const bool wraps = row.wrapBits && row.wrapBits <= row.bits + row.shift;
  for (int64_t V : {low, high})
    if (!wraps && !isAccepted(V))
      return name + " refuses its limit " + std::to_string(V);
  if (fieldLimits(row) && !wraps)
    for (int64_t V : {low - stepOf(row), high + stepOf(row)})
      if (isAccepted(V))
        return name + " accepts " + std::to_string(V);
  for (int64_t V : {low, high, int64_t(0)})
    for (uint8_t filling : {0x00, 0xff}) {
      uint8_t unit[16], again[16];
      std::fill_n(unit, 16, filling);
      std::fill_n(again, 16, uint8_t(~filling));
      deposit(row, V, unit);
      if (any_of(ArrayRef(unit).drop_front(row.bytes),
                 [&](uint8_t byte) { return byte != filling; }))
        return name + " writes behind its unit";
      const int64_t read = extractField(row, unit);
      deposit(row, read, again);
      if (row.op == FieldOp::Set && extractField(row, again) != read)
        return name + ": V = " + std::to_string(V) + " does not read back";
    }
  if (row.hint && row.check == Check::None)
    return name + " has a hint and no check that could fail";
  return std::nullopt;
}

/// A property of a row that may cut values or other fields, if it was not meant
/// so; or "".
static std::string noteOn(const Target &target, const RelocationRow &row) {
  uint64_t placed = 0;
  for (const Piece &piece : row.pieces)
    placed |= maskTrailingOnes<uint64_t>(piece.width) << piece.valueBit;
  const unsigned width = Log2_64(placed) + 1;
  if (row.check == Check::None) {
    const unsigned sum = width + row.shift;
    return sum >= (target.is64 ? 64 : 32) ||
                   (row.wrapBits != 0 && row.wrapBits <= sum)
               ? ""
               : " has no check: a value beyond " + std::to_string(width) +
                     " bits is cut; 'unsigned', 'signed', 'either' or 'low " +
                     std::to_string(width) + "' states what is meant";
  }
  return row.check == Check::Limits || width <= row.bits
             ? ""
             : " checks " + std::to_string(row.bits) +
                   " bits, and its field takes " + std::to_string(width);
}

/// A line of testdata/vectors.
static std::string vectorLine(const RelocationRow &row, const Target &target,
                              const char *cpu, const RelocationOperands &ops,
                              uint8_t filling) {
  auto number = [](int64_t value) {
    return (value < 0 ? "-" : "") +
           hexText(value < 0 ? -uint64_t(value) : value);
  };
  std::vector<uint8_t> unit(row.bytes, filling);
  const std::string before = toHex(unit, /*LowerCase=*/true);
  const RelocationOutcome outcome =
      evaluate(row, target, stateFor(target, cpu), ops);
  deposit(row, outcome, unit.data());
  std::string after = toHex(unit, /*LowerCase=*/true);
  if (outcome.fault != RelocationFault::None)
    after = outcome.fault == RelocationFault::Range ? "ERR range" : "ERR align";
  return join_items("\t", row.name, cpu ? cpu : "-",
                    hexText(row.addsSlot() ? ops.G : ops.S), number(ops.A),
                    hexText(ops.place),
                    row.subtractsBase() ? hexText(ops.base) : "-", before,
                    after) +
         "\n";
}

std::string printVectors(const Target &target) {
  std::string text = "# reloc\tcpu\tS\tA\tP\tbase\tbefore\tafter\n";
  for (const RelocationRow &row : target.relocations) {
    if (!row.hasField())
      continue;
    const bool byCpu = row.subtractsBase() && row.baseKind == BaseKind::Cpu &&
                       !target.cpus.empty();
    const char *cpu = byCpu ? target.cpus.front().name : nullptr;
    const auto [low, high] = valuesOf(row);
    std::vector<RelocationOperands> cases;
    for (int64_t V :
         {low - stepOf(row), low, int64_t(0), high, high + stepOf(row)})
      cases.push_back(operandsFor(row, target, stateFor(target, cpu), V));
    if (row.multiple != 0)
      ++cases.emplace_back(cases[2]).A;
    if (row.placeAlign > 1)
      ++cases.emplace_back(cases[2]).place;
    for (const RelocationOperands &ops : cases)
      for (uint8_t filling : {0x00, 0xff})
        text += vectorLine(row, target, cpu, ops, filling);
  }
  return text;
}

std::string checkMachine(const Machine &machine,
                         std::vector<MachineProblem> &problems) {
  const Target &target = machine.target;
  std::vector<bool> tested(target.relocations.size());
  for (const MachineTest &test : machine.tests) {
    if (auto text = runTest(target, test))
      problems.push_back({test.line, test.column, *text});
    tested[size_t(findRelocation(target, test.row) -
                  target.relocations.begin())] = true;
  }
  std::string notes;
  size_t count = 0;
  for (const auto &[i, row] : enumerate(target.relocations)) {
    if (!row.hasField())
      continue;
    const uint32_t line = machine.rowLines[i];
    if (!tested[i] && line != 0) {
      ++count;
      notes += std::string("\n  ") + row.name + " has no TEST";
    }
    if (const std::string note = noteOn(target, row); !note.empty() && line)
      notes += std::string("\n  ") + row.name + note;
    if (auto text = checkRow(target, row))
      problems.push_back({std::max(line, 1u), 3, *text});
  }
  return std::string(target.name) + ": " +
         std::to_string(target.relocations.size()) + " relocations, " +
         std::to_string(machine.tests.size()) + " tests, " +
         std::to_string(count) + " without a test" + notes;
}

} // namespace xlink
