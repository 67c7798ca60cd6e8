//===- LoadAddressTest.cpp - where sections are loaded --------------------===//
//
// GNU ld manual, "Output Section LMA" and "Overlay Description".
//
//===----------------------------------------------------------------------===//
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

const char *const kRamAndRom = "MEMORY { ram : ORIGIN = 0x1000, LENGTH = 4K\n"
                               "rom : ORIGIN = 0x8000, LENGTH = 4K }\n";

struct LoadAddress : LaidSections {
  void lay(const std::string &sections,
           const std::string &memory = kRamAndRom) {
    LaidSections::lay(memory, sections);
  }
};
INSTANTIATE_TEST_SUITE_P(BothClasses, LoadAddress,
                         testing::Values("nyuzi", "aphelion"));

// "or there was no previous section then the LMA is set equal to the VMA."
TEST_P(LoadAddress, WhereItStands) {
  lay(". = 0x400; .text : { *(.text) } .data : { *(.data) }", "");
  EXPECT_EQ(load(".text"), 0x400u);
  EXPECT_EQ(load(".data"), 0x408u);
}

// "the lma is the value of the expression".
TEST_P(LoadAddress, At) {
  lay(".text 0x400 : AT(0x2000) { *(.text) } "
      ".data : AT(LOADADDR(.text) + SIZEOF(.text)) { *(.data) }",
      "");
  EXPECT_EQ(load(".text"), 0x2000u);
  EXPECT_EQ(load(".data"), 0x2006u) << "as it is";
}

// "the LMA is set so the difference between the VMA and LMA is the same as the
// difference between the VMA and LMA of the last section in the located
// region."
TEST_P(LoadAddress, DistanceOfTheLastSection) {
  lay(".text 0x400 : AT(0x2000) { *(.text) } .data : { *(.data) }", "");
  EXPECT_EQ(address(".data"), 0x408u);
  EXPECT_EQ(load(".data"), 0x2008u);
}

TEST_P(LoadAddress, DistanceDownwards) {
  lay(".text 0x4000 : AT(0x100) { *(.text) } .data : { *(.data) }", "");
  EXPECT_EQ(load(".data"), 0x108u);
}

TEST_P(LoadAddress, DistanceWithinARegion) {
  lay(".text : AT(0x2000) { *(.text) } >ram .rodata : { *(.rodata) } >rom "
      ".data : { *(.data) } >ram");
  EXPECT_EQ(load(".rodata"), 0x8000u) << "no section of rom came before";
  EXPECT_EQ(load(".data"), 0x2008u);
}

// "If dot moved backwards, leave LMA equal to VMA" (GNU ld): distances would
// make sections overlap where they are loaded.
TEST_P(LoadAddress, BackwardsMoves) {
  lay(".text 0x4000 : AT(0x8000) { *(.text) } .data 0x100 : { *(.data) }", "");
  EXPECT_EQ(load(".data"), 0x100u);
}

// "If the section is not allocatable then its LMA is set to its VMA."
TEST_P(LoadAddress, WhatTakesNoMemory) {
  lay(".text 0x4000 : AT(0x8000) { *(.text) } .i (INFO) : { *(.data) }", "");
  EXPECT_EQ(load(".i"), address(".i").value());
}

// "the next free address in the region".
TEST_P(LoadAddress, LoadRegion) {
  lay(".text : { *(.text) } >rom .rodata : { *(.rodata) } >ram AT>rom "
      ".data : { *(.data) } >ram AT>rom .bss : { *(.bss) } >ram");
  EXPECT_EQ(address(".rodata"), 0x1000u);
  EXPECT_EQ(load(".rodata"), 0x8006u) << "AT> aligns by ALIGN() alone";
  EXPECT_EQ(load(".data"), 0x800cu);
  EXPECT_EQ(h->region("rom").cursor, 0x8012u) << "not behind .bss";
}

TEST_P(LoadAddress, LoadRegionAligned) {
  lay(".text : { *(.text) } >rom "
      ".data : ALIGN(16) { *(.data) } >ram AT>rom .rodata : { *(.rodata) } "
      ">rom AT>rom");
  EXPECT_EQ(load(".data"), 0x8010u);
  EXPECT_EQ(load(".rodata"), 0x8018u)
      << "in one region for both, as its address";
  EXPECT_EQ(address(".rodata"), 0x8018u);
}

// "the difference between the VMA and LMA stays intact throughout the output
// section": the padding in front of it is made in both.
TEST_P(LoadAddress, AlignWithInput) {
  lay(".text : { *(.text) } >ram AT>rom "
      ".data : ALIGN_WITH_INPUT { *(.data) } >ram AT>rom");
  EXPECT_EQ(address(".data"), 0x1008u);
  EXPECT_EQ(load(".data"), 0x8008u) << "2 bytes before it, as in ram";
}

// What has no bytes does not move the cursor of its load region.
TEST_P(LoadAddress, ZerosMoveNoLoadRegion) {
  lay(".bss : { *(.bss) } >ram AT>rom .data : { *(.data) } >ram AT>rom");
  EXPECT_EQ(load(".bss"), 0x8000u);
  EXPECT_EQ(load(".data"), 0x8000u);
}

// Of an overlay: one VMA; "the load addresses are arranged such that they are
// consecutive in memory starting at the load address".
TEST_P(LoadAddress, Overlay) {
  lay("OVERLAY 0x1000 : AT(0x4000) { .text { *(.text) } .rodata { *(.rodata) "
      "*(.data) } } .bss : { *(.bss) } s = __load_start_text;",
      "");
  EXPECT_EQ(address(".text"), 0x1000u);
  EXPECT_EQ(address(".rodata"), 0x1000u);
  EXPECT_EQ(load(".text"), 0x4000u);
  EXPECT_EQ(load(".rodata"), 0x4006u);
  EXPECT_EQ(h->at(".rodata").size, 14u);
  // "at the end of the overlay, the value of the location counter is set to the
  // start address of the overlay plus the size of the largest section."
  EXPECT_EQ(h->at(".rodata").dotBehind, Address(0x100e));
  EXPECT_EQ(address(".bss"), 0x1010u);
  EXPECT_EQ(h->value("s"), 0x4000u);
}

TEST_P(LoadAddress, OverlayWhoseFirstMemberIsLargest) {
  lay("OVERLAY 0x1000 : { .text { *(.text) *(.data) } .rodata { *(.rodata) } } "
      ".bss : { *(.bss) }",
      "");
  EXPECT_EQ(h->at(".rodata").dotBehind, Address(0x100e));
  EXPECT_EQ(load(".text"), 0x1000u) << "without AT: where it stands";
  EXPECT_EQ(load(".rodata"), 0x100eu);
}

} // namespace
