//===- EvaluatorTest.cpp - values and what they are relative to -----------===//
//
// The expected values were compared with GNU ld 2.44, except where a comment
// says otherwise. .text is at 0x1000, .data at 0x2000; t1 and t2 are .text+0x10
// and .text+0x18, d1 is .data+4; dot is 0x1234 outside and .text+0x24 inside.
//
//===----------------------------------------------------------------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

static std::string outside(const char *text) {
  return show(text, outsideEnvironment());
}
static std::string inside(const char *text) {
  return show(text, insideEnvironment());
}

TEST(ScriptEvaluator, Terms) {
  EXPECT_EQ(outside("5"), "abs 0x5");
  EXPECT_EQ(inside("5"), "0x5");
  EXPECT_EQ(outside("."), "abs 0x1234");
  EXPECT_EQ(inside("."), ".text+0x24");
  EXPECT_EQ(outside("a"), "abs 0x64");
  EXPECT_EQ(inside("a"), "0x64"); // an absolute symbol is a number inside
  EXPECT_EQ(outside("t1"), ".text+0x10");
  EXPECT_EQ(inside("d1"), ".data+0x4");
}

TEST(ScriptEvaluator, UnaryKeepsTheSection) {
  EXPECT_EQ(outside("-t1"), ".text+0xfffffffffffffff0");
  EXPECT_EQ(outside("!t1"), ".text+0x0");
  EXPECT_EQ(outside("~t1"), ".text+0xffffffffffffffef");
  EXPECT_EQ(inside("-a"), "0xffffffffffffff9c");
}

TEST(ScriptEvaluator, RelativeAndNumber) {
  EXPECT_EQ(inside("t1 + 4"), ".text+0x14");
  EXPECT_EQ(inside("4 + t1"), ".text+0x14");
  EXPECT_EQ(inside("t1 * 2"), ".text+0x20");
  EXPECT_EQ(inside("100 / t1"), ".text+0x6");
  EXPECT_EQ(inside("d1 - a"), ".data+0xffffffffffffffa0");
  EXPECT_EQ(inside(". + 4"), ".text+0x28");
  EXPECT_EQ(outside("t1 + SIZEOF(.text)"), ".text+0x40");
  EXPECT_EQ(outside("(t1 > 5) + t1"), ".text+0x11");
}

TEST(ScriptEvaluator, RelativeAndLiteralOutside) {
  // Outside a literal is an address, so both become one.
  EXPECT_EQ(outside("t1 + 4"), "abs 0x1014");
  EXPECT_EQ(outside("t1 & 0xff"), "abs 0x10");
  EXPECT_EQ(outside("t1 * 2"), "abs 0x2020");
  // What is made of literals alone counts as one.
  EXPECT_EQ(outside("t1 & (0 < 1)"), "abs 0x0");
  EXPECT_EQ(outside("t1 & LOG2CEIL(8)"), "abs 0x0");
  EXPECT_EQ(outside("t1 & MAX(1, 2)"), "abs 0x0");
  EXPECT_EQ(outside("t1 & CONSTANT(COMMONPAGESIZE)"), ".text+0x0");
}

TEST(ScriptEvaluator, SameSection) {
  EXPECT_EQ(inside("t2 - t1"), "0x8");
  EXPECT_EQ(inside(". - t1"), "0x14");
  EXPECT_EQ(outside("t2 - t1"), "abs 0x8");
  EXPECT_EQ(outside("t2 + t1"), "abs 0x28");
  EXPECT_EQ(inside("MAX(t1, t2)"), ".text+0x18");
  EXPECT_EQ(outside("MIN(t1, t2)"), ".text+0x10");
  EXPECT_EQ(outside("ALIGN(t2, 16)"), "abs 0x1020");
  EXPECT_EQ(inside("ALIGN(t2, 16)"), ".text+0x20");
}

TEST(ScriptEvaluator, DifferentSections) {
  EXPECT_EQ(outside("d1 - t1"), "abs 0xff4");
  EXPECT_EQ(inside("d1 - t1"), "0xff4");
  EXPECT_EQ(outside("MAX(t1, d1)"), "abs 0x2004");
  EXPECT_EQ(inside("MAX(t1, d1)"), "abs 0x2004");
  EXPECT_EQ(inside("ABSOLUTE(d1) + t1"), "0x3014");
  EXPECT_EQ(inside("ABSOLUTE(t1) - ABSOLUTE(t2)"), "0xfffffffffffffff8");
  EXPECT_EQ(outside("a + b"), "abs 0x6b");
}

TEST(ScriptEvaluator, ComparisonsGiveNumbers) {
  EXPECT_EQ(outside("t1 < t2"), "0x1");
  EXPECT_EQ(outside("t2 < d1"), "0x1"); // addresses, not offsets
  EXPECT_EQ(inside("t2 < d1"), "0x1");
  EXPECT_EQ(inside("t2 < 5"), "0x0"); // the offset
  EXPECT_EQ(outside("t1 < 0x1000"), "0x0");
  EXPECT_EQ(outside("t1 == t1"), "0x1");
  EXPECT_EQ(outside("t1 != t2"), "0x1");
  EXPECT_EQ(outside("a >= 100"), "0x1");
  EXPECT_EQ(outside("a <= 99"), "0x0");
  EXPECT_EQ(outside("-1 > a"), "0x1"); // unsigned
  EXPECT_EQ(outside("a && b"), "0x1");
  EXPECT_EQ(outside("a - a || 0"), "0x0");
  EXPECT_EQ(outside("ADDR(.text) && 1"), "0x1"); // the address counts
  EXPECT_EQ(inside("ADDR(.text) && 1"), "0x0");  // the offset counts
}

TEST(ScriptEvaluator, LogicStopsEarly) {
  // GNU ld evaluates both operands.
  EXPECT_EQ(outside("DEFINED(nope) && nope > 4"), "0x0");
  EXPECT_EQ(outside("DEFINED(a) || nope"), "0x1");
  EXPECT_EQ(outside("a && nope"), "0x0 | 6: undefined symbol 'nope'");
}

TEST(ScriptEvaluator, Arithmetic) {
  EXPECT_EQ(outside("0 - 1"), "abs 0xffffffffffffffff");
  EXPECT_EQ(outside("-1 / 2"), "abs 0x0"); // signed
  EXPECT_EQ(outside("-7 % 3"), "abs 0xffffffffffffffff");
  EXPECT_EQ(outside("-1 >> 1"), "abs 0x7fffffffffffffff"); // unsigned
  EXPECT_EQ(outside("1 << 63"), "abs 0x8000000000000000");
  // Modulo 64 (GNU ld and lld).
  EXPECT_EQ(outside("1 << 64"), "abs 0x1");
  EXPECT_EQ(outside("24 >> 130"), "abs 0x6");
  EXPECT_EQ(outside("1 << -1"), "abs 0x8000000000000000");
  // GNU ld ends by a signal.
  EXPECT_EQ(outside("0x8000000000000000 / -1"), "abs 0x8000000000000000");
  EXPECT_EQ(outside("0x8000000000000000 % -1"), "abs 0x0");
  EXPECT_EQ(outside("6 ^ 3"), "abs 0x5");
  EXPECT_EQ(outside("MAX(-1, 1)"), "abs 0xffffffffffffffff");
  EXPECT_EQ(outside("MIN(-1, 1)"), "abs 0x1");
}

TEST(ScriptEvaluator, DivisionByZero) {
  EXPECT_EQ(outside("1 / (a - a)"), "0x0 | 3: division by zero");
  EXPECT_EQ(outside("1 % 0"), "abs 0x0 | 3: remainder of a division by zero");
  EXPECT_EQ(outside("1 ? 2 : 1 / 0"), "abs 0x2"); // GNU ld: an error
}

TEST(ScriptEvaluator, Alignment) {
  EXPECT_EQ(outside("ALIGN(5, 4)"), "abs 0x8");
  EXPECT_EQ(outside("ALIGN(5, 0)"), "abs 0x5");
  EXPECT_EQ(outside("ALIGN(5, 1)"), "abs 0x5");
  EXPECT_EQ(outside("ALIGN(5, 3)"), "abs 0x6");
  EXPECT_EQ(outside("ALIGN(7, 6)"), "abs 0xc");
  EXPECT_EQ(outside("ALIGN(-1, 4)"), "abs 0x0");
  EXPECT_EQ(outside("ALIGN(0x100)"), "abs 0x1300");
  EXPECT_EQ(outside("BLOCK(16)"), "abs 0x1240");
  EXPECT_EQ(outside("NEXT(16)"), "abs 0x1240");
  EXPECT_EQ(outside("ALIGN(0)"), "abs 0x1234");
  // Dot's address is aligned, not its offset.
  EXPECT_EQ(inside("ALIGN(16)"), ".text+0x30");
  EXPECT_EQ(inside("ALIGN(0x2000)"), ".text+0x1000");
  EXPECT_EQ(inside("BLOCK(16)"), ".text+0x30");
  EXPECT_EQ(inside("NEXT(16)"), "abs 0x1030");
  EXPECT_EQ(outside("LOG2CEIL(0)"), "abs 0x0");
  EXPECT_EQ(outside("LOG2CEIL(1)"), "abs 0x0");
  EXPECT_EQ(outside("LOG2CEIL(5)"), "abs 0x3");
  EXPECT_EQ(outside("LOG2CEIL(a)"), "0x7");
  EXPECT_EQ(outside("LOG2CEIL(-1)"), "abs 0x40");
}

TEST(ScriptEvaluator, Sections) {
  EXPECT_EQ(outside("ADDR(.data)"), ".data+0x0");
  EXPECT_EQ(outside("LOADADDR(.data)"), "abs 0x9000");
  EXPECT_EQ(outside("SIZEOF(.data)"), "0x50");
  EXPECT_EQ(outside("ALIGNOF(.text)"), "0x10");
  EXPECT_EQ(outside("ABSOLUTE(d1)"), "abs 0x2004");
  EXPECT_EQ(inside("ABSOLUTE(5)"), "abs 0x5");
  for (const char *function : {"ADDR", "LOADADDR", "SIZEOF", "ALIGNOF"})
    EXPECT_EQ(outside((std::string(function) + "(.x)").c_str()),
              "0x0 | 1: undefined section '.x'");
}

TEST(ScriptEvaluator, RegionsAndTheRest) {
  EXPECT_EQ(outside("ORIGIN(ram)"), "abs 0x10000");
  EXPECT_EQ(outside("LENGTH(ram)"), "0x4000");
  EXPECT_EQ(outside("ORIGIN(ram) + LENGTH(ram)"), "abs 0x14000");
  // GNU ld: an offset in the current section, with the same address.
  EXPECT_EQ(inside("ORIGIN(ram) + LENGTH(ram)"), ".text+0x13000");
  EXPECT_EQ(outside("LENGTH(rom)"),
            "0x0 | 1: memory region 'rom' is not declared");
  EXPECT_EQ(outside("SIZEOF_HEADERS"), "0xe8");
  EXPECT_EQ(outside("CONSTANT(MAXPAGESIZE)"), "0x10000");
  EXPECT_EQ(outside("DEFINED(a)"), "0x1");
  EXPECT_EQ(outside("DEFINED(nope)"), "0x0");
  EXPECT_EQ(outside("nope + 1"), "abs 0x1 | 1: undefined symbol 'nope'");
  EXPECT_EQ(outside("DEFINED(nope) ? nope : 7"), "abs 0x7");
  EXPECT_EQ(outside("ASSERT(a, \"text\") + 1"), "abs 0x65");
  EXPECT_EQ(outside("ASSERT(a - a, \"text\")"),
            "abs 0x0 | 1: assertion failed: text");
}

TEST(ScriptEvaluator, SegmentStart) {
  EXPECT_EQ(outside("SEGMENT_START(\"text\", 0x400)"), "abs 0x400");
  FakeEnvironment env = outsideEnvironment();
  env.starts["text"] = 0x5000;
  EXPECT_EQ(show("SEGMENT_START(\"text\", 0x400) + 4", env), "abs 0x5004");
  env = insideEnvironment();
  env.starts["text"] = 0x5000;
  EXPECT_EQ(show("SEGMENT_START(\"text\", 0x400)", env), ".text+0x4000");
}

TEST(ScriptEvaluator, DataSegment) {
  FakeEnvironment env = outsideEnvironment();
  EXPECT_EQ(show("DATA_SEGMENT_ALIGN(0x10000, 0x1000)", env), "abs 0x11234");
  env.savesPage = true;
  EXPECT_EQ(show("DATA_SEGMENT_ALIGN(0x10000, 0x1000)", env), "abs 0x12000");
  EXPECT_EQ(show("DATA_SEGMENT_ALIGN(0x1000, 0x1000)", env), "abs 0x2234");
  EXPECT_EQ(outside("DATA_SEGMENT_END(.)"), "abs 0x1234");
  EXPECT_EQ(outside("DATA_SEGMENT_RELRO_END(24, . + 4)"), "abs 0x1238");
  // GNU ld: 0, without an error.
  EXPECT_EQ(inside("DATA_SEGMENT_ALIGN(1, 1)"),
            "0x0 | 1: DATA_SEGMENT_ALIGN inside an output section");
}

TEST(ScriptEvaluator, AbsoluteValue) {
  FakeEnvironment env = outsideEnvironment();
  EXPECT_EQ(absoluteValue(ScriptValue::number(5), env), 5u);
  EXPECT_EQ(absoluteValue(ScriptValue::absolute(5), env), 5u);
  EXPECT_EQ(absoluteValue(ScriptValue::relative(5, 2), env), 0x2005u);
}
