//===- CursorTest.cpp - where sections begin ------------------------------===//
//
// GNU ld manual, "Output Section Address": with a region, "the next available
// address in that region"; without, "the current value of the location
// counter"; both aligned to the strictest input section in it. An address that
// the script gives "will be used".
//
//===----------------------------------------------------------------------===//
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

const char *const kMemory = "MEMORY { a : ORIGIN = 0x1000, LENGTH = 4K\n"
                            "b : ORIGIN = 0x8000, LENGTH = 4K }\n";

struct Cursor : LaidSections {
  void lay(const std::string &sections, const std::string &memory = kMemory) {
    LaidSections::lay(memory, sections);
    EXPECT_EQ(h->problems(), "");
  }
};
INSTANTIATE_TEST_SUITE_P(BothClasses, Cursor,
                         testing::Values("nyuzi", "aphelion"));

TEST_P(Cursor, RegionsHaveTheirOwn) {
  lay(".text : { *(.text) } >a .rodata : { *(.rodata) } >b "
      ".data : { *(.data) } >a");
  EXPECT_EQ(address(".text"), 0x1000u);
  EXPECT_EQ(address(".rodata"), 0x8000u);
  EXPECT_EQ(address(".data"), 0x1008u);
  EXPECT_EQ(h->region("a").cursor, 0x100eu);
  EXPECT_EQ(h->region("b").cursor, 0x8006u);
}

// Not the location counter's place, which is elsewhere.
TEST_P(Cursor, DotDoesNotMoveThem) {
  lay(".text : { *(.text) } >a . = 0x8800; .data : { *(.data) } >a "
      ".rodata : { *(.rodata) } >b");
  EXPECT_EQ(address(".data"), 0x1008u);
}

TEST_P(Cursor, TheLocationCounter) {
  lay(". = 0x400; .text : { *(.text) } .rodata : { *(.rodata) } . = 0x802; "
      ".data : { *(.data) }",
      "");
  EXPECT_EQ(address(".text"), 0x400u);
  EXPECT_EQ(address(".rodata"), 0x408u);
  EXPECT_EQ(address(".data"), 0x804u);
}

TEST_P(Cursor, GivenAddresses) {
  lay(".text 0x102 : { *(.text) } .rodata 0x202 : ALIGN(16) { *(.rodata) } "
      ".data : { *(.data) }",
      "");
  EXPECT_EQ(address(".text"), 0x102u) << "as it is, whatever is in it";
  EXPECT_EQ(h->at(".text").size, 8u) << "the input stands at 0x104";
  EXPECT_EQ(h->addresses.offsets[h->sectionNamed(".text")], 2u);
  EXPECT_EQ(address(".rodata"), 0x210u) << "but for ALIGN()";
  EXPECT_EQ(address(".data"), 0x218u) << "dot went on from there";
}

// A region counts its sections also where they have an address of their own.
TEST_P(Cursor, GivenAddressesInARegion) {
  lay(".text 0x1100 : { *(.text) } >a .data : { *(.data) } >a "
      ".rodata : { *(.rodata) } >b");
  EXPECT_EQ(address(".text"), 0x1100u);
  EXPECT_EQ(address(".data"), 0x1108u);
}

TEST_P(Cursor, SectionsThatDoNotExist) {
  lay(". = 0x100; .none : { *(.none) } .nowhere 0x900 : { *(.none) } "
      ".text : { *(.text) } >a .rodata : { *(.rodata) } >a "
      ".data : { *(.data) } >a",
      kMemory);
  EXPECT_EQ(address(".text"), 0x1000u);
  EXPECT_FALSE(h->at(".none").dotBehind);
}

TEST_P(Cursor, DotBehindEach) {
  lay(". = 0x400; .text : { *(.text) } .rodata : { *(.rodata) } "
      ".data : { *(.data) }",
      "");
  EXPECT_EQ(h->at(".text").dotBehind, Address(0x406));
  EXPECT_EQ(h->at(".data").dotBehind, Address(0x416));
}

// Manual, "Forced Output Alignment": "You can increase an output section's
// alignment by using ALIGN."
TEST_P(Cursor, OutputAlignment) {
  lay(". = 0x401; .text : ALIGN(32) { *(.text) } "
      ".rodata : ALIGN(2) { *(.rodata) } .data : { *(.data) }",
      "");
  EXPECT_EQ(address(".text"), 0x420u);
  EXPECT_EQ(h->at(".text").align, 32u);
  EXPECT_EQ(address(".rodata"), 0x428u) << "what is in it needs 4";
  EXPECT_EQ(h->at(".rodata").align, 4u);
}

// Manual, "Forced Input Alignment": "The value specified overrides any
// alignment given by input sections, whether larger or smaller." It is that of
// the output section, too (GNU ld).
TEST_P(Cursor, InputAlignment) {
  lay(". = 0x402; .text : SUBALIGN(2) { *(.text) *(.data) } "
      ".rodata : SUBALIGN(16) { *(.rodata) }",
      "");
  EXPECT_EQ(address(".text"), 0x402u);
  EXPECT_EQ(h->at(".text").align, 2u);
  EXPECT_EQ(h->at(".text").size, 12u) << "6 and 6, without a gap";
  EXPECT_EQ(address(".rodata"), 0x410u);
  EXPECT_EQ(h->at(".rodata").align, 16u);
}

// Members stand one behind the other, each at its alignment.
TEST_P(Cursor, Members) {
  lay(". = 0x400; .all : { *(.text) . = . + 1; *(.rodata .data) }", "");
  auto offset = [&](StringRef name) {
    return h->link().section(h->sectionNamed(name)).offset;
  };
  EXPECT_EQ(offset(".text"), 0u);
  EXPECT_EQ(offset(".rodata"), 8u);
  EXPECT_EQ(offset(".data"), 16u);
  EXPECT_EQ(h->at(".all").size, 22u);
  EXPECT_EQ(h->at(".all").align, 4u);
}

// Statements see dot as an offset where they stand.
TEST_P(Cursor, SymbolsInside) {
  lay(". = 0x400; .all : { a = .; *(.text) b = .; BYTE(1) c = .; . = 0x20; "
      "*(.data) d = .; } e = .; .rodata : { *(.rodata) }",
      "");
  EXPECT_EQ(h->value("a"), 0x400u);
  EXPECT_EQ(h->value("b"), 0x406u);
  EXPECT_EQ(h->value("c"), 0x407u);
  EXPECT_EQ(h->value("d"), 0x426u) << "`. = 0x20` is an offset in there";
  EXPECT_EQ(h->value("e"), 0x426u);
}

//===----------------------------------------------------------------------===//
// What takes no memory
//===----------------------------------------------------------------------===//

// Debug information stands at 0 everywhere.
TEST(NoMemory, DebugSections) {
  HandLaid h("nyuzi", "SECTIONS { . = 0x400; .text : { *(.text) } "
                      ".debug_line : { *(.debug_line) } }");
  h.file("a.o")
      .section(".text", "ax", 4, 4)
      .section(".debug_info", "", 10)
      .section(".debug_line", "", 10);
  h.lay();
  EXPECT_EQ(h.at(".debug_line").address, 0u);
  EXPECT_EQ(h.at(".debug_line").loadAddress, 0u);
  EXPECT_EQ(h.at(".debug_info").address, 0u) << "an orphan";
  EXPECT_EQ(h.at(".debug_info").size, 10u);
}

// ".tbss: zeros of each thread's template, which take no memory themselves."
TEST(NoMemory, ThreadZeros) {
  HandLaid h("nyuzi", "SECTIONS { . = 0x400; .tdata : { *(.tdata) } "
                      ".tbss : { *(.tbss) } .data : { *(.data) } }");
  h.file("a.o")
      .section(".tdata", "awT", 4, 4)
      .zeros(".tbss", "awT", 0x100, 4)
      .section(".data", "aw", 4, 4);
  h.lay();
  EXPECT_EQ(h.at(".tdata").address, 0x400u);
  EXPECT_EQ(h.at(".tbss").address, 0x404u);
  EXPECT_EQ(h.at(".tbss").size, 0x100u);
  EXPECT_EQ(h.at(".data").address, 0x404u);
}

TEST(NoMemory, ThreadZerosInARegion) {
  HandLaid h("nyuzi", "MEMORY { m : ORIGIN = 0x400, LENGTH = 8 }\n"
                      "SECTIONS { .tbss : { *(.tbss) } >m "
                      ".data : { *(.data) } >m }");
  h.file("a.o").zeros(".tbss", "awT", 0x100).section(".data", "aw", 8);
  h.lay();
  EXPECT_EQ(h.at(".data").address, 0x400u);
  EXPECT_EQ(h.region("m").cursor, 0x408u);
}

} // namespace
