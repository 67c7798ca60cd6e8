//===- LiveEdgeTest.cpp - why a section lives -----------------------------===//
#include "layout/MarkLive.h"
#include "layout/Placement.h"
#include "support/HandLaid.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(LiveEdge, NamesWhatReferredFirst) {
  HandMade made("nyuzi");
  made.config.gcSections = true;
  made.file("a.o")
      .section(".text.start", "ax", 8)
      .define("_start")
      .refer("helper")
      .relocate(0);
  made.file("b.o")
      .section(".text.helper", "ax", 8)
      .define("helper")
      .section(".text.unused", "ax", 8)
      .define("unused");
  made.enter();
  made.program.entrySymbol = made.symbolNamed("_start");
  Diagnostics diag;
  const Placement placement = placeSections(made.program, diag);
  const Liveness liveness = markLive(made.program, placement, {});
  const SectionId start = made.sectionNamed(".text.start"),
                  helper = made.sectionNamed(".text.helper"),
                  unused = made.sectionNamed(".text.unused");
  EXPECT_EQ(liveness.edges[start].kind, LiveEdge::Root);
  EXPECT_EQ(liveness.edges[start].from, kNone);
  EXPECT_EQ(liveness.edges[helper].kind, LiveEdge::Reference);
  EXPECT_EQ(liveness.edges[helper].from, start);
  EXPECT_EQ(liveness.edges[unused].kind, LiveEdge::None);
  EXPECT_FALSE(liveness.lives(unused));
}

} // namespace
} // namespace xlink::test
