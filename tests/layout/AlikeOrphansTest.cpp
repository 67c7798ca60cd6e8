//===- AlikeOrphansTest.cpp - orphans that are like one before them -------===//
//
// Most orphans go where one of their class and name went, and are not looked
// at. Who asks why (--why-placed) has each of them looked at: that must be no
// difference.
//
//===----------------------------------------------------------------------===//
#include "layout/AlikeSections.h"
#include "support/HandLaid.h"
#include "llvm/BinaryFormat/ELF.h"
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

constexpr const char *kScripts[] = {
    "SECTIONS { .text : { *(.text) } .data : { *(.data) } }",
    "SECTIONS { .a : { } .b : { BYTE(1) } .a : { *(.x) } }",
    "SECTIONS { .a (NOLOAD) : { } .b : { . = . + 4; } .note : { } }",
    "SECTIONS { .a (READONLY) : { KEEP(*(.b.*)) } .c : { *(.c.x) } }",
    "SECTIONS { .d : { *(.d.x) *(COMMON) } /DISCARD/ : { *(.c) } }",
};

/// Sections of few kinds and names in a random order.
void fill(HandLaid &laid, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return unsigned(random() % n); };
  static const char *const names[] = {".a", ".b", ".c", ".d", ".note", ".bss"};
  static const char *const flags[] = {"a", "aw", "ax", "awT", "", "aM"};
  for (unsigned f = 0; f < 8; ++f) {
    HandObject &file = laid.file(std::to_string(f) + ".o");
    for (unsigned i = 0; i < 12; ++i) {
      const char *const name = names[pick(std::size(names))];
      const char *const flag = flags[pick(std::size(flags))];
      const uint64_t size = 4 * pick(3), align = uint64_t(1) << pick(3);
      switch (pick(5)) {
      case 0:
        file.zeros(name, flag, size, align);
        break;
      case 1:
        file.section(name, flag, size, align, ELF::SHT_NOTE);
        break;
      case 2:
        file.section(std::string(name) + ".x", flag, size, align);
        break;
      default:
        file.section(name, flag, size, align);
      }
    }
    if (pick(2))
      file.common("common" + std::to_string(f), 8, 4);
  }
}

/// Output sections in their order, with what stands in each.
std::string placed(unsigned seed, bool asks, uint64_t &steps) {
  HandLaid laid("nyuzi", kScripts[seed % std::size(kScripts)]);
  if (asks)
    laid.config.whyPlaced = {"none"};
  laid.config.uniqueSections = seed % 7 == 0 ? std::vector<std::string>{".b"}
                                             : std::vector<std::string>();
  fill(laid, seed);
  laid.place();
  steps = laid.placement.steps;
  std::string text;
  for (const LayoutCommand &command : laid.placement.layout) {
    if (command.output == kNone)
      continue;
    const OutputSection &out = laid.placement.outputs[command.output];
    text += out.name + ":";
    for (SectionId id : out.members)
      text += " " + std::to_string(id.index());
    const OutputFacts &facts = laid.facts.outputs[command.output];
    text += " type " + std::to_string(facts.type) + " flags " +
            std::to_string(facts.flags) + "\n";
  }
  return text + laid.messages();
}

TEST(AlikeOrphans, GoWhereEachByItselfWouldGo) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    uint64_t steps, stepsOfEach;
    const std::string text = placed(seed, false, steps);
    ASSERT_EQ(text, placed(seed, true, stepsOfEach)) << seed;
    EXPECT_EQ(steps, stepsOfEach) << seed;
  }
}

// By class, which has type, flags and alignment, and by name.
TEST(AlikeOrphans, AreNumbered) {
  HandLaid laid("nyuzi", "SECTIONS { .text : { *(.text) } }");
  laid.file("a.o")
      .section(".x", "a", 4)
      .section(".y", "a", 4)
      .section(".x", "aw", 4);
  laid.file("b.o")
      .section(".y", "a", 8)
      .section(".x", "a", 8, 2)
      .section(".x", "a", 8);
  laid.place();
  std::vector<SectionId> sections;
  for (SectionId id : laid.program.sections.ids(1))
    if (const ParsedSection *p = laid.program.sections[id].parsed;
        p && !p->name.empty())
      sections.push_back(id);
  const AlikeSections alike(laid.program, laid.placement, sections);
  EXPECT_EQ(alike.numbers, (std::vector<uint32_t>{0, 1, 2, 1, 3, 0}));
  EXPECT_EQ(alike.firsts, (std::vector<SectionId>{sections[0], sections[1],
                                                  sections[2], sections[4]}));
}

} // namespace
} // namespace xlink::test
