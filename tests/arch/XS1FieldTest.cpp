//===- XS1FieldTest.cpp - fields that no golden vector covers
//--------------===//

#include "Machines.h"
#include "gmock/gmock.h"

using namespace xlink;
using testing::ElementsAre;

namespace {

/// The unit after this row was applied to it.
std::vector<uint8_t> applied(const char *relocation, RelocationOperands ops,
                             std::vector<uint8_t> unit) {
  const Target &xs1 = machine("xs1");
  const RelocationRow &row = rowOf(xs1, relocation);
  RelocationOutcome outcome = evaluate(row, xs1, TargetState(), ops);
  EXPECT_EQ(outcome.fault, RelocationFault::None);
  EXPECT_EQ(unit.size(), row.bytes);
  deposit(row, outcome.V, unit.data());
  return unit;
}

TEST(XS1Field, Leb128KeepsItsContinuationBits) {
  EXPECT_THAT(applied("R_XCORE1_ULEB128", {.S = 0x12345670, .A = 8},
                      {0x80, 0x80, 0x80, 0x80, 0x00}),
              ElementsAre(0xf8, 0xac, 0xd1, 0x91, 0x01));
  EXPECT_THAT(applied("R_XCORE1_ULEB128", {.S = 0xffffffff},
                      {0xff, 0xff, 0xff, 0xff, 0x7f}),
              ElementsAre(0xff, 0xff, 0xff, 0xff, 0x0f));
}

TEST(XS1Field, SixteenBits) {
  EXPECT_THAT(applied("R_XCORE1_ADDR16", {.S = 0xfffe}, {0, 0}),
              ElementsAre(0xfe, 0xff));
  EXPECT_THAT(applied("R_XCORE1_ADDR16", {.A = -0x8000}, {0xff, 0xff}),
              ElementsAre(0x00, 0x80));
}

TEST(XS1Field, BranchToTheNextBundle) {
  // From 0x10006 the next bundle begins at 0x10008, from 0x10004 as well.
  EXPECT_THAT(applied("R_XCORE1_REL6_4", {.S = 0x1000c, .place = 0x10006},
                      {0x40, 0x71}),
              ElementsAre(0x41, 0x71));
  EXPECT_THAT(applied("R_XCORE1_REL6_4", {.S = 0x10000, .place = 0x10004},
                      {0x40, 0x71}),
              ElementsAre(0x42, 0x75));
}

TEST(XS1Field, DistancesWrapAroundTheAddressSpace) {
  EXPECT_THAT(applied("R_XCORE1_REL20", {.S = 0x100, .place = 0xfffef000},
                      {0x00, 0xf0, 0x00, 0xd0}),
              ElementsAre(0x22, 0xf0, 0x7e, 0xd0));
}

} // namespace
