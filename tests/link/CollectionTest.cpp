//===- CollectionTest.cpp - what --gc-sections leaves of files ------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kMain[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: 'aaaaaaaa' }
  - { Name: .debug_macro, Type: SHT_PROGBITS, Flags: [ SHF_GROUP ], Content: 'abababab' }
  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: macros, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .debug_macro } ] }
Symbols:
  - { Name: main.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: macros, Section: .debug_macro }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

const char kDead[] = R"(
Sections:
  - { Name: .text.dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: 'bbbbbbbb' }
  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, Relocations: [ { Offset: 0, Symbol: dead, Type: 1 } ] }
  - { Name: .debug_str, Type: SHT_PROGBITS, Flags: [ SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '646561640000' }
  - { Name: .kept_words, Type: SHT_PROGBITS, Content: 'cccc' }
Symbols:
  - { Name: dead.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: constant, Index: SHN_ABS, Value: 7 }
  - { Name: dead, Section: .text.dead, Binding: STB_GLOBAL }
)";

/// Nothing describes a file of which nothing is left.
TEST(Collection, DebugSectionsOfDeadFiles) {
  LinkHarness links;
  links.file("main.o", nyuzi(kMain)).file("dead.o", nyuzi(kDead));
  OutFile out = quiet(links.link({"--gc-sections", "main.o", "dead.o"}));
  EXPECT_EQ(bytesOf(out, ".debug_info"), "aaaaaaaa");
  EXPECT_EQ(bytesOf(out, ".debug_str"), "none");
  EXPECT_EQ(bytesOf(out, ".kept_words"), "none");
  EXPECT_EQ(symbolNames(out), "main.c macros | _start");
  // Without collection all of it stays.
  out = quiet(links.link({"main.o", "dead.o"}));
  EXPECT_EQ(bytesOf(out, ".debug_str"), "6465616400");
  EXPECT_EQ(symbolNames(out), "main.c macros dead.c constant | _start dead");
}

/// What code of another file refers to stays.
TEST(Collection, DescriptionsThatCodeNeeds) {
  LinkHarness links;
  links
      .file("main.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: words, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: words, Binding: STB_GLOBAL }
)"))
      .file("dead.o", nyuzi(R"(
Sections:
  - { Name: .text.dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .kept_words, Type: SHT_PROGBITS, Content: 'cccc' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: 'bbbb' }
Symbols:
  - { Name: words, Section: .kept_words, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link({"--gc-sections", "main.o", "dead.o"}));
  EXPECT_EQ(bytesOf(out, ".kept_words"), "cccc");
  EXPECT_EQ(bytesOf(out, ".debug_info"), "none");
}

/// A group of nothing but debug sections lives with its file.
TEST(Collection, GroupsOfDebugSections) {
  LinkHarness links;
  links.file("main.o", nyuzi(kMain));
  OutFile out = quiet(links.link({"--gc-sections", "main.o"}));
  EXPECT_EQ(bytesOf(out, ".debug_macro"), "abababab");
}

/// KEEP keeps also what takes no memory.
TEST(Collection, KeptSectionsOfDeadFiles) {
  LinkHarness links;
  links.file("main.o", nyuzi(kMain)).file("dead.o", nyuzi(kDead));
  links.file("s.ld", "ENTRY(_start) SECTIONS { .text 0x1000 : { *(.text*) } "
                     ".kept_words 0 : { KEEP(*(.kept_words)) } }");
  OutFile out =
      quiet(links.link({"--gc-sections", "-T", "s.ld", "main.o", "dead.o"}));
  EXPECT_EQ(bytesOf(out, ".kept_words"), "cccc");
  EXPECT_EQ(bytesOf(out, ".debug_info"), "aaaaaaaa");
}

/// Debug information of a string that is not in the output does not name
/// another one: it reads as that of any collected section, 0.
TEST(Collection, ReferencesToDeadPieces) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6c697665006465616400' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: 'ffffffffffffffffffffffffffffffffffffffff' }
  - { Name: .debug_ranges, Type: SHT_PROGBITS, Content: 'ffffffff' }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Symbol: strings, Type: 1 }
  - Name: .rela.debug_info
    Type: SHT_RELA
    Info: .debug_info
    Relocations:
      - { Offset: 0, Symbol: strings, Type: 1 }
      - { Offset: 4, Symbol: strings, Type: 1, Addend: 5 }
      - { Offset: 8, Symbol: strings, Type: 1, Addend: 6 }
      - { Offset: 12, Symbol: local_dead, Type: 1 }
      - { Offset: 16, Symbol: dead, Type: 1 }
  - Name: .rela.debug_ranges
    Type: SHT_RELA
    Info: .debug_ranges
    Relocations:
      - { Offset: 0, Symbol: strings, Type: 1, Addend: 5 }
Symbols:
  - { Name: strings, Type: STT_SECTION, Section: .rodata.str }
  - { Name: local_dead, Section: .rodata.str, Value: 5 }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: live, Section: .rodata.str, Binding: STB_GLOBAL }
  - { Name: dead, Section: .rodata.str, Value: 5, Binding: STB_GLOBAL }
)"))
                          .link({"--gc-sections", "a.o"}));
  const OutSection *strings = out.section(".rodata");
  ASSERT_NE(strings, nullptr);
  EXPECT_EQ(hexDigits(strings->bytes), "6c69766500");
  const std::string address = hexDigits(
      {uint8_t(strings->address), uint8_t(strings->address >> 8), 0, 0});
  EXPECT_EQ(bytesOf(out, ".debug_info"),
            address + "00000000" + "00000000" + "00000000" + "00000000");
  EXPECT_EQ(bytesOf(out, ".debug_ranges"), "01000000");
  EXPECT_EQ(symbolNames(out), " | _start live");
}

/// A slot of the GOT is made for what stays.
TEST(Collection, GotSlots) {
  const char object[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .text.dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .data.far, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.text.dead, Type: SHT_RELA, Info: .text.dead, Relocations: [ { Offset: 0, Symbol: far, Type: @GOT@ }, { Offset: 4, Symbol: _start, Type: @GOT@ } ] }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ @LIVE@ ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: far, Section: .data.far, Binding: STB_GLOBAL }
)";
  auto linked = [&](StringRef live) {
    std::string text = object;
    auto replace = [&](StringRef from, StringRef to) {
      for (size_t at; (at = text.find(from.str())) != std::string::npos;)
        text.replace(at, from.size(), to.str());
    };
    replace("@LIVE@", live);
    replace("@GOT@", "6");
    return quiet(
        LinkHarness().file("a.o", nyuzi(text)).link({"--gc-sections", "a.o"}));
  };
  OutFile one = linked("{ Offset: 0, Symbol: _start, Type: @GOT@ }");
  ASSERT_NE(one.section(".got"), nullptr);
  EXPECT_EQ(one.section(".got")->size, 4u);
  EXPECT_EQ(one.word(one.section(".got")->address), one.value("_start"));
  EXPECT_EQ(linked("").section(".got"), nullptr);
}

} // namespace
} // namespace xlink::test
