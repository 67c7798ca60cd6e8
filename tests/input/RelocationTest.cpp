//===- RelocationTest.cpp - SHT_RELA and SHT_REL --------------------------===//
#include "Reading.h"

using namespace xlink;
using namespace xlink::test;

/// .text of 8 bytes (section 1) and further sections, and two symbols.
static std::string withSections(const std::string &sections,
                                const char *content = "1122334455667788") {
  return std::string("Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
                     "    Flags: [SHF_ALLOC]\n    Content: '") +
         content + "'\n" + sections +
         "Symbols:\n  - Name: a\n    Binding: STB_GLOBAL\n"
         "  - Name: b\n    Binding: STB_GLOBAL\n";
}
static std::string table(const char *name, const char *type,
                         const std::string &entries,
                         const char *info = ".text") {
  return std::string("  - Name: ") + name + "\n    Type: " + type +
         "\n    Link: .symtab\n    Info: " + info + "\n    Relocations:\n" +
         entries;
}
static std::string entry(unsigned offset, const char *symbol, unsigned type,
                         const char *addend = nullptr) {
  std::string s = "      - Offset: " + std::to_string(offset) +
                  "\n        Symbol: " + symbol +
                  "\n        Type: " + std::to_string(type) + "\n";
  if (addend)
    s += std::string("        Addend: ") + addend + "\n";
  return s;
}

TEST(Relocation, Rela) {
  Read r = readYaml("nyuzi", withSections(table(".rela.text", "SHT_RELA",
                                                entry(0, "a", 1, "-5") +
                                                    entry(4, "b", 3, "0x10"))));
  ASSERT_TRUE(r.object);
  std::vector<Relocation> list = r.relocations(".text");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].offset, 0u);
  EXPECT_EQ(list[0].symbol, 1u);
  EXPECT_EQ(list[0].type, 1u);
  EXPECT_EQ(list[0].addend, -5);
  EXPECT_EQ(list[1].offset, 4u);
  EXPECT_EQ(list[1].symbol, 2u);
  EXPECT_EQ(list[1].addend, 16);
}

TEST(Relocation, Rela64) {
  Read r =
      readYaml("aphelion",
               withSections(table(".rela.text", "SHT_RELA",
                                  entry(0, "b", 1, "-8070450532247928832"))));
  ASSERT_TRUE(r.object);
  std::vector<Relocation> list = r.relocations(".text");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].symbol, 2u);
  EXPECT_EQ(list[0].type, 1u);
  EXPECT_EQ(list[0].addend, -0x7000000000000000);
}

TEST(Relocation, SeveralTablesGiveOneSortedRun) {
  Read r = readYaml(
      "nyuzi",
      withSections(
          std::string("  - Name: .data\n    Type: SHT_PROGBITS\n"
                      "    Content: '00000000'\n") +
          table(".rela.1", "SHT_RELA",
                entry(4, "a", 1, "1") + entry(0, "a", 1, "2")) +
          table(".rela.d", "SHT_RELA", entry(0, "a", 1, "3"), ".data") +
          table(".rela.2", "SHT_RELA",
                entry(4, "b", 1, "4") + entry(2, "b", 1, "5"))));
  ASSERT_TRUE(r.object);
  std::vector<std::pair<uint64_t, int64_t>> list;
  for (const Relocation &x : r.relocations(".text"))
    list.push_back({x.offset, x.addend});
  using P = std::pair<uint64_t, int64_t>;
  EXPECT_THAT(list, ElementsAre(P(0, 2), P(2, 5), P(4, 1), P(4, 4)))
      << "two at one place keep their order";
  ASSERT_EQ(r.relocations(".data").size(), 1u);
  EXPECT_EQ(r.relocations(".data")[0].addend, 3);
}

TEST(Relocation, RelReadsTheAddendFromTheField) {
  Read r = readYaml(
      "nyuzi", withSections(table(".rel.text", "SHT_REL", entry(1, "a", 1)),
                            "00feffffff000000"));
  ASSERT_TRUE(r.object);
  ASSERT_EQ(r.relocations(".text").size(), 1u);
  EXPECT_EQ(r.relocations(".text")[0].addend, -2);
}

TEST(Relocation, RelOfAPartOfAnInstruction) {
  // R_XCORE1_DP_REL6 counts words.
  Read r = readYaml(
      "xs1", withSections(table(".rel.text", "SHT_REL", entry(0, "a", 2)),
                          "0358000000000000"));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.relocations(".text")[0].addend, 12);
  EXPECT_THAT(errorsOf("nyuzi", withSections(table(".rel.text", "SHT_REL",
                                                   entry(4, "a", 4)))),
              ElementsAre("a.o:(.text+0x4): the addend of R_NYUZI_HI19 in a "
                          "table of type SHT_REL cannot be read back from its "
                          "field; use SHT_RELA"));
}

TEST(Relocation, UnknownTypesAreKept) {
  Read r = readYaml("nyuzi", withSections(table(".rela.text", "SHT_RELA",
                                                entry(8, "a", 99, "7"))));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.relocations(".text")[0].type, 99u);
  EXPECT_EQ(r.relocations(".text")[0].addend, 7);
  r = readYaml("nyuzi",
               withSections(table(".rel.text", "SHT_REL", entry(8, "a", 99))));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.relocations(".text")[0].addend, 0);
}

TEST(Relocation, PlacesAreChecked) {
  EXPECT_THAT(
      errorsOf("nyuzi", withSections(table(".rela.text", "SHT_RELA",
                                           entry(4, "a", 1) + entry(5, "a", 1) +
                                               entry(9, "a", 99)))),
      ElementsAre("a.o:(.text+0x5): R_NYUZI_ABS32 (4 bytes) is beyond "
                  "the end of the section (0x8 bytes)",
                  "a.o:(.text+0x9): unknown relocation type 99 (0 "
                  "bytes) is beyond the end of the section (0x8 "
                  "bytes)"));
  // offset + bytes wraps.
  EXPECT_THAT(errorsOf("nyuzi", withSections(table(".rela.text", "SHT_RELA",
                                                   entry(0xfffffffe, "a", 1)))),
              ElementsAre("a.o:(.text+0xfffffffe): R_NYUZI_ABS32 (4 bytes) is "
                          "beyond the end of the section (0x8 bytes)"));
}

TEST(Relocation, SymbolsAreChecked) {
  EXPECT_THAT(errorsOf("nyuzi", withSections(table(".rela.text", "SHT_RELA",
                                                   entry(0, "a", 1) +
                                                       entry(0, "3", 1)))),
              ElementsAre("a.o: section header 2 (.rela.text): relocation 1: "
                          "symbol index 3 is out of range (3 symbols)"));
}

TEST(Relocation, TablesOfOtherSections) {
  std::string excluded = "  - Name: .x\n    Type: SHT_PROGBITS\n"
                         "    Flags: [SHF_EXCLUDE]\n    Content: '00000000'\n";
  Read r =
      readYaml("nyuzi", withSections(excluded + table(".rela.x", "SHT_RELA",
                                                      entry(0, "a", 1), ".x")));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->relocations.size(), 1u)
      << "-r keeps those of excluded sections";
  EXPECT_THAT(
      errorsOf("nyuzi", withSections(table(".rela.none", "SHT_RELA",
                                           entry(0, "a", 1), "0"))),
      ElementsAre("a.o: section header 2 (.rela.none): sh_info 0 of "
                  "relocations is not the index of a section with contents"));
  EXPECT_THAT(
      errorsOf("nyuzi", withSections(table(".rela.far", "SHT_RELA",
                                           entry(0, "a", 1), "77"))),
      ElementsAre("a.o: section header 2 (.rela.far): sh_info 77 is not "
                  "a section index (6 sections)"));
}

TEST(Relocation, NothingToRelocateInNobits) {
  std::string bss = "  - Name: .bss\n    Type: SHT_NOBITS\n    Size: 16\n";
  EXPECT_THAT(
      errorsOf("nyuzi", withSections(bss + table(".rela.bss", "SHT_RELA",
                                                 entry(0, "a", 1), ".bss"))),
      ElementsAre("a.o:(.bss+0x0): R_NYUZI_ABS32 for a section that has no "
                  "contents"));
  EXPECT_THAT(
      errorsOf("nyuzi", withSections(bss + table(".rela.bss", "SHT_RELA",
                                                 entry(4, "a", 99), ".bss"))),
      ElementsAre("a.o:(.bss+0x4): unknown relocation type 99 for a section "
                  "that has no contents"));
  EXPECT_THAT(
      errorsOf("nyuzi", withSections(bss + table(".rela.bss", "SHT_RELA",
                                                 "      []\n", ".bss"))),
      IsEmpty());
}

// What writes nothing only says that two sections belong together.
TEST(Relocation, NobitsTakesWhatWritesNothing) {
  std::string bss = "  - Name: .bss\n    Type: SHT_NOBITS\n    Size: 16\n";
  for (const char *type : {"SHT_RELA", "SHT_REL"}) {
    Read r = readYaml(
        "xs1", withSections(bss + table(".rela.bss", type,
                                        entry(0, "a", 0) + entry(16, "b", 22),
                                        ".bss")));
    ASSERT_TRUE(r.object) << type;
    EXPECT_EQ(r.relocations(".bss").size(), 2u);
  }
  EXPECT_THAT(
      errorsOf("xs1", withSections(bss + table(".rela.bss", "SHT_RELA",
                                               entry(17, "a", 22), ".bss"))),
      ElementsAre("a.o:(.bss+0x11): R_XCORE1_KEEP (0 bytes) is beyond "
                  "the end of the section (0x10 bytes)"));
  EXPECT_THAT(errorsOf("xs1", withSections(bss + table(".rela.bss", "SHT_RELA",
                                                       entry(0, "b", 22) +
                                                           entry(8, "a", 1),
                                                       ".bss"))),
              ElementsAre("a.o:(.bss+0x8): R_XCORE1_ADDR32 for a section that "
                          "has no contents"));
}

TEST(Relocation, EntrySizesAreChecked) {
  EXPECT_THAT(
      errorsOf("nyuzi",
               withSections("  - Name: .rela.text\n    Type: SHT_RELA\n"
                            "    Link: .symtab\n    Info: .text\n"
                            "    EntSize: 8\n    Content: '0000000000000000'"
                            "\n")),
      ElementsAre("a.o: section header 2 (.rela.text): sh_entsize 0x8 is not "
                  "0xc"));
  EXPECT_THAT(
      errorsOf("nyuzi",
               withSections("  - Name: .rela.text\n    Type: SHT_RELA\n"
                            "    Link: .strtab\n    Info: .text\n"
                            "    Content: '0000000000000000'\n")),
      ElementsAre("a.o: section header 2 (.rela.text): sh_size 0x8 is not a "
                  "multiple of sh_entsize 0xc",
                  "a.o: section header 2 (.rela.text): sh_link 4 is not the "
                  "index of a symbol table"));
}

//===----------------------------------------------------------------------===//
// Tables among the sections
//===----------------------------------------------------------------------===//

TEST(Relocation, TablesAreNoSections) {
  Read r = readYaml(
      "nyuzi",
      withSections(table(".rela.text", "SHT_RELA", entry(0, "a", 1)) +
                   "  - Name: .data\n    Type: SHT_PROGBITS\n"
                   "    Content: '00000000'\n" +
                   table(".rela.data", "SHT_RELA", entry(0, "b", 1), ".data")) +
          "  - Name: c\n    Section: .data\n");
  ASSERT_TRUE(r.object);
  for (const ParsedSection &s : r.object->sections)
    EXPECT_FALSE(s.name.starts_with(".rela")) << s.name.str();
  EXPECT_EQ(r.relocations(".text").size(), 1u);
  ASSERT_EQ(r.relocations(".data").size(), 1u);
  EXPECT_EQ(r.relocations(".data")[0].symbol, 2u);
  EXPECT_EQ(r.object->sections[r.symbol("c")->section].name, ".data");
}

// It is in no output, and what is in it is not defined; so it has to be known.
TEST(Relocation, ATableThatASymbolNamesStays) {
  Read r = readYaml(
      "nyuzi", withSections(table(".rela.text", "SHT_RELA", entry(0, "a", 1))) +
                   "  - Name: c\n    Section: .rela.text\n");
  ASSERT_TRUE(r.object);
  const ParsedSection &home = r.object->sections[r.symbol("c")->section];
  EXPECT_EQ(home.name, ".rela.text");
  EXPECT_EQ(home.kind, SectionKind::Ignored);
  EXPECT_EQ(r.relocations(".text").size(), 1u);
}

// Entries stay in the file wherever they begin, by each remainder of their
// size.
TEST(Relocation, TablesAnywhereInTheFile) {
  for (unsigned shift = 0; shift < 12; ++shift) {
    std::string sections;
    if (shift)
      sections = "  - Name: .odd\n    Type: SHT_PROGBITS\n    Content: '" +
                 std::string(2 * shift, '1') + "'\n";
    std::string rela = table(".rela.text", "SHT_RELA",
                             entry(0, "a", 1, "-5") + entry(4, "b", 3, "7"));
    rela.replace(rela.find("    Info:"), 0, "    AddressAlign: 1\n");
    Read r = readYaml("nyuzi", withSections(sections + rela));
    ASSERT_TRUE(r.object);
    const std::vector<Relocation> list = r.relocations(".text");
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].addend, -5);
    EXPECT_EQ(list[1].offset, 4u);
    EXPECT_EQ(list[1].symbol, 2u);
    EXPECT_EQ(list[1].type, 3u);
    EXPECT_EQ(list[1].addend, 7);
  }
}
