//===- ExpressionTest.cpp - arithmetic that only the linker can do --------===//
//
// XS1's .expr sections: {type, result, op1, op2, op3}, five words an entry.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Operand {
  uint32_t kind, value;
};
Operand number(uint32_t value) { return {0, value}; }
Operand symbol(uint32_t index) { return {1, index}; }
/// The text of `.expr` that stands in the string table; see object().
Operand message() { return {2, 0xeeeeeeee}; }

enum Op : uint32_t {
  Sum = 1,
  Max = 2,
  Product = 3,
  Difference = 4,
  Assertion = 5,
  AlignUp = 6,
  Less = 7,
  Greater = 8,
  LessEqual = 9,
  GreaterEqual = 10,
  Calls = 12,
  Rounded = 52,
  Quotient = 55,
  Unknown = 99,
};

std::string entry(uint32_t op, uint32_t result, Operand a, Operand b,
                  Operand c = {0, 0}) {
  uint32_t words[] = {op << 6 | a.kind | b.kind << 2 | c.kind << 4, result,
                      a.value, b.value, c.value};
  std::string hex;
  for (uint32_t word : words) {
    uint8_t bytes[4];
    support::endian::write32le(bytes, word);
    hex += toHex(ArrayRef<uint8_t>(bytes), true);
  }
  return hex;
}

/// An object with expressions; `symbols` are numbered from 1. The text of an
/// assertion is the name of the symbol "message: ...".
Bytes object(StringRef entries, StringRef symbols, StringRef sections = "") {
  Bytes bytes = xs1((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 8 }
  - { Name: .expr, Type: 0x14, EntSize: 4, Content: ')" +
                     entries + "' }\n" + sections + "Symbols:\n" + symbols)
                        .str());
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  size_t at = text.find("message:"), mark = text.find("\xee\xee\xee\xee");
  if (at == StringRef::npos || mark == StringRef::npos)
    return bytes;
  for (uint32_t i = 1; i < 16; ++i) {
    uint64_t header = sectionHeaderOffset(bytes, i);
    uint32_t begin = support::endian::read32le(&bytes[header + 16]);
    uint32_t size = support::endian::read32le(&bytes[header + 20]);
    if (at >= begin && at < begin + size) {
      poke(bytes, mark, at - begin, 4);
      break;
    }
  }
  return bytes;
}

std::string result(StringRef name, StringRef binding = "STB_GLOBAL") {
  return ("  - { Name: " + name + ", Index: SHN_ABS, Binding: " + binding +
          " }\n")
      .str();
}
std::string undefined(StringRef name) {
  return ("  - { Name: " + name + ", Binding: STB_GLOBAL }\n").str();
}
const char kStart[] =
    "  - { Name: _start, Section: .text, Binding: STB_GLOBAL }\n";

uint64_t computed(Op op, uint32_t a, uint32_t b) {
  LinkHarness links;
  links.file("a.o",
             object(entry(op, 1, number(a), number(b)), result("r") + kStart));
  return quiet(links.link({"a.o"})).value("r");
}

TEST(Expression, Operators) {
  EXPECT_EQ(computed(Sum, 40, 2), 42u);
  EXPECT_EQ(computed(Sum, 0xffffffff, 2), 1u) << "32 bits";
  EXPECT_EQ(computed(Max, 7, 9), 9u);
  EXPECT_EQ(computed(Max, 9, 7), 9u);
  EXPECT_EQ(computed(Product, 6, 7), 42u);
  EXPECT_EQ(computed(Product, 0x10000, 0x10000), 0u);
  EXPECT_EQ(computed(Difference, 50, 8), 42u);
  EXPECT_EQ(computed(Difference, 0, 1), 0xffffffffu);
  EXPECT_EQ(computed(AlignUp, 41, 8), 48u);
  EXPECT_EQ(computed(AlignUp, 48, 8), 48u);
  EXPECT_EQ(computed(AlignUp, 5, 0), 5u);
  EXPECT_EQ(computed(Less, 1, 2), 1u);
  EXPECT_EQ(computed(Less, 2, 2), 0u);
  EXPECT_EQ(computed(Less, 0xffffffff, 0), 1u) << "signed";
  EXPECT_EQ(computed(Greater, 2, 1), 1u);
  EXPECT_EQ(computed(Greater, 2, 2), 0u);
  EXPECT_EQ(computed(LessEqual, 2, 2), 1u);
  EXPECT_EQ(computed(LessEqual, 3, 2), 0u);
  EXPECT_EQ(computed(GreaterEqual, 2, 2), 1u);
  EXPECT_EQ(computed(GreaterEqual, 1, 2), 0u);
  EXPECT_EQ(computed(Rounded, 41, 8), 48u);
  EXPECT_EQ(computed(Quotient, 7, 2), 3u);
  EXPECT_EQ(computed(Quotient, 0xfffffff8, 2), 0xfffffffcu) << "signed";
  EXPECT_EQ(computed(Quotient, 0x80000000, 0xffffffff), 0x80000000u);
  EXPECT_EQ(computed(Quotient, 7, 0), 0u) << "has no value";
}

// What compilers emit: the stack of a function is its own plus the most that a
// callee needs, the callees being in other objects.
TEST(Expression, AcrossObjects) {
  LinkHarness links;
  links.file("main.o",
             object(entry(Max, 1, symbol(3), symbol(4)) +
                        entry(Sum, 2, number(10), symbol(1)),
                    result(".LLNK3", "STB_LOCAL") + result("main.nstackwords") +
                        undefined("f.nstackwords") +
                        undefined("g.nstackwords") + kStart));
  links.file("f.o",
             object(entry(Sum, 1, number(5), symbol(2)),
                    result("f.nstackwords") + undefined("g.nstackwords")));
  // A value with no entry is a constant.
  links.file("g.o", object("", "  - { Name: g.nstackwords, Index: SHN_ABS, "
                               "Value: 30, Binding: STB_GLOBAL }\n"));
  for (auto files : {std::vector<std::string>{"main.o", "f.o", "g.o"},
                     std::vector<std::string>{"g.o", "f.o", "main.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(out.value("f.nstackwords"), 35u);
    EXPECT_EQ(out.value("main.nstackwords"), 45u);
    EXPECT_EQ(out.value(".LLNK3"), 35u);
    EXPECT_EQ(homeOf(out, "main.nstackwords"), "ABS");
    EXPECT_FALSE(out.section(".expr"));
  }
}

// Relocations, scripts and --defsym see results, results see addresses.
TEST(Expression, MeetsTheRest) {
  LinkHarness links;
  links.file(
      "a.o",
      object(
          entry(Difference, 1, symbol(4), symbol(3)) +
              entry(Sum, 2, symbol(5), number(1)),
          result("length") + result("derived") + kStart +
              "  - { Name: end, Section: .text, Value: 8, "
              "Binding: STB_GLOBAL }\n" +
              undefined("given"),
          R"(  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .rela.dp.data, Type: SHT_RELA, Info: .dp.data, Relocations: [ { Offset: 0, Symbol: length, Type: 1, Addend: 1 } ] }
)"));
  OutFile out = quiet(links.link(
      {"--defsym=given=length*2", "--defsym=more=derived+1", "a.o"}));
  EXPECT_EQ(out.value("length"), 8u);
  EXPECT_EQ(out.value("given"), 16u);
  EXPECT_EQ(out.value("derived"), 17u);
  EXPECT_EQ(out.value("more"), 18u);
  EXPECT_EQ(out.word(out.section(".dp.data")->address), 9u);
}

// Of several objects that give one name an expression, the chosen definition's
// counts.
TEST(Expression, OfTheDefinitionThatWins) {
  LinkHarness links;
  links.file("a.o", object(entry(Sum, 1, number(1), number(1)),
                           result("r", "STB_WEAK") + kStart));
  links.file("b.o", object(entry(Sum, 1, number(2), number(2)), result("r")));
  EXPECT_EQ(quiet(links.link({"a.o", "b.o"})).value("r"), 4u);
  EXPECT_EQ(quiet(links.link({"b.o", "a.o"})).value("r"), 4u);
  EXPECT_EQ(quiet(links.link({"--defsym=r=9", "b.o", "a.o"})).value("r"), 9u);
}

// What compilers write for functions that call themselves, or each other.
// Nothing bounds a sum over itself: it has no value, as if something in it were
// undefined, and only a field that wants it gets a warning.
TEST(Expression, Recursion) {
  LinkHarness links;
  const char data[] =
      R"(  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Content: '1111111122222222' }
  - { Name: .rela.dp.data, Type: SHT_RELA, Info: .dp.data, Relocations: [ { Offset: 0, Symbol: one, Type: 1 }, { Offset: 4, Symbol: above, Type: 1 } ] }
)";
  const std::string entries = entry(Calls, 4, symbol(4), number(0)) +
                              entry(Sum, 1, number(1), symbol(2)) +
                              entry(Sum, 3, number(1), symbol(1));
  const std::string symbols =
      result("one") + undefined("two") + result("above") + kStart;
  links.file("a.o", object(entries, symbols));
  links.file("b.o", object(entry(Sum, 1, symbol(2), number(1)),
                           result("two") + undefined("one")));
  OutFile out = quiet(links.link({"a.o", "b.o"}));
  for (const char *name : {"one", "two", "above"})
    EXPECT_EQ(out.value(name), 0u) << name;
  // Entries are counted as they stand in the section, statements too.
  links.file("a.o", object(entries, symbols, data));
  out = warned(links.link({"a.o", "b.o"}),
               "xlink: warning: a.o:(.dp.data+0x0): the link-time value of "
               "'one' depends on a recursion: 0 is used\n"
               ">>> computed by entry 1 of a.o's link-time expressions\n"
               "xlink: warning: a.o:(.dp.data+0x4): the link-time value of "
               "'above' depends on a recursion: 0 is used\n"
               ">>> computed by entry 2 of a.o's link-time expressions\n");
  EXPECT_EQ(bytesOf(out, ".dp.data"), "0000000000000000");
  quiet(links.link({"--no-warn-expression", "a.o", "b.o"}));
}

// A function that calls itself takes no more timers for that: the maximum over
// itself is what stands beside it.
TEST(Expression, MaximumOverItself) {
  LinkHarness links;
  auto value = [&](const std::string &entries, const std::string &symbols) {
    links.file("a.o", object(entries, symbols));
    return quiet(links.link({"a.o"})).value("r");
  };
  EXPECT_EQ(value(entry(Max, 1, symbol(1), number(7)), result("r") + kStart),
            7u);
  EXPECT_EQ(value(entry(Max, 1, number(7), symbol(1)), result("r") + kStart),
            7u);
  // Of three that call each other: the most of what stands beside them. A sum
  // with nothing passes on.
  const std::string three = result("r") + result("s") + result("t") + kStart;
  EXPECT_EQ(value(entry(Max, 1, symbol(2), number(3)) +
                      entry(Max, 2, number(9), symbol(3)) +
                      entry(Sum, 3, symbol(1), number(0)),
                  three),
            9u);
  // A sum with more does not, nor does what has nothing beside it.
  EXPECT_EQ(value(entry(Max, 1, symbol(2), number(3)) +
                      entry(Max, 2, number(9), symbol(3)) +
                      entry(Sum, 3, symbol(1), number(1)),
                  three),
            0u);
  EXPECT_EQ(value(entry(Max, 1, symbol(1), symbol(1)), result("r") + kStart),
            0u);
  // What is undefined has no value, also beside a recursion.
  EXPECT_EQ(value(entry(Max, 1, symbol(1), symbol(2)),
                  result("r") + undefined("nowhere") + kStart),
            0u);
  EXPECT_EQ(
      value(entry(Difference, 1, symbol(1), number(5)), result("r") + kStart),
      0u);
}

// `f.nstackwords = f.nstackwords + 0` beside a value in the symbol table is a
// bound that a programmer gave: vendors' executables have 300 there and keep
// it.
TEST(Expression, BoundOfARecursion) {
  LinkHarness links;
  links.file("a.o", object(entry(Sum, 1, symbol(1), number(0)) +
                               entry(Sum, 2, symbol(1), number(4)),
                           "  - { Name: f, Index: SHN_ABS, Value: 300, "
                           "Binding: STB_GLOBAL }\n" +
                               result("caller") + kStart));
  OutFile out = quiet(links.link({"a.o"}));
  EXPECT_EQ(out.value("f"), 300u);
  EXPECT_EQ(out.value("caller"), 304u);
}

// A call chain as deep as one likes.
TEST(Expression, LongChain) {
  constexpr unsigned count = 20000;
  std::string entries, symbols;
  for (unsigned i = 1; i < count; ++i) {
    entries += entry(Sum, i, symbol(i + 1), number(1));
    symbols += result("r" + std::to_string(i));
  }
  symbols += "  - { Name: last, Index: SHN_ABS, Value: 5, Binding: STB_GLOBAL "
             "}\n" +
             std::string(kStart);
  LinkHarness links;
  links.file("a.o", object(entries, symbols));
  EXPECT_EQ(quiet(links.link({"a.o"})).value("r1"), count - 1 + 5);
}

// A result that depends on something undefined, however far, has no value. That
// is no error; a field that wants it gets 0 and a warning.
TEST(Expression, Unresolved) {
  LinkHarness links;
  std::string entries =
      entry(Max, 1, number(1), symbol(3)) + entry(Sum, 2, symbol(1), number(1));
  std::string symbols =
      result("near") + result("far") + undefined("nowhere") + kStart;
  links.file("a.o", object(entries, symbols));
  OutFile out = quiet(links.link({"a.o"}));
  EXPECT_EQ(out.value("near"), 0u);
  EXPECT_EQ(out.value("far"), 0u);
  links.file(
      "b.o",
      object(
          entries, symbols,
          R"(  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .rela.dp.data, Type: SHT_RELA, Info: .dp.data, Relocations: [ { Offset: 0, Symbol: far, Type: 1 } ] }
)"));
  out = warned(links.link({"b.o"}),
               "xlink: warning: b.o:(.dp.data+0x0): the link-time value of "
               "'far' depends on an undefined symbol: 0 is used\n");
  EXPECT_EQ(out.word(out.section(".dp.data")->address), 0u);
  quiet(links.link({"--no-warn-expression", "b.o"}));
}

// A name that only expressions mention pulls no member; a relocation does.
TEST(Expression, PullsNoMember) {
  LinkHarness links;
  std::string entries = entry(Sum, 1, symbol(2), number(1));
  std::string symbols = result("r") + undefined("f") + kStart;
  links.file("a.o", object(entries, symbols));
  links.file(
      "b.o",
      object(
          entries, symbols,
          R"(  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .rela.dp.data, Type: SHT_RELA, Info: .dp.data, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
)"));
  links.file("lib.a", makeArchive({{"f.o", xs1(R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, ShFlags: 0x2, Size: 4 }
Symbols:
  - { Name: f, Section: .rodata, Binding: STB_GLOBAL }
)")}}));
  for (auto files : {std::vector<std::string>{"a.o", "lib.a"},
                     std::vector<std::string>{"lib.a", "a.o"}})
    EXPECT_FALSE(quiet(links.link(files)).section(".rodata"));
  OutFile out = quiet(links.link({"b.o", "lib.a"}));
  EXPECT_EQ(out.value("r"), out.value("f") + 1);
}

// As the vendor's objects have them: what must not be is the result; operand 2
// names something else, and a third operand of 1 makes it an error.
TEST(Expression, Assertions) {
  LinkHarness links;
  auto link = [&](const std::string &first, uint32_t severity,
                  std::vector<std::string> options = {}) {
    links.file(
        "a.o",
        object(entry(Assertion, 1, message(), symbol(1), number(severity)),
               first + result("'message: no channel here'", "STB_LOCAL") +
                   kStart));
    options.push_back("a.o");
    return links.link(options);
  };
  const std::string is1 = "  - { Name: bad, Index: SHN_ABS, Value: 1, "
                          "Binding: STB_GLOBAL }\n";
  quiet(link(result("bad"), 1));
  quiet(link(result("bad"), 0));
  quiet(link(undefined("bad"), 1));
  const char error[] = "xlink: error: a.o: message: no channel here\n";
  const char warning[] = "xlink: warning: a.o: message: no channel here\n";
  expectFailure(link(is1, 1), error);
  warned(link(is1, 0), warning);
  quiet(link(is1, 0, {"--no-warn-expression"}));
  // Without a result nothing is asserted.
  links.file("a.o", object(entry(Assertion, 0, message(), number(0), number(1)),
                           result("'message: x'", "STB_LOCAL") + kStart));
  quiet(links.link({"a.o"}));
}

// The ABI's letter: operand 2 is the condition, and a third operand of 0 makes
// it an error.
TEST(Expression, AssertionsOfTheAbi) {
  LinkHarness links;
  auto link = [&](Operand condition, uint32_t severity,
                  std::vector<std::string> options = {}) {
    links.file(
        "a.o",
        object(entry(Assertion, 0, message(), condition, number(severity)),
               result("'message: too many threads'", "STB_LOCAL") +
                   undefined("nowhere") + kStart));
    options.insert(options.end(), {"-z", "xs1-assert=abi", "a.o"});
    return links.link(options);
  };
  quiet(link(number(1), 0));
  quiet(link(symbol(2), 0));
  const char error[] = "xlink: error: a.o: message: too many threads\n";
  const char warning[] = "xlink: warning: a.o: message: too many threads\n";
  expectFailure(link(number(0), 0), error);
  warned(link(number(0), 1), warning);
  quiet(link(number(0), 1, {"--no-warn-expression"}));
  // What stands below the first line follows as lines of its own.
  links.file("a.o",
             object(entry(Assertion, 0, message(), number(0), number(0)),
                    result("\"message: one\\ntwo\\n\"", "STB_LOCAL") + kStart));
  expectFailure(links.link({"-z", "xs1-assert=abi", "a.o"}),
                "xlink: error: a.o: message: one\n"
                ">>> two\n");
}

// Statements and operators of newer tools assign nothing.
TEST(Expression, PassedOver) {
  LinkHarness links;
  links.file("a.o", object(entry(Calls, 1, symbol(1), number(0)) +
                               entry(Unknown, 1, number(1), symbol(1)) +
                               entry(Sum, 2, number(1), number(2)),
                           std::string(kStart) + result("r")));
  EXPECT_EQ(quiet(links.link({"a.o"})).value("r"), 3u);
}

} // namespace
} // namespace xlink::test
