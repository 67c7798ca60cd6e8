//===- OrphanTest.cpp - sections that the script does not name ------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kObject[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .myinfo, Type: SHT_PROGBITS, Content: '01' }
  - { Name: mybss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: mydata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: myconst, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
  - { Name: mycode, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
)";
const char kTables[] = ".comment .symtab .shstrtab .strtab";

TEST(Orphan, EachBehindItsKind) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("x.ld", R"(
SECTIONS {
  .text 0x1000 : { *(.text) }
  .rodata : { *(.rodata) }
  .data : { *(.data) }
  .bss : { *(.bss) }
})");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(sectionNames(out),
            std::string(".text mycode .rodata myconst .data mydata .bss mybss "
                        ".myinfo ") +
                kTables);
  EXPECT_EQ(out.section("mycode")->address, 0x1004u);
}

TEST(Orphan, InTheBuiltinLayout) {
  OutFile out =
      quiet(LinkHarness().file("a.o", nyuzi(kObject)).link({"-e", "0", "a.o"}));
  EXPECT_EQ(sectionNames(out),
            std::string(".rodata myconst .text mycode .data mydata .bss mybss "
                        ".myinfo ") +
                kTables);
}

/// xlink's name in .comment is no input: patterns for everything do not load
/// it, one that names .comment takes it, and /DISCARD/ drops it.
TEST(Orphan, OwnComment) {
  auto names = [](const char *statement) {
    LinkHarness links;
    links.file("a.o", nyuzi(kObject));
    links.file("x.ld", std::string("SECTIONS { ") + statement + " }");
    return sectionNames(quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"})));
  };
  EXPECT_EQ(names(".all : { *(*) }"), std::string(".all ") + kTables);
  EXPECT_EQ(names(".all : { *(.comment) *(*) }"),
            ".all .symtab .shstrtab .strtab");
  EXPECT_EQ(names(".all : { *(.[a-z]* my*) } /DISCARD/ : { *(*) }"),
            ".all .symtab .shstrtab .strtab");
}

// GNU ld: dot assignments behind the anchor belong to what follows.
TEST(Orphan, BeforeADotAssignment) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("x.ld", R"(
SECTIONS {
  . = 0x1000;
  .text : { *(.text) }
  text_end = .;
  . = 0x2000;
  .data : { *(.data) *(.rodata) }
  .bss : { *(.bss) }
})");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.section("mycode")->address, 0x1004u);
  EXPECT_EQ(out.section(".data")->address, 0x2000u);
}

TEST(Orphan, OfOneNameShareASection) {
  LinkHarness links;
  for (const char *name : {"a.o", "b.o"})
    links.file(name, nyuzi(R"(
Sections:
  - { Name: mine, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: 'ab' }
  - { Name: .info, Type: SHT_PROGBITS, Content: 'cd' }
)"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  EXPECT_EQ(bytesOf(out, "mine"), "abab");
  EXPECT_EQ(bytesOf(out, ".info"), "cdcd");
}

// An orphan whose name the script gives to an output section joins it.
TEST(Orphan, JoinsTheSectionOfItsName) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("x.ld", "SECTIONS { mydata 0x1000 : { *(.data) } "
                     ".text : { *(.text) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.section("mydata")->address, 0x1000u);
  EXPECT_EQ(out.section("mydata")->size, 8u);
}

// An empty script places everything by kind.
TEST(Orphan, WithoutAnyScriptedSection) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("x.ld", "SECTIONS { . = 0x4000; }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.section(".text")->address, 0x4000u);
  for (const OutSection &s : out.sections) {
    if (s.flags & 2) {
      EXPECT_GE(s.address, 0x4000u) << s.name;
    }
  }
}

TEST(Orphan, Handling) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: mine, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: 'ab' }
)"));
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text) } "
                     ".comment 0 : { *(.comment) } }");
  auto link = [&](const char *how) {
    return links.link({"-e", "0", "-T", "x.ld",
                       std::string("--orphan-handling=") + how, "a.o"});
  };
  EXPECT_TRUE(quiet(link("place")).section("mine"));
  OutFile out =
      warned(link("warn"), "xlink: warning: section 'mine' of a.o matches no "
                           "pattern of the linker script\n");
  EXPECT_TRUE(out.section("mine"));
  EXPECT_FALSE(quiet(link("discard")).section("mine"));
  expectFailure(link("error"), "xlink: error: section 'mine' of a.o matches no "
                               "pattern of the linker script\n");
  expectFailure(link("guess"),
                "xlink: error: option '--orphan-handling': 'guess' is none of "
                "place, warn, error, discard\n");
}

} // namespace
} // namespace xlink::test
