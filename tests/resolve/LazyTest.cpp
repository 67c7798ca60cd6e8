//===- LazyTest.cpp - what joins only when something needs it -------------===//
#include "resolve/Resolving.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

TEST(Lazy, StrongReferencesPull) {
  Resolving r;
  r.input("a.o").refer("f");
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  r.lazy("g.o").section(".text", "ax", 8).define("g");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o f.o");
  EXPECT_EQ(r.homeOf("f"), "f.o:(.text)");
}

// gABI: "The link editor does not extract archive members to resolve undefined
// weak symbols."
TEST(Lazy, WeakReferencesDoNot) {
  Resolving r;
  r.input("a.o").refer("f", ELF::STB_WEAK);
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o");
  EXPECT_EQ(r.symbol("f").kind, SymbolKind::Undefined);
  EXPECT_EQ(r.symbol("f").binding, ELF::STB_WEAK);
}

// "An archive's offers stay in force for all later inputs."
TEST(Lazy, OffersStayInForce) {
  Resolving r;
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  r.input("a.o").refer("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o f.o");
}

TEST(Lazy, TheFirstOfferStands) {
  Resolving r;
  r.lazy("1.o").section(".text", "ax", 8).define("f");
  r.lazy("2.o").section(".text", "ax", 8).define("f");
  r.input("a.o").refer("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.homeOf("f"), "1.o:(.text)");
}

TEST(Lazy, ADefinitionNeedsNoOffer) {
  Resolving r;
  r.input("a.o").section(".text", "ax", 8).define("f").refer("f");
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o");
}

// "Depth first": what a member needs comes before the rest of who asked.
TEST(Lazy, DepthFirst) {
  Resolving r;
  r.lazy("1.o").section(".text", "ax", 8).define("f").refer("h");
  r.lazy("2.o").section(".text", "ax", 8).define("g");
  r.lazy("3.o").section(".text", "ax", 8).define("h");
  r.input("a.o").refer("f").refer("g");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o 1.o 3.o 2.o");
}

// A chain as long as an archive can be, on an explicit stack.
TEST(Lazy, LongChain) {
  Resolving r;
  const unsigned length = 20000;
  for (unsigned i = 0; i < length; ++i)
    r.lazy("m.o")
        .section(".t", "ax", 4)
        .define("f" + std::to_string(i))
        .refer("f" + std::to_string(i + 1));
  r.input("a.o").refer("f0");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.program.files.size(), length + 1);
}

TEST(Lazy, OptionsAndScriptsPull) {
  Resolving r;
  r.config.undefined = {"u"};
  r.config.entry = "e";
  r.script("EXTERN(x) s = read; PROVIDE(nobody = unread);");
  for (const char *name : {"u", "e", "x", "read", "unread", "nobody"})
    r.lazy(std::string(name) + ".o").section(".t", "ax", 4).define(name);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_THAT(r.fileNames(), "u.o e.o x.o read.o");
  EXPECT_EQ(r.program.entrySymbol, r.symbolNamed("e"));
}

// "It counts as defined, so it pulls no archive member."
TEST(Lazy, AssignedNamesDoNotPull) {
  Resolving r;
  r.script("f = 0;");
  r.input("a.o").refer("f");
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o");
}

// "PROVIDE is different: it steps back for any definition", also for one that
// has to be pulled.
TEST(Lazy, ProvidedNamesPull) {
  Resolving r;
  r.script("PROVIDE(f = 0);");
  r.input("a.o").refer("f");
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o f.o");
}

// Names that only link-time expressions mention are no reason.
TEST(Lazy, ExpressionsDoNotPull) {
  Resolving r;
  HandObject &a = r.input("a.o").refer("f");
  a.object->symbols[1].expressionOnly = true;
  r.lazy("f.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o");
  EXPECT_FALSE(r.symbol("f").referenced);
}

} // namespace
