//===- RegionCheckTest.cpp - what does not fit into its memory ------------===//
#include "layout/Checks.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

const char *const kOneRegion = "MEMORY { ram : ORIGIN = 0x1000, LENGTH = 16\n"
                               "rom : ORIGIN = 0x8000, LENGTH = 64 }\n";

/// .text of 12 bytes, .data of `size`.
struct Regions : testing::Test {
  std::string check(const std::string &sections, uint64_t size) {
    h.emplace("nyuzi", kOneRegion + ("SECTIONS { " + sections + " }"));
    h->file("a.o").section(".text", "ax", 12, 4);
    h->file("b.o").section(".data", "aw", size, 4);
    h->lay();
    return again();
  }
  std::string again() {
    checkRegions(h->link(), h->diag);
    return h->messages();
  }
  std::optional<HandLaid> h;
};

TEST_F(Regions, Full) {
  EXPECT_EQ(check(".text : { *(.text) } >ram .data : { *(.data) } >ram", 4),
            "");
}

// "Region, size, used, by how much, where it happened, the five largest
// contributors, and regions with room."
TEST_F(Regions, Overflow) {
  EXPECT_EQ(
      check(".text : { *(.text) } >ram .data : { *(.data) } >ram", 8),
      "xlink: error: section '.data' will not fit in region 'ram': overflowed "
      "by 4 bytes\n"
      ">>> region 'ram': 0x10 (16) bytes at 0x1000, used 0x14 (20)\n"
      ">>> 12 bytes: a.o:(.text)\n"
      ">>> 8 bytes: b.o:(.data)\n"
      ">>> regions with room: 'rom' 64 bytes\n");
}

// The first section that does not fit, and the sum of all.
TEST_F(Regions, OverflowFromTheFirst) {
  EXPECT_EQ(
      check(".data : { *(.data) } >ram .text : { *(.text) } >ram", 20),
      "xlink: error: section '.data' will not fit in region 'ram': overflowed "
      "by 16 bytes\n"
      ">>> region 'ram': 0x10 (16) bytes at 0x1000, used 0x20 (32)\n"
      ">>> 20 bytes: b.o:(.data)\n"
      ">>> 12 bytes: a.o:(.text)\n"
      ">>> regions with room: 'rom' 64 bytes\n");
}

// Room that the script makes counts as what the inputs bring.
TEST_F(Regions, Reserved) {
  EXPECT_EQ(
      check(".text : { *(.text)\n. += 4; LONG(1)\n. += 8; } >ram "
            ".data : { *(.data)\n. += 1; } >rom",
            8),
      "xlink: error: section '.text' will not fit in region 'ram': overflowed "
      "by 12 bytes\n"
      ">>> region 'ram': 0x10 (16) bytes at 0x1000, used 0x1c (28)\n"
      ">>> 16 bytes: reserved in section '.text' by a.ld:5:1 and 2 more "
      "statements\n"
      ">>> 12 bytes: a.o:(.text)\n"
      ">>> regions with room: 'rom' 55 bytes\n");
}

// Attributes say what a region is for.
TEST(RegionsWithRoom, ByAttributes) {
  HandLaid h("nyuzi", "MEMORY { ram (rw) : ORIGIN = 0, LENGTH = 4\n"
                      "rom (rx) : ORIGIN = 0x8000, LENGTH = 64\n"
                      "more (w) : ORIGIN = 0x9000, LENGTH = 64\n"
                      "any : ORIGIN = 0xa000, LENGTH = 32 }\n"
                      "SECTIONS { .data : { *(.data) } >ram }");
  h.file("b.o").section(".data", "aw", 8, 4);
  h.lay();
  checkRegions(h.link(), h.diag);
  EXPECT_THAT(h.messages(),
              testing::EndsWith(
                  ">>> regions with room: 'more' 64 bytes, 'any' 32 bytes\n"));
}

// Load addresses need room as well.
TEST_F(Regions, OverflowOfALoadRegion) {
  EXPECT_EQ(
      check(".text : { *(.text) } >rom AT>ram .data : { *(.data) } >rom", 8),
      "xlink: error: section '.data' will not fit in region 'ram': overflowed "
      "by 4 bytes\n"
      ">>> region 'ram': 0x10 (16) bytes at 0x1000, used 0x14 (20)\n"
      ">>> 12 bytes: a.o:(.text)\n"
      ">>> 8 bytes: b.o:(.data)\n"
      ">>> regions with room: 'rom' 44 bytes\n");
}

// What has no bytes is not loaded.
TEST_F(Regions, ZerosNeedNoLoadRegion) {
  check(".text : { *(.text) } >rom AT>ram .data : { *(.data) } >rom", 8);
  h->of(".data").type = ELF::SHT_NOBITS;
  EXPECT_EQ(again(), "");
}

TEST_F(Regions, BelowIt) {
  EXPECT_EQ(
      check(".text 0x800 : { *(.text) } >ram .data : { *(.data) } >ram", 4),
      "xlink: error: address 0x800 of section '.text' is not within "
      "region 'ram' [0x1000, 0x100f]\n")
      << "what follows one that is outside is outside too";
}

// What takes no memory needs none.
TEST_F(Regions, WhatTakesNone) {
  check(".text : { *(.text) } >ram .data : { *(.data) } >ram", 8);
  h->of(".data").flags = sectionFlags("w");
  EXPECT_EQ(again(), "");
  h->of(".data").flags = sectionFlags("awT");
  h->of(".data").type = ELF::SHT_NOBITS;
  EXPECT_EQ(again(), "");
  // (INFO) and its like do for what would be loaded.
  h->of(".data").flags = sectionFlags("w");
  h->of(".data").addressed = true;
  EXPECT_THAT(again(), testing::HasSubstr("overflowed by 4 bytes"));
}

// A region may end where the address space does.
TEST(RegionEnd, Exactly64Bits) {
  for (const uint64_t size : {16, 17}) {
    HandLaid h("aphelion",
               "MEMORY { m : ORIGIN = 0xfffffffffffffff0, LENGTH = 16 }\n"
               "SECTIONS { .text : { *(.text) } >m }");
    h.file("a.o").section(".text", "ax", size);
    h.lay();
    checkRegions(h.link(), h.diag);
    EXPECT_EQ(h.messages(), "") << "the address space says it, not the region";
    EXPECT_EQ(h.at(".text").overflows, size == 17);
  }
}

TEST(AddressRange, Text) {
  EXPECT_EQ(addressRange(0x1000, 0x1000), "[0x1000, 0x1fff]");
  EXPECT_EQ(addressRange(~uint64_t(0), 1),
            "[0xffffffffffffffff, 0xffffffffffffffff]");
}

} // namespace
