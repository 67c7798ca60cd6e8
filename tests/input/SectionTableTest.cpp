//===- SectionTableTest.cpp - section headers -----------------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;

/// An object with one section and altered header fields; sizes and offsets in
/// its messages are left to the library that lays it out.
static Bytes withHeader(llvm::StringRef fields) {
  return objectFromYaml(yamlHeader("nyuzi") + fields.str() +
                        "Sections:\n  - Name: .text\n    Type: "
                        "SHT_PROGBITS\n    Content: '00000000'\n");
}

static std::string fileSize(const Bytes &bytes) {
  return std::string("(") + hex(bytes.size()) + " bytes)";
}

TEST(SectionTable, KindsNamesAndNumbers) {
  Read r = readYaml("nyuzi", R"(
Sections:
  - Name: .text
    Type: SHT_PROGBITS
    Flags: [SHF_ALLOC, SHF_EXECINSTR]
    AddressAlign: 16
    Content: '0102030405'
  - Name: .bss
    Type: SHT_NOBITS
    Flags: [SHF_ALLOC, SHF_WRITE]
    Size: 0x123456
  - Name: .llvm_addrsig
    Type: SHT_LLVM_ADDRSIG
    Flags: [SHF_EXCLUDE]
    Content: '00'
  - Name: .note.GNU-stack
    Type: SHT_PROGBITS
)");
  ASSERT_TRUE(r.object);
  const ParsedSection *text = r.section(".text");
  EXPECT_EQ(text->kind, SectionKind::Regular);
  EXPECT_EQ(text->flags, uint64_t(SHF_ALLOC | SHF_EXECINSTR));
  EXPECT_EQ(text->align, 16u);
  EXPECT_EQ(text->size, 5u);
  EXPECT_THAT(text->data(), ElementsAre(1, 2, 3, 4, 5));
  const ParsedSection *bss = r.section(".bss");
  EXPECT_EQ(bss->kind, SectionKind::Regular);
  EXPECT_EQ(bss->size, 0x123456u);
  EXPECT_TRUE(bss->data().empty());
  EXPECT_EQ(bss->align, 1u) << "sh_addralign 0 means 1";
  EXPECT_EQ(r.section(".llvm_addrsig")->kind, SectionKind::Ignored);
  EXPECT_EQ(r.section(".note.GNU-stack")->kind, SectionKind::Regular);
  EXPECT_EQ(r.object->sections[0].kind, SectionKind::Ignored);
  std::vector<std::string> names; // without .symtab, .strtab and .shstrtab
  for (const ParsedSection &section : r.object->sections)
    names.push_back(section.name.str());
  EXPECT_THAT(names, ElementsAre("", ".text", ".bss", ".llvm_addrsig",
                                 ".note.GNU-stack"));
}

TEST(SectionTable, SectionsThatTheMachineIgnores) {
  Read r = readYaml("xs1", "Sections:\n  - Name: .netinfo\n    Type: 0x15\n");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.section(".netinfo")->kind, SectionKind::Ignored);
}

TEST(SectionTable, AnObjectMayHaveNoSections) {
  Bytes bytes = machineObject("nyuzi", "");
  poke(bytes, 32, 0, 4); // e_shoff
  poke(bytes, 48, 0, 2); // e_shnum
  bytes.resize(52);
  Read r = read("nyuzi", bytes);
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->sections.size(), 1u);
  EXPECT_EQ(r.object->symbols.size(), 1u);
}

TEST(SectionTable, HeaderFieldsThatLieAboutTheTable) {
  EXPECT_THAT(read("nyuzi", withHeader("  EShOff: 0\n")).errors,
              ElementsAre("a.o: ELF header: e_shnum is 4 but e_shoff is 0"));
  Bytes bytes = withHeader("  EShOff: 0xffffffff\n");
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: ELF header: e_shoff 0xffffffff is beyond the "
                          "end of the file " +
                          fileSize(bytes)));
  bytes = withHeader("  EShNum: 5\n");
  EXPECT_THAT(
      read("nyuzi", bytes).errors,
      ElementsAre("a.o: ELF header: e_shoff " +
                  hex(sectionHeaderOffset(bytes, 0)) +
                  " + 5 section headers of 0x28 bytes is beyond the end of the "
                  "file " +
                  fileSize(bytes)));
  EXPECT_THAT(read("nyuzi", withHeader("  EShEntSize: 64\n")).errors,
              ElementsAre("a.o: ELF header: e_shentsize 0x40 is not 0x28"));
  EXPECT_THAT(read("nyuzi", withHeader("  EShStrNdx: 4\n")).errors,
              ElementsAre("a.o: ELF header: e_shstrndx 4 is not a section "
                          "index (4 sections)"));
  EXPECT_THAT(read("nyuzi", withHeader("  EShStrNdx: 1\n")).errors,
              ElementsAre("a.o: section header 1: sh_type 0x1 of the section "
                          "name table is not SHT_STRTAB"));
}

TEST(SectionTable, ContentsBeyondTheFile) {
  Bytes bytes = machineObject(
      "nyuzi", "Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
               "    ShOffset: 0x1234\n    ShSize: 0x99\n");
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: section header 1 (.text): sh_offset 0x1234 + "
                          "sh_size 0x99 is beyond the end of the file " +
                          fileSize(bytes)));
  // The sum wraps in 64 bits.
  bytes = machineObject("aphelion",
                        "Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
                        "    ShOffset: 0x40\n    ShSize: 0xffffffffffffffff\n");
  EXPECT_THAT(read("aphelion", bytes).errors,
              ElementsAre("a.o: section header 1 (.text): sh_offset 0x40 + "
                          "sh_size 0xffffffffffffffff is beyond the end of the "
                          "file " +
                          fileSize(bytes)));
}

TEST(SectionTable, OffsetsOfNobitsMeanNothing) {
  EXPECT_THAT(errorsOf("nyuzi", "Sections:\n  - Name: .bss\n    Type: "
                                "SHT_NOBITS\n    ShOffset: 0xfffffff0\n"
                                "    Size: 0x10000000\n"),
              IsEmpty());
}

TEST(SectionTable, SizesThatNoMachineHas) {
  EXPECT_THAT(errorsOf("aphelion",
                       "Sections:\n  - Name: .bss\n    Type: "
                       "SHT_NOBITS\n    Size: 0x8000000000000000\n"),
              ElementsAre("a.o: section header 1 (.bss): sh_size "
                          "0x8000000000000000 is too large"));
}

TEST(SectionTable, Alignments) {
  Bytes bytes = machineObject(
      "aphelion", "Sections:\n  - Name: .a\n    Type: SHT_PROGBITS\n");
  uint64_t alignment = sectionHeaderOffset(bytes, 1) + 48;
  poke(bytes, alignment, 12, 8);
  EXPECT_THAT(read("aphelion", bytes).errors,
              ElementsAre("a.o: section header 1 (.a): sh_addralign 0xc is not "
                          "a power of two"));
  poke(bytes, alignment, uint64_t(1) << 32, 8);
  EXPECT_THAT(read("aphelion", bytes).errors,
              ElementsAre("a.o: section header 1 (.a): sh_addralign "
                          "0x100000000 is too large"));
  poke(bytes, alignment, uint64_t(1) << 31, 8);
  EXPECT_THAT(read("aphelion", bytes).errors, IsEmpty());
}

TEST(SectionTable, Names) {
  EXPECT_THAT(errorsOf("nyuzi", "Sections:\n  - Name: .a\n    Type: "
                                "SHT_PROGBITS\n    ShName: 0x99\n"),
              ElementsAre("a.o: section header 1: sh_name 0x99 is beyond the "
                          "end of the string table (0x16 bytes)"));
  EXPECT_THAT(
      errorsOf("nyuzi", "Sections:\n  - Name: .shstrtab\n    Type: SHT_STRTAB\n"
                        "    Content: '002e'\n"),
      ElementsAre(
          "a.o: section header 1: the section name table does not end in NUL"));
}

TEST(SectionTable, EachBadHeaderIsReported) {
  Bytes bytes = machineObject("nyuzi", R"(
Sections:
  - Name: .a
    Type: SHT_PROGBITS
    ShOffset: 0x1000
  - Name: .b
    Type: SHT_PROGBITS
    AddressAlign: 3
)");
  EXPECT_THAT(
      read("nyuzi", bytes).errors,
      ElementsAre("a.o: section header 1 (.a): sh_offset 0x1000 + sh_size 0x0 "
                  "is beyond the end of the file " +
                      fileSize(bytes),
                  "a.o: section header 2 (.b): sh_addralign 0x3 is not a "
                  "power of two"));
}

TEST(SectionTable, ErrorsOfOneFileHaveALimit) {
  std::string yaml = "Sections:\n";
  for (int i = 0; i < 100; ++i)
    yaml += "  - Name: .a" + std::to_string(i) +
            "\n    Type: SHT_PROGBITS\n    AddressAlign: 3\n";
  std::vector<std::string> errors = errorsOf("nyuzi", yaml);
  ASSERT_EQ(errors.size(), 11u);
  EXPECT_EQ(errors[9],
            "a.o: section header 10 (.a9): sh_addralign 0x3 is not a "
            "power of two");
  EXPECT_EQ(errors[10], "a.o: further errors in this file are not shown");
}

TEST(SectionTable, SectionsThatAddUpToMoreThanTheFile) {
  std::string yaml = "Sections:\n";
  for (int i = 0; i < 4; ++i)
    yaml += "  - Name: .a" + std::to_string(i) +
            "\n    Type: SHT_PROGBITS\n    ShOffset: 0\n    ShSize: 0x100\n";
  Bytes bytes = machineObject("nyuzi", yaml);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: section table: sections overlap: their sizes "
                          "add up to 0x400 in a file of " +
                          hex(bytes.size()) + " bytes"));
}

TEST(SectionTable, LinksOfTables) {
  EXPECT_THAT(
      errorsOf("nyuzi", "Sections:\n  - Name: .symtab\n    Type: SHT_SYMTAB\n"
                        "    Link: 0\n    EntSize: 12\n"),
      ElementsAre("a.o: section header 1 (.symtab): sh_entsize 0xc is not 0x10",
                  "a.o: section header 1 (.symtab): sh_link 0 is not the index "
                  "of a string table"));
  EXPECT_THAT(
      errorsOf("nyuzi", "Sections:\n  - Name: .s1\n    Type: SHT_SYMTAB\n"
                        "    Link: .strtab\n"
                        "  - Name: .s2\n    Type: SHT_SYMTAB\n"
                        "    Link: .strtab\n"),
      ElementsAre("a.o: section header 2 (.s2): a second symbol table; section "
                  "header 1 has one already"));
}

// Tables are left out; sections behind them get other numbers,
// and so does what sh_link says.
TEST(SectionTable, LinkOrderKeepsItsSection) {
  Read r = readYaml("nyuzi", R"(
Sections:
  - { Name: .a, Type: SHT_PROGBITS, Content: '00000000' }
  - { Name: .rela.a, Type: SHT_RELA, Link: .symtab, Info: .a, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
  - { Name: .b, Type: SHT_PROGBITS }
  - { Name: .of_b, Type: SHT_PROGBITS, Flags: [ SHF_LINK_ORDER ], Link: .b }
Symbols:
  - { Name: f, Section: .a, Binding: STB_GLOBAL }
)");
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.object->sections[2].name, ".b");
  ASSERT_EQ(r.object->sections[3].name, ".of_b");
  EXPECT_EQ(r.object->moreOf(3).link, 2u);
  EXPECT_EQ(r.object->moreOf(2).link, 0u);
  EXPECT_EQ(r.object->more.size(), 1u);
}

// Entries of gigabytes: whole sections are a number of 64 bits in the file.
TEST(SectionTable, EntriesOfGigabytes) {
  auto with = [](const char *type, const char *flags) {
    return errorsOf("aphelion",
                    std::string("Sections:\n  - Name: .a\n    Type: ") + type +
                        "\n    Flags: [ " + flags +
                        " ]\n    EntSize: 0x100000018\n");
  };
  EXPECT_THAT(with("SHT_PROGBITS", "SHF_ALLOC"), IsEmpty());
  EXPECT_THAT(with("SHT_PROGBITS", "SHF_MERGE"),
              ElementsAre("a.o: section header 1 (.a): sh_entsize 0x100000018 "
                          "of a section with SHF_MERGE is too large"));
  EXPECT_THAT(with("SHT_SYMTAB_SHNDX", ""),
              ElementsAre("a.o: section header 1 (.a): sh_link 0 is not the "
                          "index of a symbol table"));
  EXPECT_THAT(
      errorsOf("aphelion", "Sections:\n  - Name: .a\n    Type: SHT_PROGBITS\n"
                           "  - Name: .rela.a\n    Type: SHT_RELA\n"
                           "    Link: .symtab\n    Info: .a\n"
                           "    EntSize: 0x100000018\n    Relocations:\n"
                           "      - Offset: 0\n        Symbol: f\n"
                           "        Type: 0\n"
                           "Symbols:\n  - Name: f\n    Section: .a\n"),
      ElementsAre("a.o: section header 2 (.rela.a): sh_entsize 0x100000018 is "
                  "not 0x18"));
}

static std::string linkedTo(const char *link) {
  return "Sections:\n  - Name: .stack_sizes\n    Type: SHT_PROGBITS\n    "
         "Flags: [SHF_LINK_ORDER]\n    Link: " +
         std::string(link) +
         "\n  - Name: .rela.stack_sizes\n    Type: SHT_RELA\n    Info: "
         ".stack_sizes\n  - Name: .group\n    Type: SHT_GROUP\n    Info: f\n"
         "    Members: [{SectionOrType: GRP_COMDAT}]\nSymbols:\n  - Name: f\n  "
         "  Section: .stack_sizes\n    Binding: "
         "STB_GLOBAL\n";
}

TEST(SectionTable, LinkOrderWantsASectionWithContents) {
  for (const char *link :
       {"77", ".symtab", ".strtab", ".rela.stack_sizes", ".group"}) {
    const std::vector<std::string> errors = errorsOf("dpu", linkedTo(link));
    ASSERT_EQ(errors.size(), 1u) << link;
    EXPECT_THAT(errors[0],
                testing::EndsWith("of a section with SHF_LINK_ORDER is not "
                                  "the index of a section with contents"))
        << link;
  }
  EXPECT_THAT(errorsOf("dpu", linkedTo("0")), IsEmpty());
}

TEST(SectionTable, LinkOrderBehindItselfIsTheInputs) {
  Read r = readYaml("dpu", linkedTo(".stack_sizes"));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->moreOf(1).link, 0u);
  EXPECT_THAT(r.warnings,
              ElementsAre("a.o: section header 1 (.stack_sizes): sh_link 1 of "
                          "a section with SHF_LINK_ORDER is its own index; its "
                          "order is the input's"));
}

TEST(SectionTable, RelocationsApplyToASectionWithContents) {
  for (const char *info : {"0", ".symtab", ".strtab", ".rela.a"}) {
    const std::vector<std::string> errors =
        errorsOf("nyuzi", "Sections:\n  - Name: .a\n    Type: SHT_PROGBITS\n"
                          "  - Name: .rela.a\n    Type: SHT_RELA\n    Info: " +
                              std::string(info) +
                              "\n    Relocations: [{Offset: 0, Symbol: f, "
                              "Type: 1}]\nSymbols:\n  - Name: f\n    Section: "
                              ".a\n    Binding: STB_GLOBAL\n");
    ASSERT_EQ(errors.size(), 1u) << info;
    EXPECT_THAT(errors[0],
                testing::EndsWith("of relocations is not the index of a "
                                  "section with contents"))
        << info;
  }
}

TEST(SectionTable, CompactRelocationsAreRefused) {
  EXPECT_THAT(errorsOf("nyuzi", "Sections:\n  - Name: .crel.text\n    Type: "
                                "0x40000014\n    Content: '00'\n"),
              ElementsAre("a.o: section header 1 (.crel.text): relocations of "
                          "type SHT_CREL are not supported; use SHT_RELA"));
}
