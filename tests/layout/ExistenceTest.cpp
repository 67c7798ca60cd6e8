//===- ExistenceTest.cpp - which output sections there are ----------------===//
//
// GNU ld manual, "Output Section Discarding": "the linker will not create
// output sections with no contents", but for what its script says.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "placement/SectionTraits.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// Of an output section with such statements: "made" if anything is put into
/// it, "kept" if it goes into the output. a.o has an empty section .empty.
std::string fateOf(const std::string &statements, StringRef machine = "nyuzi") {
  HandLaid h(machine, "SECTIONS { .x : { " + statements +
                          " } } MEMORY { m (a) : ORIGIN = 0, LENGTH = 1M }");
  h.file("a.o")
      .section(".text", "ax", 4)
      .refer("needed")
      .section(".empty", "aw", 0)
      .define("defined");
  h.place();
  EXPECT_EQ(h.messages(), "");
  const OutputSectionInfo &f = h.of(".x");
  return f.kept ? "kept" : f.made ? "made" : "nothing";
}

TEST(Existence, NothingInIt) {
  EXPECT_EQ(fateOf(""), "nothing");
  EXPECT_EQ(fateOf("*(.nothing)"), "nothing");
  EXPECT_EQ(fateOf("KEEP(*(.nothing))"), "nothing");
}

TEST(Existence, Inputs) {
  EXPECT_EQ(fateOf("*(.text)"), "kept");
  EXPECT_EQ(fateOf("*(.empty)"), "made");
  EXPECT_EQ(fateOf("KEEP(*(.empty))"), "kept");
}

TEST(Existence, Data) {
  EXPECT_EQ(fateOf("BYTE(0)"), "kept");
  EXPECT_EQ(fateOf("ASCIZ \"\""), "kept");
}

// "The linker will ignore address assignments on discarded output sections,
// except when the linker script defines symbols in the output section." Manual:
// "assigning to the dot symbol" keeps an empty section; `. = 0`, `. += 0` and
// `. = ALIGN(. != 0 ? 4 : 1)` of default scripts move nothing.
TEST(Existence, MovingDot) {
  EXPECT_EQ(fateOf(". = . + 4;"), "kept");
  EXPECT_EQ(fateOf(". += 4;"), "kept");
  EXPECT_EQ(fateOf(". = ALIGN(4);"), "kept");
  EXPECT_EQ(fateOf(". = .;"), "kept") << "the manual's way to keep it";
  EXPECT_EQ(fateOf(". = 0;"), "made");
  EXPECT_EQ(fateOf(". += 0;"), "made");
  EXPECT_EQ(fateOf(". = . + 0;"), "made");
  EXPECT_EQ(fateOf(". = ALIGN(. != 0 ? 4 : 1);"), "made");
  EXPECT_EQ(fateOf(". = ALIGN(. != 0 ? 4 : 2);"), "kept");
  EXPECT_EQ(fateOf(". = ALIGN(. == 0 ? 4 : 1);"), "kept");
}

TEST(Existence, OtherStatements) {
  EXPECT_EQ(fateOf("FILL(1)"), "made");
  EXPECT_EQ(fateOf("ASSERT(1, \"\")"), "made");
}

// Symbols keep it where the machine's own linker does so.
TEST(Existence, Symbols) {
  EXPECT_EQ(fateOf("s = .;", "nyuzi"), "made");
  EXPECT_EQ(fateOf("s = .;", "dpu"), "kept");
  EXPECT_EQ(fateOf("PROVIDE(needed = .);", "dpu"), "kept");
  EXPECT_EQ(fateOf("PROVIDE(other = .);", "dpu"), "made");
  EXPECT_EQ(fateOf("PROVIDE(defined = .);", "dpu"), "made");
}

// "Names in ADDR() or LOADADDR() make a section exist as well", though not in
// the output; SIZEOF() does not.
TEST(Existence, Mentions) {
  auto made = [](const char *expression) {
    HandLaid h("nyuzi",
               std::string("SECTIONS { .x : { } s = ") + expression + "; }");
    h.place();
    EXPECT_FALSE(h.of(".x").kept);
    return h.of(".x").made;
  };
  EXPECT_TRUE(made("ADDR(.x)"));
  EXPECT_TRUE(made("LOADADDR(.x)"));
  EXPECT_FALSE(made("SIZEOF(.x)"));
}

TEST(Existence, MembersOfOverlays) {
  HandLaid h("nyuzi", "SECTIONS { OVERLAY : { .x { } } }");
  h.place();
  EXPECT_TRUE(h.of(".x").made) << "it is asked for its load address";
  EXPECT_FALSE(h.of(".x").kept);
}

// What is dead is not in it.
TEST(Existence, DeadInputs) {
  HandLaid h("nyuzi", "SECTIONS { .x : { *(.text) } }");
  h.file("a.o").section(".text", "ax", 4);
  h.place();
  h.contributions.liveness.live.assign(h.program.sections.size(), false);
  h.begin();
  EXPECT_FALSE(h.of(".x").made);
  EXPECT_FALSE(h.of(".x").kept);
}

// Of sections that may move on: what held something stays.
TEST(Existence, HadSize) {
  HandLaid h("nyuzi", "SECTIONS { .x : { s = .; } }");
  h.place();
  IdSet<OutputId> hadSize(1);
  hadSize.insert(OutputId(0));
  const OutputInfo info = computeOutputInfo(
      h.partial(), h.addresses, h.addresses.names.given, hadSize, &h.diag);
  EXPECT_TRUE(info.outputs[OutputId(0)].kept);
  EXPECT_FALSE(h.info.outputs[OutputId(0)].kept);
}

// Types: room that only dot makes is NOBITS; bytes of the script are read-only
// data.
TEST(Existence, Kinds) {
  HandLaid h("nyuzi", "SECTIONS { .room : { . = . + 4; } .data : { BYTE(1) } "
                      ".off (NOLOAD) : { *(.text) } .info (INFO) : { *(.data) "
                      "} }");
  h.file("a.o").section(".text", "ax", 4).section(".data", "aw", 4);
  h.place();
  EXPECT_EQ(h.of(".room").type, ELF::SHT_NOBITS);
  EXPECT_EQ(h.of(".room").flags, sectionFlags("aw"));
  EXPECT_EQ(h.of(".data").type, ELF::SHT_PROGBITS);
  EXPECT_EQ(h.of(".data").flags, sectionFlags("a"));
  EXPECT_EQ(h.of(".off").type, ELF::SHT_NOBITS);
  EXPECT_TRUE(h.of(".off").noload);
  EXPECT_EQ(h.of(".info").flags, sectionFlags("w")) << "takes no memory";
  EXPECT_TRUE(h.of(".info").addressed);
}

//===----------------------------------------------------------------------===//
// What others ask of a section's alignment
//===----------------------------------------------------------------------===//

TEST(FactAlignment, Inputs) {
  HandLaid h("nyuzi", "SECTIONS { .x : { *(.text) *(.data) } }");
  h.file("a.o").section(".text", "ax", 4, 4).section(".data", "aw", 0, 64);
  h.place();
  EXPECT_EQ(h.of(".x").inputAlign, 64u) << "empty ones count";
  EXPECT_EQ(h.of(".x").groupAlign, 1u);
  EXPECT_TRUE(h.of(".x").holdsSections);
}

// PT_TLS is aligned as its strictest section: the first one begins with that.
TEST(FactAlignment, ThreadLocal) {
  HandLaid h("nyuzi", "SECTIONS { .text : { *(.text) } .tdata : { *(.tdata) } "
                      ".tbss : ALIGN(64) { *(.tbss) } }");
  h.file("a.o")
      .section(".text", "ax", 4)
      .section(".tdata", "awT", 4, 4)
      .zeros(".tbss", "awT", 4, 32);
  h.place();
  EXPECT_EQ(h.info.threadLocalStart, h.id(".tdata"));
  EXPECT_EQ(h.of(".tdata").groupAlign, 64u);
  EXPECT_EQ(h.of(".tbss").groupAlign, 1u);
  EXPECT_EQ(h.of(".text").groupAlign, 1u);
  h.settle();
  EXPECT_EQ(h.at(".tdata").align, 64u);
  EXPECT_EQ(h.at(".tdata").address, 64u);
}

/// What stands at a base symbol: two sections of XS1's first group and one of
/// no group between them.
void addGroup(HandLaid &h, uint64_t firstAlign, uint64_t secondAlign) {
  const uint64_t flag = h.program.target->baseSymbols[0].sectionFlag;
  HandObject &a = h.file("a.o")
                      .section("one", "a", 4, firstAlign)
                      .section("other", "a", 4, 1)
                      .section("two", "a", 4, secondAlign);
  a.object->sections[1].flags |= flag;
  a.object->sections[3].flags |= flag;
}

// "Aligns its first section to the largest alignment in it".
TEST(FactAlignment, BaseGroups) {
  HandLaid h("xs1", "SECTIONS { other : { *(other) } one : { *(one) } "
                    "two : { *(two) } }");
  addGroup(h, 2, 128);
  h.place();
  EXPECT_EQ(h.info.baseStarts[0], h.id("one"));
  EXPECT_EQ(h.info.baseStarts[1], kNone);
  EXPECT_EQ(h.of("one").groupAlign, 128u);
  EXPECT_EQ(h.of("two").groupAlign, 1u);
  EXPECT_EQ(h.of("other").groupAlign, 1u);
  h.settle();
  EXPECT_EQ(h.at("one").address, 128u);
  EXPECT_EQ(h.addresses.baseValues[0], 128u);
}

TEST(FactAlignment, BaseGroupsHaveALowerBound) {
  HandLaid h("xs1", "SECTIONS { one : { *(one) } two : { *(two) } "
                    "other : { *(other) } }");
  addGroup(h, 1, 2);
  h.place();
  EXPECT_EQ(h.of("one").groupAlign, h.program.target->baseSymbols[0].minAlign);
}

} // namespace
