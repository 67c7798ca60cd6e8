//===- ContributionsTest.cpp - which bytes of an input are where ----------===//
#include "model/Link.h"
#include "support/HandMade.h"
#include <random>

using namespace xlink;
using namespace xlink::test;

namespace {

/// [0x10, 0x20) stands at 0, [0x20, 0x28) of another record directly behind it,
/// [0x40, 0x50) at 0x20.
CutSection cut() {
  return {{{0x10, 0x20, 0}, {0x20, 0x28, 0x10}, {0x40, 0x50, 0x20}}, {}};
}

// "The range that holds the input's byte, or null."
TEST(CutSection, Find) {
  const CutSection c = cut();
  EXPECT_EQ(c.find(0), nullptr);
  EXPECT_EQ(c.find(0xf), nullptr);
  EXPECT_EQ(c.find(0x10), &c.kept[0]);
  EXPECT_EQ(c.find(0x1f), &c.kept[0]);
  EXPECT_EQ(c.find(0x20), &c.kept[1]);
  EXPECT_EQ(c.find(0x28), nullptr);
  EXPECT_EQ(c.find(0x3f), nullptr);
  EXPECT_EQ(c.find(0x4f), &c.kept[2]);
  EXPECT_EQ(c.find(0x50), nullptr);
  EXPECT_EQ(CutSection().find(0), nullptr);
}

// "Where the input's byte is; of a dropped one, what follows it." Behind a kept
// range stands the end of that range, which is where the next one could begin.
TEST(CutSection, OffsetOf) {
  const CutSection c = cut();
  EXPECT_EQ(c.offsetOf(0), 0u);
  EXPECT_EQ(c.offsetOf(0x10), 0u);
  EXPECT_EQ(c.offsetOf(0x14), 4u);
  EXPECT_EQ(c.offsetOf(0x20), 0x10u);
  EXPECT_EQ(c.offsetOf(0x27), 0x17u);
  EXPECT_EQ(c.offsetOf(0x30), 0x18u);
  EXPECT_EQ(c.offsetOf(0x40), 0x20u);
  EXPECT_EQ(c.offsetOf(0x48), 0x28u);
  EXPECT_EQ(c.offsetOf(0x1000), 0x30u);
  EXPECT_EQ(CutSection().offsetOf(0x10), 0u);
}

/// Sections of 16 bytes: one as it is, one of which only [8, 16) stays, and two
/// that are merged.
struct WhereIs : testing::Test {
  WhereIs() {
    made.file("a.o")
        .section(".plain", "a", 16)
        .section(".cut", "a", 16)
        .section(".m1", "aM", 16)
        .section(".m2", "aM", 16);
    made.enter();
    contributions.sections.resize(made.program.sections.size());
    placement.sections.resize(made.program.sections.size());
    placement.outputs.emplace_back();
    for (SectionId id : made.program.sections.ids(2)) {
      contributions.sections[id].size = 16;
      placement.sections[id].output = OutputId(0);
    }
    plain = made.sectionNamed(".plain");
    cutOne = made.sectionNamed(".cut");
    m1 = made.sectionNamed(".m1");
    m2 = made.sectionNamed(".m2");
    contributions.cuts.push_back({{{8, 16, 0}}, {}});
    contributions.sections[cutOne].cut = 0;
    contributions.sections[cutOne].size = 8;
    merge();
  }
  /// Pieces of 8 bytes. Of m1 the second moved to the front; the first of m2 is
  /// equal to it; the second of m2 is nowhere.
  void merge() {
    MergeGroup &group = contributions.merges.emplace_back();
    group.entsize = 8;
    group.members = {m1, m2};
    group.places = {{0, 0}, {0, 8}};
    group.inputs = {{{0, 8}, {1, 0}, {}}, {{0, 8}, {0, kNone}, {}}};
    contributions.sections[m1].merge = contributions.sections[m2].merge = 0;
    contributions.sections[m2].mergeIndex = 1;
    contributions.sections[m2].size = 0;
  }
  /// The section and the offset in it, or nothing.
  std::optional<std::pair<SectionId, uint64_t>> at(SectionId id,
                                                   uint64_t offset) const {
    const PartialLink partial{made.program, placement, contributions};
    auto byte = partial.whereIs(id, offset);
    if (!byte)
      return std::nullopt;
    return std::pair(byte->section, byte->offset);
  }
  static auto place(SectionId id, uint64_t offset) {
    return std::optional(std::pair(id, offset));
  }

  HandMade made;
  Placement placement;
  Contributions contributions;
  SectionId plain, cutOne, m1, m2;
};

TEST_F(WhereIs, WholeSectionsAreWhereTheyWere) {
  EXPECT_EQ(at(plain, 0), place(plain, 0));
  EXPECT_EQ(at(plain, 16), place(plain, 16)) << "its end has a place too";
}

TEST_F(WhereIs, CutSections) {
  EXPECT_EQ(at(cutOne, 8), place(cutOne, 0));
  EXPECT_EQ(at(cutOne, 12), place(cutOne, 4));
  EXPECT_EQ(at(cutOne, 16), place(cutOne, 8));
  const PartialLink partial{made.program, placement, contributions};
  EXPECT_FALSE(partial.keepsByte(cutOne, 7));
  EXPECT_TRUE(partial.keepsByte(cutOne, 8));
  EXPECT_TRUE(partial.keepsByte(plain, 7));
}

TEST_F(WhereIs, MergedPieces) {
  EXPECT_EQ(at(m1, 0), place(m1, 8));
  EXPECT_EQ(at(m1, 3), place(m1, 11)) << "in the middle of a piece";
  EXPECT_EQ(at(m1, 8), place(m1, 0));
  EXPECT_EQ(at(m2, 5), place(m1, 5)) << "in another section";
}

/// The piece of each byte of a section, whose pieces are as long as given:
/// pieces stand in the output behind each other in reverse order.
void expectPieces(const std::vector<uint32_t> &lengths) {
  HandMade made;
  uint64_t size = 0;
  MergeGroup group;
  group.entsize = 1;
  MergedInput &input = group.inputs.emplace_back();
  for (uint32_t length : lengths) {
    input.starts.push_back(uint32_t(size));
    input.places.push_back(uint32_t(group.places.size()));
    group.places.push_back({0, 0});
    size += length;
  }
  uint32_t behind = 0;
  for (size_t i = lengths.size(); i-- > 0; behind += lengths[i])
    group.places[i].offset = behind;
  made.file("a.o").section(".m", "aM", size);
  made.enter();
  const SectionId id = made.sectionNamed(".m");
  group.members = {id};
  Placement placement;
  Contributions contributions;
  contributions.sections.resize(made.program.sections.size());
  contributions.sections[id].merge = 0;
  contributions.sections[id].size = size;
  contributions.merges.push_back(std::move(group));
  const PartialLink partial{made.program, placement, contributions};
  for (size_t i = 0; i < lengths.size(); ++i)
    for (uint32_t within : {0u, lengths[i] / 2, lengths[i] - 1}) {
      const MergeGroup &merged = contributions.merges[0];
      const auto byte =
          partial.whereIs(id, merged.inputs[0].starts[i] + within);
      ASSERT_TRUE(byte);
      ASSERT_EQ(byte->offset, merged.places[i].offset + within)
          << "piece " << i << " of " << lengths.size();
    }
}

// The search begins where a piece would be if all were of one length.
TEST(MergedPieces, OfOneLength) {
  for (size_t count : {1, 2, 3, 15, 16, 17, 33, 1000})
    expectPieces(std::vector<uint32_t>(count, 8));
}

TEST(MergedPieces, OfAnyLengths) {
  std::mt19937 random(1);
  for (size_t count : {1, 2, 5, 31, 64, 300, 2000})
    for (uint32_t most : {2u, 30u, 5000u}) {
      std::vector<uint32_t> lengths;
      for (size_t i = 0; i < count; ++i)
        lengths.push_back(1 + random() % most);
      expectPieces(lengths);
    }
}

// As far as it can be from there: all but one are short.
TEST(MergedPieces, BesideAVeryLongOne) {
  for (size_t at : {0, 1, 500, 998, 999}) {
    std::vector<uint32_t> lengths(1000, 1);
    lengths[at] = 3'000'000;
    expectPieces(lengths);
  }
}

TEST_F(WhereIs, DeadPieces) {
  EXPECT_EQ(at(m2, 8), std::nullopt);
  const PartialLink partial{made.program, placement, contributions};
  EXPECT_TRUE(partial.isDeadPiece(m2, 8));
  EXPECT_FALSE(partial.isDeadPiece(m2, 0));
  EXPECT_FALSE(partial.isDeadPiece(plain, 8));
}

// What lies behind a merged section lies behind what is left of it.
TEST_F(WhereIs, BehindAMergedSection) {
  EXPECT_EQ(at(m1, 16), place(m1, 16));
  EXPECT_EQ(at(m1, 20), place(m1, 20));
  EXPECT_EQ(at(m2, 16), place(m2, 0));
  EXPECT_EQ(at(m2, 18), place(m2, 2));
}

// A run of zeros is one empty string, whichever of its bytes is meant.
TEST_F(WhereIs, RunsOfZeros) {
  contributions.merges[0].entsize = 1;
  contributions.merges[0].inputs[0].zeros = {1};
  EXPECT_EQ(at(m1, 8), place(m1, 0));
  EXPECT_EQ(at(m1, 13), place(m1, 0));
  EXPECT_EQ(at(m1, 5), place(m1, 13)) << "the other piece is no such run";
  contributions.merges[0].entsize = 2;
  EXPECT_EQ(at(m1, 13), place(m1, 1)) << "its second byte of two";
}

// Placed is what has an output section, lives and was not discarded.
TEST_F(WhereIs, Placed) {
  const PartialLink partial{made.program, placement, contributions};
  EXPECT_TRUE(partial.placed(plain));
  EXPECT_FALSE(partial.placed(SectionId(0)));
  placement.sections[plain].discarded = true;
  EXPECT_FALSE(partial.placed(plain));
  placement.sections[plain].discarded = false;
  contributions.liveness.live.assign(made.program.sections.size(), false);
  EXPECT_FALSE(partial.placed(plain));
  contributions.liveness.live[plain.index()] = true;
  EXPECT_TRUE(partial.placed(plain));
}

} // namespace
