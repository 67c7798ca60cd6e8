//===- LayoutWorkTest.cpp - what it takes to lay many things out ----------===//
//
// Twice as much of what a layout can have in thousands takes twice the work, in
// placing orphans and in a round: counted, since time depends on the machine.
//
//===----------------------------------------------------------------------===//
#include "layout/Orphans.h"
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

/// What n of something and twice as many take; n log n is a little more.
template <class Fn> void expectLinear(Fn steps, unsigned count = 10000) {
  const uint64_t once = steps(count), twice = steps(2 * count);
  EXPECT_GE(once, count);
  EXPECT_LE(once, 100 * count);
  EXPECT_LE(twice, once * 11 / 5);
}

/// Steps of placing the orphans of a file.
template <class Fn>
uint64_t stepsForOrphans(std::string script, unsigned count, Fn section) {
  HandLaid laid("nyuzi", std::move(script));
  HandObject &file = laid.file("a.o");
  for (unsigned i = 0; i < count; ++i)
    section(file, i);
  laid.enter();
  Placement placement = placeSections(laid.program, laid.diag);
  placement.steps = 0;
  placement =
      placeOrphans(laid.program, std::move(placement), Liveness(), laid.diag);
  for (SectionId id : laid.program.sections.ids(2))
    EXPECT_NE(placement.sections[id].output, kNone);
  return placement.steps;
}

TEST(OrphanWork, Names) {
  for (const char *script :
       {"SECTIONS { .text : {} .data : {} }", "SECTIONS { .a : { *(.a) } }"})
    expectLinear([&](unsigned n) {
      return stepsForOrphans(script, n, [](HandObject &o, unsigned i) {
        o.section(".o" + number(i), i % 2 ? "aw" : "ax", 4);
      });
    });
}

TEST(OrphanWork, Notes) {
  expectLinear([&](unsigned n) {
    return stepsForOrphans(
        "SECTIONS { .text : {} }", n, [](HandObject &o, unsigned i) {
          o.section(".n" + number(i), "a", 4, 1 << i % 4, ELF::SHT_NOTE);
        });
  });
}

TEST(OrphanWork, BehindManyAssignments) {
  expectLinear([&](unsigned n) {
    return stepsForOrphans("SECTIONS { .data : {} " + each(n, "a# = .;") + "}",
                           n, [](HandObject &o, unsigned i) {
                             o.section(".o" + number(i), "aw", 4);
                           });
  });
}

/// Steps of a round over the layout of a script and a file.
template <class Fn>
uint64_t stepsForRound(std::string script, unsigned count, Fn add) {
  HandLaid laid("nyuzi", std::move(script));
  add(laid, laid.file("a.o").section(".text", "ax", 4), count);
  laid.place();
  EXPECT_EQ(laid.messages(), "");
  return runRound(laid.partial(), laid.info, *laid.expressions, laid.addresses,
                  {})
      .steps;
}

void addNothing(HandLaid &, HandObject &, unsigned) {}
void addSections(HandLaid &, HandObject &file, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    file.section(".d" + number(i), "aw", 4);
}

TEST(RoundWork, OutputSections) {
  expectLinear([](unsigned n) {
    return stepsForRound("SECTIONS { " + each(n, ".d# : { *(.d#) }\n") + "}", n,
                         addSections);
  });
}

TEST(RoundWork, SectionStarts) {
  expectLinear([](unsigned n) {
    return stepsForRound(
        "SECTIONS { .text SEGMENT_START(\"text-segment\", 0) : { *(.text) } }",
        n, [](HandLaid &laid, HandObject &file, unsigned count) {
          addSections(laid, file, count);
          for (unsigned i = 0; i < count; ++i)
            laid.config.sectionStart.push_back(
                {".d" + number(i), number(10000 + i), "--section-start"});
        });
  });
}

// --defsym stands in the script as an assignment.
TEST(RoundWork, Assignments) {
  expectLinear([](unsigned n) {
    return stepsForRound("a0 = 1;" + each(n, "b# = a0 + ADDR(.text);") +
                             "SECTIONS { .text : { *(.text) } }",
                         n, addNothing);
  });
}

TEST(RoundWork, RegionsByName) {
  expectLinear([](unsigned n) {
    return stepsForRound(
        "MEMORY { " + each(n, "m# : ORIGIN = # * 16, LENGTH = 16\n") +
            "} SECTIONS { .text 0 : { *(.text) } " +
            each(n, ".d# : { *(.d#) x# = ORIGIN(m#); } >m#\n") + "}",
        n, addSections);
  });
}

TEST(RoundWork, RegionsByAttributes) {
  expectLinear([](unsigned n) {
    return stepsForRound(
        "MEMORY { " + each(n, "m# (r!a) : ORIGIN = # * 16, LENGTH = 16\n") +
            "ram (wx) : ORIGIN = 0x100000, LENGTH = 1M } SECTIONS { " +
            each(n, ".d# : { *(.d#) }\n") + "}",
        n, addSections);
  });
}

TEST(RoundWork, SymbolsInSectionsThatAreNotKept) {
  expectLinear([](unsigned n) {
    return stepsForRound("SECTIONS { " +
                             each(n, ".e# : { PROVIDE(e# = .); *(.e#) }\n") +
                             ".e : { " + each(n, "PROVIDE(f# = .);") + "} }",
                         n, addNothing);
  });
}

} // namespace
} // namespace xlink::test
