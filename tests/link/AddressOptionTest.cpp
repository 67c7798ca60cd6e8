//===- AddressOptionTest.cpp - addresses from the command line ------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes program(StringRef machine = "nyuzi") {
  return machineObject(machine, R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: special, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
}

OutFile link(std::vector<std::string> arguments) {
  arguments.push_back("a.o");
  return quiet(LinkHarness().file("a.o", program()).link(arguments));
}
uint64_t addressOf(const OutFile &out, StringRef section) {
  const OutSection *s = out.section(section);
  return s ? s->address : ~uint64_t(0);
}

TEST(AddressOption, SectionStart) {
  OutFile out = link(
      {"--section-start=.data=0x30000", "--section-start", "special=0x40000"});
  EXPECT_EQ(addressOf(out, ".data"), 0x30000u);
  EXPECT_EQ(addressOf(out, "special"), 0x40000u);
  EXPECT_EQ(addressOf(out, ".text"), 0x1000u);
}

TEST(AddressOption, SectionsOfTheirOwnOption) {
  OutFile out = link({"-Ttext=0x8000", "-Tdata=0x20000", "-Tbss", "0x50000"});
  EXPECT_EQ(addressOf(out, ".text"), 0x8000u);
  EXPECT_EQ(addressOf(out, ".data"), 0x20000u);
  EXPECT_EQ(addressOf(out, ".bss"), 0x50000u);
  EXPECT_EQ(out.entry, 0x8000u);
}

// What follows a moved section follows it.
TEST(AddressOption, LaterSectionsFollow) {
  OutFile out = link({"-Tdata=0x20000"});
  EXPECT_EQ(addressOf(out, "special"), 0x20004u);
  EXPECT_EQ(addressOf(out, ".bss"), 0x20008u);
}

// GNU ld: the numbers of these options are hexadecimal, with 0x and without.
TEST(AddressOption, HexadecimalExpressions) {
  EXPECT_EQ(addressOf(link({"-Ttext=8000"}), ".text"), 0x8000u);
  EXPECT_EQ(addressOf(link({"-Ttext=0x4000+10*2"}), ".text"), 0x4020u);
  EXPECT_EQ(addressOf(link({"--section-start=.data=40K"}), ".data"), 0x10000u);
}

TEST(AddressOption, ImageBaseMovesEverything) {
  for (const char *option :
       {"--image-base=0xc0000000", "-Ttext-segment=0xc0000000"}) {
    OutFile out = link({option});
    EXPECT_EQ(addressOf(out, ".text"), 0xc0001000u) << option;
    ASSERT_FALSE(out.segments.empty());
    EXPECT_EQ(out.segments[0].address, 0xc0000000u) << option;
    EXPECT_EQ(out.segments[0].offset, 0u) << option;
  }
}

TEST(AddressOption, MaxPageSize) {
  OutFile out = link({"-z", "max-page-size=0x4000"});
  EXPECT_EQ(addressOf(out, ".text"), 0x4000u);
  EXPECT_EQ(addressOf(out, ".data"), 0x8000u);
  for (const OutSegment &s : out.segments)
    EXPECT_EQ(s.align, 0x4000u);
  LinkHarness links;
  links.file("a.o", program());
  expectFailure(links.link({"-z", "max-page-size=12", "a.o"}),
                "xlink: error: option '-z': 'max-page-size=12' is not a power "
                "of two\n");
}

TEST(AddressOption, Malformed) {
  LinkHarness links;
  links.file("a.o", program());
  expectFailure(links.link({"--section-start=.data", "a.o"}),
                "xlink: error: option '--section-start': '.data' is not "
                "SECTION=ADDRESS\n");
  EXPECT_EQ(links.link({"-Ttext=0x", "a.o"}).status, 1);
}

// A section that no file has is not made by its address.
TEST(AddressOption, MissingSection) {
  LinkHarness links;
  links.file("a.o", program());
  OutFile out =
      warned(links.link({"--section-start=.nothing=0x9000", "a.o"}),
             "xlink: warning: option '--section-start': there is no section "
             "'.nothing'\n");
  EXPECT_FALSE(out.section(".nothing"));
}

// Symbols count as they do in a script; one that nothing defines is no 0.
TEST(AddressOption, Symbols) {
  EXPECT_EQ(
      addressOf(link({"--defsym=HERE=0x8000", "-Ttext=HERE+10"}), ".text"),
      0x8010u);
  LinkHarness links;
  links.file("a.o", program());
  for (const char *option :
       {"-Ttext", "-Tdata", "-Tbss", "-Ttext-segment", "--image-base"})
    expectFailure(links.link({std::string(option) + "=banana", "a.o"}),
                  "xlink: error: option '" + std::string(option) +
                      "': undefined symbol 'banana'\n");
  expectFailure(links.link({"--section-start=.text=FLASH_BASE", "a.o"}),
                "xlink: error: option '--section-start': undefined symbol "
                "'FLASH_BASE'\n");
}

TEST(AddressOption, OverScripts) {
  LinkHarness links;
  links.file("a.o", program());
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text) } "
                     ".data 0x2000 : { *(.data) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "-Tdata=0x7000", "a.o"}));
  EXPECT_EQ(addressOf(out, ".data"), 0x7000u);
  EXPECT_EQ(addressOf(out, ".text"), 0x1000u);
}

TEST(AddressOption, OverlapIsFound) {
  LinkHarness links;
  links.file("a.o", program());
  expectFailure(links.link({"-Ttext=0x8000", "-Tdata=0x8000", "a.o"}),
                "xlink: error: section .text virtual address range overlaps "
                "with .data\n"
                ">>> .text range is [0x8000, 0x8003]\n"
                ">>> .data range is [0x8000, 0x8003]\n");
  EXPECT_EQ(links
                .link({"-Ttext=0x8000", "-Tdata=0x8000", "--no-check-sections",
                       "a.o"})
                .errors,
            "");
}

TEST(AddressOption, BeyondTheAddressSpace) {
  LinkHarness links;
  links.file("a.o", program());
  expectFailure(links.link({"--section-start=special=0xfffffffe", "a.o"}),
                "xlink: error: section 'special' at 0xfffffffe with size 0x6 "
                "does not fit the machine's address space\n");
  expectFailure(links.link({"--section-start=special=0x100000000", "a.o"}),
                "xlink: error: section 'special' at 0x100000000 with size 0x4 "
                "does not fit the machine's address space\n");
  // The last word of it is as good as any.
  EXPECT_EQ(addressOf(link({"--section-start=special=0xfffffffc"}), "special"),
            0xfffffffcu);
}

// Inside the built-in memory map what follows a fixed section comes along.
TEST(AddressOption, InsideTheBuiltinMemory) {
  LinkHarness links;
  links.file("a.o", machineObject("xs1", R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Content: '00000000' }
  - { Name: .dp.bss, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link({"--section-start=.dp.data=0x18000", "a.o"}));
  EXPECT_EQ(addressOf(out, ".dp.data"), 0x18000u);
  EXPECT_EQ(addressOf(out, ".dp.bss"), 0x18004u);
  out = quiet(links.link({"-Ttext=0x12000", "a.o"}));
  EXPECT_EQ(addressOf(out, ".text"), 0x12000u);
  EXPECT_EQ(addressOf(out, ".dp.data"), 0x12004u);
}

// A fixed section is outside the built-in memory map on purpose.
TEST(AddressOption, OutsideTheBuiltinMemory) {
  LinkHarness links;
  links.file("a.o", program("xs1"));
  OutFile out = quiet(links.link({"--section-start=.data=0x70000000", "a.o"}));
  EXPECT_EQ(addressOf(out, ".data"), 0x70000000u);
}

} // namespace
} // namespace xlink::test
