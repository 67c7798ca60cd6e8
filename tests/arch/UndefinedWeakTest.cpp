//===- UndefinedWeakTest.cpp - references to weak symbols without one
//------===//

#include "Machines.h"

using namespace xlink;

namespace {

TEST(UndefinedWeak, GivesEachFormulaItsOwnAnswer) {
  for (const Target *target : allTargets())
    for (const RelocationRow &row : target->relocations) {
      SCOPED_TRACE(row.name);
      RelocationOperands ops;
      ops.place = 0x40000000; // 0 is out of the reach of every short branch
      ops.base = 0x10400;
      ops.G = 8;
      ops.undefinedWeak = true;
      RelocationOutcome outcome =
          evaluate(row, *target, configured(*target).state, ops);
      EXPECT_EQ(outcome.fault, row.formula == Formula::BaseRel
                                   ? RelocationFault::UndefinedBase
                                   : RelocationFault::None);
      EXPECT_EQ(outcome.V, row.formula == Formula::GotOffset ? 8 : 0);
    }
}

// Who accepts undefined symbols gets a distance of 0 from wherever it counts.
TEST(UndefinedWeak, AcceptedByTheUser) {
  for (const Target *target : allTargets())
    for (const RelocationRow &row : target->relocations) {
      SCOPED_TRACE(row.name);
      RelocationOperands ops;
      ops.place = 0x40000000;
      ops.base = 0x10400;
      ops.undefinedWeak = ops.undefinedAccepted = true;
      RelocationOutcome outcome =
          evaluate(row, *target, configured(*target).state, ops);
      EXPECT_EQ(outcome.fault, RelocationFault::None);
      EXPECT_EQ(outcome.V, 0);
    }
}

TEST(UndefinedWeak, BranchTakesZeroWhateverTheAddend) {
  const Target &xs1 = machine("xs1");
  RelocationOutcome outcome =
      evaluate(rowOf(xs1, "R_XCORE1_REL10"), xs1, TargetState(),
               {.A = 3, .place = 0x40000, .undefinedWeak = true});
  EXPECT_EQ(outcome.fault, RelocationFault::None);
  EXPECT_EQ(outcome.V, 0);
}

TEST(UndefinedWeak, ExplainsABaseThatCannotReach) {
  for (const char *name : {"xs1", "colossus"}) {
    const Target &target = machine(name);
    for (const RelocationRow &row : target.relocations) {
      if (row.formula != Formula::BaseRel)
        continue;
      RelocationOperands ops{.base = 0x10400, .undefinedWeak = true};
      std::string text =
          describeFault(row, target, ops,
                        evaluate(row, target, configured(target).state, ops));
      EXPECT_NE(text.find("weak and undefined"), std::string::npos) << text;
    }
  }
}

} // namespace
