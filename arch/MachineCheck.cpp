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
#include "llvm/Support/raw_ostream.h"

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
  return std::string("TEST ") + row.name + ": expected " + wanted + ", got " +
         got + " (V = " + std::to_string(outcome.V) + " in bits " +
         fieldBits(row) + ")";
}

/// Values at the limits of a row's check, or of its field.
static std::vector<int64_t> limitValues(const RelocationRow &row) {
  if (const auto limits = fieldLimits(row))
    return {limits->first, limits->second, 0};
  return {0, 1,
          int64_t(~uint64_t(0) >> (64 - std::min<unsigned>(row.bits, 63)))};
}

/// What is wrong with a row by itself, or nothing.
static std::optional<std::string> checkRow(const RelocationRow &row) {
  const std::string name = row.name;
  for (int64_t V : limitValues(row))
    for (uint8_t fill : {0x00, 0xff}) {
      uint8_t unit[16], again[16];
      std::fill_n(unit, 16, fill);
      if (row.op != FieldOp::Set)
        continue;
      deposit(row, V, unit);
      const int64_t read = extractField(row, unit);
      std::fill_n(again, 16, uint8_t(~fill));
      deposit(row, read, again);
      if (extractField(row, again) != read)
        return name + ": V = " + std::to_string(V) + " does not read back";
      for (unsigned i = row.bytes; i < 16; ++i)
        if (unit[i] != fill)
          return name + " writes behind its unit";
    }
  if (row.hint && row.check == Check::None)
    return name + " has a hint and no check that could fail";
  return std::nullopt;
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
  size_t untested = 0;
  for (const auto &[i, row] : enumerate(target.relocations)) {
    if (!row.hasField())
      continue;
    untested += !tested[i];
    if (auto text = checkRow(row))
      problems.push_back({1, 1, *text});
  }
  return std::string(target.name) + ": " +
         std::to_string(target.relocations.size()) + " relocations, " +
         std::to_string(machine.tests.size()) + " tests, " +
         std::to_string(untested) + " without a test";
}

} // namespace xlink
