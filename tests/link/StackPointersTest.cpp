//===- StackPointersTest.cpp - --stack-usage of calls through pointers ----===//
//
// On a machine that says which instructions call through registers. The words
// are those of tests/arch/FlowTest.cpp.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink::test {
namespace {

constexpr uint64_t kCall = 0x8be300000000, kPointerCall = 0x8bcb00000000,
                   kJump = 0x8c6300000000, kRegisterJump = 0x8c0700000000,
                   kIndexedJump = 0x8c0f00000000, kReturn = 0x8c5f00000000,
                   kLoad = 0x708744000000, kNop = 0x7c6300000000;
constexpr unsigned kCallField = 138, kJumpField = 141;

/// An instruction, and what its field refers to.
struct Instruction {
  uint64_t bits;
  unsigned type = 0;
  std::string symbol = "";
};
struct Code {
  std::string name;
  uint64_t frame; ///< below 128
  std::vector<Instruction> code;
  bool named = true; ///< false: no symbol says where it begins
};

std::string relocations(const std::string &section, const std::string &list) {
  return "  - { Name: .rela" + section + ", Type: SHT_RELA, Info: " + section +
         ", Relocations: [ " + list + " ] }\n";
}
std::string relocation(uint64_t offset, const std::string &symbol,
                       unsigned type) {
  return "{ Offset: " + std::to_string(offset) + ", Symbol: " + symbol +
         ", Type: " + std::to_string(type) + " }, ";
}

/// A table of lines that says that the first two instructions of a function
/// are line 12 of work.c.
std::string linesOf(const std::string &function) {
  return "  - { Name: .debug_line, Type: SHT_PROGBITS, Content: "
         "'3300000004001e000000010101fb0e0d00010101010000000100000100776f726b2e"
         "630000000000000502"
         "00000000030b010210000101' }\n" +
         relocations(".debug_line", relocation(43, function, 1));
}

/// Functions, each in a section of its own with a label .LNAME in its second
/// instruction; `table`: symbols of which data has the addresses; `more`:
/// further sections.
Bytes objectOf(const std::vector<Code> &functions,
               const std::vector<std::string> &table = {},
               const std::string &more = "") {
  std::string sections = more, locals, globals;
  for (const Code &f : functions) {
    const std::string section = ".text." + f.name;
    std::string bytes, list;
    for (const Instruction &i : f.code) {
      if (!i.symbol.empty())
        list += relocation(bytes.size() / 2, i.symbol, i.type);
      for (unsigned byte = 0; byte < 8; ++byte)
        bytes += toHex(uint8_t(i.bits >> 8 * byte));
    }
    sections += "  - { Name: " + section +
                ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                "AddressAlign: 8, Content: '" +
                bytes + "' }\n";
    if (!list.empty())
      sections += relocations(section, list);
    if (!f.named)
      continue;
    const std::string sizes = ".stack_sizes (" + f.name + ")";
    sections +=
        "  - { Name: '" + sizes +
        "', Type: SHT_PROGBITS, Flags: [ SHF_LINK_ORDER ], Link: " + section +
        ", Content: '00000000" + toHex(uint8_t(f.frame)) +
        "' }\n  - { Name: '.rela" + sizes + "', Type: SHT_RELA, Info: '" +
        sizes + "', Relocations: [ " + relocation(0, f.name, 1) + " ] }\n";
    locals +=
        "  - { Name: .L" + f.name + ", Section: " + section + ", Value: 8 }\n";
    globals +=
        "  - { Name: " + f.name + ", Type: STT_FUNC, Section: " + section +
        ", Binding: STB_GLOBAL, Size: " + std::to_string(bytes.size() / 2) +
        " }\n";
  }
  std::string list;
  for (size_t i = 0; i < table.size(); ++i)
    list += relocation(4 * i, table[i], 1);
  if (!table.empty())
    sections += "  - { Name: .rodata.table, Type: SHT_PROGBITS, Flags: [ "
                "SHF_ALLOC ], AddressAlign: 4, Size: " +
                std::to_string(4 * table.size()) + " }\n" +
                relocations(".rodata.table", list);
  if (!table.empty())
    locals += "  - { Name: .Ltable, Section: .rodata.table }\n";
  return dpu("Sections:\n" + sections + "Symbols:\n" + locals + globals);
}

/// The report of a link of `object` without a message.
std::string usage(const Bytes &object,
                  const std::vector<std::string> &more = {"--stack-usage"},
                  const std::string &calls = "") {
  LinkHarness links;
  links.file("a.o", object).file("calls", calls);
  std::vector<std::string> arguments = {"a.o", "-e", "main"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Linked linked = links.link(arguments);
  EXPECT_EQ(linked.errors, "");
  return linked.text;
}

const Code kMain = {"main", 16, {{kCall, kCallField, "f"}, {kReturn}}};
const Code kLeaf = {"leaf", 4, {{kNop}, {kReturn}}};

/// What is known of main, which calls f.
std::string report(const std::string &unseen = "") {
  return "Stack usage\n"
         "  main (entry): 24 bytes\n"
         "        16  main\n"
         "         8  f\n"
         "  Largest frames\n"
         "        16  main\n"
         "         8  f\n" +
         unseen;
}
/// The same, where f calls through a pointer.
std::string unbounded(const std::string &place,
                      const std::string &others = "") {
  return "Stack usage\n"
         "  main (entry): unbounded, at least 24 bytes\n"
         "        16  main\n"
         "         8  f\n"
         "    indirect call in f at " +
         place +
         "\n"
         "  Largest frames\n"
         "        16  main\n"
         "         8  f\n" +
         others;
}
/// The same, where f calls leaf.
const char kWithLeaf[] = "Stack usage\n"
                         "  main (entry): 28 bytes\n"
                         "        16  main\n"
                         "         8  f\n"
                         "         4  leaf\n"
                         "  Largest frames\n"
                         "        16  main\n"
                         "         8  f\n"
                         "         4  leaf\n";

TEST(StackPointers, Call) {
  const Code f = {"f", 8, {{kNop}, {kPointerCall}, {kReturn}}};
  EXPECT_EQ(usage(objectOf({kMain, f})), unbounded("a.o:(.text.f+0x8)"));
}

// Where DWARF tells the line, that is named.
TEST(StackPointers, Line) {
  const Code f = {"f", 8, {{kNop}, {kPointerCall}, {kReturn}}};
  const std::string text = usage(objectOf({kMain, f}, {}, linesOf("f")));
  EXPECT_NE(text.find("    indirect call in f at work.c:12\n"),
            std::string::npos)
      << text;
}

// A jump to where a register says is the end of a function through a pointer; a
// return is none.
TEST(StackPointers, JumpAtTheEnd) {
  EXPECT_EQ(usage(objectOf({kMain, {"f", 8, {{kNop}, {kRegisterJump}}}})),
            unbounded("a.o:(.text.f+0x8)"));
  EXPECT_EQ(usage(objectOf({kMain, {"f", 8, {{kNop}, {kReturn}}}})), report());
}

// --stack-calls states what is called.
TEST(StackPointers, Stated) {
  const std::vector<std::string> options = {"--stack-usage",
                                            "--stack-calls=calls"};
  EXPECT_EQ(usage(objectOf({kMain, {"f", 8, {{kPointerCall}}}, kLeaf}), options,
                  "f: leaf\n"),
            kWithLeaf);
  EXPECT_EQ(
      usage(objectOf({kMain, {"f", 8, {{kRegisterJump}, {kReturn}}}, kLeaf},
                     {".Lf"}),
            options, "f: leaf\n"),
      kWithLeaf);
}

// A jump to what was loaded from a table of places in the function is a switch;
// one behind a load from a table of functions is none.
TEST(StackPointers, Switch) {
  const Code f = {
      "f", 8, {{kLoad, kCallField, ".Ltable"}, {kRegisterJump}, {kReturn}}};
  EXPECT_EQ(usage(objectOf({kMain, f}, {".Lf", ".Lf"})), report());
  EXPECT_EQ(usage(objectOf({kMain, f}, {"f"})), unbounded("a.o:(.text.f+0x8)"));
}

// Where the load is elsewhere, data that names a place in the function makes a
// switch of a jump, as far as anybody can tell; a call stays one.
TEST(StackPointers, SwitchMaybe) {
  const std::vector<std::string> table = {".Lf", ".Lf"};
  EXPECT_EQ(
      usage(objectOf({kMain, {"f", 8, {{kRegisterJump}, {kReturn}}}}, table)),
      report("  Not seen\n"
             "    whether 1 jump through a register stays in its function, as "
             "a switch does; --stack-calls states what else it reaches\n"));
  const Code calls = {
      "f", 8, {{kRegisterJump}, {kRegisterJump}, {kPointerCall}}};
  EXPECT_EQ(
      usage(objectOf({kMain, calls}, table)),
      unbounded("a.o:(.text.f+0x10)",
                "  Not seen\n"
                "    whether 2 jumps through registers stay in their "
                "functions, as switches do; --stack-calls states what else "
                "they reach\n"));
  // A table of functions belongs to no switch.
  EXPECT_EQ(
      usage(objectOf({kMain, {"f", 8, {{kRegisterJump}, {kReturn}}}}, {"f"})),
      unbounded("a.o:(.text.f+0x0)"));
}

// What is counted from a place in the function stays in it.
TEST(StackPointers, Indexed) {
  Code f = {"f", 8, {{kIndexedJump, kJumpField, ".Lf"}, {kReturn}}};
  EXPECT_EQ(usage(objectOf({kMain, f})), report());
  f.code[0].symbol = ".Lleaf";
  EXPECT_EQ(usage(objectOf({kMain, f, kLeaf})),
            unbounded("a.o:(.text.f+0x0)", "         4  leaf\n"));
}

// A jump to another function is a call, be its relocation one of instructions
// that compute; one to a place in the same function, its beginning too, is
// none.
TEST(StackPointers, JumpToAFunction) {
  Code f = {"f", 8, {{kJump, kJumpField, "leaf"}}};
  EXPECT_EQ(usage(objectOf({kMain, f, kLeaf})), kWithLeaf);
  f.code = {{kJump, kJumpField, "f"}, {kJump, kJumpField, ".Lf"}};
  EXPECT_EQ(usage(objectOf({kMain, f})), report());
  f.code = {{kNop, kJumpField, "leaf"}, {kReturn}};
  EXPECT_EQ(usage(objectOf({kMain, f, kLeaf})),
            "Stack usage\n"
            "  main (entry): 24 bytes\n"
            "        16  main\n"
            "         8  f\n"
            "  leaf (possible root): 4 bytes\n"
            "         4  leaf\n"
            "  Largest frames\n"
            "        16  main\n"
            "         8  f\n"
            "         4  leaf\n");
}

TEST(StackPointers, CodeWithoutASymbol) {
  const Code nobodys = {"x", 0, {{kPointerCall}, {kReturn}}, false};
  EXPECT_EQ(usage(objectOf({kMain, {"f", 8, {{kReturn}}}, nobodys})),
            report("  Not seen\n"
                   "    who makes 1 call from code that has no symbol\n"));
}

TEST(StackPointers, Json) {
  Expected<json::Value> value =
      json::parse(usage(objectOf({kMain,
                                  {"f", 8, {{kRegisterJump}, {kReturn}}},
                                  {"g", 8, {{kPointerCall}, {kReturn}}}},
                                 {".Lf", "g"}),
                        {"--stack-usage=json"}));
  ASSERT_TRUE(bool(value));
  const json::Object &usage = *value->getAsObject();
  const json::Object &unseen = *usage.getObject("unseen");
  EXPECT_EQ(unseen.getInteger("jumpsOfSwitches"), 1);
  EXPECT_EQ(unseen.getInteger("functionsWithUnknownPointers"), 0);
  const json::Array &roots = *usage.getArray("roots");
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(
      roots[1],
      json::Value(json::Object{
          {"function", "g"},
          {"kind", "possible root"},
          {"bytes", 8},
          {"bounded", false},
          {"path", json::Array{json::Object{{"function", "g"}, {"bytes", 8}}}},
          {"unbounded",
           json::Array{json::Object{{"reason", "indirect"},
                                    {"function", "g"},
                                    {"place", "a.o:(.text.g+0x0)"}}}}}));
}

} // namespace
} // namespace xlink::test
