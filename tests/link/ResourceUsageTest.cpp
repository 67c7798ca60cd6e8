//===- ResourceUsageTest.cpp - --print-resource-usage ---------------------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(StringRef lines, std::vector<std::string> more = {},
            const char *option = "--print-resource-usage") {
  LinkHarness links;
  links.file("a.o", statementObject(lines));
  std::vector<std::string> arguments = {"a.o", option};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}
/// The report of a link without a message.
std::string usage(StringRef lines,
                  const char *option = "--print-resource-usage") {
  Linked linked = link(lines, {}, option);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.status, 0);
  return linked.text;
}

// By hand, from the leaves up:
//   leaf 2; shared 8 + 2 = 10; left 20 + 10 = 30; deep 30;
//   right 5 + max(10, 30) = 35; main 10 + max(30, 35) = 45; _start 4 + 45 = 49
// timers:       leaf 1; shared 2 + 1 = 3; left 3; right 1 + max(3, 0) = 4;
//               main 4; _start 4
// threads, one of a callee's being the caller's: left 2, all others but main 1;
//               main 3 + (2 - 1) = 4; _start 1 + (4 - 1) = 4
// channel ends: main 2; _start 2
// worker calls ping and pong, which call each other: no bound for the stack,
// nor for timers, of which ping takes one; one thread and no channel end is all
// that a round takes. What logger needs depends on puts, which nobody defines.
const char kGraph[] = R"(
  code _start main left right shared deep leaf worker ping pong logger
  calls _start main
  calls main left
  calls main right
  calls left shared
  calls right shared
  calls right deep
  calls shared leaf
  calls worker ping
  calls ping pong
  calls pong ping
  calls logger puts
  calls logger shared
  stack _start 4
  stack main 10
  stack left 20
  stack right 5
  stack shared 8
  stack deep 30
  stack leaf 2
  stack worker 6
  stack ping 3
  stack pong 3
  stack logger 7
  timers leaf 1
  timers shared 2
  timers right 1
  timers ping 1
  threads main 3
  threads left 2
  chanends main 2
  parallel worker logger "main.xc:7"
)";

TEST(ResourceUsage, SharingRecursionAndUnresolvedLeaves) {
  EXPECT_EQ(usage(kGraph),
            "Resource usage\n"
            "  _start (entry)\n"
            "    stack words: 49, its own 4\n"
            "      deepest path: _start -> main -> right -> deep\n"
            "    threads: 4\n"
            "    timers: 4\n"
            "    channel ends: 2\n"
            "  worker (thread)\n"
            "    stack words: unbounded, its own 6\n"
            "      recursion ping -> pong -> ping\n"
            "    threads: 1\n"
            "    timers: unbounded\n"
            "      recursion ping -> pong -> ping\n"
            "    channel ends: 0\n"
            "  logger (thread)\n"
            "    stack words: unbounded, its own 7\n"
            "      unresolved symbol puts\n"
            "    threads: unbounded\n"
            "      unresolved symbol puts\n"
            "    timers: unbounded\n"
            "      unresolved symbol puts\n"
            "    channel ends: unbounded\n"
            "      unresolved symbol puts\n");
  EXPECT_EQ(usage(kGraph, "--print-resource-usage=text"), usage(kGraph));
}

/// What --print-resource-usage=json prints, by root: their texts stand between
/// a head and an end that are those of all reports.
std::vector<std::string> jsonRoots(StringRef lines) {
  const std::string report = usage(lines, "--print-resource-usage=json");
  StringRef rest = report;
  EXPECT_TRUE(rest.consume_front("{\n  \"roots\": [\n")) << report;
  EXPECT_TRUE(rest.consume_back("\n  ]\n}\n")) << report;
  std::vector<std::string> roots;
  SmallVector<StringRef, 4> parts;
  rest.split(parts, "\n    },\n");
  for (StringRef part : parts) {
    part.consume_back("\n    }");
    roots.push_back(part.str() + "\n    }\n");
  }
  return roots;
}

const char kJsonProgram[] = R"(
  code _start f r
  stack _start 4
  threads _start 2
  stack f 6
  calls _start f
  stack r 1
  calls r r
  calls r puts
  calls r quiet
  local quiet
  parallel f r "main.xc:7"
)";

TEST(ResourceUsage, Json) {
  const std::vector<std::string> roots = jsonRoots(kJsonProgram);
  ASSERT_EQ(roots.size(), 3u);
  EXPECT_EQ(roots[0], R"(    {
      "function": "_start",
      "kind": "entry",
      "stackWords": {
        "total": 10,
        "own": 4,
        "path": [
          "_start",
          "f"
        ]
      },
      "threads": {
        "total": 2,
        "own": 2
      },
      "timers": {
        "total": 0,
        "own": null
      },
      "channelEnds": {
        "total": 0,
        "own": null
      }
    }
)");
  EXPECT_EQ(roots[1], R"(    {
      "function": "f",
      "kind": "thread",
      "stackWords": {
        "total": 6,
        "own": 6,
        "path": [
          "f"
        ]
      },
      "threads": {
        "total": 1,
        "own": null
      },
      "timers": {
        "total": 0,
        "own": null
      },
      "channelEnds": {
        "total": 0,
        "own": null
      }
    }
)");
}

TEST(ResourceUsage, JsonOfWhatIsUnbounded) {
  const std::vector<std::string> roots = jsonRoots(kJsonProgram);
  ASSERT_EQ(roots.size(), 3u);
  EXPECT_EQ(roots[2], R"(    {
      "function": "r",
      "kind": "thread",
      "stackWords": {
        "total": null,
        "own": 1,
        "unbounded": [
          {
            "reason": "unresolved",
            "symbol": "puts"
          },
          {
            "reason": "unstated",
            "function": "quiet"
          },
          {
            "reason": "recursion",
            "path": [
              "r",
              "r"
            ]
          }
        ]
      },
      "threads": {
        "total": null,
        "own": null,
        "unbounded": [
          {
            "reason": "unresolved",
            "symbol": "puts"
          },
          {
            "reason": "unstated",
            "function": "quiet"
          }
        ]
      },
      "timers": {
        "total": null,
        "own": null,
        "unbounded": [
          {
            "reason": "unresolved",
            "symbol": "puts"
          },
          {
            "reason": "unstated",
            "function": "quiet"
          }
        ]
      },
      "channelEnds": {
        "total": null,
        "own": null,
        "unbounded": [
          {
            "reason": "unresolved",
            "symbol": "puts"
          },
          {
            "reason": "unstated",
            "function": "quiet"
          }
        ]
      }
    }
)");
}

/// The lines about the stack of the entry.
std::string entryStack(StringRef lines) {
  StringRef text(lines);
  std::string report = usage(lines);
  StringRef part = StringRef(report).split("    stack words: ").second;
  return part.split("    threads").first.str();
}

TEST(ResourceUsage, OwnValues) {
  EXPECT_EQ(entryStack("code _start\nstack _start 4"),
            "4, its own 4\n      deepest path: _start\n");
  // A result, a constant symbol, an address; the most that anybody says.
  EXPECT_EQ(entryStack("code _start\nresult r\nsum r 40 2\nstack _start r"),
            "42, its own 42\n      deepest path: _start\n");
  EXPECT_EQ(entryStack("code _start\nconstant n 7\nstack _start n"),
            "7, its own 7\n      deepest path: _start\n");
  EXPECT_EQ(
      entryStack("code _start\nstack _start 4\nstack _start 9\nstack _start 5"),
      "9, its own 9\n      deepest path: _start\n");
  EXPECT_EQ(entryStack("code _start\nstack _start 0"),
            "0, its own 0\n      deepest path: _start\n");
  // What is not known is named.
  EXPECT_EQ(entryStack("code _start\ntimers _start 1"),
            "unbounded\n      nothing stated about _start\n");
  EXPECT_EQ(entryStack("code _start\nstack _start n"),
            "unbounded\n      _start depends on the unresolved symbol n\n");
  EXPECT_EQ(entryStack("code _start\nresult r q\nsum r q 1\nmax q none 1\n"
                       "stack _start r"),
            "unbounded\n      _start depends on the unresolved symbol none\n");
}

// What the vendor's objects have: the sum over a function and its callees is
// the value of a symbol.
TEST(ResourceUsage, SumsAsResultSymbols) {
  EXPECT_EQ(usage(R"(
  code _start f g
  result _start.nstackwords f.nstackwords _start.maxcores
  constant g.nstackwords 20
  constant _start.maxtimers 3
  constant _start.maxchanends 2
  sum f.nstackwords g.nstackwords 5
  sum _start.nstackwords f.nstackwords 10
  max _start.maxcores 1 4
  calls _start f
  calls f g
)"),
            "Resource usage\n"
            "  _start (entry)\n"
            "    stack words: 35, the value of _start.nstackwords, its own 10\n"
            "      deepest path: _start -> f -> g\n"
            "    threads: 4, the value of _start.maxcores\n"
            "    timers: 3, the value of _start.maxtimers\n"
            "    channel ends: 2, the value of _start.maxchanends\n");
  // The older tools' name for cores comes first; without calls there is no
  // path.
  EXPECT_EQ(usage(R"(
  code _start
  constant _start.nstackwords 9
  constant _start.maxcores 5
  constant _start.maxthreads 2
)"),
            "Resource usage\n"
            "  _start (entry)\n"
            "    stack words: 9, the value of _start.nstackwords, its own 9\n"
            "      deepest path: _start\n"
            "    threads: 2, the value of _start.maxthreads\n"
            "    timers: 0\n"
            "    channel ends: 0\n");
  // An own value is better than a sum; a callee's sum serves its callers.
  EXPECT_EQ(entryStack("code _start f\nstack _start 4\ncalls _start f\n"
                       "constant _start.nstackwords 99\n"
                       "constant f.nstackwords 6\nstack g 1\ncalls f g"),
            "10, its own 4\n      deepest path: _start -> f -> g\n");
  // A sum ends a recursion, as whoever wrote it meant.
  EXPECT_EQ(entryStack("code _start f\nstack _start 4\ncalls _start f\n"
                       "calls f f\nconstant f.nstackwords 60"),
            "64, its own 4\n      deepest path: _start -> f\n");
  // The compilers state the sum as what the function takes: 20 - 6 = 14 is its
  // own.
  EXPECT_EQ(entryStack("code _start f\nconstant _start.nstackwords 20\n"
                       "stack _start _start.nstackwords\ncalls _start f\n"
                       "constant f.nstackwords 6\nstack f f.nstackwords"),
            "20, the value of _start.nstackwords, its own 14\n"
            "      deepest path: _start -> f\n");
  // What an unbounded callee leaves is not known.
  EXPECT_EQ(entryStack("code _start f\nconstant _start.nstackwords 20\n"
                       "calls _start f\ncalls f f\nstack f 1"),
            "20, the value of _start.nstackwords\n"
            "      deepest path: _start\n");
  // Local functions have local results, in their own object.
  EXPECT_EQ(entryStack("code _start\nlocal f\nlocalresult f.nstackwords\n"
                       "sum f.nstackwords 3 4\nstack _start 1\n"
                       "calls _start f"),
            "8, its own 1\n      deepest path: _start -> f\n");
  // A sum that depends on something undefined: the symbol behind it is named.
  EXPECT_EQ(
      entryStack("code _start f\nresult _start.nstackwords f.nstackwords\n"
                 "sum _start.nstackwords f.nstackwords 1\n"
                 "max f.nstackwords puts.nstackwords 2\n"
                 "calls _start f"),
      "unbounded\n      _start depends on the unresolved symbol "
      "puts.nstackwords\n");
}

TEST(ResourceUsage, Recursion) {
  EXPECT_EQ(entryStack("code _start\nstack _start 4\ncalls _start _start"),
            "unbounded, its own 4\n      recursion _start -> _start\n");
  // Inside a larger group the shortest way round is shown.
  EXPECT_EQ(entryStack("code _start a b c\nstack _start 4\nstack a 1\n"
                       "stack b 1\nstack c 1\ncalls _start a\ncalls a b\n"
                       "calls b c\ncalls c a\ncalls b a"),
            "unbounded, its own 4\n      recursion a -> b -> a\n");
  // Two recursions, two reasons, each once although both ways lead there.
  EXPECT_EQ(entryStack("code _start a b\nstack _start 4\nstack a 1\nstack b 1\n"
                       "calls _start a\ncalls _start b\ncalls a a\ncalls b b\n"
                       "calls a b"),
            "unbounded, its own 4\n      recursion b -> b\n"
            "      recursion a -> a\n");
}

// What compilers write for functions that call themselves: the sum over a
// function and its callees depends on itself.
TEST(ResourceUsage, RecursionInResultSymbols) {
  const std::string results =
      "code _start f g\nresult _start.nstackwords f.nstackwords g.nstackwords "
      "_start.maxcores f.maxcores\n"
      "sum _start.nstackwords f.nstackwords 2\n"
      "sum f.nstackwords g.nstackwords 14\n"
      "sum g.nstackwords f.nstackwords 3\n"
      "max _start.maxcores f.maxcores 1\nmax f.maxcores f.maxcores 1\n";
  EXPECT_EQ(usage(results + "calls _start f\ncalls f g\ncalls g f\n"),
            "Resource usage\n"
            "  _start (entry)\n"
            "    stack words: unbounded\n"
            "      recursion f -> g -> f\n"
            "    threads: 1, the value of _start.maxcores\n"
            "    timers: 0\n"
            "    channel ends: 0\n");
  // Without the calls the symbol is all that is known.
  EXPECT_EQ(entryStack(results),
            "unbounded\n      recursion: the value of _start.nstackwords "
            "depends on itself\n");
  std::string json = usage(results, "--print-resource-usage=json");
  EXPECT_TRUE(StringRef(json).contains(
      "\"reason\": \"recursion\",\n            \"symbol\": "
      "\"_start.nstackwords\""))
      << json;
  // What is undefined besides is named.
  EXPECT_EQ(entryStack("code _start f\nresult _start.nstackwords r\n"
                       "sum _start.nstackwords r nowhere\nsum r r 1\n"),
            "unbounded\n      _start depends on the unresolved symbol "
            "nowhere\n");
}

// The deepest path goes to the callee that the sum comes from, also where the
// function adds nothing; where that callee is not known there is none.
TEST(ResourceUsage, PathOfSums) {
  EXPECT_EQ(entryStack("code _start init main f\n"
                       "constant _start.nstackwords 554\n"
                       "constant init.nstackwords 50\n"
                       "constant main.nstackwords 554\nconstant "
                       "f.nstackwords 20\n"
                       "calls _start init\ncalls _start main\ncalls main f"),
            "554, the value of _start.nstackwords, its own 0\n"
            "      deepest path: _start -> main -> f\n");
  EXPECT_EQ(entryStack("code _start init main\n"
                       "constant _start.nstackwords 554\n"
                       "constant init.nstackwords 50\n"
                       "calls _start init\ncalls _start main"),
            "554, the value of _start.nstackwords\n"
            "      deepest path: _start\n");
  // Equal sums in a circle lead nowhere.
  EXPECT_EQ(entryStack("code _start f\nconstant _start.nstackwords 5\n"
                       "constant f.nstackwords 5\ncalls _start f\n"
                       "calls f _start"),
            "5, the value of _start.nstackwords, its own 0\n"
            "      deepest path: _start\n");
}

// A branch of a par has a name and no code: it is called what it is part of,
// and takes what its callees take.
TEST(ResourceUsage, AnonymousStatements) {
  EXPECT_EQ(usage(R"(
  code _start server client
  localresult usage.anon.3
  stack _start 4
  stack server 30
  timers server 1
  stack client 7
  calls _start usage.anon.3
  calls usage.anon.3 server
  parallel usage.anon.3 client 7
)"),
            "Resource usage\n"
            "  _start (entry)\n"
            "    stack words: 34, its own 4\n"
            "      deepest path: _start -> a statement of _start that calls "
            "server -> server\n"
            "    threads: 1\n"
            "    timers: 1\n"
            "    channel ends: 0\n"
            "  a statement of _start that calls server (thread)\n"
            "    stack words: 30\n"
            "      deepest path: a statement of _start that calls server -> "
            "server\n"
            "    threads: 1\n"
            "    timers: 1\n"
            "    channel ends: 0\n"
            "  client (thread)\n"
            "    stack words: 7, its own 7\n"
            "      deepest path: client\n"
            "    threads: 1\n"
            "    timers: 0\n"
            "    channel ends: 0\n");
  EXPECT_EQ(entryStack("code _start f\nlocalresult thread.anon.1\n"
                       "stack _start 4\ncalls _start thread.anon.1\n"
                       "calls thread.anon.1 f\n"),
            "unbounded, its own 4\n      nothing stated about f\n");
}

// The stack takes what the program leaves of its memory.
TEST(ResourceUsage, StackBesideMemory) {
  auto last = [](const Linked &linked) {
    StringRef table = StringRef(linked.text).split("\n\n").first;
    return table.rtrim('\n').rsplit('\n').second.str();
  };
  Linked linked = link("code _start main\nconstant _start.nstackwords 600\n"
                       "constant main.nstackwords 590\ncalls _start main",
                       {}, "--print-memory-usage");
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(last(linked),
            "           stack:        2400 B    600 words, from _start");
  EXPECT_NE(linked.text.find("  stack                2400 B     3.66%  stack "
                             "of _start at 0x"),
            std::string::npos)
      << linked.text;
  // Start-up code that states its calls alone.
  linked = link("code _start main\nconstant main.nstackwords 16380\n"
                "constant init.nstackwords 3\ncalls _start main\n"
                "calls _start init",
                {}, "--print-memory-usage");
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(last(linked),
            "           stack:       65520 B    16380 words, from main");
  EXPECT_EQ(linked.errors, "");
  linked = link("code _start main\nconstant main.nstackwords 16384\n"
                "calls _start main",
                {}, "--print-memory-usage");
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors,
            "xlink: warning: the stack, 65536 bytes from 'main', does not fit "
            "into region 'ram': 65528 bytes are left\n");
  linked = link("code _start\ncalls _start puts", {}, "--print-memory-usage");
  EXPECT_EQ(last(linked),
            "           stack:  not known; --print-resource-usage says why");
  linked = link("code _start f\nconstant f.nstackwords 3\ncalls _start f\n"
                "result _start.nstackwords\n"
                "sum _start.nstackwords puts.nstackwords 1",
                {}, "--print-memory-usage");
  EXPECT_EQ(last(linked),
            "           stack:  not known; --print-resource-usage says why");
  // Nobody says anything.
  linked = link("code _start", {}, "--print-memory-usage");
  EXPECT_EQ(StringRef(last(linked)).ltrim().take_front(4), "ram:");
}

TEST(ResourceUsage, ManyReasons) {
  std::string lines = "code _start\nstack _start 4\n";
  for (int i = 1; i <= 12; ++i)
    lines += "calls _start missing" + std::to_string(i) + "\n";
  std::string report = entryStack(lines);
  EXPECT_EQ(StringRef(report).count("unresolved symbol"), 8u);
  EXPECT_TRUE(StringRef(report).ends_with("      and more\n")) << report;
}

TEST(ResourceUsage, NamesForUsers) {
  EXPECT_EQ(entryStack("code _start\nlocal usage.anon.7\nstack _start 1\n"
                       "stack usage.anon.7 2\ncalls _start usage.anon.7\n"
                       "name usage.anon.7 0 \"blink\""),
            "3, its own 1\n      deepest path: _start -> blink\n");
}

// Operators 23, 24, 30 and 31 state things that no report uses.
TEST(ResourceUsage, OtherStatements) {
  EXPECT_EQ(entryStack("code _start f\nstack _start 1\nactnoside _start 1\n"
                       "locnoside _start 1\nactnochandec f 0\n"
                       "locnochandec f 1"),
            "1, its own 1\n      deepest path: _start\n");
}

// Statements about a definition that lost are not heard; statements of others
// about a function that they only use are.
TEST(ResourceUsage, OfTheDefinitionThatWins) {
  LinkHarness links;
  links.file("a.o", statementObject("code _start f\nstack _start 1\nstack f 2\n"
                                    "calls _start f"));
  links.file("b.o", statementObject("code f g\nstack f 50\ncalls f g\n"
                                    "stack g 100"));
  links.file("c.o", statementObject("calls _start h\nstack h 7\ncode h"));
  Linked linked = links.link({"a.o", "b.o", "c.o", "--print-resource-usage",
                              "--allow-multiple-definition"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_TRUE(StringRef(linked.text)
                  .contains("stack words: 8, its own 1\n"
                            "      deepest path: _start -> h\n"))
      << linked.text;
}

TEST(ResourceUsage, RootsAreListedOnce) {
  std::string report =
      usage("code _start a b\nstack _start 1\nstack a 1\nstack b 1\n"
            "parallel a b 3\nparallel b a 4\nparallel a a 5\n"
            "parallel _start b 6");
  EXPECT_EQ(StringRef(report).count("(entry)"), 1u);
  EXPECT_EQ(StringRef(report).count("(thread)"), 2u);
}

TEST(ResourceUsage, WithoutStatements) {
  EXPECT_EQ(usage("code _start"), "Resource usage\n"
                                  "  _start (entry)\n"
                                  "    stack words: unbounded\n"
                                  "      nothing stated about _start\n"
                                  "    threads: unbounded\n"
                                  "      nothing stated about _start\n"
                                  "    timers: unbounded\n"
                                  "      nothing stated about _start\n"
                                  "    channel ends: unbounded\n"
                                  "      nothing stated about _start\n");
  Linked linked = link("code f", {"-e", "0x10000"});
  EXPECT_EQ(linked.text, "Resource usage\n"
                         "  no entry, and no functions that run in parallel\n");
}

TEST(ResourceUsage, OfALinkThatFails) {
  Linked linked = link("code _start\nstack _start 4",
                       {"-u", "missing", "--require-defined=x"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.text).contains("stack words: 4")) << linked.text;
}

TEST(ResourceUsage, OtherFormats) {
  EXPECT_EQ(link("code _start", {}, "--print-resource-usage=xml").errors,
            "xlink: error: option '--print-resource-usage': 'xml' is none of "
            "text, json\n");
}

// Chains as long as programs are large, and as wide; nothing here recurses.
TEST(ResourceUsage, LongChains) {
  constexpr int count = 100000;
  auto name = [](int i) { return "f" + std::to_string(i); };
  std::string lines = "code _start\nstack _start 1\ncalls _start f0\n";
  for (int i = 0; i < count; ++i) {
    // Symbols without an address: the machine's memory is small.
    lines += "result " + name(i) + "\nstack " + name(i) + " 1\n";
    if (i + 1 < count)
      lines += "calls " + name(i) + " " + name(i + 1) + "\n";
  }
  EXPECT_EQ(entryStack(lines),
            "100001, its own 1\n      deepest path: _start -> f0 -> f1 -> f2 "
            "-> f3 -> f4 -> f5 -> f6 -> f7 -> f8 -> f9 -> f10 -> f11 -> f12 -> "
            "f13 -> f14 -> f15 -> f16 -> f17 -> f18 -> (99980 more) -> "
            "f99999\n");
  // Closed to a circle.
  std::string report = entryStack(lines + "calls f99999 f0\n");
  EXPECT_TRUE(StringRef(report).starts_with(
      "unbounded, its own 1\n      recursion f0 -> f1 -> "))
      << report;
  EXPECT_TRUE(StringRef(report).ends_with(" (99980 more) -> f0\n")) << report;
}

} // namespace
} // namespace xlink::test
