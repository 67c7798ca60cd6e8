//===- LimitVectorTest.cpp - each relocation at its limits ----------------===//
//
// The expected bytes of testdata/limits come from the machines' documents, by a
// program that does not know the tables. Here a row of a table only says which
// lines it must have: a row without its limits, the values beyond them, each
// piece of its field and each of its bits fails.
//
//===----------------------------------------------------------------------===//
#include "Machines.h"
#include "support/VectorFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>
#include <set>

using namespace xlink;
using namespace xlink::test;
using namespace llvm;

namespace {

//===----------------------------------------------------------------------===//
// What a line says holds
//===----------------------------------------------------------------------===//

RelocationFault faultOf(StringRef refusal) {
  return refusal == "range"   ? RelocationFault::Range
         : refusal == "align" ? RelocationFault::Align
         : refusal == "place" ? RelocationFault::PlaceAlign
                              : RelocationFault::None;
}

/// How the file calls the base that a row subtracts.
StringRef baseWord(const RelocationRow &row, const Target &target) {
  return row.usesBaseSymbol() ? target.baseSymbols[row.base].shortName
                              : target.bases[row.base].name;
}

/// The fault and the bytes. The short form of the row, which a whole link takes
/// for most relocations, must store the same, or nothing.
void checkField(const Target &target, const RelocationRow &row,
                const VectorRow &vector) {
  TargetOptions options;
  options.cpu = vector.cpu;
  if (is_contained(vector.words, "offset"))
    options.zKeywords = {"xs1-place=offset"};
  const Configured link = configured(target, {}, options);
  ASSERT_TRUE(link.messages.empty());

  RelocationOperands ops;
  (row.formula == Formula::GotOffset ? ops.G : ops.S) = vector.S;
  ops.A = vector.A;
  ops.place = vector.P.value_or(0);
  ops.base = vector.base.value_or(0);
  ops.alloc = !is_contained(vector.words, "unloaded");
  if (row.formula == Formula::BaseRel) {
    EXPECT_TRUE(is_contained(vector.words, baseWord(row, target)));
  }

  const RelocationOutcome outcome = evaluate(row, target, link.state, ops);
  std::string unit = vector.before;
  if (outcome.fault == RelocationFault::None)
    deposit(row, outcome.V, reinterpret_cast<uint8_t *>(unit.data()));
  EXPECT_EQ(outcome.fault, faultOf(vector.refusal))
      << describeFault(row, target, ops, outcome);
  const std::string &after =
      vector.refusal.empty() ? vector.after : vector.before;
  EXPECT_EQ(toHex(unit), toHex(after));

  CompiledRow compiled(row, target, link.state);
  compiled.setBase(ops.base);
  if (!compiled.isDirect())
    return;
  std::string direct = vector.before;
  const bool isStored =
      compiled.apply(ops.S + uint64_t(ops.A), ops.place, ops.alloc,
                     reinterpret_cast<uint8_t *>(direct.data()));
  EXPECT_EQ(toHex(direct), toHex(isStored ? after : vector.before));
  if (isStored)
    EXPECT_EQ(vector.refusal, "");
  else if (vector.refusal.empty()) // evaluate() tries -1 with its sign
    EXPECT_TRUE(row.wrapBits && !row.wrapSigned);
}

/// The addend of SHT_REL.
void checkAddend(const RelocationRow &row, const VectorRow &vector) {
  const std::optional<int64_t> addend = extractAddend(
      row, reinterpret_cast<const uint8_t *>(vector.before.data()));
  if (vector.refusal.empty())
    EXPECT_EQ(addend, vector.A);
  else
    EXPECT_EQ(addend, std::nullopt);
}

void check(const Target &target, const VectorRow &vector) {
  const RelocationRow &row = rowOf(target, vector.relocation);
  ASSERT_GE(vector.before.size(), row.bytes);
  ASSERT_TRUE(vector.refusal.empty() || vector.refusal == "addend" ||
              faultOf(vector.refusal) != RelocationFault::None);
  if (vector.label == "addend")
    checkAddend(row, vector);
  else
    checkField(target, row, vector);
}

//===----------------------------------------------------------------------===//
// Which lines there must be
//===----------------------------------------------------------------------===//

/// Lines of one row.
using Lines = std::vector<const VectorRow *>;

/// A unit as bits.
using UnitBits = std::vector<bool>;

UnitBits bitsOf(StringRef bytes) {
  UnitBits bits(8 * bytes.size());
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = uint8_t(bytes[i / 8]) >> (i % 8) & 1;
  return bits;
}

bool isFilled(StringRef bytes, char filling) {
  return all_of(bytes, [filling](char c) { return c == filling; });
}

/// What the lines with this label must do: in units of zeros and of ones.
void expectLines(const Lines &lines, StringRef label, StringRef refusal) {
  for (const char filling : {'\0', '\xff'})
    EXPECT_TRUE(any_of(lines,
                       [&](const VectorRow *line) {
                         return line->label == label &&
                                line->refusal == refusal &&
                                isFilled(line->before, filling);
                       }))
        << "no line '" << label.str() << "' "
        << (refusal.empty() ? "that is accepted" : refusal.str())
        << (filling ? ", ones before" : ", zeros before");
}

/// The value bits that a sum can reach: one reduced to 32 bits and not
/// extended leaves those above zero.
uint64_t reachable(const RelocationRow &row) {
  return row.wrapBits && !row.wrapSigned ? 0xffffffff : ~uint64_t(0);
}

/// The unit's bits that receive one of these value bits.
UnitBits placesOf(const RelocationRow &row, uint64_t value, size_t size) {
  UnitBits bits(size);
  for (const Piece &piece : row.pieces)
    for (unsigned i = 0; i < piece.width; ++i)
      if (value >> (piece.valueBit + i) & 1)
        bits[piece.wordBit + i] = true;
  return bits;
}

/// Each bit is set in zeros and cleared in ones; each piece stands alone.
void expectBits(const RelocationRow &row, const Lines &lines) {
  std::set<UnitBits> stored; // in zeros
  const size_t size = 8 * lines.front()->before.size();
  UnitBits set(size), cleared(size);
  for (const VectorRow *line : lines) {
    if (!line->refusal.empty() || line->label == "addend")
      continue;
    ASSERT_EQ(8 * line->after.size(), size);
    const UnitBits bits = bitsOf(line->after);
    const bool zeros = isFilled(line->before, 0);
    for (size_t i = 0; i < size; ++i)
      if (zeros)
        set[i] = set[i] || bits[i];
      else
        cleared[i] = cleared[i] || !bits[i];
    if (zeros)
      stored.insert(bits);
  }
  UnitBits sign(size);
  if (row.signBit != kNoBit)
    sign[row.signBit] = true;
  const UnitBits owned = placesOf(row, ~uint64_t(0), size);
  const UnitBits settable = placesOf(row, reachable(row), size);
  for (size_t i = 0; i < size; ++i) {
    EXPECT_EQ(set[i], settable[i] || sign[i]) << "set: bit " << i;
    EXPECT_EQ(cleared[i], owned[i] || sign[i]) << "cleared: bit " << i;
  }

  for (const Piece &piece : row.pieces) {
    const uint64_t value =
        ~uint64_t(0) >> (64 - piece.width) << piece.valueBit & reachable(row);
    if (value) {
      EXPECT_TRUE(stored.count(placesOf(row, value, size)))
          << "no line has the piece of value bit " << unsigned(piece.valueBit)
          << " alone";
    }
    if (row.pieces.size() == 1)
      continue;
    for (unsigned i = 0; i < piece.width; ++i)
      if (const uint64_t one = uint64_t(1) << (piece.valueBit + i);
          one & reachable(row))
        EXPECT_TRUE(stored.count(placesOf(row, one, size)))
            << "no line has value bit " << piece.valueBit + i << " alone";
  }
}

/// Addends that can be read back: the least and the greatest. All others are
/// refused.
void expectAddends(const RelocationRow &row, const Lines &lines) {
  const uint8_t zeros[16] = {};
  const bool readable = extractAddend(row, zeros).has_value();
  EXPECT_TRUE(any_of(lines, [readable](const VectorRow *line) {
    return line->label == "addend" && line->refusal.empty() == readable;
  }));
  if (!readable || (row.check == Check::None && row.bits % 8))
    return;
  const bool isUnsigned = row.check == Check::Unsigned;
  uint64_t high = ~uint64_t(0) >> (64 - row.bits);
  int64_t low = 0;
  if (row.check == Check::Magnitude)
    low = -int64_t(high);
  else if (!isUnsigned) {
    high >>= 1;
    low = -int64_t(high) - 1;
  }
  std::set<int64_t> addends;
  for (const VectorRow *line : lines)
    if (line->label == "addend" && line->refusal.empty())
      addends.insert(line->A);
  EXPECT_TRUE(addends.count(int64_t(high << row.shift)));
  EXPECT_TRUE(addends.count(int64_t(uint64_t(low) << row.shift)));
}

void expectComplete(const Target &target, const RelocationRow &row,
                    const Lines &lines) {
  ASSERT_FALSE(lines.empty());
  if (!row.hasField()) {
    expectLines(lines, "none", "");
    return;
  }
  const char *beyond =
      row.check == Check::None || row.check == Check::LowPart ? "" : "range";
  for (const char *label : {"low", "high", "zero"})
    expectLines(lines, label, "");
  for (const char *label : {"below", "above"})
    expectLines(lines, label, beyond);
  if (row.check != Check::Unsigned && row.check != Check::None)
    expectLines(lines, "minus", "");
  if (row.dropsBits())
    expectLines(lines, "floor", "");
  if (row.multiple)
    expectLines(lines, "align", "align");
  if (row.placeAlign > 1)
    expectLines(lines, "place", "place");
  if (row.formula == Formula::PcRel)
    expectLines(lines, "wrap", "");
  if (row.formula == Formula::BaseRel)
    expectLines(lines, "wrap", row.wrapBits ? "" : "range");
  if (!target.maps.empty())
    expectLines(lines, "memory", "");
  expectBits(row, lines);
  expectAddends(row, lines);
}

class LimitVectors : public testing::TestWithParam<const Target *> {};

TEST_P(LimitVectors, GiveTheirBytes) {
  const Target &target = *GetParam();
  const std::vector<VectorRow> vectors = readVectors(target.name, "limits");
  for (const VectorRow &vector : vectors) {
    SCOPED_TRACE(vector.line);
    check(target, vector);
  }
  RecordProperty("rows", int(vectors.size()));
}

TEST_P(LimitVectors, AreThereForEachRow) {
  const Target &target = *GetParam();
  const std::vector<VectorRow> vectors = readVectors(target.name, "limits");
  std::map<std::string, Lines> linesOf;
  for (const VectorRow &vector : vectors)
    linesOf[vector.relocation].push_back(&vector);
  for (const RelocationRow &row : target.relocations) {
    SCOPED_TRACE(row.name);
    expectComplete(target, row, linesOf[row.name]);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, LimitVectors,
                         testing::ValuesIn(allTargets().begin(),
                                           allTargets().end()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
