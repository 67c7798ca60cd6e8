//===- VectorTest.cpp - golden vectors, through the table alone -----------===//
#include "Machines.h"
#include "support/VectorFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm;

namespace {

/// Applies one vector's row the way a link would and compares the unit's bytes,
/// or the reason of the refusal.
void checkVector(const Target &target, const VectorRow &vector) {
  TargetOptions options;
  options.cpu = vector.cpu;
  Configured link = configured(target, {}, options);
  ASSERT_TRUE(link.messages.empty());

  const RelocationRow &row = rowOf(target, vector.relocation);
  RelocationOperands ops;
  ops.S = vector.S;
  ops.A = vector.A;
  ops.place = vector.P.value_or(0);
  ops.base = vector.base.value_or(0);
  if (row.subtractsBase() && !row.usesBaseSymbol()) {
    EXPECT_EQ(link.state.fieldBase, ops.base);
  }
  std::string unit = vector.before;
  ASSERT_GE(unit.size(), row.bytes);

  RelocationOutcome outcome = evaluate(row, target, link.state, ops);
  std::string text = describeFault(row, target, ops, outcome);
  if (!vector.refusal.empty()) {
    EXPECT_NE(outcome.fault, RelocationFault::None);
    EXPECT_EQ(vector.refusal == "range",
              outcome.fault == RelocationFault::Range);
    EXPECT_TRUE(StringRef(text).contains(vector.refusal)) << text;
    return;
  }
  EXPECT_EQ(outcome.fault, RelocationFault::None) << text;
  deposit(row, outcome.V, reinterpret_cast<uint8_t *>(unit.data()));
  EXPECT_EQ(toHex(unit), toHex(vector.after));
}

class Vectors : public testing::TestWithParam<const Target *> {};

TEST_P(Vectors, GiveTheirBytes) {
  const Target &target = *GetParam();
  for (const VectorRow &row : readVectors(target.name)) {
    SCOPED_TRACE(row.line);
    checkVector(target, row);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Vectors,
                         testing::ValuesIn(allTargets().begin(),
                                           allTargets().end()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
