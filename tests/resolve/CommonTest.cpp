//===- CommonTest.cpp - tentative definitions -----------------------------===//
#include "resolve/Resolving.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

// "The largest size decides; the alignment is the strictest of all."
TEST(Common, LargestSizeStrictestAlignment) {
  for (const bool largeFirst : {false, true}) {
    Resolving r;
    if (largeFirst)
      r.input("large.o").common("c", 24, 4);
    r.input("small.o").common("c", 8, 32);
    if (!largeFirst)
      r.input("large.o").common("c", 24, 4);
    EXPECT_EQ(r.resolve(), "");
    const Symbol &c = r.symbol("c");
    EXPECT_EQ(c.kind, SymbolKind::Common);
    EXPECT_EQ(c.size, 24u);
    EXPECT_EQ(c.value, 32u);
    EXPECT_EQ(r.program.fileName(c.file), "large.o");
  }
}

TEST(Common, ADefinitionWins) {
  for (const bool commonFirst : {false, true}) {
    Resolving r;
    if (commonFirst)
      r.input("c.o").common("c", 8, 4);
    r.input("d.o").section(".data", "aw", 8).define("c");
    if (!commonFirst)
      r.input("c.o").common("c", 8, 4);
    EXPECT_EQ(r.resolve(), "");
    EXPECT_EQ(r.homeOf("c"), "d.o:(.data)");
  }
}

// gABI: "if a common symbol exists, the appearance of a weak symbol with the
// same name will not cause an error. The link editor honors the common
// definition".
TEST(Common, StrongerThanAWeakDefinition) {
  for (const bool commonFirst : {false, true}) {
    Resolving r;
    if (commonFirst)
      r.input("c.o").common("c", 8, 4);
    r.input("w.o").section(".data", "aw", 8).define("c", 0, ELF::STB_WEAK);
    if (!commonFirst)
      r.input("c.o").common("c", 8, 4);
    EXPECT_EQ(r.resolve(), "");
    EXPECT_EQ(r.symbol("c").kind, SymbolKind::Common);
    EXPECT_EQ(r.symbol("c").binding, ELF::STB_GLOBAL);
  }
}

// "An archive member that really defines the name overrides COMMON", another
// tentative definition there does not.
TEST(Common, MembersThatDefineIt) {
  for (const bool offerFirst : {false, true}) {
    Resolving r;
    auto offer = [&] {
      r.lazy("c2.o").common("c", 64, 4);
      r.lazy("d2.o").section(".data", "aw", 8).define("d");
    };
    if (offerFirst)
      offer();
    r.input("a.o").common("c", 8, 4).common("d", 8, 4);
    if (!offerFirst)
      offer();
    EXPECT_EQ(r.resolve(), "");
    EXPECT_EQ(r.fileNames(), "a.o d2.o");
    EXPECT_EQ(r.symbol("c").size, 8u);
    EXPECT_EQ(r.homeOf("d"), "d2.o:(.data)");
  }
}

// Room for it: a section of its file that no file has, without bytes.
TEST(Common, Allocated) {
  Resolving r;
  r.input("a.o").section(".data", "aw", 4).define("d").common("c", 24, 8);
  EXPECT_EQ(r.resolve(), "");
  const SectionId next = r.program.sections.next();
  allocateCommon(r.program, r.diag);
  EXPECT_EQ(r.messages(), "");
  EXPECT_EQ(r.homeOf("c"), "a.o:(COMMON)");
  EXPECT_EQ(r.symbol("c").section, next);
  EXPECT_EQ(r.symbol("c").value, 0u);
  EXPECT_EQ(r.program.sections.size(), next.index() + 1) << "one for one";
  const ParsedSection &p = *r.program.sections[next].parsed;
  EXPECT_TRUE(p.isNoBits());
  EXPECT_EQ(p.flags, sectionFlags("aw"));
  EXPECT_EQ(p.size, 24u);
  EXPECT_EQ(p.align, 8u);
  EXPECT_TRUE(isCommon(r.program.sections[next]));
}

// What the script assigns needs no room, unless from its own value.
TEST(Common, ReplacedByTheScript) {
  Resolving r;
  r.script("a = 1; b = b + 1; PROVIDE(c = 1);");
  r.input("a.o").common("a", 4, 4).common("b", 4, 4).common("c", 4, 4);
  EXPECT_EQ(r.resolve(), "");
  allocateCommon(r.program, r.diag);
  EXPECT_EQ(r.symbol("a").kind, SymbolKind::Common);
  EXPECT_EQ(r.symbol("b").kind, SymbolKind::Defined);
  EXPECT_EQ(r.symbol("c").kind, SymbolKind::Defined);
}

TEST(Common, InhibitedInVain) {
  Resolving r;
  r.script("INHIBIT_COMMON_ALLOCATION");
  r.input("a.o").common("c", 4, 4);
  EXPECT_EQ(r.resolve(), "");
  allocateCommon(r.program, r.diag);
  EXPECT_EQ(r.messages(),
            "xlink: warning: INHIBIT_COMMON_ALLOCATION has no effect: in a "
            "program common symbols need space\n");
  EXPECT_EQ(r.symbol("c").kind, SymbolKind::Defined);
}

/// A member and an object with the same tentative definitions.
uint64_t stepsForCommons(unsigned count, bool lazyFirst) {
  Resolving r;
  if (!lazyFirst)
    r.input("a.o");
  r.lazy("m.o").section(".data", "aw", 4).define("other");
  if (lazyFirst)
    r.input("a.o");
  for (HandObject &object : r.objects)
    for (unsigned i = 0; i < count; ++i)
      object.common("c" + std::to_string(i), 4, 4);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o") << "the member defines none of them";
  return r.steps;
}

// Which names a member defines is looked for once, however many are asked for.
TEST(Common, ManyInAMemberAreLinear) {
  for (const bool lazyFirst : {false, true}) {
    const unsigned count = 100000;
    const uint64_t steps = stepsForCommons(count, lazyFirst);
    EXPECT_GE(steps, count);
    EXPECT_LE(steps, count + 10);
  }
}

} // namespace
