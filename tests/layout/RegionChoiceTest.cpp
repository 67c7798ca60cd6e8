//===- RegionChoiceTest.cpp - which region a section goes to --------------===//
//
// GNU ld manual, "MEMORY" and "Output Section Region".
//
//===----------------------------------------------------------------------===//
#include "layout/Segments.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// The kinds of input sections that attributes tell apart.
struct Kind {
  const char *name, *flags;
  bool zeros;
};
constexpr Kind kKinds[] = {{"code", "ax", false},
                           {"constants", "a", false},
                           {"data", "aw", false},
                           {"zeros", "aw", true},
                           {"debug", "", false}};

/// The kinds that go by themselves to a region with such attributes.
std::string takes(const std::string &attributes) {
  HandLaid h("nyuzi",
             "MEMORY { m (" + attributes + ") : ORIGIN = 0, LENGTH = 1K }");
  std::string taken;
  for (const Kind &kind : kKinds) {
    ParsedSection p;
    p.flags = sectionFlags(kind.flags);
    p.type = kind.zeros ? ELF::SHT_NOBITS : ELF::SHT_PROGBITS;
    if (regionByAttributes(h.program.script, ".s", inputTraits(p)) != kNone)
      taken += (taken.empty() ? "" : " ") + std::string(kind.name);
  }
  return taken;
}

// 'R' read-only, 'W' read/write, 'X' executable, 'A' allocatable, 'I'
// initialized, 'L' the same. Data that is loaded counts as W also when it is
// constant, since that is what GNU ld knows as data.
TEST(RegionByAttributes, EachLetter) {
  EXPECT_EQ(takes("a"), "code constants data zeros");
  EXPECT_EQ(takes("x"), "code");
  EXPECT_EQ(takes("w"), "constants data zeros");
  EXPECT_EQ(takes("i"), "code constants data");
  EXPECT_EQ(takes("l"), "code constants data");
  EXPECT_EQ(takes("r"), "code constants debug");
}

TEST(RegionByAttributes, EitherCase) {
  for (const char *letter : {"a", "x", "w", "i", "l", "r"}) {
    const std::string upper(1, char(std::toupper(*letter)));
    EXPECT_EQ(takes(upper), takes(letter)) << letter;
  }
}

// "If an unmapped section matches any of the listed attributes"
TEST(RegionByAttributes, AnyOfSeveral) {
  EXPECT_EQ(takes("xw"), "code constants data zeros");
  EXPECT_EQ(takes("rx"), "code constants debug");
}

// "The '!' attribute reverses the test for the characters that follow, so that
// an unmapped section will be placed in the memory region only if it does not
// match any of the attributes listed afterwards."
TEST(RegionByAttributes, EachNegatedLetter) {
  EXPECT_EQ(takes("a!x"), "constants data zeros");
  EXPECT_EQ(takes("a!w"), "code");
  EXPECT_EQ(takes("a!i"), "zeros");
  EXPECT_EQ(takes("a!l"), "zeros");
  EXPECT_EQ(takes("a!r"), "data zeros");
  EXPECT_EQ(takes("ar!a"), "debug");
  EXPECT_EQ(takes("a!ri"), "zeros");
}

// Negations alone name nothing to take: GNU ld says so though its manual's
// example does not.
TEST(RegionByAttributes, OnlyNegations) { EXPECT_EQ(takes("!rx"), ""); }

// Whatever is in it, .text counts as read-only, once anything is.
TEST(RegionByAttributes, Text) {
  HandLaid h("nyuzi", "MEMORY { m (r) : ORIGIN = 0, LENGTH = 1K }");
  const uint32_t writable = Alloc | Load | Data | HasContents;
  auto region = [&](StringRef name, uint32_t traits) {
    return regionByAttributes(h.program.script, name, traits);
  };
  EXPECT_EQ(region(".text", writable), RegionId(0));
  EXPECT_EQ(region(".text2", writable), kNone);
  EXPECT_EQ(region(".text", 0), kNone);
}

TEST(RegionByAttributes, TheFirstThatFits) {
  HandLaid h("nyuzi", "MEMORY { none : ORIGIN = 0, LENGTH = 1K\n"
                      "x (x) : ORIGIN = 0, LENGTH = 1K\n"
                      "a (a) : ORIGIN = 0, LENGTH = 1K\n"
                      "b (xa) : ORIGIN = 0, LENGTH = 1K }");
  EXPECT_EQ(regionByAttributes(h.program.script, ".s",
                               Alloc | Load | Code | ReadOnly),
            RegionId(1));
  EXPECT_EQ(regionByAttributes(h.program.script, ".s", Alloc | Load | Data),
            RegionId(2));
}

/// The regions "region lmaRegion" of an output section by the facts, "-": none.
std::string regionsOf(HandLaid &h, StringRef name) {
  auto nameOf = [&](RegionId id) {
    return id == kNone ? "-" : h.program.script.memory[id.index()].name.str();
  };
  return nameOf(h.of(name).region) + " " + nameOf(h.of(name).lmaRegion);
}

const char *const kTwoRegions = "MEMORY { a : ORIGIN = 0x1000, LENGTH = 4K\n"
                                "b : ORIGIN = 0x8000, LENGTH = 4K }\n";

struct Named : testing::Test {
  void lay(const std::string &sections) {
    h.emplace("nyuzi", kTwoRegions + ("SECTIONS { " + sections + " }"));
    h->file("a.o")
        .section(".text", "ax", 4)
        .section(".rodata", "a", 4)
        .section(".data", "aw", 4);
    h->place();
  }
  std::string regions(StringRef name) { return regionsOf(*h, name); }
  std::optional<HandLaid> h;
};

TEST_F(Named, ByTheScript) {
  lay(".text : { *(.text) } >a .rodata : { *(.rodata) } >a AT>b "
      ".data 0 : { *(.data) }");
  EXPECT_EQ(h->messages(), "");
  EXPECT_EQ(regions(".text"), "a -");
  EXPECT_EQ(regions(".rodata"), "a b");
  EXPECT_EQ(regions(".data"), "- -");
}

// AT> alone serves both addresses, unless the section has one of its own.
TEST_F(Named, LoadRegionAlone) {
  lay(".text : { *(.text) } AT>b .data 0x100 : { *(.data) } AT>b");
  EXPECT_EQ(regions(".text"), "b b");
  EXPECT_EQ(regions(".data"), "- b");
}

TEST_F(Named, Aliases) {
  HandLaid aliased("nyuzi", std::string(kTwoRegions) +
                                "REGION_ALIAS(\"c\", b)"
                                "SECTIONS { .x : { } >c }");
  aliased.place();
  EXPECT_EQ(aliased.messages(), "");
  EXPECT_EQ(regionsOf(aliased, ".x"), "b -");
}

TEST_F(Named, Unknown) {
  lay(".text : { *(.text) } >c AT>d");
  EXPECT_EQ(h->messages(),
            "xlink: error: a.ld:3:39: memory region 'd' is not declared\n"
            "xlink: error: a.ld:3:34: memory region 'c' is not declared\n");
  EXPECT_EQ(regions(".text"), "- -");
}

// Regions of an OVERLAY are those of all its members.
TEST_F(Named, Overlays) {
  lay("OVERLAY : { .text { *(.text) } .data { *(.data) } } >a AT>b");
  EXPECT_EQ(regions(".text"), "a b");
  EXPECT_EQ(regions(".data"), "a b");
}

// An orphan shares the regions of the section that it was placed behind.
TEST_F(Named, Orphans) {
  lay(".text : { *(.text) } >a AT>b .data : { *(.data) } >b");
  ASSERT_EQ(h->placement.outputs[h->id(".rodata")].orphanAfter, h->id(".text"));
  EXPECT_EQ(regions(".rodata"), "a b");
}

TEST_F(Named, OrphansOfALoadRegionAlone) {
  lay(".text 0x100 : { *(.text) } AT>b .data : { *(.data) } >a");
  EXPECT_EQ(regions(".text"), "- b");
  EXPECT_EQ(regions(".rodata"), "b b");
}

// A section in the same region as the one before it, with no address of its
// own, also shares its load region.
TEST_F(Named, LoadRegionsAreHandedOn) {
  lay(".text : { *(.text) } >a AT>b .rodata : { *(.rodata) } >a "
      ".data : { *(.data) } >b");
  EXPECT_EQ(regions(".rodata"), "a b");
  EXPECT_EQ(regions(".data"), "b -") << "another region";
}

TEST_F(Named, LoadRegionsAreHandedOnFurther) {
  lay(".text : { *(.text) } >a AT>b .rodata : { *(.rodata) } >a "
      ".data : { *(.data) } >a");
  EXPECT_EQ(regions(".data"), "a b");
}

// Not to a section with an address of its own.
TEST_F(Named, OwnAddressesGetNoLoadRegion) {
  const std::string text = ".text : { *(.text) } >a AT>b ";
  lay(text + ".data : AT(0x100) { *(.data) } >a");
  EXPECT_EQ(regions(".data"), "a -");
  lay(text + ".data 0x1100 : { *(.data) } >a");
  EXPECT_EQ(regions(".data"), "a -");
  lay(text + "OVERLAY 0x1100 : { .data { *(.data) } } >a");
  EXPECT_EQ(regions(".data"), "a -");
  lay(text + "OVERLAY : AT(0x1100) { .data { *(.data) } } >a");
  EXPECT_EQ(regions(".data"), "a -");
}

// The first member of an overlay may get one, the others follow the first.
TEST_F(Named, OverlaysHandNothingOn) {
  lay(".text : { *(.text) } >a AT>b "
      "OVERLAY : { .rodata { *(.rodata) } .data { *(.data) } } >a");
  EXPECT_EQ(regions(".rodata"), "a b");
  EXPECT_EQ(regions(".data"), "a -");
}

// "The location counter's own space counts as a region here."
TEST_F(Named, TheLocationCountersSpace) {
  lay(".text 0x100 : { *(.text) } AT>b .data : { *(.data) } "
      ".rodata 0x900 : { *(.rodata) }");
  EXPECT_EQ(regions(".data"), "- b");
}

/// Where sections come to stand: "no memory region" is an error for what needs
/// memory where there are regions.
TEST(RegionChoice, NoneFits) {
  HandLaid h("nyuzi", "MEMORY { m (x) : ORIGIN = 0x1000, LENGTH = 4K }\n"
                      "SECTIONS { .text : { *(.text) } .data : { *(.data) } }");
  h.file("a.o").section(".text", "ax", 4).section(".data", "aw", 4);
  h.place();
  h.settle();
  EXPECT_EQ(h.at(".text").region, RegionId(0));
  EXPECT_EQ(h.at(".text").address, 0x1000u);
  EXPECT_EQ(h.at(".data").region, kNone);
  EXPECT_EQ(h.problems(),
            "xlink: error: a.ld:2:33: no memory region for section '.data'\n"
            ">>> no region's attributes fit; '> REGION' behind '}' names "
            "one\n");
  h.config.checkSections = false;
  EXPECT_THAT(h.problems(),
              testing::HasSubstr("no memory region for section '.data': it "
                                 "follows the location counter\n"));
}

TEST(RegionChoice, SmallerSectionsNeedNone) {
  HandLaid h("nyuzi", "MEMORY { m (x) : ORIGIN = 0x1000, LENGTH = 4K }\n"
                      "SECTIONS { .text : { *(.text) } .tbss : { *(.tbss) } }");
  h.file("a.o")
      .section(".text", "ax", 4)
      .zeros(".tbss", "awT", 4)
      .section(".comment", "", 4);
  h.place();
  h.settle();
  EXPECT_EQ(h.problems(), "");
}

TEST(RegionByAttributes, OfText) {
  HandLaid h("nyuzi", "MEMORY { m (r) : ORIGIN = 0, LENGTH = 1K }");
  EXPECT_EQ(regionByAttributes(h.program.script, ".s", Alloc | Load), kNone);
  EXPECT_EQ(regionByAttributes(h.program.script, ".text", Alloc | Load),
            RegionId(0));
}

} // namespace
