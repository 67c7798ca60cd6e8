//===- ConverterTest.cpp - code for callers without array bounds ----------===//
#include "arch/Target.h"
#include "input/TypeString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <fstream>

using namespace llvm;

namespace xlink::test {
namespace {

CallShape shapeOf(StringRef text) {
  TypeString::Fault fault;
  std::optional<TypeString> type = TypeString::parse(text, fault);
  EXPECT_TRUE(type) << text.str() << ": " << fault.text;
  std::optional<CallShape> shape;
  if (type)
    shape = type->callShape();
  return shape.value_or(CallShape());
}

Conversion convert(StringRef caller, StringRef callee, TargetState state) {
  return findTarget("xs1")->callConverter->convert(shapeOf(caller),
                                                   shapeOf(callee), state);
}

/// "CODE WORDS ALIGN", "-" for no code, "ERR PARAMETER REASON".
std::string describe(const Conversion &made) {
  std::string code = made.code.empty() ? "-" : toHex(made.code, true);
  if (made.failure) {
    EXPECT_EQ(code, "-");
    code = "ERR " + std::to_string(made.failure->parameter) + " " +
           made.failure->reason;
  }
  return code + "\t" + std::to_string(made.stackWords) + "\t" +
         std::to_string(made.align);
}

TEST(Converter, Vectors) {
  std::ifstream file(XLINK_TESTDATA "/converters/xs1.tsv");
  unsigned rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (StringRef(line).starts_with("#"))
      continue;
    SmallVector<StringRef, 6> column;
    StringRef(line).split(column, '\t');
    ASSERT_EQ(column.size(), 6u) << line;
    TargetState state;
    if (column[2] != "-")
      state.cpu = column[2].str();
    const Conversion made = convert(column[0], column[1], state);
    EXPECT_EQ(describe(made),
              (column[3] + "\t" + column[4] + "\t" + column[5]).str())
        << line;
    ++rows;
    if (made.code.empty())
      continue;
    // The reference stands on the only call or jump: prefix, then bl or bu.
    EXPECT_EQ(made.reference.type, made.stackWords ? 11u : 9u) << line;
    ASSERT_LE(made.reference.offset + 4, made.code.size()) << line;
    EXPECT_EQ(toHex(ArrayRef(made.code).slice(made.reference.offset, 4), true),
              made.stackWords ? "00f000d0" : "00f00073")
        << line;
    EXPECT_EQ(made.reference.addend, 0) << line;
  }
  EXPECT_EQ(rows, 31u);
}

// Immediates of more than 6 bits need a prefix: 70 words, 66 of them and the
// bound on the stack, a frame of 68.
TEST(Converter, ManyArguments) {
  std::string some;
  for (int i = 0; i < 69; ++i)
    some += "ui,";
  const Conversion made =
      convert("f{0}(" + some + "p(uc))", "f{0}(" + some + "&(a(:uc)))", {});
  EXPECT_EQ(made.stackWords, 68u);
  const std::string code = toHex(made.code, true);
  // entsp 68; ldw r11, sp[69]; stw r11, sp[1]; ldw r11, sp[70] ...
  EXPECT_TRUE(StringRef(code).starts_with("01f0447701f0c55ec15601f0c65ec256"))
      << code;
  // ... mkmsk r11, 32; stw r11, sp[67]; bl; retsp 68
  EXPECT_TRUE(StringRef(code).ends_with("5ca701f0c35600f000d001f0c477"))
      << code;
}

TEST(Converter, TooManyArguments) {
  std::string some;
  for (int i = 0; i < 0x7FF0; ++i)
    some += "ui,";
  EXPECT_EQ(describe(convert("f{0}(" + some + "p(uc))",
                             "f{0}(" + some + "&(a(:uc)))", {})),
            "ERR 32753 there are too many arguments\t0\t1");
}

// Where P is the field's own address, the distance to the next instruction is
// the addend's.
TEST(Converter, PlaceIsOffset) {
  TargetState state;
  state.usePlaceBias = false;
  EXPECT_EQ(convert("f{0}(p(uc))", "f{0}(&(a(:uc)))", state).reference.addend,
            -4);
}

// The name that a public executable of the vendor's has for this.
TEST(Converter, Name) {
  EXPECT_EQ(
      findTarget("xs1")->callConverter->name("printstr", "f{si}(p(c:uc))"),
      "printstr.coersed..f.7bsi.7d.28p.28c.3auc.29.29");
}

TEST(Converter, OtherMachinesHaveNone) {
  for (const Target *target : allTargets())
    EXPECT_EQ(target->callConverter != nullptr,
              StringRef(target->name) == "xs1");
}

} // namespace
} // namespace xlink::test
