//===- CommonTest.cpp - tentative definitions -----------------------------===//
#include "resolve/Resolving.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

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

/// A member and an object with the same tentative definitions.
void resolveCommons(unsigned count, bool lazyFirst) {
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
}

// The names that a member defines are listed once: otherwise this takes ages.
TEST(Common, ManyInAMemberAreLinear) {
  for (const bool lazyFirst : {false, true})
    resolveCommons(100000, lazyFirst);
}

} // namespace
