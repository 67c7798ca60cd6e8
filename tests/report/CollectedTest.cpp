//===- CollectedTest.cpp - --print-gc-sections on values ------------------===//
#include "report/Reports.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

struct Collected : testing::Test {
  Collected()
      : h("nyuzi", "SECTIONS { .text : { *(.text.*) } "
                   "/DISCARD/ : { *(.note) } }") {
    h.file("a.o").section(".text.a", "ax", 4).section(".note", "", 4);
    h.file("b.o").section(".text.b", "ax", 4);
    h.lay();
  }
  std::string text() { return collectedSectionsText(h.link()); }
  HandLaid h;
};

TEST_F(Collected, EverythingLives) { EXPECT_EQ(text(), ""); }

// In the order of the inputs, as lld says it. What a script discards was not
// collected.
TEST_F(Collected, Dead) {
  h.contributions.liveness.live.assign(h.program.sections.size(), false);
  EXPECT_EQ(text(), "removing unused section a.o:(.text.a)\n"
                    "removing unused section b.o:(.text.b)\n"
                    "removed 2 sections of 8 bytes\n");
  h.contributions.liveness.live[h.sectionNamed(".text.a").index()] = true;
  EXPECT_EQ(text(), "removing unused section b.o:(.text.b)\n"
                    "removed 1 section of 4 bytes\n");
}

} // namespace
