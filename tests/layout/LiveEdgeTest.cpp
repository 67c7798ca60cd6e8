//===- LiveEdgeTest.cpp - why a section lives -----------------------------===//
#include "placement/Placement.h"
#include "sections/LiveGraph.h"
#include "support/HandLaid.h"
#include <algorithm>

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

// The fewest references, then the referring section that stands first, whatever
// the order in which they were found.
TEST(LiveEdge, IsTheFirstOfTheShortestWays) {
  HandMade made("nyuzi");
  made.config.gcSections = true;
  made.file("a.o")
      .section(".text.deep", "ax", 8)
      .define("deep")
      .refer("target")
      .relocate(0)
      .section(".text.first", "ax", 8)
      .define("first")
      .refer("target")
      .relocate(0);
  made.file("b.o")
      .section(".text.second", "ax", 8)
      .define("second")
      .refer("deep")
      .relocate(0)
      .refer("target")
      .relocate(4);
  made.file("c.o")
      .section(".text.target", "ax", 8)
      .define("target")
      .section(".text.start", "ax", 8)
      .define("_start")
      .refer("second")
      .relocate(0)
      .refer("first")
      .relocate(4);
  made.enter();
  made.program.entrySymbol = made.symbolNamed("_start");
  const Placement placement = placeSections(made.program, made.diag);
  const Liveness liveness = markLive(made.program, placement, {});
  EXPECT_EQ(liveness.edges[made.sectionNamed(".text.target")].from,
            made.sectionNamed(".text.first"));
  EXPECT_EQ(liveness.edges[made.sectionNamed(".text.deep")].from,
            made.sectionNamed(".text.second"));
}

/// 8,000 functions, of which each refers to three others, so that all are
/// reached in a few steps; some to tables by their bounds, some to strings, and
/// some in groups.
void manyFunctions(HandMade &made) {
  constexpr unsigned files = 80, each = 100, count = files * each;
  auto name = [](unsigned i) { return "f" + std::to_string(i % count); };
  for (unsigned f = 0; f < files; ++f) {
    HandObject &file = made.file("o" + std::to_string(f) + ".o");
    for (unsigned i = f * each; i < (f + 1) * each; ++i) {
      file.section(".text." + name(i), "ax", 32).define(name(i));
      for (unsigned r = 0; r < 3; ++r)
        file.refer(name(i * 3 + r + 1)).relocate(4 * r);
      if (i % 50 == 0)
        file.refer("__start_table" + std::to_string(i % 1000)).relocate(12);
      if (i % 9 == 0)
        file.refer("text" + std::to_string(f * 7 % files)).relocate(16);
      if (i % 10 == 5)
        file.comdat("group" + std::to_string(i), 3);
    }
    file.section("table" + std::to_string(f * 50), "a", 8)
        .section(".rodata.str", "aMS", 64)
        .define("text" + std::to_string(f), f % 8);
  }
}

TEST(LiveEdge, AreTheSameForAnyNumberOfThreads) {
  HandMade made("nyuzi");
  made.config.gcSections = true;
  manyFunctions(made);
  made.enter();
  made.program.entrySymbol = made.symbolNamed("f0");
  const Placement placement = placeSections(made.program, made.diag);
  made.program.parallel = Parallel(1);
  const Liveness one = markLive(made.program, placement, {});
  const auto living = std::count(one.live.begin(), one.live.end(), true);
  EXPECT_GT(living, 4000);
  EXPECT_LT(size_t(living), one.live.size());
  EXPECT_FALSE(one.livePieces.empty());
  for (unsigned threads : {2, 3, 8}) {
    made.program.parallel = Parallel(threads);
    const Liveness many = markLive(made.program, placement, {});
    EXPECT_TRUE(many.live == one.live);
    EXPECT_EQ(many.livePieces.size(), one.livePieces.size());
    for (const auto &[id, offsets] : one.livePieces)
      EXPECT_EQ(many.livePieces.lookup(id), offsets);
    for (SectionId id : made.program.sections.ids(1))
      ASSERT_TRUE(many.edges[id].kind == one.edges[id].kind &&
                  many.edges[id].from == one.edges[id].from)
          << id.index();
  }
}

} // namespace
} // namespace xlink::test
