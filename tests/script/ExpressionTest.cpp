//===- ExpressionTest.cpp - precedence and functions ----------------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

// The compiler computes the same text: C's precedence is the language's.
#pragma GCC diagnostic ignored "-Wparentheses"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#define ROW(e)                                                                 \
  { #e, static_cast < uint64_t>(static_cast <int64_t>(e)) }

TEST(ScriptExpressions, PrecedenceAsInC) {
  struct {
    const char *text;
    uint64_t value;
  } table[] = {
      ROW(1 + 2 * 3),
      ROW(2 * 3 + 1),
      ROW(6 / 4 * 4),
      ROW(2 * 3 % 4),
      ROW(100 / 10 / 5),
      ROW(5 - 3 - 1),
      ROW(1 << 2 + 1),
      ROW(1 << 2 << 3),
      ROW(256 >> 2 >> 1),
      ROW(1 + 1 << 2),
      ROW(5 & 3 == 3),
      ROW(4 | 1 & 3),
      ROW(6 ^ 3 & 1),
      ROW(6 ^ 3 | 8),
      ROW(1 | 2 ^ 3),
      ROW(1 == 1 == 1),
      ROW(5 > 3 > 2),
      ROW(2 > 1 == 1),
      ROW(1 < 2 != 0),
      ROW(3 <= 3 & 1),
      ROW(1 || 0 && 0),
      ROW(0 && 1 || 1),
      ROW(1 | 2 && 0),
      ROW(1 ? 2 : 3),
      ROW(0   ? 1
          : 0 ? 2
              : 3),
      ROW(1 ? 0 ? 4 : 5 : 6),
      ROW(1 || 0 ? 7 : 8),
      ROW(-3 + 5),
      ROW(- -5),
      ROW(!0 + 1),
      ROW(!!5),
      ROW(~5 & 7),
      ROW(-1 - -1),
      ROW(+5 - +3),
      ROW(~0),
      ROW(-2 * 3),
      ROW((1 + 2) * 3),
      ROW(((7))),
      ROW(1 - (2 - 3)),
      ROW(8 / (4 / 2)),
      ROW(-7 / 2),
      ROW(-7 % 3),
      ROW(7 % -3),
      ROW(1 != 2 == 1),
      ROW(0x10 + 010 + 10),
  };
  for (auto &row : table) {
    FakeEnvironment env = outsideEnvironment();
    ScriptValue v = evaluateText(row.text, env);
    EXPECT_EQ(v.value, row.value) << row.text;
    EXPECT_TRUE(env.problems.empty()) << row.text;
  }
}

TEST(ScriptExpressions, Trees) {
  EXPECT_EQ(dumpExpression("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(dumpExpression("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(dumpExpression("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(dumpExpression("a ? b : c ? d : e"), "(?: a b (?: c d e))");
  EXPECT_EQ(
      dumpExpression("a||b&&c|d^e&f==g<h<<i+j*k"),
      "(|| a (&& b (| c (^ d (& e (== f (< g (<< h (+ i (* j k))))))))))");
  EXPECT_EQ(dumpExpression("-a + !b * ~c - +d"),
            "(- (+ (neg a) (* (! b) (~ c))) d)");
  EXPECT_EQ(dumpExpression("\"a-b\" - .x + ."), "(+ (- a-b .x) .)");
  EXPECT_EQ(dumpExpression("ORIGIN(ram)+LENGTH(ram)/2"),
            "(+ (ORIGIN ram) (/ (LENGTH ram) 0x2))");
}

TEST(ScriptExpressions, Functions) {
  EXPECT_EQ(dumpExpression("ABSOLUTE(x)"), "(ABSOLUTE x)");
  EXPECT_EQ(dumpExpression("ADDR(.text-1)"), "(ADDR .text-1)");
  EXPECT_EQ(dumpExpression("LOADADDR(\".a b\")"), "(LOADADDR .a b)");
  EXPECT_EQ(dumpExpression("SIZEOF(.text)"), "(SIZEOF .text)");
  EXPECT_EQ(dumpExpression("ALIGNOF(.text)"), "(ALIGNOF .text)");
  EXPECT_EQ(dumpExpression("ALIGN(8)"), "(ALIGN1 0x8)");
  EXPECT_EQ(dumpExpression("ALIGN(., 8)"), "(ALIGN2 . 0x8)");
  EXPECT_EQ(dumpExpression("NEXT(8)"), "(NEXT 0x8)");
  EXPECT_EQ(dumpExpression("BLOCK(8)"), "(BLOCK 0x8)");
  EXPECT_EQ(dumpExpression("DEFINED(x)"), "(DEFINED x)");
  EXPECT_EQ(dumpExpression("MIN(1, x)"), "(MIN 0x1 x)");
  EXPECT_EQ(dumpExpression("MAX ( 1 , x )"), "(MAX 0x1 x)");
  EXPECT_EQ(dumpExpression("LOG2CEIL(5)"), "(LOG2CEIL 0x5)");
  EXPECT_EQ(dumpExpression("ORIGIN(ram-2)"), "(ORIGIN ram-2)");
  EXPECT_EQ(dumpExpression("LENGTH(ram)"), "(LENGTH ram)");
  EXPECT_EQ(dumpExpression("CONSTANT(MAXPAGESIZE)"), "(CONSTANT MAXPAGESIZE)");
  EXPECT_EQ(dumpExpression("CONSTANT (COMMONPAGESIZE)"),
            "(CONSTANT COMMONPAGESIZE)");
  EXPECT_EQ(dumpExpression("SIZEOF_HEADERS + sizeof_headers"),
            "(+ (SIZEOF_HEADERS) (SIZEOF_HEADERS))");
  EXPECT_EQ(dumpExpression("SEGMENT_START(\"text-segment\", 0x400)"),
            "(SEGMENT_START text-segment 0x400)");
  EXPECT_EQ(dumpExpression("DATA_SEGMENT_ALIGN(1, 2)"),
            "(DATA_SEGMENT_ALIGN 0x1 0x2)");
  EXPECT_EQ(dumpExpression("DATA_SEGMENT_END(.)"), "(DATA_SEGMENT_END .)");
  EXPECT_EQ(dumpExpression("DATA_SEGMENT_RELRO_END(24, .)"),
            "(DATA_SEGMENT_RELRO_END 0x18 .)");
  EXPECT_EQ(dumpExpression("ASSERT(x, \"no x\")"), "(ASSERT no x x)");
}

TEST(ScriptExpressions, Defsym) {
  Script script;
  Diagnostics diag;
  auto command = parseDefsym("a-size=4K*2", script, diag);
  EXPECT_EQ(command, nullptr);
  EXPECT_EQ(diag.all().front().text, "--defsym: expected '=' but found '-'");
  command = parseDefsym("size=4K*2", script, diag);
  ASSERT_NE(command, nullptr);
  EXPECT_EQ(command->name, "size");
  EXPECT_EQ(dump(*command->value), "(* 0x1000 0x2)");
  EXPECT_EQ(command->where.line, 0u);
  EXPECT_EQ(command->text, "size=4K*2");
}

TEST(ScriptExpressions, DefsymErrors) {
  auto error = [](const char *text) {
    Script script;
    Diagnostics diag;
    EXPECT_EQ(parseDefsym(text, script, diag), nullptr) << text;
    EXPECT_EQ(diag.errorCount(), 1u);
    std::string result = diag.all().front().text;
    for (const std::string &note : diag.all().front().notes)
      result += "\n" + note;
    return result;
  };
  EXPECT_EQ(error("x=(1"), "--defsym: expected ')' but found the end\n"
                           "x=(1\n    ^");
  EXPECT_EQ(error("x=1;"), "--defsym: expected the end but found ';'\n"
                           "x=1;\n   ^");
  EXPECT_EQ(error("x"), "--defsym: expected '=' but found the end\nx\n ^");
  EXPECT_EQ(error("x+=1"), "--defsym: expected '=' but found '+='\n"
                           "x+=1\n ^");
  EXPECT_EQ(error(".=1"), "--defsym: a symbol is needed here, not '.'\n"
                          ".=1\n^");
  EXPECT_EQ(error("=1"), "--defsym: expected a symbol but found '='\n"
                         "=1\n^");
  EXPECT_EQ(error(""), "--defsym: expected a symbol but found the end");
}

TEST(ScriptExpressions, AddressesOfTheCommandLine) {
  auto value = [](const char *text) {
    Script script;
    Diagnostics diag;
    ExprPtr e = parseAddress("-Ttext", text, script, diag);
    return e ? dump(*e) : diag.all().front().text;
  };
  EXPECT_EQ(value("10000"), "0x10000");
  EXPECT_EQ(value("0x10000"), "0x10000");
  EXPECT_EQ(value("f000"), "0xf000");
  EXPECT_EQ(value("10d"), "0x10d");
  EXPECT_EQ(value("10zz"), "-Ttext: malformed number: '10zz'");
  EXPECT_EQ(value("10 20"), "-Ttext: expected the end but found '20'");
}

TEST(ScriptExpressions, DepthIsLimited) {
  auto error = [](const std::string &text) { return dumpExpression(text); };
  auto nested = [](size_t n) {
    return std::string(n, '(') + "1" + std::string(n, ')');
  };
  EXPECT_EQ(error(nested(100)), "0x1");
  EXPECT_EQ(error(nested(100000)),
            "test: expression is nested more than 256 levels deep");
  EXPECT_EQ(error(std::string(100000, '-') + "1"),
            "test: expression is nested more than 256 levels deep");
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "MAX(1,";
  EXPECT_EQ(error(text),
            "test: expression is nested more than 256 levels deep");
  text.clear();
  for (int i = 0; i < 100000; ++i)
    text += "1?1:";
  EXPECT_EQ(error(text),
            "test: expression is nested more than 256 levels deep");
  // A long sum leans to the left without any parenthesis.
  text = "1";
  for (int i = 0; i < 1000; ++i)
    text += "+1";
  FakeEnvironment env;
  EXPECT_EQ(evaluateText(text, env).value, 1001u);
  for (int i = 0; i < 100000; ++i)
    text += "+1";
  EXPECT_EQ(error(text), "test: expression has more than 2000 levels");
}
