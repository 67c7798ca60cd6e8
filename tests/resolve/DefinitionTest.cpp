//===- DefinitionTest.cpp - one definition for each name ------------------===//
//
// The gABI's rules ("Symbol Binding", "Symbol Visibility"), on objects that no
// file was read for.
//
//===----------------------------------------------------------------------===//
#include "resolve/Resolving.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

// gABI: "the link editor does not allow multiple definitions of STB_GLOBAL
// symbols with the same name".
TEST(Definition, Two) {
  Resolving r;
  r.input("a.o").section(".text", "ax", 8).define("f");
  r.input("b.o").section(".text", "ax", 8).define("f", 4);
  EXPECT_EQ(r.resolve(), "xlink: error: duplicate symbol: f\n"
                         ">>> defined in a.o:(.text+0x0)\n"
                         ">>> defined in b.o:(.text+0x4)\n");
  EXPECT_EQ(r.homeOf("f"), "a.o:(.text)");
}

TEST(Definition, TwoOfOtherKinds) {
  Resolving r;
  r.input("a.o").absolute("n", 0x10);
  r.input("b.o").absolute("n", 0x11);
  r.input("c.o").section(".data", "aw", 4).define("n");
  EXPECT_EQ(r.resolve(), "xlink: error: duplicate symbol: n\n"
                         ">>> defined in a.o:(*ABS*, value 0x10)\n"
                         ">>> defined in b.o:(*ABS*, value 0x11)\n"
                         "xlink: error: duplicate symbol: n\n"
                         ">>> defined in a.o:(*ABS*, value 0x10)\n"
                         ">>> defined in c.o:(.data+0x0)\n");
}

// Two equal absolute symbols say the same thing (GNU ld, lld).
TEST(Definition, TwoEqualNumbers) {
  Resolving r;
  r.input("a.o").absolute("n", 0x10);
  r.input("b.o").absolute("n", 0x10);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.symbol("n").kind, SymbolKind::Absolute);
  EXPECT_EQ(r.symbol("n").value, 0x10u);
}

TEST(Definition, TwoAreAllowed) {
  Resolving r;
  r.config.allowMultipleDefinition = true;
  r.input("a.o").section(".text", "ax", 8).define("f");
  r.input("b.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.homeOf("f"), "a.o:(.text)");
}

// The script's own definition replaces both.
TEST(Definition, TwoBehindAScript) {
  Resolving r;
  r.script("f = 0;");
  r.input("a.o").section(".text", "ax", 8).define("f");
  r.input("b.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_TRUE(r.symbol("f").scriptDefined);
}

// Local names of two files are two things.
TEST(Definition, Local) {
  Resolving r;
  r.input("a.o").section(".text", "ax", 8).define("f", 0, ELF::STB_LOCAL);
  r.input("b.o").section(".text", "ax", 8).define("f", 0, ELF::STB_LOCAL);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.program.symbols.find("f"), kNone);
  EXPECT_EQ(r.program.symbolIds[1], kNone);
}

// gABI: "if a defined global symbol exists, the appearance of a weak symbol
// with the same name will not cause an error. The link editor honors the global
// definition and ignores the weak ones."
TEST(Definition, StrongAndWeak) {
  for (const bool weakFirst : {false, true}) {
    Resolving r;
    auto weak = [&] {
      r.input("weak.o").section(".text", "ax", 8).define("f", 0, ELF::STB_WEAK);
    };
    if (weakFirst)
      weak();
    r.input("strong.o").section(".text", "ax", 8).define("f", 4);
    if (!weakFirst)
      weak();
    EXPECT_EQ(r.resolve(), "");
    EXPECT_EQ(r.homeOf("f"), "strong.o:(.text)");
    EXPECT_EQ(r.symbol("f").value, 4u);
    EXPECT_EQ(r.symbol("f").binding, ELF::STB_GLOBAL);
  }
}

TEST(Definition, TwoWeakOnes) {
  Resolving r;
  r.input("a.o").section(".text", "ax", 8).define("f", 0, ELF::STB_WEAK);
  r.input("b.o").section(".text", "ax", 8).define("f", 0, ELF::STB_WEAK);
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.homeOf("f"), "a.o:(.text)");
}

// Of an undefined name: weak if all references are.
TEST(Definition, References) {
  Resolving r;
  r.input("a.o").refer("w", ELF::STB_WEAK).refer("s", ELF::STB_WEAK);
  r.input("b.o").refer("w", ELF::STB_WEAK).refer("s");
  EXPECT_EQ(r.resolve(), "") << "undefined names are layout's to report";
  EXPECT_EQ(r.symbol("w").binding, ELF::STB_WEAK);
  EXPECT_FALSE(r.symbol("w").strongReference);
  EXPECT_EQ(r.symbol("s").binding, ELF::STB_GLOBAL);
  EXPECT_TRUE(r.symbol("s").strongReference);
  EXPECT_EQ(r.symbol("s").file, FileId(0)) << "of the first reference";
}

// gABI: the most constraining visibility holds, wherever it is said: internal,
// hidden, protected, default.
TEST(Definition, Visibility) {
  auto merged = [](uint8_t a, uint8_t b) {
    Resolving r;
    HandObject &x = r.input("a.o").section(".text", "ax", 8).define("f");
    HandObject &y = r.input("b.o").refer("f");
    x.object->symbols[1].visibility = a;
    y.object->symbols[1].visibility = b;
    EXPECT_EQ(r.resolve(), "");
    return r.symbol("f").visibility;
  };
  const uint8_t order[] = {ELF::STV_INTERNAL, ELF::STV_HIDDEN,
                           ELF::STV_PROTECTED, ELF::STV_DEFAULT};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j)
      EXPECT_EQ(merged(order[i], order[j]), order[std::min(i, j)])
          << i << " " << j;
}

// An undefined symbol has the place of its first reference.
TEST(Definition, FirstReference) {
  Resolving r;
  r.config.undefined = {"asked"};
  r.input("a.o").refer("a").refer("b");
  r.input("b.o").refer("b").refer("c").section(".text", "ax", 8).define("a");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_TRUE(r.symbol("b").file == FileId(0));
  EXPECT_EQ(r.symbol("b").index, 2u);
  EXPECT_TRUE(r.symbol("c").file == FileId(1));
  EXPECT_EQ(r.symbol("c").index, 2u);
  EXPECT_TRUE(r.symbol("asked").file == kNone);
}

TEST(Definition, Required) {
  Resolving r;
  r.config.requireDefined = {"f", "g", "s"};
  r.script("s = 0;");
  r.input("a.o").section(".text", "ax", 8).define("f");
  EXPECT_EQ(r.resolve(), "xlink: error: required symbol not defined: g\n");
}

} // namespace
