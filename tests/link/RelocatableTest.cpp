//===- RelocatableTest.cpp - -r: objects made of objects ------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using llvm::support::endian::read32le;

namespace xlink::test {
namespace {

/// "offset type symbol+addend" of each entry of an ELF32 RELA table; a
/// section's symbol is its name in brackets.
std::string relocationsOf(const OutFile &out, StringRef table) {
  const OutSection *section = out.section(table);
  if (!section)
    return "none";
  EXPECT_EQ(section->type, unsigned(ELF::SHT_RELA));
  EXPECT_EQ(out.sections[section->link].type, unsigned(ELF::SHT_SYMTAB));
  EXPECT_EQ((".rela" + out.sections[section->info].name), table.str());
  std::string text;
  for (size_t at = 0; at + 12 <= section->bytes.size(); at += 12) {
    const uint8_t *entry = section->bytes.data() + at;
    const uint32_t info = read32le(entry + 4);
    const OutSymbol &symbol = out.symbols.at(info >> 8);
    const int32_t addend = int32_t(read32le(entry + 8));
    text += (text.empty() ? "" : "; ") + std::to_string(read32le(entry)) + " " +
            std::to_string(info & 0xff) + " " +
            (symbol.type == ELF::STT_SECTION
                 ? "[" + out.sections.at(symbol.shndx).name + "]"
                 : symbol.name) +
            (addend < 0 ? "" : "+") + std::to_string(addend);
  }
  return text;
}

OutFile relocatable(const LinkHarness &links,
                    std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "-r");
  return quiet(links.link(std::move(arguments)));
}

/// A function in a section of its own, and a table that refers to it, to a
/// local symbol, to the section and to something elsewhere.
Bytes unit(StringRef name, StringRef other, StringRef more = "") {
  return nyuzi(
      (R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '0000000011111111' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000000000000000000000000000' }
  - Name: .rela.data
    Type: SHT_RELA
    Info: .data
    Relocations:
      - { Offset: 0, Symbol: )" +
       name + R"(, Type: 1, Addend: 1 }
      - { Offset: 4, Symbol: inside, Type: 1, Addend: -2 }
      - { Offset: 8, Symbol: .text, Type: 1, Addend: 4 }
      - { Offset: 12, Symbol: )" +
       other + R"(, Type: 1, Addend: 8 }
Symbols:
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: inside, Section: .text, Value: 4 }
  - { Name: )" +
       name +
       R"(, Section: .text, Value: 4, Binding: STB_GLOBAL, Type: STT_FUNC, Size: 4 }
)" + more)
          .str() +
      ("  - { Name: " + other + ", Binding: STB_GLOBAL }\n").str());
}

// Sections of one name are one; relocations keep their symbols, and a section's
// symbol counts from the output section's start.
TEST(Relocatable, JoinsSectionsAndKeepsRelocations) {
  LinkHarness links;
  links.file("a.o", unit("f", "g")).file("b.o", unit("g", "h"));
  OutFile out = relocatable(links, {"a.o", "b.o"});
  EXPECT_EQ(out.type, ELF::ET_REL);
  EXPECT_EQ(out.entry, 0u);
  EXPECT_TRUE(out.segments.empty());
  EXPECT_EQ(sectionNames(out),
            ".text .data .rela.data .symtab .shstrtab .strtab");
  EXPECT_EQ(bytesOf(out, ".text"), "00000000111111110000000011111111");
  EXPECT_EQ(out.section(".text")->align, 8u);
  EXPECT_EQ(out.section(".text")->address, 0u);
  EXPECT_EQ(relocationsOf(out, ".rela.data"),
            "0 1 f+1; 4 1 inside-2; 8 1 [.text]+4; 12 1 g+8; "
            "16 1 g+1; 20 1 inside-2; 24 1 [.text]+12; 28 1 h+8");
  EXPECT_EQ(symbolNames(out), "  inside inside | f g h");
  EXPECT_EQ(out.value("g"), 12u);
  EXPECT_EQ(homeOf(out, "g"), ".text");
  EXPECT_EQ(homeOf(out, "h"), "UND");
  EXPECT_EQ(out.symbol("f")->size, 4u);
  // Nothing of the linker's own, no base of anything.
  EXPECT_EQ(out.section(".comment"), nullptr);
}

// Addends that stood in the fields stand in the table.
TEST(Relocatable, WritesRelaAlways) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '78563412' }
  - { Name: .rel.data, Type: SHT_REL, Info: .data, Relocations: [ { Offset: 0, Symbol: x, Type: 1 } ] }
Symbols:
  - { Name: x, Binding: STB_GLOBAL }
)"));
  EXPECT_EQ(relocationsOf(relocatable(links, {"a.o"}), ".rela.data"),
            "0 1 x+305419896");
}

TEST(Relocatable, OfEveryClass) {
  const char body[] = R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Content: '0000000000000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: far, Type: 1, Addend: -5000000000 } ] }
Symbols:
  - { Name: near, Section: .data, Binding: STB_GLOBAL }
  - { Name: far, Binding: STB_GLOBAL }
)";
  OutFile out = relocatable(LinkHarness().file("a.o", aphelion(body)), {"a.o"});
  EXPECT_TRUE(out.is64);
  const OutSection *table = out.section(".rela.data");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->entsize, 24u);
  EXPECT_EQ(table->align, 8u);
  EXPECT_EQ(hexDigits(table->bytes).substr(32), "000efad5feffffff");
}

// What the next link treats differently stays apart under its name.
TEST(Relocatable, KeepsApartWhatTheNextLinkTellsApart) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .x, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '01' }
  - { Name: '.x (1)', Type: SHT_PROGBITS, Content: '02' }
  - { Name: '.x (2)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6100' }
  - { Name: '.x (3)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '03' }
  - { Name: '.x (4)', Type: SHT_NOBITS, Flags: [ SHF_ALLOC ], Size: 4 }
  - { Name: '.x (5)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_GNU_RETAIN ], Content: '04' }
  - { Name: '.x (6)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6100' }
)"));
  OutFile out = relocatable(links, {"a.o"});
  EXPECT_EQ(sectionNames(out), ".x .x .x .x .x .symtab .shstrtab .strtab");
  EXPECT_EQ(hexDigits(out.sections[1].bytes), "0103");
  EXPECT_EQ(hexDigits(out.sections[2].bytes), "02");
  EXPECT_EQ(hexDigits(out.sections[3].bytes), "61006100")
      << "strings are merged by the next link";
  EXPECT_EQ(out.sections[3].flags, 0x32u);
  EXPECT_EQ(out.sections[3].entsize, 1u);
  EXPECT_EQ(out.sections[4].type, unsigned(ELF::SHT_NOBITS));
  EXPECT_EQ(out.sections[5].flags, 0x200002u);
}

// SHF_EXCLUDE means: not in a program. Lists of symbols by index are wrong
// here.
TEST(Relocatable, KeepsExcludedSections) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .secret, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXCLUDE ], Content: '02' }
  - { Name: .llvm_addrsig, Type: SHT_LLVM_ADDRSIG, Flags: [ SHF_EXCLUDE ], Content: '01' }
Symbols:
  - { Name: _start, Index: SHN_ABS, Binding: STB_GLOBAL }
)"));
  OutFile out = relocatable(links, {"a.o"});
  EXPECT_EQ(sectionNames(out), ".secret .symtab .shstrtab .strtab");
  EXPECT_EQ(out.section(".secret")->flags, 0x80000002u);
}

/// An inline function in a group, called from outside.
Bytes inlined(StringRef caller, StringRef flag = "GRP_COMDAT") {
  return nyuzi(
      (R"(
Sections:
  - { Name: .group, Type: SHT_GROUP, Info: f, Members: [ { SectionOrType: )" +
       flag +
       R"( }, { SectionOrType: .text.f }, { SectionOrType: .rela.text.f } ] }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.text.f, Type: SHT_RELA, Info: .text.f, Flags: [ SHF_GROUP ], Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
  - { Name: .debug_x, Type: SHT_PROGBITS, Content: '0000000000000000' }
  - { Name: .rela.debug_x, Type: SHT_RELA, Info: .debug_x, Relocations: [ { Offset: 0, Symbol: .text.f, Type: 1 }, { Offset: 4, Symbol: .data, Type: 1 } ] }
Symbols:
  - { Name: .text.f, Type: STT_SECTION, Section: .text.f }
  - { Name: .data, Type: STT_SECTION, Section: .data }
  - { Name: f, Section: .text.f, Binding: STB_WEAK }
  - { Name: )" +
       caller + ", Section: .data, Binding: STB_GLOBAL }\n")
          .str());
}

// One group of each signature, with its relocation tables, in front of its
// members; what described the copy that was dropped has no relocation.
TEST(Relocatable, KeepsGroups) {
  LinkHarness links;
  links.file("a.o", inlined("pa")).file("b.o", inlined("pb"));
  OutFile out = relocatable(links, {"a.o", "b.o"});
  EXPECT_EQ(sectionNames(out),
            ".group .text.f .data .debug_x .rela.text.f .rela.data "
            ".rela.debug_x .symtab .shstrtab .strtab");
  const OutSection *group = out.section(".group");
  EXPECT_EQ(group->type, unsigned(ELF::SHT_GROUP));
  EXPECT_EQ(group->entsize, 4u);
  EXPECT_EQ(hexDigits(group->bytes), "010000000200000005000000");
  EXPECT_EQ(out.symbols.at(group->info).name, "f");
  EXPECT_EQ(out.section(".text.f")->flags, 0x206u);
  EXPECT_EQ(out.section(".rela.text.f")->flags, 0x240u);
  EXPECT_EQ(relocationsOf(out, ".rela.data"), "0 1 f+0; 4 1 f+0");
  EXPECT_EQ(relocationsOf(out, ".rela.debug_x"),
            "0 1 [.text.f]+0; 4 1 [.data]+0; 12 1 [.data]+4");
  EXPECT_EQ(out.symbol("f")->binding, ELF::STB_WEAK);
}

TEST(Relocatable, KeepsPlainGroupsOfEachFile) {
  LinkHarness links;
  links.file("a.o", inlined("pa", "0")).file("b.o", inlined("pb", "0"));
  OutFile out = relocatable(links, {"a.o", "b.o"});
  EXPECT_EQ(hexDigits(out.sections[1].bytes), "000000000300000007000000");
  EXPECT_EQ(hexDigits(out.sections[2].bytes), "00000000060000000a000000");
}

TEST(Relocatable, ForcesGroupAllocation) {
  LinkHarness links;
  links.file("a.o", inlined("pa")).file("b.o", inlined("pb"));
  OutFile out = relocatable(links, {"--force-group-allocation", "a.o", "b.o"});
  EXPECT_EQ(sectionNames(out),
            ".text.f .data .debug_x .rela.text.f .rela.data .rela.debug_x "
            ".symtab .shstrtab .strtab");
  EXPECT_EQ(out.section(".text.f")->flags, 6u);
}

// A section that describes another stays with it: one for each.
TEST(Relocatable, KeepsLinkOrderByWhatItDescribes) {
  auto object = [](StringRef content) {
    return nyuzi((R"(
Sections:
  - { Name: .about, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text, Content: '0)" +
                  content + R"(' }
  - { Name: '.about (1)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text.f, Content: '1)" +
                  content + R"(' }
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
)")
                     .str());
  };
  LinkHarness links;
  links.file("a.o", object("a")).file("b.o", object("b"));
  OutFile out = relocatable(links, {"a.o", "b.o"});
  EXPECT_EQ(sectionNames(out),
            ".about .about .text .text.f .symtab .shstrtab .strtab");
  EXPECT_EQ(hexDigits(out.sections[1].bytes), "0a0b");
  EXPECT_EQ(out.sections[1].link, 3u);
  EXPECT_EQ(hexDigits(out.sections[2].bytes), "1a1b");
  EXPECT_EQ(out.sections[2].link, 4u);
  EXPECT_EQ(out.sections[2].flags, 0x82u);
}

const char kCommon[] = R"(
Symbols:
  - { Name: shared, Type: STT_OBJECT, Index: SHN_COMMON, Value: 8, Size: 12, Binding: STB_GLOBAL }
)";

TEST(Relocatable, LeavesCommonToTheProgram) {
  LinkHarness links;
  links.file("a.o", nyuzi(kCommon)).file("b.o", nyuzi(kCommon));
  OutFile out = relocatable(links, {"a.o", "b.o"});
  const OutSymbol *shared = out.symbol("shared");
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->shndx, ELF::SHN_COMMON);
  EXPECT_EQ(shared->value, 8u);
  EXPECT_EQ(shared->size, 12u);
  for (const char *option : {"-d", "-dc", "-dp", "--define-common"}) {
    out = relocatable(links, {option, "a.o", "b.o"});
    EXPECT_EQ(homeOf(out, "shared"), ".bss") << option;
    EXPECT_EQ(out.section(".bss")->size, 12u);
    EXPECT_EQ(out.section(".bss")->align, 8u);
  }
}

// Visibility is for the program; the other objects still see the symbol.
TEST(Relocatable, KeepsVisibilityAndBinding) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
Symbols:
  - { Name: h, Section: .text, Binding: STB_GLOBAL, Other: [ STV_HIDDEN ] }
  - { Name: w, Binding: STB_WEAK }
  - { Name: abs, Index: SHN_ABS, Value: 77, Binding: STB_GLOBAL }
)"));
  OutFile out = relocatable(links, {"a.o"});
  EXPECT_EQ(out.symbol("h")->binding, ELF::STB_GLOBAL);
  EXPECT_EQ(out.symbol("h")->visibility, ELF::STV_HIDDEN);
  EXPECT_EQ(homeOf(out, "abs"), "ABS");
  EXPECT_EQ(out.value("abs"), 77u);
  // As with any link, what nothing refers to does not show: w does not count.
  EXPECT_EQ(homeOf(out, "w"), "UND");
  EXPECT_EQ(out.symbol("w")->binding, ELF::STB_WEAK);
}

// Symbols that relocations name stay, whatever is stripped (GNU ld); what has
// no name becomes a distance from its section.
TEST(Relocatable, KeepsTheSymbolsThatRelocationsName) {
  LinkHarness links;
  links.file("a.o", unit("f", "g", "  - { Name: spare, Section: .text }\n"))
      .file("b.o", unit("g", "h"))
      .file("c.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '0000000000000000' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: 1, Type: 1, Addend: 3 } ] }
Symbols:
  - { Name: '', Section: .text, Value: 4 }
)"));
  EXPECT_EQ(symbolNames(relocatable(links, {"a.o"})), "  inside spare | f g");
  for (const char *option : {"-x", "-s"}) {
    OutFile out = relocatable(links, {option, "a.o", "b.o"});
    EXPECT_EQ(symbolNames(out), "  inside inside | f g h") << option;
    EXPECT_EQ(relocationsOf(out, ".rela.data"),
              "0 1 f+1; 4 1 inside-2; 8 1 [.text]+4; 12 1 g+8; "
              "16 1 g+1; 20 1 inside-2; 24 1 [.text]+12; 28 1 h+8")
        << option;
  }
  EXPECT_EQ(relocationsOf(relocatable(links, {"b.o", "c.o"}), ".rela.text"),
            "8 1 [.text]+15");
}

TEST(Relocatable, CollectsWithRoots) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text.used, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
  - { Name: .text.spare, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
Symbols:
  - { Name: used, Section: .text.used, Binding: STB_GLOBAL }
  - { Name: spare, Section: .text.spare, Binding: STB_GLOBAL }
)"));
  for (const char *root : {"-eused", "-uused"}) {
    OutFile out = relocatable(links, {"--gc-sections", root, "a.o"});
    EXPECT_EQ(sectionNames(out), ".text.used .symtab .shstrtab .strtab");
    EXPECT_EQ(symbolNames(out), " | used");
  }
  expectFailure(links.link({"-r", "--gc-sections", "a.o"}),
                "xlink: error: option '--gc-sections': with -r nothing says "
                "what to keep; name it by -e or -u\n");
}

// A script says which sections are joined; groups do not follow it, /DISCARD/
// counts for them too.
TEST(Relocatable, FollowsScripts) {
  LinkHarness links;
  links.file("a.o", inlined("pa"))
      .file("b.o", unit("g", "h"))
      .file("join.ld", "SECTIONS { .all : { begin = .; *(.text .text.*) "
                       "*(.data) end = .; } }")
      .file("drop.ld", "SECTIONS { .all : { *(.data) } /DISCARD/ : { "
                       "*(.text.f .debug_x) } }");
  OutFile out = relocatable(links, {"-T", "join.ld", "a.o", "b.o"});
  EXPECT_EQ(sectionNames(out),
            ".group .all .text.f .debug_x .rela.all .rela.text.f "
            ".rela.debug_x .symtab .shstrtab .strtab");
  EXPECT_EQ(homeOf(out, "begin"), ".all");
  EXPECT_EQ(out.value("end"), out.section(".all")->size);
  out = relocatable(links, {"-T", "drop.ld", "b.o"});
  EXPECT_EQ(relocationsOf(out, ".rela.all"),
            "0 1 g+1; 4 1 inside-2; 8 1 [.text]+4; 12 1 h+8");
  Linked dropped = links.link({"-r", "-T", "drop.ld", "a.o"});
  EXPECT_EQ(dropped.status, 1) << "data refers to what was dropped";
}

// Nothing is missing yet, and -u asks the next link for a name.
TEST(Relocatable, SaysNothingOfUndefinedSymbols) {
  LinkHarness links;
  links.file("a.o", unit("f", "g"));
  OutFile out = relocatable(links, {"-u", "wanted", "-e", "nowhere", "a.o"});
  EXPECT_EQ(homeOf(out, "wanted"), "UND");
  EXPECT_EQ(homeOf(out, "g"), "UND");
  expectFailure(LinkHarness()
                    .file("a.o", unit("f", "g"))
                    .file("b.o", unit("f", "g"))
                    .link({"-r", "a.o", "b.o"}),
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x4)\n"
                ">>> defined in b.o:(.text+0x4)\n");
}

TEST(Relocatable, HasNoImageOfItself) {
  LinkHarness links;
  links.file("a.o", unit("f", "g"));
  expectFailure(links.link({"-r", "--oformat", "binary", "a.o"}),
                "xlink: error: option '-r': only an ELF file holds "
                "relocations; leave out '--oformat'\n");
  links.file("m.ld", "MEMORY { RAM : ORIGIN = 0, LENGTH = 64K }");
  for (const char *option :
       {"--image=RAM=ram.bin", "--crc=f=RAM", "--init-tables", "--icf=all"})
    expectFailure(links.link({"-r", "-T", "m.ld", option, "a.o"}),
                  "xlink: error: option '-r': what it makes has no addresses "
                  "yet; leave '" +
                      StringRef(option).split('=').first.str() +
                      "' to the link of the program\n");
}

TEST(Relocatable, SpellingsAreOne) {
  LinkHarness links;
  links.file("a.o", unit("f", "g"));
  const Bytes expected = links.link({"-r", "a.o"}).image();
  for (const char *option : {"--relocatable", "-relocatable", "-i", "-Ur"})
    EXPECT_TRUE(links.link({option, "a.o"}).image() == expected) << option;
}

} // namespace
} // namespace xlink::test
