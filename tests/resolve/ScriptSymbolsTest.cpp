//===- ScriptSymbolsTest.cpp - names that scripts assign and read ---------===//
#include "resolve/ScriptSymbols.h"
#include "resolve/Resolving.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::ElementsAre;

namespace {

/// "x: a b; -: c": what PROVIDEs x reads a and b, then something reads c.
std::string readsOf(std::string text) {
  Resolving r;
  r.script(std::move(text));
  std::string result;
  for (const ScriptReads &reads : readsOfScript(r.program)) {
    result +=
        (result.empty() ? "" : "; ") + reads.provides.value_or("-").str() + ":";
    for (StringRef name : reads.names)
      result += " " + name.str();
  }
  return result;
}

TEST(ScriptReads, Statements) {
  EXPECT_EQ(readsOf("a = b + c * 2;"), "-: b c");
  EXPECT_EQ(readsOf("a = 1; b = a;"), "-: a") << "the first reads nothing";
  EXPECT_EQ(readsOf("a += b;"), "-: a b");
  EXPECT_EQ(readsOf("PROVIDE(a = b); PROVIDE_HIDDEN(c = d);"), "a: b; c: d");
  EXPECT_EQ(readsOf("ASSERT(x > y, \"no\")"), "-: x y");
}

// DEFINED(name) asks for a definition, not for the value; sections and regions
// are no symbols.
TEST(ScriptReads, OnlyValues) {
  EXPECT_EQ(readsOf("a = DEFINED(b) ? c : d;"), "-: c d");
  EXPECT_EQ(readsOf("SECTIONS { .t : {} a = ADDR(.t) + b; }"), "-: b");
}

// Everything that stands in an output section, in the order of the script; the
// section's own expressions first.
TEST(ScriptReads, Sections) {
  EXPECT_EQ(readsOf("SECTIONS { .t a : AT(b) ALIGN(c) SUBALIGN(d) { . = . + e; "
                    "BYTE(f) g = h; } =i }"),
            "-: a b c d i; -: e; -: f; -: h");
}

TEST(ScriptReads, RegionsComeLast) {
  EXPECT_EQ(readsOf("MEMORY { m : ORIGIN = o, LENGTH = l } a = b;"),
            "-: b; -: o l");
}

TEST(ScriptReads, NeededProvides) {
  Resolving r;
  r.script("PROVIDE(a = x); PROVIDE(b = y); PROVIDE(c = z); d = 1 + a;");
  r.input("a.o").refer("b").section(".t", "ax", 4).define("c").refer("c");
  EXPECT_EQ(r.resolve(), "");
  // a: d reads it. b: a.o refers to it. c has a definition.
  EXPECT_THAT(symbolsReadByScript(r.program), ElementsAre("x", "y", "a"));
}

/// PROVIDE(p0 = p1 + 1) ... in either order.
std::string chain(unsigned length, bool forwards) {
  std::string text = "EXTERN(p0)\n";
  for (unsigned i = 0; i < length; ++i) {
    const unsigned n = forwards ? i : length - 1 - i;
    text += "PROVIDE(p" + std::to_string(n) + " = p" + std::to_string(n + 1) +
            " + 1);\n";
  }
  return text;
}

// A wave reaches all that the one before has found needed.
TEST(ProvideChain, AllLinksAreNeeded) {
  for (const bool forwards : {false, true}) {
    Resolving r;
    r.script(chain(100, forwards) + "PROVIDE(other = unread);");
    r.lazy("end.o").section(".t", "ax", 4).define("p100");
    r.lazy("no.o").section(".t", "ax", 4).define("unread");
    r.input("a.o").section(".t", "ax", 4);
    EXPECT_EQ(r.resolve(), "");
    EXPECT_EQ(r.fileNames(), "a.o end.o");
    EXPECT_TRUE(r.symbol("p100").referenced);
  }
}

// A member that comes in at the end of one chain can begin another; a PROVIDE
// of what a member defines needs nothing.
TEST(ProvideChain, ThroughMembers) {
  Resolving r;
  r.script("EXTERN(a) PROVIDE(a = b); PROVIDE(c = d); PROVIDE(e = f);");
  r.lazy("b.o").section(".t", "ax", 4).define("b").refer("c").refer("e");
  r.lazy("d.o").section(".t", "ax", 4).define("d").define("e");
  r.lazy("f.o").section(".t", "ax", 4).define("f");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "b.o d.o");
}

// Marked before anything is resolved: what a script assigns counts as defined;
// PROVIDE waits.
TEST(ScriptSymbols, Declared) {
  Resolving r;
  r.script("a = 1; PROVIDE(b = 1); HIDDEN(c = 1); PROVIDE_HIDDEN(d = 1);");
  r.input("a.o").section(".t", "ax", 4).define("b").define("d");
  EXPECT_EQ(r.resolve(), "");
  declareScriptSymbols(r.program);
  EXPECT_TRUE(r.symbol("a").scriptDefined);
  EXPECT_FALSE(r.symbol("b").scriptDefined);
  EXPECT_TRUE(r.symbol("c").scriptDefined);
  EXPECT_TRUE(r.symbol("c").hidden);
  // PROVIDE_HIDDEN hides also the definition that it gives way to (GNU ld).
  EXPECT_FALSE(r.symbol("d").scriptDefined);
  EXPECT_TRUE(r.symbol("d").hidden);
  EXPECT_FALSE(r.symbol("b").hidden);
}

// Every name that layout may give a value has a slot, and no other.
TEST(ScriptSymbols, Slots) {
  Resolving r;
  r.script("a = input; SECTIONS { .t : { PROVIDE(b = .); . = 4; } }");
  r.input("a.o")
      .section(".t", "ax", 4)
      .define("input")
      .define("__start_own")
      .refer("__start_t")
      .refer("__stop_t")
      .refer("other");
  EXPECT_EQ(r.resolve(), "");
  declareAssignedNames(r.program);
  for (const char *name : {"a", "b", "__start_t", "__stop_t"})
    EXPECT_NE(r.symbol(name).slot, kNone) << name;
  for (const char *name : {"input", "other", "__start_own"})
    EXPECT_EQ(r.symbol(name).slot, kNone) << name;
  EXPECT_EQ(r.program.symbols.find("."), kNone);
  const uint32_t slots = r.program.slotCount();
  declareAssignedNames(r.program);
  EXPECT_EQ(r.program.slotCount(), slots) << "once is enough";
}

// "The base exists for relocations that subtract it, referenced or not."
TEST(ScriptSymbols, BaseSymbolsHaveSlots) {
  HandMade made("xs1");
  ASSERT_FALSE(made.program.target->baseSymbols.empty());
  declareAssignedNames(made.program);
  for (const BaseSymbol &base : made.program.target->baseSymbols)
    EXPECT_NE(made.program.symbols[made.symbolNamed(base.name)].slot, kNone);
}

TEST(ScriptSymbols, ReplacedNames) {
  Resolving r;
  r.script("a = 1; b = b + 1; PROVIDE(c = 1); SECTIONS { .t : { d = .; } }");
  const StringSet<> names = namesReplacedByScript(r.program);
  EXPECT_TRUE(names.contains("a"));
  EXPECT_FALSE(names.contains("b"));
  EXPECT_FALSE(names.contains("c"));
  EXPECT_TRUE(names.contains("d"));
}

// Numbers of options are hexadecimal without 0x, expressions all the same.
TEST(ScriptSymbols, OptionAddresses) {
  Resolving r;
  r.config.imageBase = "100";
  r.config.sectionStart = {{".data", "1000+x", "--section-start"}};
  parseOptionAddresses(r.program, r.diag);
  EXPECT_EQ(r.messages(), "");
  EXPECT_EQ(r.program.options.textSegment->number, 0x100u);
  ASSERT_EQ(r.program.options.starts.size(), 1u);
  EXPECT_EQ(r.program.options.starts[0]->kind, ExprKind::Add);
  EXPECT_EQ(r.program.options.starts[0]->args[0]->number, 0x1000u);
  // -Ttext-segment goes before --image-base.
  r.config.textSegment = "200";
  r.program.options = {};
  parseOptionAddresses(r.program, r.diag);
  EXPECT_EQ(r.program.options.textSegment->number, 0x200u);
}

std::vector<uint32_t> matches(SymbolTable &symbols,
                              const std::vector<std::string> &patterns,
                              const char *add = nullptr) {
  std::vector<uint32_t> ids;
  forEachMatch(symbols, patterns, [&](SymbolId id) {
    ids.push_back(id.index());
    if (add)
      symbols.insert(add);
  });
  return ids;
}

// Pattern by pattern, in the order of the table.
TEST(SymbolGlobs, Match) {
  SymbolTable symbols;
  for (const char *name : {"a1", "b", "a2", "a*"})
    symbols.insert(name);
  EXPECT_THAT(matches(symbols, {"b", "a?", "a\\*", "c"}),
              ElementsAre(1, 0, 2, 3, 3));
}

// What joins the link because of a pattern counts for the next ones.
TEST(SymbolGlobs, NamesThatCome) {
  SymbolTable symbols;
  for (const char *name : {"a1", "a2"})
    symbols.insert(name);
  EXPECT_THAT(matches(symbols, {"a*", "a*"}, "a0"), ElementsAre(0, 1, 0, 1, 2));
}

} // namespace
