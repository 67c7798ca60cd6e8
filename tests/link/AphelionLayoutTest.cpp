//===- AphelionLayoutTest.cpp - the default layout of Aphelion ------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kProgram[] = R"(
Sections:
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: _start, Type: 1 } ] }
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

TEST(AphelionLayout, Order) {
  OutFile out =
      quiet(LinkHarness().file("a.o", aphelion(kProgram)).link({"a.o"}));
  // Headers of 64 + 3 * 56 bytes stand at the image base.
  EXPECT_EQ(layoutOf(out), ".rodata 100e8 8\n"
                           ".text 11000 8\n"
                           ".data 12000 8\n"
                           ".bss 12008 8\n");
  EXPECT_EQ(segmentsOf(out), "LOAD R-- 10000 f0 f0\n"
                             "LOAD R-X 11000 8 8\n"
                             "LOAD RW- 12000 8 10\n");
  EXPECT_TRUE(out.is64);
  EXPECT_EQ(out.machine, 0xA9E1u);
  EXPECT_EQ(out.flags, 6u);
  EXPECT_EQ(out.word(0x12000, 8), 0x11000u);
}

TEST(AphelionLayout, HighAddresses) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", aphelion(kProgram))
                          .link({"--image-base=0x7fff00000000", "a.o"}));
  EXPECT_EQ(out.section(".text")->address, 0x7fff00001000u);
  EXPECT_EQ(out.word(0x7fff00002000, 8), 0x7fff00001000u);
}

TEST(AphelionLayout, Versions) {
  auto object =
      [](StringRef symbol, uint32_t flags) {
        return aphelion((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: )" + symbol + ", Section: .text, Binding: STB_GLOBAL }\n")
                            .str(),
                        flags);
      };
  LinkHarness links;
  links.file("none.o", object("none", 0));
  links.file("six.o", object("_start", 6));
  links.file("seven.o", object("seven", 7));
  EXPECT_EQ(quiet(links.link({"none.o", "six.o"})).flags, 6u);
  Linked linked = links.link({"six.o", "none.o", "seven.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(linked.files.empty());
  EXPECT_NE(linked.errors.find("six.o"), std::string::npos);
  EXPECT_NE(linked.errors.find("seven.o"), std::string::npos);
}

} // namespace
} // namespace xlink::test
