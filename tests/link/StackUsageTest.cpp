//===- StackUsageTest.cpp - --stack-usage ---------------------------------===//
//
// Sums by hand, from the leaves up, stand beside the graphs.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "link/Linking.h"
#include "support/CallObject.h"
#include "support/StatementObject.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(const char *machine, StringRef lines,
            std::vector<std::string> more = {"--stack-usage"}) {
  LinkHarness links;
  links.file("a.o", callObject(machine, lines));
  std::vector<std::string> arguments = {"a.o"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}
/// The report of a link without a message.
std::string usage(const char *machine, StringRef lines,
                  std::vector<std::string> more = {"--stack-usage"}) {
  const Linked linked = link(machine, lines, more);
  EXPECT_EQ(linked.errors, "");
  return linked.text;
}

// leaf 8; f 32 + 8 = 40; g 16 + 40 = 56; main 48 + max(40, 56) = 104;
// _start 0 + 104. A branch to another function is a call too.
const char kGraph[] = R"(
  _start 0 main
  main 48 f ~g
  local f 32 leaf
  g 16 f
  leaf 8
)";
const char kGraphText[] = "Stack usage\n"
                          "  _start (entry): 104 bytes\n"
                          "         0  _start\n"
                          "        48  main\n"
                          "        16  g\n"
                          "        32  f\n"
                          "         8  leaf\n"
                          "  Largest frames\n"
                          "        48  main\n"
                          "        32  f\n"
                          "        16  g\n"
                          "         8  leaf\n";
/// On machines that do not say which instructions call.
const char kUnseenPointers[] =
    "  Not seen\n"
    "    whether 5 functions call through pointers: such calls "
    "have no relocation; --stack-calls states them\n";

TEST(StackUsage, DeepestPathOnEachMachine) {
  for (const char *machine : {"nyuzi", "aphelion", "dpu", "colossus"}) {
    SCOPED_TRACE(machine);
    const bool isRead = !findTarget(machine)->flow.empty();
    EXPECT_EQ(usage(machine, kGraph, {"--stack-usage", "-e", "_start"}),
              std::string(kGraphText) + (isRead ? "" : kUnseenPointers));
  }
}

TEST(StackUsage, WhatHasNoBound) {
  EXPECT_EQ(usage("nyuzi", R"(
    _start 8 ping unknown twice
    ping 16 pong
    pong 24 ping leaf
    unknown - leaf
    twice 0 twice
    leaf 4
  )"),
            "Stack usage\n"
            "  _start (entry): unbounded, at least 36 bytes\n"
            "         8  _start\n"
            "        16  ping\n"
            "         4  leaf\n"
            "    recursion ping -> pong -> ping\n"
            "    nothing stated about unknown\n"
            "    recursion twice -> twice\n"
            "  Largest frames\n"
            "        24  pong\n"
            "        16  ping\n"
            "         8  _start\n"
            "         4  leaf\n"
            "  Not seen\n"
            "    whether 6 functions call through pointers: such calls "
            "have no relocation; --stack-calls states them\n");
}

TEST(StackUsage, UndefinedAndWeak) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Symbol: missing, Type: 3 }
      - { Offset: 4, Symbol: maybe, Type: 3 }
      - { Offset: 8, Symbol: rom, Type: 3 }
      - { Offset: 12, Symbol: again, Type: 3 }
Symbols:
  - { Name: _start, Type: STT_FUNC, Section: .text, Size: 16, Binding: STB_GLOBAL }
  - { Name: missing, Binding: STB_GLOBAL }
  - { Name: maybe, Binding: STB_WEAK }
  - { Name: rom, Binding: STB_GLOBAL }
  - { Name: again, Binding: STB_GLOBAL }
)"));
  const Linked linked =
      links.link({"a.o", "--stack-usage", "--defsym=rom=0x800",
                  "--defsym=again=_start", "--unresolved-symbols=ignore-all"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "Stack usage\n"
            "  _start (entry): unbounded, at least 0 bytes\n"
            "         ?  _start\n"
            "         ?  missing\n"
            "    unresolved symbol missing\n"
            "    nothing stated about rom\n"
            "    nothing stated about _start\n"
            "    recursion _start -> _start\n"
            "  Not seen\n"
            "    whether 1 function calls through pointers: such calls "
            "have no relocation; --stack-calls states them\n");
}

// A part of a function that stands elsewhere goes back into the middle of it;
// another branch into the middle of a function counts as a call.
TEST(StackUsage, BranchesIntoTheMiddle) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 48 }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Symbol: f, Type: 3 }
      - { Offset: 16, Symbol: cold, Type: 2 }
      - { Offset: 32, Symbol: .text, Addend: 20, Type: 2 }
      - { Offset: 40, Symbol: .text, Addend: 20, Type: 2 }
  - { Name: .stack_sizes, Type: SHT_PROGBITS, Flags: [ SHF_LINK_ORDER ], Link: .text, Content: '0000000008000000001000000000040000000002' }
  - Name: .rela.stack_sizes
    Type: SHT_RELA
    Info: .stack_sizes
    Relocations:
      - { Offset: 0, Symbol: _start, Type: 1 }
      - { Offset: 5, Symbol: f, Type: 1 }
      - { Offset: 10, Symbol: cold, Type: 1 }
      - { Offset: 15, Symbol: other, Type: 1 }
Symbols:
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: _start, Type: STT_FUNC, Section: .text, Size: 16, Binding: STB_GLOBAL }
  - { Name: f, Type: STT_FUNC, Section: .text, Value: 16, Size: 16, Binding: STB_GLOBAL }
  - { Name: cold, Type: STT_FUNC, Section: .text, Value: 32, Size: 8, Binding: STB_GLOBAL }
  - { Name: other, Type: STT_FUNC, Section: .text, Value: 40, Size: 8, Binding: STB_GLOBAL }
)"));
  const Linked linked =
      links.link({"a.o", "--stack-usage", "--stack-limit=other=22"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "Stack usage\n"
            "  _start (entry): 28 bytes\n"
            "         8  _start\n"
            "        16  f\n"
            "         4  cold\n"
            "  other (limit): 22 bytes of 22, 0 left\n"
            "         2  other\n"
            "        16  f\n"
            "         4  cold\n"
            "  Largest frames\n"
            "        16  f\n"
            "         8  _start\n"
            "         4  cold\n"
            "         2  other\n"
            "  Not seen\n"
            "    whether 4 functions call through pointers: such calls "
            "have no relocation; --stack-calls states them\n"
            "    whether 1 branch into the middle of a caller goes back there "
            "for good\n");
}

// Sizes of functions that are named by another symbol and a distance.
TEST(StackUsage, SizesBehindALabel) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 32 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: f, Type: 3 } ] }
  - { Name: .stack_sizes, Type: SHT_PROGBITS, Flags: [ SHF_LINK_ORDER ], Link: .text, Content: '00000000080000000010' }
  - Name: .rela.stack_sizes
    Type: SHT_RELA
    Info: .stack_sizes
    Relocations:
      - { Offset: 0, Symbol: .Lbegin, Type: 1 }
      - { Offset: 5, Symbol: .Lbegin, Addend: 16, Type: 1 }
Symbols:
  - { Name: .Lbegin, Section: .text }
  - { Name: _start, Type: STT_FUNC, Section: .text, Size: 16, Binding: STB_GLOBAL }
  - { Name: f, Type: STT_FUNC, Section: .text, Value: 16, Size: 16, Binding: STB_GLOBAL }
)"));
  const Linked linked = links.link({"a.o", "--stack-usage"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_TRUE(StringRef(linked.text)
                  .starts_with("Stack usage\n"
                               "  _start (entry): 24 bytes\n"
                               "         8  _start\n"
                               "        16  f\n"))
      << linked.text;
}

// Only what lives counts, and of several definitions the one in force.
TEST(StackUsage, DefinitionsInForce) {
  LinkHarness links;
  links.file("a.o", callObject("nyuzi", "_start 8 f\nunused 999 f"));
  links.file("b.o", callObject("nyuzi", "f 16"));
  links.file("c.o", callObject("nyuzi", "f 400"));
  const Linked linked = links.link(
      {"a.o", "b.o", "c.o", "--gc-sections", "--stack-usage", "-zmuldefs"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_TRUE(StringRef(linked.text)
                  .starts_with("Stack usage\n"
                               "  _start (entry): 24 bytes\n"
                               "         8  _start\n"
                               "        16  f\n"
                               "  Largest frames\n"
                               "        16  f\n"
                               "         8  _start\n"
                               "  Not seen\n"))
      << linked.text;
}

TEST(StackUsage, WrappedAndFolded) {
  LinkHarness links;
  links.file("a.o", callObject("nyuzi", "_start 8 f\n"
                                        "__wrap_f 16 __real_f"));
  links.file("b.o", callObject("nyuzi", "f 32 same1\n"
                                        "same1 64\nsame2 64\n* same2"));
  const Linked linked =
      links.link({"a.o", "b.o", "--wrap=f", "--icf=all", "--stack-usage"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_TRUE(StringRef(linked.text)
                  .starts_with("Stack usage\n"
                               "  _start (entry): 120 bytes\n"
                               "         8  _start\n"
                               "        16  __wrap_f\n"
                               "        32  f\n"
                               "        64  same1\n"
                               "  Largest frames\n"))
      << linked.text;
}

// What is referred to by data alone may begin a stack: the deepest first.
TEST(StackUsage, PossibleRoots) {
  EXPECT_TRUE(StringRef(usage("nyuzi", R"(
    _start 8 called
    called 4
    timer 16
    uart 24 called
    * timer uart called
  )"))
                  .starts_with("Stack usage\n"
                               "  _start (entry): 12 bytes\n"
                               "         8  _start\n"
                               "         4  called\n"
                               "  uart (possible root): 28 bytes\n"
                               "        24  uart\n"
                               "         4  called\n"
                               "  timer (possible root): 16 bytes\n"
                               "        16  timer\n"
                               "  Largest frames\n"));
}

TEST(StackUsage, NothingToSay) {
  LinkHarness links;
  links.file("a.o", nyuzi("Sections:\n  - { Name: .data, Type: SHT_PROGBITS, "
                          "Flags: [ SHF_ALLOC ], Size: 4 }\n"));
  const Linked linked = links.link({"a.o", "--stack-usage", "--no-warn-entry"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "Stack usage\n"
                         "  no entry, and no function that may begin a "
                         "stack\n");
}

/// A function as the vendor's compiler of C states it: `formula` gives the sum
/// over it and all that it calls, in words, and nothing tells of its calls.
std::string summed(const std::string &name, const std::string &formula) {
  const std::string sum = name + ".nstackwords";
  return "code " + name + "\nresult " + sum + "\nstack " + name + " " + sum +
         "\n" + formula + "\n";
}

// Formulas of sums say who is called, through pointers too: what these leave is
// the function's own. f's is 18 words with those of g, a tail call h, and k,
// the greediest function that is linked and whose address is taken.
TEST(StackUsage, FormulasOfSums) {
  LinkHarness links;
  links.file("a.o", statementObject(
                        summed("_start", "sum _start.nstackwords "
                                         "f.nstackwords 4\nbl _start f") +
                        summed("f", "localresult .L1 .L2\n"
                                    "sum f.nstackwords .L1 .L2\n"
                                    "max .L1 g.nstackwords group.nstackwords\n"
                                    "sum .L2 10 0\nbl f g\n"
                                    "result group.nstackwords\n"
                                    "setmax group.nstackwords group 0") +
                        summed("g", "sum g.nstackwords h.nstackwords 0") +
                        summed("h", "sum h.nstackwords 5 0")));
  auto element = [](const std::string &name, const char *words) {
    const std::string sum = name + ".nstackwords";
    return statementObject(summed(name, "sum " + sum + " " + words + " 0") +
                           "element group " + sum + " " + name + "\n");
  };
  links.file("k.o", element("k", "8"));
  links.file("dead.o", element("dead", "99"));
  links.file("small.o", element("small", "7"));
  const Linked linked =
      links.link({"a.o", "dead.o", "small.o", "k.o", "--gc-sections",
                  "--undefined=k", "--undefined=small", "--stack-usage"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "Stack usage\n"
                         "  _start (entry): 88 bytes\n"
                         "        16  _start\n"
                         "        40  f\n"
                         "        32  k\n"
                         "  Largest frames\n"
                         "        40  f\n"
                         "        32  k\n"
                         "        28  small\n"
                         "        20  h\n"
                         "        16  _start\n");
}

// A number without a formula is all that is known of what calls somebody, such
// as the bound that a programmer gives; of what calls nobody it is the frame.
TEST(StackUsage, SumsWithoutFormulas) {
  LinkHarness links;
  links.file("a.o", statementObject("code _start f leaf\n"
                                    "constant _start.nstackwords 50\n"
                                    "constant f.nstackwords 40\n"
                                    "constant leaf.nstackwords 3\n"
                                    "bl _start f\nbl f leaf\n"));
  const Linked linked = links.link({"a.o", "--stack-usage"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "Stack usage\n"
                         "  _start (entry): 200 bytes\n"
                         "         ?  _start\n"
                         "  Largest frames\n"
                         "        12  leaf\n");
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(StackUsage, Limits) {
  const Linked enough = link("nyuzi", kGraph, {"--stack-limit=main=104"});
  EXPECT_EQ(enough.errors, "");
  EXPECT_EQ(enough.text, "") << "a check alone prints nothing";
  const char kExcess[] =
      "the stack of 'main' needs 104 bytes, 4 more than the 100 of "
      "--stack-limit\n"
      ">>> deepest path: main -> g -> f -> leaf\n";
  const Linked small = link("nyuzi", kGraph, {"--stack-limit=main=100"});
  EXPECT_EQ(small.errors, std::string("xlink: warning: ") + kExcess);
  EXPECT_EQ(small.status, 0);
  EXPECT_EQ(link("nyuzi", kGraph, {"--stack-limit=main=100", "--no-warn-stack"})
                .errors,
            "");
  expectFailure(
      link("nyuzi", kGraph, {"--stack-limit=main=100", "--error-stack-limit"}),
      std::string("xlink: error: ") + kExcess);
  // The last one of a function counts.
  EXPECT_EQ(
      link("nyuzi", kGraph, {"--stack-limit=main=1", "--stack-limit=main=104"})
          .errors,
      "");
}

TEST(StackUsage, LimitsWithoutBound) {
  const char kRound[] = "_start 8 f\nf 16 f";
  EXPECT_EQ(link("nyuzi", kRound, {"--stack-limit=_start=100"}).errors,
            "xlink: warning: the stack of '_start' needs at least 24 bytes and "
            "has no known bound; it has the 100 of --stack-limit\n"
            ">>> deepest path: _start -> f\n"
            ">>> no bound: recursion f -> f\n");
  EXPECT_EQ(link("nyuzi", kRound, {"--stack-limit=f=10"}).errors,
            "xlink: warning: the stack of 'f' needs at least 16 bytes, 6 more "
            "than the 10 of --stack-limit\n"
            ">>> deepest path: f\n"
            ">>> no bound: recursion f -> f\n");
  EXPECT_EQ(link("nyuzi", kRound, {"--stack-limit=nobody=10"}).errors,
            "xlink: warning: --stack-limit: the program has no function "
            "'nobody'\n");
  expectFailure(
      link("nyuzi", kRound, {"--stack-limit=nobody=10", "--error-stack-limit"}),
      "xlink: error: --stack-limit: the program has no function "
      "'nobody'\n");
}

TEST(StackUsage, LimitsInTheReport) {
  EXPECT_TRUE(StringRef(usage("nyuzi", "_start 8 f\nf 16",
                              {"--stack-usage", "--stack-limit=_start=32",
                               "--stack-limit=f=16"}))
                  .starts_with("Stack usage\n"
                               "  _start (entry): 24 bytes of 32, 8 left\n"
                               "         8  _start\n"
                               "        16  f\n"
                               "  f (limit): 16 bytes of 16, 0 left\n"
                               "        16  f\n"));
}

// A program that has the SDK's table of stacks refers to their sizes.
const char kTasklets[] = "_start 0 f\n"
                         "f 96\n"
                         "* STACK_SIZE_TASKLET_0 STACK_SIZE_TASKLET_1 "
                         "STACK_SIZE_TASKLET_2 STACK_SIZE_TASKLET_3 "
                         "STACK_SIZE_TASKLET_4";

TEST(StackUsage, Tasklets) {
  const std::vector<std::string> sizes = {"--stack-usage",
                                          "-e",
                                          "_start",
                                          "--defsym=NR_TASKLETS=4",
                                          "--defsym=STACK_SIZE_DEFAULT=128",
                                          "--defsym=STACK_SIZE_TASKLET_2=64"};
  const Linked linked = link("dpu", kTasklets, sizes);
  EXPECT_EQ(linked.errors,
            "xlink: warning: the stack of '_start' in tasklet 2 needs 96 "
            "bytes, 32 more than the 64 of STACK_SIZE_TASKLET_2\n"
            ">>> deepest path: _start -> f\n");
  EXPECT_TRUE(StringRef(linked.text)
                  .starts_with("Stack usage\n"
                               "  _start (tasklets 0 to 1): 96 bytes of 128, "
                               "32 left\n"
                               "         0  _start\n"
                               "        96  f\n"
                               "  _start (tasklet 2): 96 bytes of 64, 32 too "
                               "many\n"
                               "         0  _start\n"
                               "        96  f\n"
                               "  _start (tasklet 3): 96 bytes of 128, 32 "
                               "left\n"
                               "         0  _start\n"
                               "        96  f\n"
                               "  Largest frames\n"))
      << linked.text;
  EXPECT_EQ(link("dpu", kTasklets,
                 {"--stack-usage", "-e", "_start", "--defsym=NR_TASKLETS=4",
                  "--defsym=STACK_SIZE_DEFAULT=32"})
                .errors,
            "xlink: warning: the stack of '_start' in tasklets 0 to 3 needs 96 "
            "bytes, 64 more than the 32 of STACK_SIZE_TASKLET_0 to "
            "STACK_SIZE_TASKLET_3\n"
            ">>> deepest path: _start -> f\n");
}

// Where something is not known, nobody can say what is left of the room.
TEST(StackUsage, LimitsOfWhatHasNoBound) {
  const std::string text =
      link("nyuzi",
           "_start 8 f g\n"
           "f 16 f\n"
           "g 40 g",
           {"--stack-usage", "-e", "_start", "--no-warn-stack",
            "--stack-limit=f=16", "--stack-limit=g=32"})
          .text;
  EXPECT_NE(text.find("\n  f (limit): unbounded, at least 16 bytes; nobody "
                      "knows whether 16 are enough\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  g (limit): unbounded, at least 40 bytes of 32, at "
                      "least 8 too many\n"),
            std::string::npos)
      << text;
}

// Bit 31 of a size says that callees are in it.
TEST(StackUsage, SizesWithCallees) {
  EXPECT_TRUE(StringRef(usage("colossus",
                              "_start 8 f\n"
                              "f 2147483748 g\n"
                              "g 40",
                              {"--stack-usage", "-e", "_start"}))
                  .starts_with("Stack usage\n"
                               "  _start (entry): 108 bytes\n"
                               "         8  _start\n"
                               "        60  f\n"
                               "        40  g\n"));
}

// Statements count words; the stacks of threads are in their starter's.
TEST(StackUsage, Statements) {
  LinkHarness links;
  links.file("a.o", statementObject(R"(
    code _start main worker
    calls _start main
    stack _start 4
    stack main 10
    stack worker 6
    calls main worker
    parallel main worker "main.xc:7"
    bl _start worker
    data global
    reads main global "main.xc:8"
  )"));
  const Linked linked =
      links.link({"a.o", "--stack-usage", "--stack-limit=worker=20"});
  EXPECT_EQ(linked.errors,
            "xlink: warning: the stack of 'worker' needs 24 bytes, 4 more than "
            "the 20 of --stack-limit\n"
            ">>> deepest path: worker\n");
  EXPECT_EQ(linked.text, "Stack usage\n"
                         "  _start (entry): 80 bytes\n"
                         "        16  _start\n"
                         "        40  main\n"
                         "        24  worker\n"
                         "  main (thread): 64 bytes\n"
                         "        40  main\n"
                         "        24  worker\n"
                         "  worker (thread): 24 bytes of 20, 4 too many\n"
                         "        24  worker\n"
                         "  Largest frames\n"
                         "        40  main\n"
                         "        24  worker\n"
                         "        16  _start\n");
  // What functions use is no function.
  const std::string json = links.link({"a.o", "--stack-usage=json"}).text;
  EXPECT_TRUE(StringRef(json).contains("\"worker\""));
  EXPECT_FALSE(StringRef(json).contains("\"global\""));
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

const char kJson[] = R"({
  "functions": [
    {
      "bounded": false,
      "bytes": 24,
      "file": "a.o",
      "function": "_start",
      "own": 8
    },
    {
      "bounded": false,
      "bytes": 16,
      "file": "a.o",
      "function": "f",
      "own": 16
    },
    {
      "addressTaken": true,
      "bounded": false,
      "bytes": 0,
      "file": "a.o",
      "function": "g",
      "own": null
    }
  ],
  "roots": [
    {
      "bounded": false,
      "bytes": 24,
      "function": "_start",
      "kind": "entry",
      "limit": 100,
      "limitName": "--stack-limit",
      "path": [
        {
          "bytes": 8,
          "function": "_start"
        },
        {
          "bytes": 16,
          "function": "f"
        },
        {
          "bytes": null,
          "function": "g"
        }
      ],
      "unbounded": [
        {
          "function": "g",
          "reason": "unstated"
        }
      ]
    }
  ],
  "unseen": {
    "branchesIntoCallers": 0,
    "callsFromNamelessCode": 0,
    "functionsWithUnknownPointers": 3,
    "jumpsOfSwitches": 0,
    "sectionsWithoutLocalCalls": []
  }
}
)";

TEST(StackUsage, Json) {
  const char kLines[] = "_start 8 f\nlocal f 16 g\ng - \n* g";
  const Linked linked = link("nyuzi", kLines,
                             {"--stack-usage=json", "--stack-limit=_start=100",
                              "--no-warn-stack", "--answers-json=x.json"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, kJson);
  ASSERT_TRUE(linked.files.count("x.json"));
  const Bytes &bytes = linked.files.at("x.json");
  Expected<json::Value> answers = json::parse(
      StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  ASSERT_TRUE(bool(answers));
  Expected<json::Value> expected = json::parse(kJson);
  ASSERT_TRUE(bool(expected));
  EXPECT_EQ(*answers,
            json::Value(json::Object{{"format", "xlink answers"},
                                     {"version", 1},
                                     {"stackUsage", std::move(*expected)}}));
}

// The report is there when the link fails.
TEST(StackUsage, ExistsWhenTheLinkFails) {
  const Linked linked = link("nyuzi", "_start 8 missing");
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.text).starts_with("Stack usage\n"));
  EXPECT_FALSE(linked.files.count("out"));
}

// A function may be called by a number, be it the last one of an address space.
TEST(StackUsage, AddressesThatAreNoFunctions) {
  for (const char *address : {"-1", "-2", "0"})
    for (const char *machine : {"nyuzi", "aphelion"}) {
      const Linked linked = link(machine, "_start 8 far",
                                 {"--stack-usage", "-e", "_start",
                                  std::string("--defsym=far=") + address});
      EXPECT_TRUE(StringRef(linked.text).starts_with("Stack usage\n"))
          << linked.text << linked.errors;
      EXPECT_TRUE(StringRef(linked.text).contains("nothing stated about far"))
          << linked.text;
    }
}

// With -r nothing is called from anywhere else yet, and the entry is unknown.
TEST(StackUsage, OtherOutputs) {
  EXPECT_TRUE(
      StringRef(usage("nyuzi", kGraph, {"--stack-usage", "--oformat=binary"}))
          .starts_with("Stack usage\n  _start (entry): 104 bytes\n"));
  EXPECT_TRUE(StringRef(usage("nyuzi", kGraph, {"--stack-usage", "-r"}))
                  .starts_with("Stack usage\n"));
}

} // namespace
} // namespace xlink::test
