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

/// A group of one section with `count` symbols, and as many old copies of it
/// that have one each.
void resolveCopies(unsigned count, bool groupFirst) {
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
}

// The symbols of a section are listed once: otherwise this takes ages.
TEST(Comdat, ManyLinkOnceSectionsAreLinear) {
  for (const bool groupFirst : {false, true})
    resolveCopies(20000, groupFirst);
}

} // namespace
