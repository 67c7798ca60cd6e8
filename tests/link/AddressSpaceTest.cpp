//===- AddressSpaceTest.cpp - the last bytes of the address space ---------===//
//
// A section may end with the last byte that there is. What would lie behind it
// is an error that names the section, whatever makes it so: a large section, a
// sum of many, a location counter, a load address.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string sections(StringRef textSize, StringRef more = "") {
  return ("Sections:\n  - { Name: .text, Type: SHT_PROGBITS, Flags: [ "
          "SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: " +
          textSize + " }\n" + more +
          "Symbols:\n  - { Name: _start, Section: .text, Binding: STB_GLOBAL "
          "}\n")
      .str();
}
const char kData[] = "  - { Name: .data, Type: SHT_PROGBITS, Flags: [ "
                     "SHF_ALLOC, SHF_WRITE ], Size: 4 }\n";

Linked linkWith(const Bytes &object, StringRef script,
                std::vector<std::string> arguments = {}) {
  LinkHarness links;
  links.file("a.o", object).file("x.ld", script);
  arguments.insert(arguments.end(), {"-T", "x.ld", "a.o"});
  return links.link(arguments);
}

TEST(AddressSpace, SectionEndsWithIt) {
  for (auto [size, at] : {std::pair("0x80000", "0xfffffffffff80000"),
                          std::pair("64", "0xffffffffffffffc0")}) {
    OutFile out = quiet(linkWith(
        aphelion(sections(size)),
        std::string("SECTIONS { . = ") + at +
            "; .text : { *(.text) } end = .; . = ALIGN(16); last = .; }"));
    const OutSection *text = out.section(".text");
    ASSERT_TRUE(text);
    EXPECT_EQ(text->address + text->size, 0u);
    EXPECT_EQ(text->bytes.size(), text->size);
    EXPECT_EQ(out.value("end"), 0u); // as in GNU ld
    EXPECT_EQ(out.value("last"), 0u);
    ASSERT_EQ(out.segments.size(), 1u);
    EXPECT_EQ(out.segments[0].address + out.segments[0].memSize, 0u);
    EXPECT_EQ(out.segments[0].fileSize, out.segments[0].memSize);
  }
  OutFile out = quiet(linkWith(nyuzi(sections("64")),
                               "SECTIONS { . = 0xffffffc0; .text : { *(.text) "
                               "} end = .; }"));
  EXPECT_EQ(out.section(".text")->address, 0xffffffc0u);
  EXPECT_EQ(out.value("end"), 0u);
}

TEST(AddressSpace, ByOption) {
  LinkHarness links;
  links.file("a.o", aphelion(sections("16")));
  OutFile out = quiet(links.link({"-Ttext=0xfffffffffffffff0", "a.o"}));
  ASSERT_TRUE(out.section(".text"));
  EXPECT_EQ(out.section(".text")->address, 0xfffffffffffffff0u);
  EXPECT_EQ(out.section(".text")->bytes.size(), 16u);
  Linked image =
      links.link({"--oformat=binary", "-Ttext=0xfffffffffffffff0", "a.o"});
  EXPECT_EQ(image.status, 0) << image.errors;
  EXPECT_EQ(image.image().size(), 16u);
  expectFailure(links.link({"-Ttext=0xfffffffffffffff4", "a.o"}),
                "xlink: error: <aphelion.ld>:21:3: section '.text' at "
                "0xfffffffffffffff4 ends behind the machine's address space\n"
                ">>> 16 bytes: a.o:(.text)\n");
}

TEST(AddressSpace, NothingBehindTheEnd) {
  const Bytes object = aphelion(sections("64", kData));
  expectFailure(
      linkWith(object, "SECTIONS { . = 0xffffffffffffffc0;\n"
                       ".text : { *(.text) }\n"
                       ".data : { *(.data) } }"),
      "xlink: error: x.ld:3:1: section '.data' begins behind the machine's "
      "address space\n"
      ">>> 4 bytes: a.o:(.data)\n");
  expectFailure(
      linkWith(object, "SECTIONS { . = 0xffffffffffffffc0;\n"
                       ".text : { *(.text) }\n"
                       ". = . + 16; .data : { *(.data) } }"),
      "xlink: error: x.ld:3:1: the location counter leaves the address space: "
      "from 0x10000000000000000 forwards by 0x10\n"
      "xlink: error: x.ld:3:13: section '.data' begins behind the machine's "
      "address space\n"
      ">>> 4 bytes: a.o:(.data)\n");
  // Beginning anew is no move over the end.
  OutFile out = quiet(linkWith(object, "SECTIONS { . = 0xffffffffffffffc0;\n"
                                       ".text : { *(.text) }\n"
                                       ". = 0x100; .data : { *(.data) } }"));
  EXPECT_EQ(out.section(".data")->address, 0x100u);
}

TEST(AddressSpace, AddressBelowZero) {
  for (const Bytes &object :
       {nyuzi(sections("4096")), aphelion(sections("4096"))})
    expectFailure(
        linkWith(object, "SECTIONS {\n"
                         ".text (. - 8) : { *(.text) . = 4; } }"),
        "xlink: error: x.ld:2:28: cannot move the location counter backwards "
        "(from 0x10000000000000000 to 0xfffffffffffffffc) in section '.text'\n"
        "xlink: error: x.ld:2:1: section '.text' at 0xfffffffffffffff8 ends "
        "behind the machine's address space\n"
        ">>> 4096 bytes: a.o:(.text)\n");
}

TEST(AddressSpace, LoadAddresses) {
  const Bytes object = aphelion(sections("64", kData));
  expectFailure(
      linkWith(object, "SECTIONS { .text : AT(0xffffffffffffffd0) {\n"
                       "  *(.text) } .data : AT(0) { *(.data) } }"),
      "xlink: error: section '.text' with size 0x40, loaded at "
      "0xffffffffffffffd0, does not fit the machine's address space\n");
  expectFailure(
      linkWith(object,
               "MEMORY { rom : ORIGIN = 0xffffffffffffffc0, LENGTH = 64\n"
               "  ram : ORIGIN = 0, LENGTH = 4K }\n"
               "SECTIONS { .text : { *(.text) } >ram AT>rom\n"
               ".data : { *(.data) } >ram AT>rom }"),
      "xlink: error: section '.data' with size 0x4 would be loaded outside "
      "of the machine's address space\n"
      "xlink: error: section '.data' will not fit in region 'rom': "
      "overflowed by 4 bytes\n"
      ">>> region 'rom': 0x40 (64) bytes at 0xffffffffffffffc0, used 0x44 "
      "(68)\n"
      ">>> 64 bytes: a.o:(.text)\n"
      ">>> 4 bytes: a.o:(.data)\n"
      ">>> regions with room: 'ram' 4028 bytes\n"
      ">>> --gc-sections would remove 4 bytes that nothing reaches: 4 of "
      ".data\n");
}

// Without bytes nothing is loaded: a ROM may be full to its last byte.
TEST(AddressSpace, LoadAddressWithoutBytes) {
  const char bss[] = "  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, "
                     "SHF_WRITE ], Size: 256 }\n";
  for (const char *origin : {"0xffffffc0", "0xffffffa0"}) {
    OutFile out =
        quiet(linkWith(nyuzi(sections("64", bss)),
                       std::string("MEMORY { rom : ORIGIN = ") + origin +
                           ", LENGTH = 0x100000000 - " + origin +
                           "\n  ram : ORIGIN = 0x1000, LENGTH = 4K }\n"
                           "SECTIONS { .text : { *(.text) } >ram AT>rom\n"
                           ".bss : { *(.bss) } >ram AT>rom }"));
    EXPECT_EQ(out.section(".bss")->address, 0x1040u);
    EXPECT_EQ(out.segments[0].loadAddress, strtoull(origin, nullptr, 0));
  }
}

TEST(AddressSpace, SegmentsByPhdrs) {
  const std::string script = "PHDRS { one PT_LOAD AT(0xfffffff8); }\n"
                             "SECTIONS { .text 0x1000 : { *(.text) } :one }";
  expectFailure(linkWith(nyuzi(sections("64")), script),
                "xlink: error: x.ld:1:9: segment 'one' at 0x1000 with size "
                "0x40, loaded at 0xfffffff8, does not fit the machine's "
                "address space\n");
  quiet(linkWith(aphelion(sections("64")), script));
}

} // namespace
} // namespace xlink::test
