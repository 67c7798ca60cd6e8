//===- ClassLimitsTest.cpp - numbers that ELF32 has no room for -----------===//
//
// Scripts compute in 64 bits. What an ELF32 file cannot say is an error there
// and a value like any other in ELF64.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kBody[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

LinkHarness inputs(bool is64) {
  LinkHarness links;
  links.file("a.o", is64 ? aphelion(kBody) : nyuzi(kBody));
  return links;
}

TEST(ClassLimits, Symbols) {
  std::vector<std::string> arguments = {"--defsym=foo=0x123456789", "a.o"};
  expectFailure(inputs(false).link(arguments),
                "xlink: error: symbol 'foo' is 0x123456789, which an ELF32 "
                "file has no room for\n");
  EXPECT_EQ(quiet(inputs(true).link(arguments)).value("foo"), 0x123456789u);
  // Negative numbers, and the end of the address space, are meant modulo 2^32.
  OutFile out = quiet(inputs(false).link(
      {"--defsym=minus=-4", "--defsym=end=0xffffffff+1", "a.o"}));
  EXPECT_EQ(out.value("minus"), 0xfffffffcu);
  EXPECT_EQ(out.value("end"), 0u);
}

TEST(ClassLimits, ImageBase) {
  expectFailure(inputs(false).link({"--image-base=-1", "a.o"}),
                "xlink: error: option '--image-base': address "
                "0xffffffffffffffff does not fit the machine's address "
                "space\n");
}

TEST(ClassLimits, Entry) {
  expectFailure(inputs(false).link({"-e", "0x100000000", "a.o"}),
                "xlink: error: the entry address 0x100000000 does not fit the "
                "machine's address space\n");
  expectFailure(inputs(false).link({"-e", "0x123456789", "a.o"}),
                "xlink: error: the entry address 0x123456789 does not fit the "
                "machine's address space\n");
  EXPECT_EQ(quiet(inputs(true).link({"-e", "0x123456789", "a.o"})).entry,
            0x123456789u);
}

TEST(ClassLimits, Alignments) {
  const char script[] = "SECTIONS { .text 0x1000 : { *(.text) }\n"
                        "  .bss 0 : SUBALIGN(0x200000000) { *(.bss) } }";
  LinkHarness narrow = inputs(false), wide = inputs(true);
  narrow.file("x.ld", script);
  wide.file("x.ld", script);
  expectFailure(narrow.link({"-T", "x.ld", "a.o"}),
                "xlink: error: section '.bss' is aligned to 0x200000000, "
                "which an ELF32 file has no room for\n");
  EXPECT_EQ(quiet(wide.link({"-T", "x.ld", "a.o"})).section(".bss")->align,
            0x200000000u);
}

TEST(ClassLimits, SectionsWithoutBytes) {
  LinkHarness links = inputs(false);
  links.file("x.ld", "SECTIONS { .text : { *(.text) }\n"
                     ".empty 0x123456789 : { KEEP(*(.none)) BYTE(0) }\n"
                     ".bss 0x2000 : { *(.bss) } }");
  expectFailure(links.link({"-T", "x.ld", "a.o"}),
                "xlink: error: section '.empty' at 0x123456789 with size 0x1 "
                "does not fit the machine's address space\n");
}

} // namespace
} // namespace xlink::test
