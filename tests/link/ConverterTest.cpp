//===- ConverterTest.cpp - code between callers and functions -------------===//
//
// By hand: _start stands at 0x10000, what other objects define behind it in
// their order, 4 bytes each, and the linker's code last. Distances count in
// halfwords from the next instruction.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(std::vector<std::string> objects,
            std::vector<std::string> more = {}) {
  LinkHarness links;
  std::vector<std::string> arguments;
  for (const std::string &lines : objects) {
    arguments.push_back(std::string(1, char('a' + arguments.size())) + ".o");
    links.file(arguments.back(), statementObject(lines));
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

const char kCaller[] =
    "code _start\nbl _start f\ntypeinfo f \"f{si}(p(c:uc))\"";
const char kFunction[] = "code f\ntypeinfo f \"f{si}(&(a(:c:uc)))\"";
const char kName[] = "f.coersed..f.7bsi.7d.28p.28c.3auc.29.29";

// The call goes to the code at 0x10008, 2 halfwords behind 0x10004; its jump
// from 0x1000E back to 0x10004, 5 halfwords.
TEST(Converter, StandsBetween) {
  OutFile out = quiet(link({kCaller, kFunction}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0"
                                   "00000000"
                                   "d4a600f00577");
  EXPECT_EQ(out.value(kName), 0x10008u);
  EXPECT_EQ(out.symbol(kName)->size, 6u);
  EXPECT_EQ(out.symbol(kName)->type, 2); // STT_FUNC
  EXPECT_EQ(out.value("f"), 0x10004u);
  // The same where types are annotations of .expr.
  EXPECT_EQ(bytesOf(quiet(link({"code _start\nbl _start f\n"
                                "type f 0 \"f{si}(p(c:uc))\"",
                                "code f\ntype f 0 \"f{si}(&(a(:c:uc)))\""})),
                    ".text"),
            "00f002d0"
            "00000000"
            "d4a600f00577");
}

// Symbols that are local, or that no relocation names, state types as well.
TEST(Converter, BesideLocalSymbols) {
  const std::string locals = "\nlocal g\ntypeinfo g \"si\"\n"
                             "localresult h\ntypeinfo h \"f{si}(si)\"";
  OutFile out = quiet(link({kCaller + locals, kFunction + locals}));
  EXPECT_EQ(out.value(kName), 0x10010u);
}

// With P at the field the addends of the objects hold the distance to the next
// instruction, and the code's own as well: the jump is the same.
TEST(Converter, PlaceIsOffset) {
  OutFile out = quiet(link({kCaller, kFunction}, {"-z", "xs1-place=offset"}));
  EXPECT_EQ(out.word(out.value(kName) + 2, 4), 0x7705F000u);
}

// One for all callers that state one type, another for another type.
TEST(Converter, OncePerType) {
  OutFile out = quiet(
      link({kCaller, "code g h\nbl g f\nbl h f\ntypeinfo f \"f{si}(p(c:uc))\"",
            "code i\nbl i f\ntypeinfo f \"f{si}(&(a(4:c:uc)))\"", kFunction}));
  // g at 0x10004, h, i, f at 0x10010, the codes at 0x10014 and 0x1001A.
  EXPECT_EQ(bytesOf(out, ".text"), "00f008d0"
                                   "00f006d0"
                                   "00f004d0"
                                   "00f005d0"
                                   "00000000"
                                   "d4a600f00577"
                                   "d4a600f00877");
  EXPECT_EQ(out.value(kName), 0x10014u);
  EXPECT_EQ(out.value("f.coersed..f.7bsi.7d.28.26.28a.284.3ac.3auc.29.29.29"),
            0x1001Au);
}

// What structures consist of, and are called, makes no difference.
TEST(Converter, NameOfStructures) {
  OutFile out = quiet(
      link({"code _start\nbl _start f\n"
            "typeinfo f \"f{0}(p(c:s(D){m(a){ui},m(b){s(E){}}}),ui,p(uc),ui)\"",
            "code f\ntypeinfo f "
            "\"f{0}(&(c:s(D){m(a){ui},m(b){s(E){}}}),ui,&(a(:uc)),ui)\""}));
  EXPECT_EQ(out.value("f.coersed..f.7b0.7d.28p.28c.3as.28.29.7b.7d.29.2cui.2cp"
                      ".28uc.29.2cui.29"),
            0x10008u);
  // entsp 2; mkmsk r11, 32; stw r11, sp[1]; bl f; retsp 2
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0"
                                   "00000000"
                                   "42775ca7c15600f007d4c277");
}

// An address that is taken may be called.
TEST(Converter, Addresses) {
  OutFile out = quiet(link({"code _start\ndata x\npointer x f\n"
                            "typeinfo f \"f{si}(p(c:uc))\"",
                            kFunction}));
  EXPECT_EQ(out.word(out.value("x")), 0x10008u);
}

// XC passes bounds that a function of C does not look at; whoever states
// nothing, or refers to nothing, gets the function itself.
TEST(Converter, NotNeeded) {
  const char *direct = "00f000d0"
                       "00000000";
  for (const auto &[caller, function] :
       {std::pair<std::string, std::string>{"\"f{si}(&(a(:c:uc)))\"",
                                            "\"f{si}(p(c:uc))\""},
        {"\"f{si}(&(a(:c:uc)))\"", "\"f{si}(&(a(:c:uc)))\""},
        {"\"f{si}(p(c:uc),va)\"", "\"f{si}(&(a(:c:uc)),va)\""}}) {
    OutFile out = quiet(link({"code _start\nbl _start f\ntypeinfo f " + caller,
                              "code f\ntypeinfo f " + function}));
    EXPECT_EQ(bytesOf(out, ".text"), direct) << caller;
  }
  EXPECT_EQ(
      bytesOf(quiet(link({"code _start\nbl _start f", kFunction})), ".text"),
      direct);
  OutFile unused =
      quiet(link({"code _start\ntypeinfo f \"f{si}(p(c:uc))\"\ncalls _start f",
                  kFunction}));
  EXPECT_EQ(unused.symbol(kName), nullptr);
}

// It lives with its callers and keeps the function.
TEST(Converter, Collection) {
  const std::string dead = "code g\nbl g f\ntypeinfo f \"f{si}(p(c:uc))\"";
  OutFile none =
      quiet(link({"code _start", dead, kFunction}, {"--gc-sections"}));
  EXPECT_EQ(bytesOf(none, ".text"), "00000000");
  EXPECT_EQ(none.symbol(kName), nullptr);
  OutFile some = quiet(link({kCaller, dead, kFunction}, {"--gc-sections"}));
  EXPECT_EQ(bytesOf(some, ".text"), "00f002d0"
                                    "00000000"
                                    "d4a600f00577");
}

TEST(Converter, InTheMap) {
  Linked linked = link({kCaller, kFunction}, {"-Map=map"});
  const Bytes &map = linked.files["map"];
  const std::string text(map.begin(), map.end());
  EXPECT_TRUE(StringRef(text).contains(
      " .text          0x00010008        0x6 <internal>\n"
      "                0x00010008                " +
      std::string(kName) + "\n"))
      << text;
}

// By hand: f needs 10, the code's frame 2, _start 4 and what it calls.
TEST(Converter, StackWords) {
  const std::string caller =
      "code _start\nbl _start f\ncalls _start f\nstack _start 4\n"
      "result _start.nstackwords\n"
      "sum _start.nstackwords f.nstackwords 4\n"
      "typeinfo f \"f{0}(ui,ui,ui,p(uc))\"";
  const std::string function = "code f\nstack f 10\nresult f.nstackwords\n"
                               "sum f.nstackwords 10 0\n"
                               "typeinfo f \"f{0}(ui,ui,ui,&(a(:uc)))\"";
  const std::string name = "f.coersed..f.7b0.7d.28ui.2cui.2cui.2cp.28uc.29.29";
  Linked linked = link({caller, function}, {"--print-resource-usage"});
  OutFile out = quiet(linked);
  EXPECT_EQ(out.value("f.nstackwords"), 10u);
  EXPECT_EQ(out.value(name + ".nstackwords"), 12u);
  EXPECT_EQ(out.value("_start.nstackwords"), 16u);
  EXPECT_EQ(linked.text, "Resource usage\n"
                         "  _start (entry)\n"
                         "    stack words: 16, its own 4\n"
                         "      deepest path: _start -> " +
                             name +
                             " -> f\n"
                             "    threads: 1\n"
                             "    timers: 0\n"
                             "    channel ends: 0\n");
}

TEST(Converter, CannotBeMade) {
  const char *caller = "code _start\nbl _start f\n"
                       "typeinfo f \"f{0}(s(S){},p(uc))\"";
  const char *function = "code f\ntypeinfo f \"f{0}(s(S){},&(a(:uc)))\"";
  expectFailure(link({caller, function}),
                "xlink: error: a.o:(.text+0x0): the bound of parameter 2 of "
                "'f' is not passed where the function expects it\n"
                ">>> b.o: void f(struct S, unsigned char (&)[])\n"
                ">>> a.o: void f(struct S, unsigned char *)\n"
                ">>> no code between them can pass it: how parameter 1 is "
                "passed, in front of it, is not known\n");
  // What does not live is not called.
  quiet(link({"code _start",
              "code g\nbl g f\ntypeinfo f \"f{0}(s(S){},p(uc))\"", function},
             {"--gc-sections"}));
}

// Whoever brings such code is taken at its word.
TEST(Converter, BroughtAlong) {
  OutFile out = quiet(link({kCaller, kFunction, std::string("code ") + kName}));
  EXPECT_EQ(out.value(kName), 0x10008u);
  EXPECT_EQ(out.word(0x10000), 0xD002F000u);
}

// Other contradictions are still seen, and name the function.
TEST(Converter, TypesAreCompared) {
  warned(link({"code _start\nbl _start f\ntypeinfo f \"f{ui}(p(c:uc))\"",
               kFunction}),
         "xlink: warning: objects state different types for 'f'\n"
         ">>> b.o: int f(const unsigned char (&)[])\n"
         ">>> a.o: unsigned int f(const unsigned char *)\n");
}

} // namespace
} // namespace xlink::test
