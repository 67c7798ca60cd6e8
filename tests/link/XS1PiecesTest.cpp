//===- XS1PiecesTest.cpp - objects of newer tools -------------------------===//
//
// Since version 12 the vendor's compilers leave named sections empty and put
// their content into unnamed pieces of type 0x60000000, each naming its parent
// in sh_info. Flag 0x100000 marks a piece that may go when nothing needs it.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Three functions and a table in four pieces; an empty piece aligns g to 8.
const char kPieces[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4 }
  - { Name: '', Type: 0x60000000, ShFlags: 0x100046, Info: 1, AddressAlign: 4, Content: '00f000d0c077' }
  - { Name: ' (1)', ShName: 0, Type: 0x60000000, ShFlags: 0x46, Info: 1, AddressAlign: 8 }
  - { Name: ' (2)', ShName: 0, Type: 0x60000000, ShFlags: 0x100046, Info: 1, AddressAlign: 1, Content: '0168c077' }
  - { Name: ' (3)', ShName: 0, Type: 0x60000000, ShFlags: 0x100046, Info: 1, AddressAlign: 2, Content: '0268c077' }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4 }
  - { Name: ' (4)', ShName: 0, Type: 0x60000000, ShFlags: 0x10100043, Info: 6, AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.0, Type: SHT_RELA, Link: .symtab, Info: 2, Relocations: [ { Offset: 0, Symbol: g, Type: 11 } ] }
  - { Name: .rela.1, Type: SHT_RELA, Link: .symtab, Info: 7, Relocations: [ { Offset: 0, Symbol: h, Type: 1 } ] }
Symbols:
  - { Name: _start, Index: 2, Binding: STB_GLOBAL, Type: STT_FUNC }
  - { Name: g, Index: 4, Binding: STB_GLOBAL, Type: STT_FUNC }
  - { Name: h, Index: 5, Binding: STB_GLOBAL, Type: STT_FUNC }
  - { Name: table, Index: 7, Binding: STB_GLOBAL, Type: STT_OBJECT }
)";

TEST(XS1Pieces, AreConcatenatedUnderTheirParentsName) {
  OutFile out = quiet(LinkHarness().file("a.o", xs1(kPieces)).link({"a.o"}));
  // _start calls g two bytes on: the filler is a nop, 0x9000.
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c0770090"
                                   "0168c0770268c077");
  EXPECT_EQ(out.value("g"), 0x10008u);
  EXPECT_EQ(out.value("h"), 0x1000cu);
  EXPECT_EQ(out.word(out.value("table")), 0x1000cu);
  EXPECT_EQ(out.value("_dp"), out.value("table"));
  EXPECT_EQ(homeOf(out, "g"), ".text");
  // The pieces' marks mean nothing in an executable.
  EXPECT_EQ(out.section(".text")->flags, 6u);
  EXPECT_EQ(out.section(".dp.data")->flags, 0x10000003u);
}

TEST(XS1Pieces, OldAndNewObjectsLinkWithEachOther) {
  Bytes old = xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 2, Content: '00f000d0c077' }
  - { Name: .rela, Type: SHT_RELA, Link: .symtab, Info: 1, Relocations: [ { Offset: 0, Symbol: h, Type: 11 } ] }
Symbols:
  - { Name: old, Section: .text, Binding: STB_GLOBAL }
  - { Name: h, Binding: STB_GLOBAL }
)");
  setMachine(old, 0xB49E);
  LinkHarness links;
  links.file("new.o", xs1(kPieces)).file("old.o", old);
  OutFile out = quiet(links.link({"new.o", "old.o"}));
  EXPECT_EQ(out.machine, 203);
  EXPECT_EQ(out.value("old"), 0x10010u);
  EXPECT_EQ(bytesOf(out, ".text").substr(32), "00f004d4c077") << "h is behind";
  out = quiet(links.link({"old.o", "-e", "old", "--defsym=h=old"}));
  EXPECT_EQ(out.machine, 0xB49E);
}

/// What `-g` gives for a variable that begins as zero: its piece has no bytes,
/// and names the piece of debugging information that goes with it.
TEST(XS1Pieces, ZerosKeepWhatDescribesThem) {
  const char body[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .dp.bss, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .dp.bss.2, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .debug_info, Type: SHT_PROGBITS }
  - { Name: ' (1)', ShName: 0, Type: 0x60000000, ShFlags: 0x100040, Info: 4, Content: '11111111' }
  - { Name: ' (2)', ShName: 0, Type: 0x60000000, ShFlags: 0x100040, Info: 4, Content: '22222222' }
  - { Name: .rela.text, Type: SHT_RELA, Link: .symtab, Info: 1, Relocations: [ { Offset: 0, Symbol: used, Type: 1 } ] }
  - { Name: .rela.1, Type: SHT_RELA, Link: .symtab, Info: 2, Relocations: [ { Offset: 0, Symbol: .Lused, Type: 22 } ] }
  - { Name: .rela.2, Type: SHT_RELA, Link: .symtab, Info: 3, Relocations: [ { Offset: 0, Symbol: .Lunused, Type: 22 } ] }
Symbols:
  - { Name: .Lused, Index: 5 }
  - { Name: .Lunused, Index: 6 }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: used, Index: 2, Binding: STB_GLOBAL }
  - { Name: unused, Index: 3, Binding: STB_GLOBAL }
)";
  LinkHarness links;
  links.file("a.o", xs1(body));
  EXPECT_EQ(bytesOf(quiet(links.link({"a.o"})), ".debug_info"),
            "1111111122222222");
  OutFile out = quiet(links.link({"a.o", "--gc-sections"}));
  EXPECT_EQ(bytesOf(out, ".debug_info"), "11111111");
  EXPECT_FALSE(out.symbol("unused"));
}

/// Only pieces with 0x100000 go; the empty one stays and aligns.
TEST(XS1Pieces, Collected) {
  LinkHarness links;
  links.file("a.o", xs1(kPieces));
  OutFile out = quiet(links.link({"--gc-sections", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c07700900168c077");
  EXPECT_EQ(homeOf(out, "h"), "missing");
  EXPECT_EQ(homeOf(out, "table"), "missing");
  out = quiet(links.link({"--gc-sections", "a.o", "-u", "table"}));
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c07700900168c0770268c077");
  EXPECT_EQ(out.word(out.value("table")), 0x1000cu);
  Linked linked = links.link({"--gc-sections", "--print-gc-sections", "a.o"});
  EXPECT_EQ(linked.text, "removing unused section a.o:(.text)\n"
                         "removing unused section a.o:(.dp.data)\n"
                         "removed 2 sections of 8 bytes\n")
      << "those without contents go without a word";
}

/// The section of _start comes first, with all its pieces in their order.
TEST(XS1Pieces, EntryFirst) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(kPieces))
                          .file("first.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '0968' }
)"))
                          .link({"first.o", "a.o"}));
  EXPECT_EQ(out.entry, 0x10000u);
  EXPECT_EQ(bytesOf(out, ".text"), "00f002d0c0770090"
                                   "0168c0770268c0770968");
}

/// Type 22 writes nothing: it ties the piece that describes code to the code.
TEST(XS1Pieces, DescriptionsGoWithTheirCode) {
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ] }
  - { Name: '', Type: 0x60000000, ShFlags: 0x300046, Info: 1, AddressAlign: 2, Content: 'c077' }
  - { Name: ' (1)', ShName: 0, Type: 0x60000000, ShFlags: 0x300046, Info: 1, AddressAlign: 2, Content: 'c177' }
  - { Name: .debug_line, Type: SHT_PROGBITS }
  - { Name: ' (2)', ShName: 0, Type: 0x60000000, ShFlags: 0x40, Info: 4, AddressAlign: 1, Content: 'aa' }
  - { Name: ' (3)', ShName: 0, Type: 0x60000000, ShFlags: 0x100040, Info: 4, AddressAlign: 1, Content: '1100000000' }
  - { Name: ' (4)', ShName: 0, Type: 0x60000000, ShFlags: 0x100040, Info: 4, AddressAlign: 1, Content: '2200000000' }
  - { Name: .rela.0, Type: SHT_RELA, Link: .symtab, Info: 2, Relocations: [ { Offset: 0, Symbol: line_f, Type: 22 } ] }
  - { Name: .rela.1, Type: SHT_RELA, Link: .symtab, Info: 3, Relocations: [ { Offset: 0, Symbol: line_g, Type: 22 } ] }
  - { Name: .rela.2, Type: SHT_RELA, Link: .symtab, Info: 6, Relocations: [ { Offset: 1, Symbol: _start, Type: 1 } ] }
  - { Name: .rela.3, Type: SHT_RELA, Link: .symtab, Info: 7, Relocations: [ { Offset: 1, Symbol: g, Type: 1 } ] }
Symbols:
  - { Name: line_f, Index: 6 }
  - { Name: line_g, Index: 7 }
  - { Name: _start, Index: 2, Binding: STB_GLOBAL }
  - { Name: g, Index: 3, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link({"a.o"}));
  EXPECT_EQ(bytesOf(out, ".text"), "c077c177") << "type 22 writes nothing";
  EXPECT_EQ(bytesOf(out, ".debug_line"), "aa11000001002202000100");
  out = quiet(links.link({"--gc-sections", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".text"), "c077");
  EXPECT_EQ(bytesOf(out, ".debug_line"), "aa1100000100");
}

/// Types that the ABI's text does not have. Distances of 18 to 21 count words
/// from the next bundle of 4 bytes.
TEST(XS1Pieces, NewerRelocationTypes) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4 }
  - { Name: '', Type: 0x60000000, ShFlags: 0x46, Info: 1, AddressAlign: 4, Content: '00730073' }
  - { Name: ' (1)', ShName: 0, Type: 0x60000000, ShFlags: 0x46, Info: 1, AddressAlign: 4, Content: '00f0007300d000d000f000d0c077ff17' }
  - { Name: .debug_loc, Type: SHT_PROGBITS }
  - { Name: ' (2)', ShName: 0, Type: 0x60000000, ShFlags: 0x40, Info: 4, AddressAlign: 1, Content: '0000ffff8080808000' }
  - { Name: .rela.0, Type: SHT_RELA, Link: .symtab, Info: 2, Relocations: [
      { Offset: 0, Symbol: end, Type: 18 },
      { Offset: 2, Symbol: _start, Type: 18 } ] }
  - { Name: .rela.1, Type: SHT_RELA, Link: .symtab, Info: 3, Relocations: [
      { Offset: 0, Symbol: end, Type: 19 },
      { Offset: 4, Symbol: _start, Type: 20 },
      { Offset: 6, Symbol: end, Type: 20 },
      { Offset: 8, Symbol: _start, Type: 21 } ] }
  - { Name: .rela.2, Type: SHT_RELA, Link: .symtab, Info: 5, Relocations: [
      { Offset: 0, Symbol: short, Type: 15 },
      { Offset: 2, Symbol: negative, Type: 15 },
      { Offset: 4, Symbol: end, Type: 17 } ] }
Symbols:
  - { Name: _start, Index: 2, Binding: STB_GLOBAL }
  - { Name: end, Index: 3, Value: 12, Binding: STB_GLOBAL }
  - { Name: short, Index: SHN_ABS, Value: 0xfffe, Binding: STB_GLOBAL }
  - { Name: negative, Index: SHN_ABS, Value: 0xffffffff, Binding: STB_GLOBAL }
)"))
                          .link({"a.o"}));
  // end is at 0x10010. REL6_4 at 0 and 2: both count from 4. REL16_4 at 4
  // counts from 8, REL10_4 at 8 and 10 from 12, REL20_4 at 12 from 16.
  EXPECT_EQ(bytesOf(out, ".text"), "03730177"
                                   "00f00273"
                                   "03d401d0"
                                   "00f004d4"
                                   "c077ff17");
  // 0x10010 in five groups of seven bits, the upper bits the assembler's.
  EXPECT_EQ(bytesOf(out, ".debug_loc"), "feffffff"
                                        "9080848000");
}

TEST(XS1Pieces, NewerRelocationTypesAreChecked) {
  Linked linked = LinkHarness()
                      .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0073007300730000' }
  - { Name: .rela, Type: SHT_RELA, Link: .symtab, Info: 1, Relocations: [
      { Offset: 0, Symbol: odd, Type: 18 },
      { Offset: 2, Symbol: far, Type: 18 },
      { Offset: 4, Symbol: far, Type: 15 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: odd, Section: .text, Value: 2, Binding: STB_GLOBAL }
  - { Name: far, Index: SHN_ABS, Value: 0x10104, Binding: STB_GLOBAL }
)"))
                      .link({"a.o"});
  expectFailure(
      linked,
      "xlink: error: a.o:(.text+0x0): relocation R_XCORE1_REL6_4 misaligned: S "
      "0x10002 + A 0 - P 0x10004 = -0x2, not a multiple of 4\n"
      ">>> references 'odd' defined in a.o:(.text+0x2)\n"
      "xlink: error: a.o:(.text+0x2): relocation R_XCORE1_REL6_4 out of range: "
      "S 0x10104 + A 0 - P 0x10004 = 0x100 = 64 words; the field holds "
      "-63..63\n"
      ">>> references 'far', absolute, of a.o\n"
      ">>> REL16_4 (the form with prefix) reaches 65535 words\n"
      "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_ADDR16 out of range: "
      "S 0x10104 + A 0 = 0x10104 = 65796 bytes; the field holds "
      "-32768..65535\n"
      ">>> references 'far', absolute, of a.o\n");
}

} // namespace
} // namespace xlink::test
