//===- UndefinedTest.cpp - names that nothing defines ---------------------===//
#include "layout/AddressAssignment.h"
#include "layout/Checks.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

struct Undefined : testing::Test {
  Undefined() : h("nyuzi", "SECTIONS { .text : { *(.text) } }") {}
  std::string report() {
    h.lay();
    return again();
  }
  std::string again() {
    reportUndefined(h.link(), computeSymbolValues(h.link()), {}, h.diag);
    return h.messages();
  }
  HandLaid h;
};

TEST_F(Undefined, Place) {
  h.file("a.o").section(".text", "ax", 64).refer("none").relocate(0x1c);
  EXPECT_EQ(report(), "xlink: error: undefined symbol: none\n"
                      ">>> referenced by a.o:(.text+0x1c)\n");
}

// The function around the place, if the file says it.
TEST_F(Undefined, Function) {
  h.file("a.o")
      .section(".text", "ax", 64)
      .define("outer", 0, ELF::STB_GLOBAL, ELF::STT_FUNC)
      .define("label", 0x18)
      .define("inner", 0x10, ELF::STB_LOCAL, ELF::STT_FUNC)
      .refer("none")
      .relocate(8)
      .relocate(0x1c);
  EXPECT_EQ(report(), "xlink: error: undefined symbol: none\n"
                      ">>> referenced by a.o:(.text+0x8) in outer\n"
                      ">>> referenced by a.o:(.text+0x1c) in inner\n");
}

// "At most three references and the count".
TEST_F(Undefined, ManyPlaces) {
  h.file("a.o")
      .section(".text", "ax", 64)
      .refer("none")
      .relocate(0)
      .relocate(4);
  h.file("b.o")
      .section(".text", "ax", 64)
      .refer("none")
      .relocate(8)
      .relocate(12)
      .relocate(16);
  EXPECT_EQ(report(), "xlink: error: undefined symbol: none\n"
                      ">>> referenced by a.o:(.text+0x0)\n"
                      ">>> referenced by a.o:(.text+0x4)\n"
                      ">>> referenced by b.o:(.text+0x8)\n"
                      ">>> referenced 2 more times\n");
}

TEST_F(Undefined, OnePlaceMore) {
  h.file("a.o")
      .section(".text", "ax", 64)
      .refer("none")
      .relocate(0)
      .relocate(4)
      .relocate(8)
      .relocate(12);
  EXPECT_THAT(report(), testing::EndsWith(">>> referenced by a.o:(.text+0x8)\n"
                                          ">>> referenced 1 more time\n"));
}

TEST_F(Undefined, NearSpelling) {
  h.file("a.o").section(".text", "ax", 64).refer("prnit").relocate(0);
  h.file("b.o").section(".text", "ax", 4).define("print");
  EXPECT_EQ(report(), "xlink: error: undefined symbol: prnit\n"
                      ">>> referenced by a.o:(.text+0x0)\n"
                      ">>> did you mean: print\n"
                      ">>> defined in: b.o\n");
}

// "In the order of their first use."
TEST_F(Undefined, SeveralNames) {
  h.file("a.o")
      .section(".text", "ax", 64)
      .refer("first")
      .refer("second")
      .relocate(0)
      .section(".text", "ax", 64)
      .refer("third")
      .relocate(0);
  EXPECT_EQ(report(), "xlink: error: undefined symbol: second\n"
                      ">>> referenced by a.o:(.text+0x0)\n"
                      "xlink: error: undefined symbol: third\n"
                      ">>> referenced by a.o:(.text+0x0)\n")
      << "`first` is named, but not used";
}

TEST_F(Undefined, WeakReferences) {
  h.file("a.o").section(".text", "ax", 4).refer("w", ELF::STB_WEAK).relocate(0);
  EXPECT_EQ(report(), "");
}

// Of a name that others need, weak references are none all the same.
TEST_F(Undefined, WeakAmongOthers) {
  h.file("a.o").section(".text", "ax", 4).refer("w", ELF::STB_WEAK).relocate(0);
  h.file("b.o").section(".text", "ax", 4).refer("w").relocate(0);
  EXPECT_EQ(report(), "xlink: error: undefined symbol: w\n"
                      ">>> referenced by b.o:(.text+0x0)\n");
}

// "Every relocation of a placed section": what is dead needs nothing.
TEST_F(Undefined, DeadSections) {
  h.file("a.o").section(".text", "ax", 64).refer("none").relocate(0);
  h.place();
  h.contributions.liveness.live.assign(h.program.sections.size(), false);
  h.begin();
  h.settle();
  EXPECT_EQ(again(), "");
}

TEST_F(Undefined, DroppedRecords) {
  h.file("a.o")
      .section(".text", "ax", 64)
      .refer("none")
      .relocate(0)
      .relocate(0x20);
  h.lay();
  h.contributions.cuts.push_back({{{0x20, 0x40, 0}}, {}});
  h.contributions.sections[h.sectionNamed(".text")].cut = 0;
  EXPECT_EQ(again(), "xlink: error: undefined symbol: none\n"
                     ">>> referenced by a.o:(.text+0x20)\n");
}

TEST_F(Undefined, AssignedByTheScript) {
  HandLaid s("nyuzi", "SECTIONS { .text : { *(.text) } } a = 1; "
                      "PROVIDE(b = 2);");
  s.file("a.o").section(".text", "ax", 8).refer("a").relocate(0);
  s.file("b.o").section(".text", "ax", 8).refer("b").relocate(0);
  s.lay();
  const SymbolValues values = computeSymbolValues(s.link());
  reportUndefined(s.link(), values, {}, s.diag);
  EXPECT_EQ(s.messages(), "");
  EXPECT_EQ(values.globals[s.symbolNamed("a")], 1u);
  EXPECT_EQ(values.globals[s.symbolNamed("b")], 2u);
}

// --unresolved-symbols and --warn-unresolved-symbols.
TEST_F(Undefined, Policies) {
  h.file("a.o").section(".text", "ax", 64).refer("none").relocate(0);
  h.config.unresolved = UnresolvedPolicy::Warn;
  EXPECT_EQ(report(), "xlink: warning: undefined symbol: none\n"
                      ">>> referenced by a.o:(.text+0x0)\n");
  h.config.unresolved = UnresolvedPolicy::Ignore;
  EXPECT_EQ(again(), "");
}

// What values have: S, 0 of a weak one, nothing where a section is gone.
TEST(SymbolValues, Kinds) {
  HandLaid h("aphelion", "SECTIONS { .text 0x100 : { *(.text) } "
                         "/DISCARD/ : { *(.gone) } }");
  h.file("a.o")
      .section(".text", "ax", 8)
      .define("f", 4)
      .define("local", 6, ELF::STB_LOCAL)
      .refer("weak", ELF::STB_WEAK)
      .refer("none")
      .absolute("n", ~uint64_t(0))
      .section(".gone", "ax", 8)
      .define("gone", 4);
  h.lay();
  const SymbolValues values = computeSymbolValues(h.link());
  struct {
    uint32_t index;
    uint64_t address;
    ValueKind kind;
  } expected[] = {
      {1, 0x104, ValueKind::Normal},        {2, 0x106, ValueKind::Normal},
      {3, 0, ValueKind::UndefinedWeak},     {4, 0, ValueKind::Undefined},
      {5, ~uint64_t(0), ValueKind::Normal}, {6, 0, ValueKind::Discarded}};
  for (const auto &e : expected) {
    EXPECT_EQ(values.address[e.index], e.address) << e.index;
    EXPECT_EQ(values.kind[e.index], e.kind) << e.index;
  }
}

} // namespace
