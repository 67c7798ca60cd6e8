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

// S + A - P with S = 0, where the place keeps the address.
TEST(UndefinedWeak, IsAddressZeroForWhatKeepsIt) {
  const Target &xs1 = machine("xs1");
  for (Use use : {Use::Data, Use::Address, Use::Call}) {
    RelocationRow row = rowOf(xs1, "R_XCORE1_REL20");
    row.use = use;
    RelocationOutcome outcome = evaluate(row, xs1, TargetState(),
                                         {.A = 4,
                                          .place = 0x40000,
                                          .undefinedWeak = true,
                                          .keepsAddress = use == Use::Call});
    EXPECT_EQ(outcome.sum, 4 - 0x40004); // from the next instruction
    EXPECT_EQ(outcome.V, -0x20000);
  }
}

// ldap and bl, with and without prefix, as the processor reads them.
TEST(UndefinedWeak, TellsInstructionsApart) {
  const Target &xs1 = machine("xs1");
  for (const char *name : {"R_XCORE1_REL10", "R_XCORE1_REL10_4"}) {
    EXPECT_TRUE(takesAddressAt(rowOf(xs1, name), (const uint8_t *)"\x00\xD8"));
    EXPECT_FALSE(takesAddressAt(rowOf(xs1, name), (const uint8_t *)"\xFF\xD7"));
  }
  for (const char *name : {"R_XCORE1_REL20", "R_XCORE1_REL20_4"}) {
    EXPECT_TRUE(
        takesAddressAt(rowOf(xs1, name), (const uint8_t *)"\x00\xF0\x00\xDC"));
    EXPECT_FALSE(
        takesAddressAt(rowOf(xs1, name), (const uint8_t *)"\xFF\xF3\xFF\xD7"));
  }
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
