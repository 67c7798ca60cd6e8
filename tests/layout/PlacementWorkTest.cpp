//===- PlacementWorkTest.cpp - what it takes to place many sections -------===//
//
// Twice as many sections and patterns take twice the work: counted, since time
// depends on the machine.
//
//===----------------------------------------------------------------------===//
#include "support/HandLaid.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string number(unsigned i) { return std::to_string(i); }

/// `text` for each number below count, "#" being the number.
std::string each(unsigned count, StringRef text) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    for (char c : text)
      if (c == '#')
        result += number(i);
      else
        result += c;
  return result;
}

/// Steps of placing `count` sections .d0.x, .d1.x ... by a script.
uint64_t stepsOf(unsigned count, std::string script) {
  HandLaid laid("nyuzi", std::move(script));
  HandObject &file = laid.file("a.o");
  for (unsigned i = 0; i < count; ++i)
    file.section(".d" + number(i) + ".x", "aw", 4);
  laid.enter();
  const Placement placement = placeSections(laid.program, laid.diag);
  EXPECT_EQ(laid.messages(), "");
  return placement.steps;
}

/// What `script(n)` takes for n sections and for twice as many.
template <class Fn> void expectLinear(Fn script, uint64_t most = 100) {
  const unsigned count = 10000;
  const uint64_t once = stepsOf(count, script(count)),
                 twice = stepsOf(2 * count, script(2 * count));
  EXPECT_GE(once, count);
  EXPECT_LE(once, most * count);
  EXPECT_LE(twice, once * 5 / 2); // n log n is a little more than 2
}

TEST(PlacementWork, Names) {
  expectLinear([](unsigned n) {
    return "SECTIONS { " + each(n, ".o# : { *(.d#.x) }\n") + "}";
  });
}

TEST(PlacementWork, Prefixes) {
  expectLinear([](unsigned n) {
    return "SECTIONS { " + each(n, ".o# : { *(.d#.*) }\n") + "}";
  });
}

TEST(PlacementWork, KeptNames) {
  expectLinear([](unsigned n) {
    return "SECTIONS { " + each(n, ".o# : { KEEP(*(.d#.x)) }\n") + "}";
  });
}

TEST(PlacementWork, Discarded) {
  expectLinear([](unsigned n) {
    return "SECTIONS { /DISCARD/ : { " + each(n, "*(.d#.x)\n") + "} }";
  });
}

// Patterns of one description that sort differently, and descriptions.
TEST(PlacementWork, SortedDifferently) {
  expectLinear([](unsigned n) {
    return "SECTIONS { .o : { *(SORT(.d*) " + each(n, ".d#.x ") + ") } }";
  });
}

TEST(PlacementWork, ManySorted) {
  expectLinear([](unsigned n) {
    return "SECTIONS { .o : { " + each(n, "*(SORT(.d#.x) .e#)\n") + "} }";
  });
}

TEST(PlacementWork, Priorities) {
  expectLinear([](unsigned n) {
    return "SECTIONS { .o : { " + each(n, "*(SORT_BY_INIT_PRIORITY(.d#.x))\n") +
           "} }";
  });
}

TEST(PlacementWork, OnlyIf) {
  expectLinear([](unsigned n) {
    return "SECTIONS { " +
           each(n, ".o# : ONLY_IF_RO { *(.d#.*) }\n"
                   ".o# : ONLY_IF_RW { *(.d#.*) }\n") +
           "}";
  });
}

/// Of searches in a tree, each with comparisons that take one.
constexpr uint64_t kLogarithms = 3000;

// Among assignments, from which the place is far.
TEST(PlacementWork, InsertsAfter) {
  expectLinear(
      [](unsigned n) {
        return each(n, "SECTIONS { .o# : { *(.d#.x) } } INSERT AFTER .a;\n") +
               "SECTIONS { .a : {} " + each(n, "a# = .;") + ".b : {} }";
      },
      kLogarithms);
}

TEST(PlacementWork, InsertsBefore) {
  expectLinear(
      [](unsigned n) {
        return each(n, "SECTIONS { .o# : { *(.d#.x) } } INSERT BEFORE .b;\n") +
               "SECTIONS { .a : {} . = 4; " + each(n, "a# = .;") + ".b : {} }";
      },
      kLogarithms);
}

// Behind the first of its name, of which there are more and more.
TEST(PlacementWork, InsertsOfOneName) {
  expectLinear(
      [](unsigned n) {
        return each(n, "SECTIONS { .a : { *(.d#.x) } } INSERT AFTER .a;\n") +
               "SECTIONS { .a : {} .b : {} }";
      },
      kLogarithms);
}

} // namespace
} // namespace xlink::test
