//===- XS1BlocksTest.cpp - ranges of sections that may go -----------------===//
//
// Older XS1 compilers put all functions into one .text and say in .expr which
// ranges of it, and of what describes it, may be left out: operator 33 (what
// lies between two labels lives with a symbol), 34 (a label's alignment and the
// padding before it), 41 (lives with another symbol), 43 (belongs to a block).
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Operands of an expression: a number, or a symbol by its index.
struct Sym {
  uint32_t index;
};
struct Operand {
  Operand(uint32_t constant) : kind(0), value(constant) {}
  Operand(Sym symbol) : kind(1), value(symbol.index) {}
  uint32_t kind, value;
};

/// One entry of .expr in hex.
std::string entry(uint32_t op, Sym result, Operand a, Operand b = 0u,
                  Operand c = 0u) {
  Bytes bytes(20);
  poke(bytes, 0, op << 6 | a.kind | b.kind << 2 | c.kind << 4, 4);
  poke(bytes, 4, result.index, 4);
  poke(bytes, 8, a.value, 4);
  poke(bytes, 12, b.value, 4);
  poke(bytes, 16, c.value, 4);
  return hexDigits(bytes);
}

// Symbols by their place below.
constexpr Sym kTop1{1}, kBottom1{2}, kTop2{3}, kBottom2{4}, kTop3{5},
    kBottom3{6}, kAlign2{7}, kAlign3{8}, kLineTop2{9}, kLineBottom2{10},
    kLineEnd{11}, kLength{12}, kStart{13}, kF{14}, kG{15}, kDataTop{16},
    kDataBottom{17}, kElement{18};

/// _start [0, 6), f [6, 14) behind padding, g [14, 20) behind padding; a line
/// table with a part for f; data that belongs to g.
std::string object(const std::string &extra = "",
                   const std::string &relocations = "") {
  std::string expressions =
      entry(33, kStart, kTop1, kBottom1) + entry(33, kF, kTop2, kBottom2) +
      entry(33, kG, kTop3, kBottom3) + entry(34, kAlign2, 4u, 2u, 0x900090u) +
      entry(34, kAlign3, 8u, 4u, 0x900090u) +
      entry(33, kF, kLineTop2, kLineBottom2) +
      entry(4, kLength, kLineEnd, kLineTop2) +
      entry(33, kElement, kDataTop, kDataBottom) + extra;
  return R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8,
      Content: '00f000d0c07700900168c077009000900268c177' }
  - { Name: .debug_line, Type: SHT_PROGBITS, Content: '0000000011220000000033' }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Content: '0100000002000000' }
  - { Name: .rela.text, Type: SHT_RELA, Link: .symtab, Info: 1, Relocations: [ { Offset: 0, Symbol: g, Type: 11 })" +
         relocations + R"( ] }
  - { Name: .rela.debug_line, Type: SHT_RELA, Link: .symtab, Info: 2, Relocations: [
      { Offset: 0, Symbol: length, Type: 1 }, { Offset: 6, Symbol: f, Type: 1 } ] }
  - { Name: .expr, Type: 0x14, EntSize: 4, Content: ')" +
         expressions + R"(' }
Symbols:
  - { Name: .top1, Section: .text, Value: 0 }
  - { Name: .bottom1, Section: .text, Value: 6 }
  - { Name: .top2, Section: .text, Value: 6 }
  - { Name: .bottom2, Section: .text, Value: 12 }
  - { Name: .top3, Section: .text, Value: 12 }
  - { Name: .bottom3, Section: .text, Value: 20 }
  - { Name: .align2, Section: .text, Value: 8 }
  - { Name: .align3, Section: .text, Value: 16 }
  - { Name: .linetop2, Section: .debug_line, Value: 5 }
  - { Name: .linebottom2, Section: .debug_line, Value: 10 }
  - { Name: .lineend, Section: .debug_line, Value: 11 }
  - { Name: length, Index: SHN_ABS }
  - { Name: _start, Section: .text, Value: 0, Binding: STB_GLOBAL }
  - { Name: f, Section: .text, Value: 8, Binding: STB_GLOBAL }
  - { Name: g, Section: .text, Value: 16, Binding: STB_GLOBAL }
  - { Name: .datatop, Section: .dp.data, Value: 4 }
  - { Name: .databottom, Section: .dp.data, Value: 8 }
  - { Name: element, Section: .dp.data, Value: 4, Binding: STB_GLOBAL }
  - { Name: array, Section: .dp.data, Value: 0, Binding: STB_GLOBAL }
)";
}

Linked linkObject(const std::string &yaml, std::vector<std::string> options) {
  options.push_back("a.o");
  return LinkHarness().file("a.o", xs1(yaml)).link(options);
}

TEST(XS1Blocks, StayWithoutCollection) {
  OutFile out = quiet(linkObject(object(), {}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f006d0c0770090"
                                   "0168c07700900090"
                                   "0268c177");
  EXPECT_EQ(bytesOf(out, ".debug_line"), "0600000011"
                                         "2208000100"
                                         "33");
}

/// f goes, with its padding and its line; the padding before g shrinks, and the
/// length that an expression computes.
TEST(XS1Blocks, GoWithTheirSymbol) {
  Linked linked = linkObject(object(), {"--gc-sections"});
  OutFile out = quiet(linked);
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c0770090"
                                   "0268c177");
  EXPECT_EQ(out.value("g"), 0x10008u);
  EXPECT_EQ(homeOf(out, "f"), "missing");
  EXPECT_EQ(bytesOf(out, ".debug_line"), "0000000011"
                                         "33");
  EXPECT_EQ(bytesOf(out, ".dp.data"), "01000000") << "array is in no block";
}

/// When everything is needed the result is the one without collection.
TEST(XS1Blocks, AreWholeWhenAllLive) {
  std::vector<std::string> all = {"-u", "f", "-u", "element", "-u", "array"};
  OutFile kept = quiet(linkObject(object(), all));
  all.push_back("--gc-sections");
  OutFile collected = quiet(linkObject(object(), all));
  for (const char *section : {".text", ".debug_line", ".dp.data"})
    EXPECT_EQ(bytesOf(collected, section), bytesOf(kept, section)) << section;
  for (const char *symbol : {"f", "g", "element", "array"})
    EXPECT_EQ(collected.value(symbol), kept.value(symbol)) << symbol;
}

/// Code outside of any block stays; here, what lies between f and g.
TEST(XS1Blocks, TheRestStays) {
  std::string yaml = object();
  size_t at = yaml.find("Name: .top3, Section: .text, Value: 12");
  yaml.replace(at, 38, "Name: .top3, Section: .text, Value: 16");
  OutFile out = quiet(linkObject(yaml, {"--gc-sections"}));
  // The padding is nobody's now and stays, at a multiple of 4 as before.
  EXPECT_EQ(bytesOf(out, ".text"), "00f006d0c0770090"
                                   "0090009000900090"
                                   "0268c177");
  EXPECT_EQ(out.value("g"), 0x10010u);
}

/// Operator 41: an element lives with its array although nothing names it.
TEST(XS1Blocks, ElementsLiveWithTheirArray) {
  std::string yaml = object(entry(41, kElement, Sym{19}, 0u));
  OutFile out = quiet(linkObject(yaml, {"--gc-sections", "-u", "array"}));
  EXPECT_EQ(bytesOf(out, ".dp.data"), "0100000002000000");
  out = quiet(linkObject(object(), {"--gc-sections", "-u", "array"}));
  EXPECT_EQ(bytesOf(out, ".dp.data"), "01000000");
}

/// A label between two blocks is the one's that operator 43 names. Without that
/// it belongs to what follows when code refers to it, and otherwise stays.
TEST(XS1Blocks, LabelsBetweenBlocks) {
  const std::string label =
      "  - { Name: .between, Section: .text, Value: 6 }\n";
  const std::string use = ", { Offset: 16, Symbol: .between, Type: 1 }";
  OutFile out = quiet(linkObject(object("", use) + label, {"--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f006d0c0770090"
                                   "0168c07700900090"
                                   "08000100")
      << "f's block, and f behind its padding";
  out = quiet(linkObject(object(entry(43, Sym{20}, kTop1), use) + label,
                         {"--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c0770090"
                                   "06000100");

  // Only the line table refers to it: it keeps nothing, and is kept.
  std::string table = object() + label;
  table.replace(table.find("{ Offset: 6, Symbol: f, Type: 1 }"), 0,
                "{ Offset: 1, Symbol: .between, Type: 1 }, ");
  table.replace(table.find("{ Offset: 0, Symbol: length, Type: 1 }, "), 40, "");
  out = quiet(linkObject(table, {"--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c07700900268c177");
  EXPECT_EQ(bytesOf(out, ".debug_line"), "000600010033");
}

/// A reference that leaves its block by its addend: the section stays whole.
TEST(XS1Blocks, SectionsWithDistancesInsideStayWhole) {
  Linked linked = linkObject(
      object("", ", { Offset: 16, Symbol: .top1, Addend: 20, Type: 12 }"),
      {"--gc-sections"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_NE(linked.errors.find("a.o:(.text+0x10): relocation "
                               "R_XCORE1_LSIZE20 out of range: S 0x10000 + A "
                               "0x14 = 0x10014"),
            std::string::npos)
      << linked.errors;
}

/// Messages count from the start of the section in the object.
TEST(XS1Blocks, MessagesSayTheObjectsOffset) {
  std::string yaml = object("", ", { Offset: 16, Symbol: missing, Type: 15 }") +
                     "  - { Name: missing, Binding: STB_GLOBAL }\n";
  expectFailure(linkObject(yaml, {"--gc-sections"}),
                "xlink: error: undefined symbol: missing\n"
                ">>> referenced by a.o:(.text+0x10)\n");
}

/// What blocks are made of may be anything.
TEST(XS1Blocks, OddBlocksAreIgnored) {
  std::string odd = entry(33, kF, kBottom2, kTop2) + // ends before it begins
                    entry(33, kF, kTop1, kLineBottom2) + // in two sections
                    entry(33, kF, kLength, kLength) +    // of numbers
                    entry(33, kF, 0u, 8u) +              // of constants
                    entry(34, kLength, 4u, 2u) +      // alignment of a number
                    entry(34, kAlign2, 3u, 1u) +      // not a power of two
                    entry(34, kAlign2, Sym{1}, 1u) +  // not a constant
                    entry(41, kLength, kLength, 0u) + // nothing that could live
                    entry(43, kLength, 7u);           // nothing to belong to
  OutFile out = quiet(linkObject(object(odd), {"--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c07700900268c177");
}

/// Nested blocks go with the outer one; two symbols for the same bytes keep
/// them both.
TEST(XS1Blocks, NestedAndShared) {
  OutFile out = quiet(
      linkObject(object(entry(33, kG, kAlign2, kBottom2)), {"--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c07700900268c177");
  out = quiet(linkObject(object(entry(33, kElement, kTop2, kBottom2)),
                         {"--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f006d0c0770090"
                                   "0168c07700900090"
                                   "0268c177");
}

} // namespace
} // namespace xlink::test
