//===- VectorTest.cpp - golden vectors, through the table alone
//------------===//

#include "Machines.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>

using namespace xlink;
using namespace llvm;

namespace {

uint64_t number(StringRef text) {
  if (text == "-")
    return 0;
  bool negative = text.consume_front("-");
  uint64_t value = 0;
  EXPECT_FALSE(text.getAsInteger(0, value)) << text.str();
  return negative ? -value : value;
}

/// Applies one vector's row the way a link would and compares the unit's bytes,
/// or the reason of the refusal.
void checkVector(const Target &target, ArrayRef<StringRef> column) {
  TargetOptions options;
  if (column[1] != "-")
    options.cpu = column[1].str();
  Configured link = configured(target, {}, options);
  ASSERT_TRUE(link.messages.empty());

  const RelocationRow &row = rowOf(target, column[0]);
  RelocationOperands ops;
  ops.S = number(column[2]);
  ops.A = number(column[3]);
  ops.place = number(column[4]);
  ops.base = number(column[5]);
  if (row.formula == Formula::BaseRel && row.base == kFieldBase) {
    EXPECT_EQ(link.state.fieldBase, ops.base);
  }
  std::string unit = fromHex(column[6]);
  ASSERT_GE(unit.size(), row.bytes);

  RelocationOutcome outcome = evaluate(row, target, link.state, ops);
  std::string text = describeFault(row, target, ops, outcome);
  StringRef after = column[7];
  if (after.consume_front("ERR ")) {
    EXPECT_NE(outcome.fault, RelocationFault::None);
    EXPECT_EQ(after == "range", outcome.fault == RelocationFault::Range);
    EXPECT_TRUE(StringRef(text).contains(after)) << text;
    return;
  }
  EXPECT_EQ(outcome.fault, RelocationFault::None) << text;
  deposit(row, outcome.V, reinterpret_cast<uint8_t *>(unit.data()));
  EXPECT_EQ(toHex(unit, /*LowerCase=*/true), after.str());
}

class Vectors : public testing::TestWithParam<const Target *> {};

TEST_P(Vectors, GiveTheirBytes) {
  const Target &target = *GetParam();
  std::ifstream file(std::string(XLINK_TESTDATA) + "/vectors/" + target.name +
                     ".tsv");
  ASSERT_TRUE(file.is_open());
  size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#')
      continue;
    SCOPED_TRACE(line);
    SmallVector<StringRef, 8> columns;
    StringRef(line).split(columns, '\t');
    ASSERT_EQ(columns.size(), 8u);
    checkVector(target, columns);
    ++rows;
  }
  EXPECT_GT(rows, 0u);
}

INSTANTIATE_TEST_SUITE_P(Machines, Vectors,
                         testing::ValuesIn(allTargets().begin(),
                                           allTargets().end()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
