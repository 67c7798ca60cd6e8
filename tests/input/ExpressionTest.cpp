//===- ExpressionTest.cpp - link-time expression sections -----------------===//
#include "Reading.h"
#include "llvm/ADT/StringExtras.h"

using namespace xlink;
using namespace xlink::test;

/// type, result, op1, op2, op3
using Words = std::array<uint32_t, 5>;

/// An operator with the kinds of its operands (0 constant, 1 symbol, 2 string).
static uint32_t op(uint32_t number, uint32_t k1 = 0, uint32_t k2 = 0,
                   uint32_t k3 = 0) {
  return number << 6 | k3 << 4 | k2 << 2 | k1;
}

static std::string words(const std::vector<Words> &entries) {
  Bytes bytes(entries.size() * 20);
  for (size_t i = 0; i < entries.size(); ++i)
    for (size_t k = 0; k < 5; ++k)
      poke(bytes, i * 20 + k * 4, entries[i][k], 4);
  return llvm::toHex(bytes);
}

/// Symbols: 1 result, 2 other, 3 third (all undefined but 1), 4 text (defined).
static std::string withExpressions(const std::string &content,
                                   const std::string &more = "") {
  return "Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
         "    Content: '00000000'\n  - Name: .expr\n    Type: 0x14\n"
         "    EntSize: 4\n    Content: '" +
         content + "'\n" + more +
         "Symbols:\n  - Name: result\n    Binding: STB_GLOBAL\n    Index: "
         "SHN_ABS\n  - Name: other\n    Binding: STB_GLOBAL\n  - Name: third\n"
         "    Binding: STB_GLOBAL\n  - Name: text\n    Binding: STB_GLOBAL\n"
         "    Section: .text\n";
}

TEST(Expression, EntriesAndOperands) {
  Read r = readYaml("xs1", withExpressions(words({{op(1, 1, 0), 1, 2, 47, 0},
                                                  {op(17, 1), 4, 1, 0, 0},
                                                  {op(27, 2), 4, 1, 0, 0}})));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.section(".expr")->kind, SectionKind::Expr);
  ASSERT_EQ(r.object->expressions.size(), 3u);
  const ExprEntry &sum = r.object->expressions[0];
  EXPECT_EQ(sum.op, 1u);
  EXPECT_EQ(sum.result, 1u);
  EXPECT_EQ(sum.operands[0].kind, ExprOperand::Symbol);
  EXPECT_EQ(sum.operands[0].value, 2u);
  EXPECT_EQ(sum.operands[1].kind, ExprOperand::Constant);
  EXPECT_EQ(sum.operands[1].value, 47u);
  const ExprEntry &name = r.object->expressions[2];
  EXPECT_EQ(name.operands[0].kind, ExprOperand::String);
  EXPECT_FALSE(name.operands[0].string.empty());
}

TEST(Expression, SymbolsThatOnlyExpressionsMention) {
  Read r = readYaml(
      "xs1", withExpressions(
                 words({{op(2, 1, 1), 1, 2, 3, 0}, {op(12, 1), 4, 4, 0, 0}}),
                 "  - Name: .rela.text\n    Type: SHT_RELA\n    Info: .text\n"
                 "    Link: .symtab\n    Relocations:\n      - Offset: 0\n"
                 "        Symbol: third\n        Type: 1\n"));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_TRUE(r.symbol("other")->expressionOnly);
  EXPECT_FALSE(r.symbol("third")->expressionOnly) << "a relocation needs it";
  EXPECT_FALSE(r.symbol("result")->expressionOnly) << "it is defined";
  EXPECT_FALSE(r.symbol("text")->expressionOnly);
}

TEST(Expression, UnknownOperatorsArePassedOver) {
  // Operand kind 3, indices beyond everything: an annotation may mean anything.
  Read r =
      readYaml("xs1", withExpressions(words({{op(500, 3, 1, 2), 0xffffffff,
                                              0xffffffff, 0x777777, 0xffffffff},
                                             {op(35, 1, 1), 2, 3, 4, 0}})));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_TRUE(r.object->expressions.empty());
  EXPECT_TRUE(r.symbol("other")->expressionOnly);
  EXPECT_TRUE(r.symbol("third")->expressionOnly);
}

TEST(Expression, EntriesAreChecked) {
  EXPECT_THAT(
      errorsOf("xs1",
               withExpressions(words(
                   {{op(1), 1, 0, 0, 0}, {op(1, 1, 2, 3), 9, 5, 0x999, 0}}))),
      ElementsAre(
          "a.o:(.expr): entry 1: result: symbol index 9 is out of range "
          "(5 symbols)",
          "a.o:(.expr): entry 1: operand 1: symbol index 5 is out of "
          "range (5 symbols)",
          testing::StartsWith("a.o:(.expr): entry 1: operand 2: string "
                              "index 0x999 is beyond the end of the "
                              "string table (0x"),
          "a.o:(.expr): entry 1: operand 3: kind 3 is not defined"));
}

TEST(Expression, SizeAndLink) {
  EXPECT_THAT(errorsOf("xs1", withExpressions("0011")),
              ElementsAre("a.o: section header 2 (.expr): sh_size 0x2 is not a "
                          "multiple of 20, the size of an expression"));
  Bytes bytes =
      machineObject("xs1", withExpressions(words({{op(1), 1, 0, 0, 0}})));
  poke(bytes, sectionHeaderOffset(bytes, 2) + 24, 1, 4);
  EXPECT_THAT(read("xs1", bytes).errors,
              ElementsAre("a.o: section header 2 (.expr): sh_link 1 is neither "
                          "0 nor the index of a symbol table"));
}

TEST(Expression, OtherMachinesHaveNone) {
  Read r = readYaml("nyuzi", withExpressions("0011"));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.section(".expr")->kind, SectionKind::Regular);
  EXPECT_FALSE(r.symbol("other")->expressionOnly);
}
