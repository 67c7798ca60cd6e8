//===- LexerTest.cpp - tokens in each mode --------------------------------===//
#include "script/ParserImpl.h"
#include "script/ScriptTestSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::ElementsAre;

/// All tokens of a text in one mode; numbers in hex, quoted ones in quotes.
static std::vector<std::string> tokens(StringRef text, LexMode mode,
                                       bool hexByDefault = false) {
  ScriptLexer lexer(text, hexByDefault);
  std::vector<std::string> result;
  while (lexer.peek(mode).kind != Token::End && result.size() < 100) {
    const Token &t = lexer.peek(mode);
    if (t.kind == Token::Number)
      result.push_back("0x" + utohexstr(t.number, true));
    else if (t.kind == Token::Quoted)
      result.push_back("\"" + t.text.str() + "\"");
    else if (t.kind == Token::Bad)
      result.push_back(std::string("bad: ") + t.message);
    else
      result.push_back(t.text.str());
    lexer.take();
  }
  return result;
}

TEST(ScriptLexer, OneTextInTwoModes) {
  EXPECT_THAT(tokens("a*b", LexMode::Expression), ElementsAre("a", "*", "b"));
  EXPECT_THAT(tokens("a*b", LexMode::Pattern), ElementsAre("a*b"));
  EXPECT_THAT(tokens("a-b+c/d", LexMode::Expression),
              ElementsAre("a", "-", "b", "+", "c", "/", "d"));
  EXPECT_THAT(tokens("a-b+c/d", LexMode::Name), ElementsAre("a-b+c/d"));
  EXPECT_THAT(tokens("a?b:c", LexMode::Expression),
              ElementsAre("a", "?", "b", ":", "c"));
  EXPECT_THAT(tokens("a?b:c", LexMode::Pattern), ElementsAre("a?b:c"));
  EXPECT_THAT(tokens(">ram", LexMode::Name), ElementsAre(">", "ram"));
  EXPECT_THAT(tokens("AT>ram", LexMode::Name), ElementsAre("AT", ">", "ram"));
}

TEST(ScriptLexer, LookingAgainInAnotherMode) {
  ScriptLexer lexer("  a*b c");
  EXPECT_EQ(lexer.peek(LexMode::Pattern).text, "a*b");
  EXPECT_EQ(lexer.peek(LexMode::Expression).text, "a");
  lexer.take();
  EXPECT_EQ(lexer.peek(LexMode::Expression).text, "*");
  EXPECT_EQ(lexer.peek(LexMode::Pattern).text, "*b");
  lexer.take();
  EXPECT_EQ(lexer.peek(LexMode::Name).text, "c");
  EXPECT_EQ(lexer.lastEnd(), 5u);
}

TEST(ScriptLexer, CharactersOfSectionNames) {
  for (char c : StringRef("-+/~$.[]\\:=,_0Z"))
    EXPECT_THAT(tokens(std::string(".t") + c + "x", LexMode::Name),
                ElementsAre(std::string(".t") + c + "x"));
  for (char c : StringRef("*&!<>^%@|?;{}()"))
    EXPECT_EQ(tokens(std::string(".t") + c + "x", LexMode::Name)[0], ".t") << c;
  // A mark in front of no further character belongs to the grammar.
  EXPECT_THAT(tokens(".text:{", LexMode::Name), ElementsAre(".text", ":", "{"));
  EXPECT_THAT(tokens(".text: ", LexMode::Name), ElementsAre(".text", ":"));
  EXPECT_THAT(tokens("x=(1)", LexMode::Name)[0], "x");
  EXPECT_THAT(tokens("/DISCARD/ :", LexMode::Name),
              ElementsAre("/DISCARD/", ":"));
  EXPECT_THAT(tokens(".text/* c */:", LexMode::Name),
              ElementsAre(".text", ":"));
}

TEST(ScriptLexer, CharactersOfPatterns) {
  for (char c : StringRef("-+/~$.[]\\:=,!^?*_0Z"))
    EXPECT_THAT(tokens(std::string(".a") + c + "b", LexMode::Pattern),
                ElementsAre(std::string(".a") + c + "b"));
  for (char c : StringRef("&<>|;{}()"))
    EXPECT_EQ(tokens(std::string(".a") + c + "b", LexMode::Pattern)[0], ".a")
        << c;
  EXPECT_THAT(tokens(".data, .bss", LexMode::Pattern),
              ElementsAre(".data", ",", ".bss"));
  EXPECT_THAT(tokens("*lib/*.o(", LexMode::Pattern),
              ElementsAre("*lib/*.o", "("));
  EXPECT_THAT(tokens("[!a-z]?.o", LexMode::Pattern), ElementsAre("[!a-z]?.o"));
  EXPECT_THAT(tokens(":t.o lib.a:", LexMode::Pattern),
              ElementsAre(":t.o", "lib.a:"));
}

TEST(ScriptLexer, CharactersOfSymbols) {
  for (char c : StringRef("~$.\\_0Z"))
    EXPECT_THAT(tokens(std::string("a") + c + "b", LexMode::Expression),
                ElementsAre(std::string("a") + c + "b"));
  EXPECT_THAT(tokens("~a", LexMode::Expression), ElementsAre("~", "a"));
  EXPECT_THAT(tokens("\xc3\xa4x", LexMode::Expression),
              ElementsAre("\xc3\xa4x"));
  EXPECT_THAT(tokens("\"a b\"+1", LexMode::Expression),
              ElementsAre("\"a b\"", "+", "0x1"));
  EXPECT_THAT(tokens(".+4", LexMode::Expression), ElementsAre(".", "+", "0x4"));
  EXPECT_THAT(tokens("1 /DISCARD/ :", LexMode::Expression),
              ElementsAre("0x1", "/DISCARD/", ":"));
}

TEST(ScriptLexer, CharactersOfFileNames) {
  EXPECT_THAT(tokens("=/lib/x.o,-lfoo -l:bar.a", LexMode::File),
              ElementsAre("=/lib/x.o", ",", "-lfoo", "-l:bar.a"));
  EXPECT_THAT(tokens("i386:x86-64", LexMode::File), ElementsAre("i386:x86-64"));
  EXPECT_THAT(tokens("rom-1)", LexMode::Plain), ElementsAre("rom-1", ")"));
}

TEST(ScriptLexer, Operators) {
  EXPECT_THAT(tokens("<<= >>= << >> <= >= == != && || += -= *= /= %= &= |= ^=",
                     LexMode::Expression),
              ElementsAre("<<=", ">>=", "<<", ">>",
                          "<=", ">=", "==", "!=", "&&", "||",
                          "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="));
  EXPECT_THAT(tokens("<>=!&|+-*/%^~?:;,(){}", LexMode::Expression),
              ElementsAre("<", ">=", "!", "&", "|", "+", "-", "*", "/", "%",
                          "^", "~", "?", ":", ";", ",", "(", ")", "{", "}"));
}

TEST(ScriptLexer, Numbers) {
  struct {
    const char *text;
    uint64_t value;
  } table[] = {
      {"0", 0},
      {"15", 15},
      {"0x10", 16},
      {"0X1f", 31},
      {"$10", 16},
      {"$dead", 0xdead},
      {"010", 8},
      {"1K", 1024},
      {"2m", 2 << 20},
      {"3M", 3 << 20},
      {"1k", 1024},
      {"0x10K", 16384},
      {"$fK", 15360},
      {"010K", 8192},
      {"10h", 16},
      {"10H", 16},
      {"10X", 16},
      {"0ffh", 255},
      {"1bh", 27},
      {"17o", 15},
      {"12O", 10},
      {"101b", 5},
      {"10d", 10},
      {"9D", 9},
      {"077h", 0x77},
      {"0xffffffffffffffff", UINT64_MAX},
      {"18446744073709551615", UINT64_MAX},
  };
  for (auto &row : table) {
    ScriptLexer lexer(row.text);
    const Token &t = lexer.peek(LexMode::Expression);
    EXPECT_EQ(t.kind, Token::Number) << row.text;
    EXPECT_EQ(t.number, row.value) << row.text;
    EXPECT_EQ(t.end, StringRef(row.text).size()) << row.text;
  }
}

TEST(ScriptLexer, NumbersThatAreNone) {
  for (const char *text : {"1.5", "1e3", "1KK", "1KB", "0x", "0x1fh", "0b11",
                           "1_000", "2B", "8o", "0xg", "1h2", "0x1.", "fh1h"}) {
    ScriptLexer lexer(text);
    const Token &t = lexer.peek(LexMode::Expression);
    if (text[0] == 'f')
      EXPECT_EQ(t.kind, Token::Name); // begins with a letter
    else
      EXPECT_EQ(t.kind, Token::Bad) << text;
  }
  EXPECT_THAT(tokens("08", LexMode::Expression),
              ElementsAre("bad: digit 8 or 9 in an octal number"));
  EXPECT_THAT(tokens("18446744073709551616", LexMode::Expression),
              ElementsAre("bad: number does not fit in 64 bits"));
  EXPECT_THAT(tokens("0x8000000000000000K", LexMode::Expression),
              ElementsAre("bad: number does not fit in 64 bits"));
  // Symbols that GNU ld takes for numbers.
  for (const char *text : {"add", "dead", "bad", "ffh", "$", "$data"})
    EXPECT_THAT(tokens(text, LexMode::Expression), ElementsAre(text));
}

TEST(ScriptLexer, HexByDefault) {
  EXPECT_THAT(
      tokens("10 f000 0x20 abc 10d 1b zz", LexMode::Expression, true),
      ElementsAre("0x10", "0xf000", "0x20", "0xabc", "0x10d", "0x1b", "zz"));
}

TEST(ScriptLexer, BlanksAndComments) {
  EXPECT_THAT(tokens("a/* b */c # d\n\t e", LexMode::Expression),
              ElementsAre("a", "c", "e"));
  EXPECT_THAT(tokens("a /* open", LexMode::Name),
              ElementsAre("a", "bad: comment is not closed"));
  EXPECT_THAT(tokens("a \"open\nb", LexMode::Name),
              ElementsAre("a", "bad: quote is not closed", "b"));
  EXPECT_THAT(tokens("/**/", LexMode::Name), ElementsAre());
  EXPECT_THAT(tokens("/*/ x */y", LexMode::Name), ElementsAre("y"));
}

TEST(ScriptLexer, Places) {
  ScriptLexer lexer("a\n  /* x\n */ b");
  lexer.peek(LexMode::Name);
  lexer.take();
  const Token &t = lexer.peek(LexMode::Name);
  EXPECT_EQ(t.line, 3u);
  EXPECT_EQ(t.column, 5u);
  EXPECT_EQ(lexer.lineAt(t.offset), " */ b");
}
