//===- ThunkTest.cpp - code for callers without array bounds --------------===//
//
// A line of testdata/thunks/xs1.tsv: the caller's type, the function's
// type, --mcpu or "-", the code between them in hexadecimal with empty fields
// ("-": none; "ERR" with the parameter and the reason), its stack words, its
// alignment.
//
//===----------------------------------------------------------------------===//
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

ThunkCode convert(StringRef caller, StringRef callee, TargetState state) {
  return findTarget("xs1")->thunkMaker->convert(shapeOf(caller),
                                                shapeOf(callee), state);
}

/// "CODE WORDS ALIGN", "-" for no code, "ERR PARAMETER REASON".
std::string describe(const ThunkCode &made) {
  std::string code = made.code.empty() ? "-" : toHex(made.code, true);
  if (made.failure) {
    EXPECT_EQ(code, "-");
    code = "ERR " + std::to_string(made.failure->parameter) + " " +
           made.failure->reason;
  }
  return code + "\t" + std::to_string(made.stackWords) + "\t" +
         std::to_string(made.align);
}

TEST(Thunk, Vectors) {
  std::ifstream file(XLINK_TESTDATA "/thunks/xs1.tsv");
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
    const ThunkCode made = convert(column[0], column[1], state);
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
TEST(Thunk, ManyArguments) {
  std::string some;
  for (int i = 0; i < 69; ++i)
    some += "ui,";
  const ThunkCode made =
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

TEST(Thunk, TooManyArguments) {
  std::string some;
  for (int i = 0; i < 0x7FF0; ++i)
    some += "ui,";
  EXPECT_EQ(describe(convert("f{0}(" + some + "p(uc))",
                             "f{0}(" + some + "&(a(:uc)))", {})),
            "ERR 32753 there are too many arguments\t0\t1");
}

/// The code for `words` arguments of a word, the last of which is an array.
ThunkCode ofWords(unsigned words, StringRef cpu = "") {
  std::string some;
  for (unsigned i = 1; i < words; ++i)
    some += "ui,";
  TargetState state;
  state.cpu = cpu.str();
  return convert("f{0}(" + some + "p(uc))", "f{0}(" + some + "&(a(:uc)))",
                 state);
}

// Six bits hold 0 to 63; of 64 and more a prefix, F000, has the bits above.
// Each instruction has 63, 64 and 65 somewhere: a frame is as large as there
// are words but for two, arguments are taken from behind it, and the bound goes
// to sp[words - 3].
TEST(Thunk, ImmediatesThatJustNeedNoPrefix) {
  const auto begins = [](unsigned words, StringRef code) {
    const std::string all = toHex(ofWords(words).code, true);
    EXPECT_TRUE(StringRef(all).starts_with(code)) << words << ": " << all;
  };
  const auto ends = [](unsigned words, StringRef code) {
    const std::string all = toHex(ofWords(words).code, true);
    EXPECT_TRUE(StringRef(all).ends_with(code)) << words << ": " << all;
  };
  // entsp 62; ldw sp[63]; stw sp[1]; ldw sp[64]; stw sp[2]; ldw sp[65]
  begins(64, "7e77ff5ec15601f0c05ec25601f0c15ec356");
  // entsp 63, 64, 65
  begins(65, "7f7701f0c05ec156");
  begins(66, "01f0407701f0c15ec156");
  begins(67, "01f0417701f0c25ec156");
  // stw sp[61]; mkmsk; stw sp[62]; bl; retsp 63
  ends(65, "fd565ca7fe5600f000d0ff77");
  // stw sp[62]; mkmsk; stw sp[63]; bl; retsp 64
  ends(66, "fe565ca7ff5600f000d001f0c077");
  // stw sp[63]; mkmsk; stw sp[64]; bl; retsp 65
  ends(67, "ff565ca701f0c05600f000d001f0c177");
  // stw sp[64]; mkmsk; stw sp[65]; bl; retsp 66
  ends(68, "01f0c0565ca701f0c15600f000d001f0c277");
}

// Frames of two modes are even.
TEST(Thunk, FramesOfTwoModesNearThePrefix) {
  for (unsigned words : {65, 66}) {
    const ThunkCode made = ofWords(words, "xs2");
    EXPECT_EQ(made.stackWords, 64u);
    const std::string code = toHex(made.code, true);
    EXPECT_TRUE(StringRef(code).starts_with("01f0407701f0c15ec156")) << code;
    EXPECT_TRUE(StringRef(code).ends_with("00f000d001f0c077")) << code;
  }
  const std::string code = toHex(ofWords(64, "xs2").code, true);
  EXPECT_TRUE(StringRef(code).starts_with("00f07e77ff5ec156")) << code;
  EXPECT_TRUE(StringRef(code).ends_with("00f000d0fe77")) << code;
}

// 0x7FF0 words with the bounds. The last argument comes from sp[0xFFD8], which
// a prefix just reaches.
TEST(Thunk, MostArguments) {
  const ThunkCode most = ofWords(0x7FEF);
  EXPECT_FALSE(most.failure);
  EXPECT_EQ(most.stackWords, 0x7FEDu);
  const std::string code = toHex(most.code, true);
  // ldw sp[0xFFD8]; stw sp[0x7FEB]; mkmsk; stw sp[0x7FEC]; bl; retsp 0x7FED
  EXPECT_TRUE(
      StringRef(code).ends_with("fff3d85efff1eb565ca7fff1ec5600f000d0fff1ed77"))
      << StringRef(code).take_back(80).str();
  EXPECT_EQ(describe(ofWords(0x7FF0)),
            "ERR 32752 there are too many arguments\t0\t1");
}

// One bound more counts as one argument more.
TEST(Thunk, MostArgumentsOfSeveralBounds) {
  const auto two = [](unsigned words) {
    std::string some;
    for (unsigned i = 2; i < words; ++i)
      some += "ui,";
    return convert("f{0}(" + some + "p(uc),p(uc))",
                   "f{0}(" + some + "&(a(:uc)),&(a(:uc)))", {});
  };
  EXPECT_FALSE(two(0x7FEE).failure);
  EXPECT_EQ(describe(two(0x7FEF)),
            "ERR 32750 there are too many arguments\t0\t1");
}

// How many registers a value in front takes.
TEST(Thunk, SizesOfBasicTypes) {
  const auto behind = [](StringRef type) {
    return describe(convert(("f{0}(" + type + ",p(uc))").str(),
                            ("f{0}(" + type + ",&(a(:uc)))").str(), {}));
  };
  for (const char *word : {"b", "uc", "sc", "us", "ss", "ui", "si", "ul", "sl",
                           "ft", "chd", "ck", "t", "swt", "cr"})
    EXPECT_EQ(behind(word), "d8a600f00073\t0\t2") << word;
  for (const char *words : {"ull", "sll", "d", "ld"})
    EXPECT_EQ(behind(words), "dca600f00073\t0\t2") << words;
}

// Results of four words stay in registers.
TEST(Thunk, SizesOfResults) {
  const auto returning = [](StringRef results) {
    return describe(convert(("f{" + results + "}(p(uc))").str(),
                            ("f{" + results + "}(&(a(:uc)))").str(), {}));
  };
  for (const char *few :
       {"0", "ui", "ull", "ui,ui,ui", "ui,ui,ui,ui", "ull,d", "ui,ull,ui"})
    EXPECT_EQ(returning(few), "d4a600f00073\t0\t2") << few;
  for (const char *many :
       {"ui,ui,ui,ui,ui", "ui,ull,ull", "ull,ui,ui,ui", "ull,ull,ull"})
    EXPECT_EQ(
        returning(many),
        "ERR 1 how the result is passed, in front of it, is not known\t0\t1")
        << many;
}

// Where P is the field's own address, the distance to the next instruction is
// the addend's.
TEST(Thunk, PlaceIsOffset) {
  TargetState state;
  state.usePlaceBias = false;
  EXPECT_EQ(convert("f{0}(p(uc))", "f{0}(&(a(:uc)))", state).reference.addend,
            -4);
}

// The name that a public executable of the vendor's has for this.
TEST(Thunk, Name) {
  EXPECT_EQ(findTarget("xs1")->thunkMaker->name("printstr", "f{si}(p(c:uc))"),
            "printstr.coersed..f.7bsi.7d.28p.28c.3auc.29.29");
}

// Letters and digits stay, all else are two digits.
TEST(Thunk, NameOfOtherLetters) {
  EXPECT_EQ(findTarget("xs1")->thunkMaker->name("f", "azAZ09/:@[`{_.\x0f\xff"),
            "f.coersed..azAZ09.2f.3a.40.5b.60.7b.5f.2e.0f.ff");
  EXPECT_EQ(findTarget("xs1")->thunkMaker->name("f", ""), "f.coersed..");
}

TEST(Thunk, OtherMachinesHaveNone) {
  for (const Target *target : allTargets())
    EXPECT_EQ(target->thunkMaker != nullptr, StringRef(target->name) == "xs1");
}

} // namespace
} // namespace xlink::test
