//===- ComdatTest.cpp - of equal groups one stays -------------------------===//
#include "resolve/Resolving.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

bool discarded(const Resolving &r, uint32_t file, uint32_t section) {
  return r.program.sections[r.program.files[FileId(file)].sectionBase + section]
      .discarded;
}

// gABI: "the link editor ... retains one of the groups, and discards the
// members of the others"; symbols defined there "must be treated as undefined".
TEST(Comdat, TheFirstStays) {
  Resolving r;
  for (const char *path : {"a.o", "b.o"})
    r.input(path)
        .section(".text.f", "ax", 8)
        .define("f")
        .section(".rodata.f", "a", 8)
        .define("t")
        .comdat("f", 2)
        .section(".text", "ax", 8);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.homeOf("f"), "a.o:(.text.f)");
  EXPECT_EQ(r.homeOf("t"), "a.o:(.rodata.f)");
  EXPECT_FALSE(discarded(r, 0, 1));
  EXPECT_FALSE(discarded(r, 0, 2));
  EXPECT_TRUE(discarded(r, 1, 1));
  EXPECT_TRUE(discarded(r, 1, 2));
  EXPECT_FALSE(discarded(r, 1, 4)) << "is in no group";
  EXPECT_TRUE(r.symbol("f").strongReference)
      << "the second definition is a reference to the first";
}

TEST(Comdat, OtherSignatures) {
  Resolving r;
  r.input("a.o").section(".t", "ax", 8).define("f").comdat("f");
  r.input("b.o").section(".t", "ax", 8).define("g").comdat("g");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_FALSE(discarded(r, 0, 1));
  EXPECT_FALSE(discarded(r, 1, 1));
}

// A group without GRP_COMDAT only says what belongs together.
TEST(Comdat, PlainGroups) {
  Resolving r;
  for (const char *path : {"a.o", "b.o"})
    r.input(path).section(".t", "ax", 8).comdat("f").object->groups[0].comdat =
        false;
  EXPECT_EQ(r.resolve(), "");
  EXPECT_FALSE(discarded(r, 0, 1));
  EXPECT_FALSE(discarded(r, 1, 1));
}

TEST(Comdat, WithinOneFile) {
  Resolving r;
  r.input("a.o")
      .section(".t", "ax", 8)
      .comdat("f")
      .section(".t", "ax", 8)
      .comdat("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_FALSE(discarded(r, 0, 1));
  EXPECT_TRUE(discarded(r, 0, 3));
}

// Of sections .gnu.linkonce.* with one name the first stays, whatever is in
// them.
TEST(Comdat, LinkOnce) {
  Resolving r;
  r.input("a.o").section(".gnu.linkonce.t.f", "ax", 8);
  r.input("b.o").section(".gnu.linkonce.t.f", "ax", 16);
  r.input("c.o").section(".gnu.linkonce.d.f", "aw", 16);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_FALSE(discarded(r, 0, 1));
  EXPECT_TRUE(discarded(r, 1, 1));
  EXPECT_FALSE(discarded(r, 2, 1)) << "another name";
}

// A group of one section and an old compiler's copy of the same: those that
// define the same symbols are copies.
TEST(Comdat, LinkOnceAndGroup) {
  for (const bool groupFirst : {false, true})
    for (const bool same : {false, true}) {
      Resolving r;
      auto group = [&] {
        r.input("g.o").section(".text.f", "ax", 8).define("f").comdat("f");
      };
      if (groupFirst)
        group();
      r.input("l.o")
          .section(".gnu.linkonce.t.f", "ax", 8)
          .define(same ? "f" : "other");
      if (!groupFirst)
        group();
      EXPECT_EQ(r.resolve(), "");
      EXPECT_FALSE(discarded(r, 0, 1)) << "the first stays";
      EXPECT_EQ(discarded(r, 1, 1), same) << groupFirst;
    }
}

// Data of a function that another file's copy stands in for has no use.
TEST(Comdat, LinkOnceReadOnlyData) {
  Resolving r;
  r.input("a.o").section(".gnu.linkonce.t.f", "ax", 8);
  r.input("b.o")
      .section(".gnu.linkonce.t.f", "ax", 8)
      .section(".gnu.linkonce.r.f", "a", 8);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_TRUE(discarded(r, 1, 1));
  EXPECT_TRUE(discarded(r, 1, 2));
}

/// A group of one section with `count` symbols, and as many old copies of it
/// that have one each.
uint64_t stepsForCopies(unsigned count, bool groupFirst) {
  Resolving r;
  auto group = [&] {
    HandObject &g = r.input("g.o").section(".text.f", "ax", 8);
    for (unsigned i = 0; i < count; ++i)
      g.define("g" + std::to_string(i), 0, ELF::STB_WEAK);
    g.comdat("f");
  };
  if (groupFirst)
    group();
  HandObject &copies = r.input("l.o");
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    copies.section(".gnu.linkonce.k" + n + ".f", "ax", 8)
        .define("f" + n, 0, ELF::STB_WEAK);
  }
  if (!groupFirst)
    group();
  EXPECT_EQ(r.resolve(), "");
  EXPECT_FALSE(discarded(r, 0, 1));
  EXPECT_FALSE(discarded(r, 1, 1));
  return r.steps;
}

// "Each answer is looked for once": each symbol of the group and of the copies.
TEST(Comdat, ManyLinkOnceSectionsAreLinear) {
  for (const bool groupFirst : {false, true}) {
    const unsigned count = 20000;
    const uint64_t steps = stepsForCopies(count, groupFirst);
    EXPECT_GE(steps, 2 * count);
    EXPECT_LE(steps, 2 * count + 10);
  }
}

} // namespace
