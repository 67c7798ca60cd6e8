//===- PlacementTest.cpp - numbers and walks of a placement ---------------===//
#include "model/Placement.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace xlink;
using testing::ElementsAre;

namespace {

SectionId section(uint32_t n) { return SectionId(n); }

/// Two output sections: the first with the sections 1 2 and 3 in two items, the
/// second with 4 in its last one. The layout has the second one first.
struct TwoOutputs : testing::Test {
  TwoOutputs() {
    placement.sections.resize(5);
    OutputSection &a = placement.outputs.emplace_back();
    a.name = ".a";
    a.items = {{&description, 0, 2}, {nullptr, 2, 3}};
    a.members = {section(1), section(2), section(3)};
    OutputSection &b = placement.outputs.emplace_back();
    b.name = ".b";
    b.items = {{&inside, 0, 0}, {&inside, 0, 0}, {&description, 0, 1}};
    b.members = {section(4)};
    placement.layout = {{&before, kNone, kNone},
                        {nullptr, OutputId(1), kNone},
                        {nullptr, OutputId(0), kNone}};
    placement.number();
  }
  InputDescription description;
  AssignmentCommand before, inside;
  Placement placement;
};

// Items have numbers of their own across all outputs, by output.
TEST_F(TwoOutputs, NumberItems) {
  EXPECT_EQ(placement.outputs[OutputId(0)].firstItem, ItemId(0));
  EXPECT_EQ(placement.outputs[OutputId(1)].firstItem, ItemId(2));
  EXPECT_EQ(placement.itemCount, 5u);
}

// A member's item is an index into the items of its own output.
TEST_F(TwoOutputs, NumberMembers) {
  EXPECT_EQ(placement.sections[section(1)].item, 0u);
  EXPECT_EQ(placement.sections[section(2)].item, 0u);
  EXPECT_EQ(placement.sections[section(3)].item, 1u);
  EXPECT_EQ(placement.sections[section(4)].item, 2u);
}

TEST_F(TwoOutputs, NumberAgain) {
  OutputSection &a = placement.outputs[OutputId(0)];
  a.items.insert(a.items.begin(), {&inside, 0, 0});
  placement.number();
  EXPECT_EQ(placement.itemCount, 6u);
  EXPECT_EQ(placement.outputs[OutputId(1)].firstItem, ItemId(3));
  EXPECT_EQ(placement.sections[section(3)].item, 2u);
}

TEST_F(TwoOutputs, OutputsInTheOrderOfTheLayout) {
  std::vector<std::string> names;
  placement.forEachOutput([&](OutputId id, const OutputSection &out) {
    EXPECT_EQ(&placement.outputs[id], &out);
    names.push_back(out.name);
  });
  EXPECT_THAT(names, ElementsAre(".b", ".a"));
}

// Assignments in the order of the output, those in output sections too.
TEST_F(TwoOutputs, Assignments) {
  std::vector<const AssignmentCommand *> seen;
  placement.forEachAssignment(
      [&](const AssignmentCommand &command) { seen.push_back(&command); });
  EXPECT_THAT(seen, ElementsAre(&before, &inside, &inside));
}

} // namespace
