//===- RoundTest.cpp - a round is a function ------------------------------===//
#include "layout/AddressAssignment.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// A script with a bit of everything that a round finds.
const char *const kScript = R"(
MEMORY { rom (rx) : ORIGIN = 0x1000, LENGTH = 4K
         ram (w) : ORIGIN = 0x8000, LENGTH = n * 1K }
n = 2 + extra;
SECTIONS {
  .text : { first = .; *(.text) . = ALIGN(16); PROVIDE(needed = later + 1); }
  .data : ALIGN(8) { *(.data) LONG(SIZEOF(.text)) } >ram AT>rom
  .bss : { *(.bss) end = .; }
  later = end - first;
  ASSERT(later > 0, "")
}
extra = later > 0x100 ? 1 : 2;
)";

void addInputs(HandLaid &h) {
  h.file("a.o")
      .section(".text", "ax", 10, 4)
      .refer("needed")
      .section(".data", "aw", 6, 4)
      .zeros(".bss", "aw", 64, 16);
  h.file("b.o").section(".text", "ax", 10, 8).section(".orphan", "a", 3);
}

// The same arguments twice: the same result, and nobody's arguments change.
TEST(Round, IsAFunction) {
  for (const char *machine : {"nyuzi", "aphelion"}) {
    HandLaid h(machine, kScript);
    addInputs(h);
    h.place();
    for (unsigned i = 0; i < 5; ++i) {
      const Addresses before = h.addresses;
      const Addresses once = h.round(h.addresses), again = h.round(h.addresses);
      EXPECT_EQ(once, again) << machine << ", round " << i;
      EXPECT_EQ(before, h.addresses) << machine << ", round " << i;
      h.addresses = once;
    }
    EXPECT_TRUE(h.addresses.placed);
  }
}

TEST(Round, HasAFixedPoint) {
  HandLaid h("nyuzi", kScript);
  addInputs(h);
  h.place();
  EXPECT_LE(h.settle(), 6u);
  EXPECT_EQ(h.round(h.addresses), h.addresses);
  EXPECT_EQ(h.problems(), "");
  EXPECT_EQ(h.value("needed"), h.value("first") + h.value("later") + 1)
      << "in a section a number is an offset";
  EXPECT_EQ(h.region("ram").length, (2 + h.value("extra")) * 1024);
}

// Reporting changes what is said, not what is found.
TEST(Round, ReportsLeaveNoTrace) {
  HandLaid h("nyuzi", "SECTIONS { .x : { . = 8; . = 4; } "
                      "ASSERT(0, \"never\") s = 1 / 0; }");
  h.lay();
  EXPECT_EQ(h.problems(),
            "xlink: error: a.ld:1:26: cannot move the location counter "
            "backwards (from 0x8 to 0x4) in section '.x'\n");
}

/// The layout, once it stands, of `.x` with such a statement.
struct Settled {
  explicit Settled(const std::string &statement)
      : h("nyuzi", "SECTIONS { .text : { *(.text) } .x : { xs = .; " +
                       statement + " } .data : { *(.data) } later = 1; }") {
    h.file("a.o").section(".text", "ax", 6, 2).section(".data", "aw", 4, 4);
    h.lay();
  }
  HandLaid h;
};

// What an earlier round found must not show in where it ends: in the first one
// `later` is 0, and .x takes 16 bytes.
TEST(Round, FixedPointsHaveNoHistory) {
  Settled forward(". = . + (later ? 0 : 16);"), known(". = . + (1 ? 0 : 16);");
  EXPECT_EQ(forward.h.addresses.outputs, known.h.addresses.outputs);
  EXPECT_EQ(forward.h.addresses.items, known.h.addresses.items);
  EXPECT_EQ(forward.h.addresses.offsets, known.h.addresses.offsets);
  EXPECT_EQ(forward.h.addresses.segments, known.h.addresses.segments);
  EXPECT_EQ(forward.h.addresses.symbols, known.h.addresses.symbols);
  EXPECT_EQ(forward.h.at(".x").size, 0u);
  EXPECT_EQ(forward.h.at(".x").traits, known.h.at(".x").traits);
  EXPECT_EQ(forward.h.at(".data").address, 8u);
}

TEST(Round, FixedPointsHaveNoHistoryOfAlignment) {
  Settled forward(". = ALIGN(later ? 1 : 64);"),
      known(". = ALIGN(1 ? 1 : 64);");
  EXPECT_EQ(forward.h.addresses.outputs, known.h.addresses.outputs);
  EXPECT_EQ(forward.h.addresses.segments, known.h.addresses.segments);
}

// Assignments do what the rounds by hand do, and change nothing that they got.
TEST(Round, AsAssignAddressesRunsThem) {
  HandLaid h("nyuzi", kScript);
  addInputs(h);
  h.lay();
  const Layout layout = assignAddresses(h.program, h.placement, h.contributions,
                                        *h.expressions, h.diag);
  EXPECT_EQ(h.messages(), "");
  EXPECT_EQ(layout.addresses.outputs, h.addresses.outputs);
  EXPECT_EQ(layout.addresses.offsets, h.addresses.offsets);
  EXPECT_EQ(layout.addresses.segments, h.addresses.segments);
}

// A chain of names each assigned below its use settles in a round for each.
TEST(Round, ForwardReferences) {
  HandLaid h("nyuzi", "a = b + 1; b = c + 1; c = d + 1; d = 1;");
  h.place();
  EXPECT_EQ(h.settle(), 4u);
  EXPECT_EQ(h.value("a"), 4u);
}

TEST(Round, WhatNeverSettles) {
  HandLaid h("nyuzi", "SECTIONS { .x : { . = . + (SIZEOF(.x) ? 0 : 4); } }");
  h.place();
  (void)assignAddresses(h.program, h.placement, h.contributions, *h.expressions,
                        h.diag);
  EXPECT_THAT(h.messages(),
              testing::StartsWith("xlink: error: address assignment did not "
                                  "converge in 64 rounds\n"
                                  ">>> still moving: section '.x': "));
}

//===----------------------------------------------------------------------===//
// The end of the address space
//===----------------------------------------------------------------------===//

// A section may end exactly where the address space does.
TEST(AddressEnd, Exactly64Bits) {
  HandLaid h("aphelion", "SECTIONS { .x 0xfffffffffffffff0 : { *(.x) "
                         "last = . - 1; } behind = .; }");
  h.file("a.o").section(".x", "ax", 16, 4);
  h.lay();
  EXPECT_EQ(h.problems(), "");
  EXPECT_TRUE(h.at(".x").end().isEnd());
  EXPECT_EQ(h.at(".x").size, 16u);
  EXPECT_FALSE(h.at(".x").overflows);
  EXPECT_EQ(h.at(".x").dotBehind, Address::end());
  EXPECT_EQ(h.value("last"), ~uint64_t(0));
  EXPECT_EQ(h.value("behind"), 0u) << "expressions are modulo 2^64";
}

// "It would end behind the address space; its size is what fits."
TEST(AddressEnd, Beyond64Bits) {
  HandLaid h("aphelion", "SECTIONS { .x 0xfffffffffffffff0 : { *(.x) } "
                         ".y : { *(.y) } }");
  h.file("a.o").section(".x", "ax", 17, 1).section(".y", "ax", 4, 4);
  h.lay();
  EXPECT_TRUE(h.at(".x").overflows);
  EXPECT_EQ(h.at(".x").size, 16u);
  EXPECT_TRUE(h.at(".y").address.isEnd()) << "what follows begins there";
  EXPECT_TRUE(h.at(".y").overflows);
  EXPECT_EQ(h.at(".y").size, 0u);
}

// Alignment can lead there as well.
TEST(AddressEnd, Aligned) {
  HandLaid h("aphelion", "SECTIONS { . = 0xfffffffffffffff1; .x : { *(.x) } }");
  h.file("a.o").section(".x", "ax", 4, 16);
  h.lay();
  EXPECT_TRUE(h.at(".x").address.isEnd());
  EXPECT_TRUE(h.at(".x").overflows);
}

TEST(AddressEnd, Exactly32Bits) {
  HandLaid h("nyuzi", "SECTIONS { .x 0xfffffff0 : { *(.x) } behind = .; }");
  h.file("a.o").section(".x", "ax", 16, 4);
  h.lay();
  EXPECT_EQ(h.problems(), "");
  EXPECT_EQ(h.at(".x").end(), h.program.space().end());
  EXPECT_EQ(h.value("behind"), uint64_t(1) << 32);
}

// A load address at which nothing can stand is not wrapped.
TEST(AddressEnd, LoadedBeyond) {
  HandLaid h("aphelion",
             "SECTIONS { .x 0x100 : AT(0xfffffffffffffff0) { *(.x) } "
             ".y : { *(.y) } }");
  h.file("a.o").section(".x", "ax", 8, 8).section(".y", "ax", 8, 16);
  h.lay();
  EXPECT_TRUE(h.at(".x").loadAddress.isByte());
  EXPECT_EQ(h.at(".y").address, 0x110u);
  EXPECT_EQ(h.at(".y").loadAddress, Address::end());
}

// The distance to a load address below can lead out at the bottom, and back in.
TEST(AddressEnd, LoadedBeforeTheBeginning) {
  HandLaid h("nyuzi", "SECTIONS { .x 0x1000 : AT(0) { *(.x) } "
                      ".y 0xfff : { *(.y) } .z 0x2000 : { *(.z) } }");
  h.file("a.o")
      .section(".x", "ax", 8, 1)
      .section(".y", "ax", 8, 1)
      .section(".z", "ax", 8, 1);
  h.lay();
  EXPECT_EQ(h.at(".y").loadAddress, Address(0) - 1);
  EXPECT_EQ(h.at(".z").loadAddress, 0x1000u);
}

} // namespace
