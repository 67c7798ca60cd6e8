//===- PlacementWorkTest.cpp - the cost of many live sections -------------===//
//
// Twice as many sections take twice the work: counted, since time depends on
// the machine.
//
//===----------------------------------------------------------------------===//
#include "sections/MarkLive.h"
#include "support/HandLaid.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Sections of which each refers to something that keeps all of them alive.
template <class Fn> uint64_t stepsToMark(unsigned count, Fn file) {
  HandMade made("nyuzi");
  made.config.gcSections = true;
  file(made.file("a.o").section(".text", "ax", 4).define("_start"), count);
  made.enter();
  made.program.entrySymbol = made.symbolNamed("_start");
  Diagnostics diag;
  const Placement placement = placeSections(made.program, diag);
  const Liveness liveness = markLive(made.program, placement, {});
  for (SectionId id : made.program.sections.ids(2))
    EXPECT_TRUE(liveness.lives(id) || made.program.sections[id].discarded);
  return liveness.steps;
}

TEST(MarkLiveWork, Groups) {
  const unsigned count = 100000;
  const uint64_t steps = stepsToMark(count, [](HandObject &o, unsigned n) {
    o.refer("s0").relocate(0);
    for (unsigned i = 0; i < n; ++i)
      o.section(".text." + std::to_string(i), "ax", 4).define("s" + std::to_string(i));
    o.comdat("group", n);
  });
  EXPECT_EQ(steps, count);
}

TEST(MarkLiveWork, StartsOfSections) {
  const unsigned count = 100000;
  const uint64_t steps = stepsToMark(count, [](HandObject &o, unsigned n) {
    o.refer("__start_set").relocate(0);
    for (unsigned i = 0; i < n; ++i)
      o.section("set", "aw", 4).refer("__stop_set").relocate(0);
  });
  EXPECT_EQ(steps, count);
}

} // namespace
} // namespace xlink::test
