//===- MoveOnTest.cpp - sections that a region has no room for ------------===//
#include "layout/AddressAssignment.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::ElementsAre;

namespace {

SectionId section(uint32_t n) { return SectionId(n); }

/// Output 0 holds 1 2 | 3 in two items, output 1 holds 4 | 5. 1 and 2 may move
/// to output 1's first item, around 4: 2 before it, 1 behind it; then 1 may be
/// discarded.
struct MoveOn : testing::Test {
  MoveOn() {
    placement.sections.resize(6);
    OutputSection &a = placement.outputs.emplace_back();
    a.items = {{nullptr, 0, 2}, {nullptr, 2, 3}};
    a.members = {section(1), section(2), section(3)};
    OutputSection &b = placement.outputs.emplace_back();
    b.items = {{nullptr, 0, 1}, {nullptr, 1, 2}};
    b.members = {section(4), section(5)};
    for (uint32_t n = 1; n < 6; ++n)
      placement.sections[section(n)].output = OutputId(n < 4 ? 0 : 1);
    placement.number();
    placement.laterMatches[section(1)] = {{kNone, 0}, {OutputId(1), 0}};
    placement.laterMatches[section(2)] = {{OutputId(1), 0}};
    placement.possibleMembers[{OutputId(1), 0}] = {section(2), section(4),
                                                   section(1)};
  }
  void move(std::vector<SectionId> list, OutputId from = OutputId(0)) {
    moveOn(program, placement, from, list,
           [&](OutputId id) { changed.push_back(id.index()); });
  }
  const OutputSection &out(uint32_t n) {
    return placement.outputs[OutputId(n)];
  }
  Config config;
  Program program{config};
  Placement placement;
  std::vector<uint32_t> changed;
};

TEST_F(MoveOn, WhoCan) {
  EXPECT_TRUE(canMoveOn(placement, section(1)));
  EXPECT_FALSE(canMoveOn(placement, section(3)));
  move({section(2)});
  EXPECT_FALSE(canMoveOn(placement, section(2))) << "that was the last place";
}

// The others stay in the items that they were in.
TEST_F(MoveOn, Leaves) {
  move({section(1)});
  EXPECT_THAT(out(0).members, ElementsAre(section(2), section(3)));
  EXPECT_EQ(out(0).items[0].begin, 0u);
  EXPECT_EQ(out(0).items[0].end, 1u);
  EXPECT_EQ(out(0).items[1].begin, 1u);
  EXPECT_EQ(out(0).items[1].end, 2u);
}

// "Where it would stand had it been there from the beginning."
TEST_F(MoveOn, Arrives) {
  move({section(1), section(2)});
  EXPECT_THAT(out(1).members,
              ElementsAre(section(2), section(4), section(1), section(5)));
  EXPECT_EQ(out(1).items[0].end, 3u);
  EXPECT_EQ(out(1).items[1].begin, 3u);
  EXPECT_EQ(out(1).items[1].end, 4u);
  EXPECT_EQ(placement.sections[section(1)].output, OutputId(1));
  EXPECT_EQ(placement.sections[section(1)].item, 0u);
  EXPECT_THAT(out(0).members, ElementsAre(section(3)));
}

// "`changed` is called with each output section whose members are others then."
TEST_F(MoveOn, Tells) {
  move({section(1), section(2)});
  EXPECT_THAT(changed, testing::IsSupersetOf({0u, 1u}));
}

// /DISCARD/ may be the next pattern that matches.
TEST_F(MoveOn, ToNowhere) {
  move({section(1)});
  move({section(1)}, OutputId(1));
  EXPECT_TRUE(placement.sections[section(1)].discarded);
  EXPECT_EQ(placement.sections[section(1)].output, kNone);
  EXPECT_THAT(out(1).members, ElementsAre(section(4), section(5)));
  EXPECT_EQ(out(1).items[0].end, 1u);
  EXPECT_FALSE(canMoveOn(placement, section(1)));
}

// To close the gap in front of so many places, for each of them, would take a
// minute and more.
TEST_F(MoveOn, ThroughManyPlaces) {
  constexpr uint32_t count = 300000;
  placement.possibleMembers[{OutputId(0), 0}] = {section(1), section(2),
                                                 section(3)};
  placement.possibleMembers[{OutputId(1), 0}] = {section(3), section(4)};
  auto &places = placement.laterMatches[section(3)];
  for (uint32_t i = 0; i < count; ++i)
    places.push_back({OutputId(i % 2), 0});
  for (uint32_t i = count; i-- > 0;) {
    move({section(3)}, OutputId(1 - i % 2));
    changed.clear();
  }
  EXPECT_FALSE(canMoveOn(placement, section(3)));
  EXPECT_THAT(out(0).members, ElementsAre(section(1), section(2), section(3)));
  EXPECT_THAT(out(1).members, ElementsAre(section(4), section(5)));
}

/// A script in which what `one` has no room for goes to `two`.
struct TwoRegions : testing::Test {
  TwoRegions()
      : h("nyuzi", "MEMORY { one : ORIGIN = 0x1000, LENGTH = 16\n"
                   "two : ORIGIN = 0x8000, LENGTH = 64 }\n"
                   "SECTIONS { .one : { *(.text) } >one "
                   ".two : { *(.text) } >two }") {
    h.config.nonContiguousRegions = true;
    h.file("a.o").section(".text", "ax", 12);
    h.file("b.o").section(".text", "ax", 8);
    h.file("c.o").section(".text", "ax", 2);
    h.place();
    options.spill = true;
  }
  RoundResult run() {
    return runRound(h.partial(), h.info, *h.expressions, h.addresses, options);
  }
  HandLaid h;
  RoundOptions options;
};

// GNU ld: a section that would end behind its region's end moves on, "and all
// behind it in that output section" as well.
TEST_F(TwoRegions, MoveInARound) {
  options.everySection = true; // .two holds nothing yet
  const RoundResult result = run();
  ASSERT_TRUE(result.moved.has_value());
  EXPECT_EQ(result.moved->outputs[h.id(".one")].members.size(), 1u);
  EXPECT_EQ(result.moved->outputs[h.id(".two")].members.size(), 2u);
  EXPECT_EQ(h.placement.outputs[h.id(".one")].members.size(), 3u)
      << "the placement that the round was given is as it was";
  EXPECT_EQ(result.addresses.outputs[h.id(".two")].size, 10u)
      << "which the same round reaches later";
}

// Without leave to move, what has no room overflows.
TEST_F(TwoRegions, StayWithoutLeave) {
  options = {};
  const RoundResult result = run();
  EXPECT_FALSE(result.moved.has_value());
  EXPECT_EQ(result.addresses.outputs[h.id(".one")].size, 22u);
}

// All that fits stays: up to the last byte.
TEST_F(TwoRegions, FullIsNotTooFull) {
  h.contributions.sections[h.program.files[FileId(1)].sectionBase + 1].size = 4;
  h.contributions.sections[h.program.files[FileId(2)].sectionBase + 1].size = 0;
  EXPECT_FALSE(run().moved.has_value());
}

} // namespace
