//===- SymbolTest.cpp - the symbol table ----------------------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;

static const char kText[] = "Sections:\n  - Name: .text\n    Type: "
                            "SHT_PROGBITS\n    Content: '00000000'\n";

static std::vector<std::string> symbolErrors(const std::string &symbols) {
  return errorsOf("nyuzi", kText + ("Symbols:\n" + symbols));
}

TEST(Symbol, FieldsAndPlaces) {
  Read r = readYaml("nyuzi", std::string(kText) + R"(
  - Name: .drop
    Type: SHT_PROGBITS
    Flags: [SHF_EXCLUDE]
Symbols:
  - Name: local
    Type: STT_FUNC
    Section: .text
    Value: 2
    Size: 6
  - Name: global
    Type: STT_OBJECT
    Binding: STB_GLOBAL
    Section: .text
    Value: 0x44
    Other: [STV_HIDDEN, 0x80]
  - Name: weak
    Binding: STB_WEAK
  - Name: unique
    Binding: STB_GNU_UNIQUE
    Section: .text
  - Name: absolute
    Binding: STB_GLOBAL
    Index: SHN_ABS
    Value: 0x1234
  - Name: common
    Binding: STB_GLOBAL
    Type: STT_OBJECT
    Index: SHN_COMMON
    Value: 8
    Size: 24
  - Name: dropped
    Binding: STB_GLOBAL
    Section: .drop
)");
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  const ParsedSymbol *local = r.symbol("local");
  EXPECT_EQ(local->binding, STB_LOCAL);
  EXPECT_EQ(local->type, STT_FUNC);
  EXPECT_EQ(local->place, SymbolPlace::Section);
  EXPECT_EQ(local->section, 1u);
  EXPECT_EQ(local->value, 2u);
  EXPECT_EQ(local->size, 6u);
  EXPECT_EQ(local->hash, 0u);
  const ParsedSymbol *global = r.symbol("global");
  EXPECT_EQ(global->binding, STB_GLOBAL);
  EXPECT_EQ(global->value, 0x44u) << "beyond its section, and legal";
  EXPECT_EQ(global->visibility, STV_HIDDEN);
  EXPECT_EQ(global->other, 0x80);
  EXPECT_EQ(global->hash, llvm::xxh3_64bits(llvm::StringRef("global")));
  EXPECT_EQ(r.symbol("weak")->binding, STB_WEAK);
  EXPECT_EQ(r.symbol("weak")->place, SymbolPlace::Undefined);
  EXPECT_EQ(r.symbol("unique")->binding, STB_GLOBAL);
  EXPECT_EQ(r.symbol("absolute")->place, SymbolPlace::Absolute);
  EXPECT_EQ(r.symbol("absolute")->value, 0x1234u);
  EXPECT_EQ(r.symbol("common")->place, SymbolPlace::Common);
  EXPECT_EQ(r.symbol("common")->value, 8u);
  EXPECT_EQ(r.symbol("dropped")->place, SymbolPlace::Section);
}

TEST(Symbol, LocalAndGlobalMayBeMixed) {
  Bytes bytes = machineObject("xs1", std::string(kText) + R"(
Symbols:
  - Name: g1
    Binding: STB_GLOBAL
    Section: .text
  - Name: l1
    Section: .text
  - Name: g2
    Binding: STB_GLOBAL
)");
  Read r = read("xs1", bytes);
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.symbol("g1")->binding, STB_GLOBAL);
  EXPECT_EQ(r.symbol("l1")->binding, STB_LOCAL);
  EXPECT_EQ(r.symbol("g2")->binding, STB_GLOBAL);
  // Nor does sh_info count.
  for (uint32_t info : {0u, 2u, 0xffffffffu}) {
    poke(bytes, sectionHeaderOffset(bytes, 2) + 28, info, 4);
    EXPECT_TRUE(read("xs1", bytes).object);
  }
}

TEST(Symbol, NamelessLocalsAreAllowed) {
  Read r = readYaml("dpu", std::string(kText) +
                               "Symbols:\n  - StName: 0\n    Section: .text\n"
                               "  - StName: 0\n");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->symbols.size(), 3u);
  EXPECT_EQ(r.object->symbols[2].place, SymbolPlace::Undefined);
}

TEST(Symbol, BadSymbols) {
  EXPECT_THAT(symbolErrors("  - Name: u\n"),
              ElementsAre("a.o: symbol 1 (u): local and undefined"));
  EXPECT_THAT(symbolErrors("  - StName: 0\n    Binding: STB_GLOBAL\n"),
              ElementsAre("a.o: symbol 1: a global symbol without a name"));
  EXPECT_THAT(symbolErrors("  - Name: b\n    Binding: 5\n    Section: .text\n"),
              ElementsAre("a.o: symbol 1 (b): unknown binding 5"));
  EXPECT_THAT(symbolErrors("  - Name: i\n    Index: 9\n"),
              ElementsAre("a.o: symbol 1 (i): st_shndx 9 is not a section "
                          "index (5 sections)"));
  EXPECT_THAT(symbolErrors("  - Name: r\n    Index: 0xff07\n"),
              ElementsAre("a.o: symbol 1 (r): st_shndx 0xff07 is a reserved "
                          "index of unknown meaning"));
  EXPECT_THAT(symbolErrors("  - Name: x\n    Index: SHN_XINDEX\n"),
              ElementsAre("a.o: symbol 1 (x): st_shndx is SHN_XINDEX, but "
                          "there is no SHT_SYMTAB_SHNDX section"));
  EXPECT_THAT(symbolErrors("  - StName: 0x999\n    Section: .text\n"),
              ElementsAre("a.o: symbol 1: st_name 0x999 is beyond the end of "
                          "the string table (0x1 bytes)"));
}

TEST(Symbol, CommonSymbolsAreChecked) {
  EXPECT_THAT(symbolErrors("  - Name: c\n    Index: SHN_COMMON\n"
                           "    Binding: STB_GLOBAL\n    Value: 3\n"),
              ElementsAre("a.o: symbol 1 (c): alignment 0x3 of a common symbol "
                          "is not a power of two"));
  EXPECT_THAT(symbolErrors("  - Name: c\n    Index: SHN_COMMON\n"),
              ElementsAre("a.o: symbol 1 (c): SHN_COMMON in a local symbol"));
  Read r = readYaml("nyuzi", "Symbols:\n  - Name: c\n    Index: SHN_COMMON\n"
                             "    Binding: STB_GLOBAL\n    Size: 4\n");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.symbol("c")->value, 1u) << "no alignment means 1";
}

TEST(Symbol, EveryBadSymbolIsReported) {
  EXPECT_THAT(symbolErrors("  - Name: u\n  - Name: v\n"),
              ElementsAre("a.o: symbol 1 (u): local and undefined",
                          "a.o: symbol 2 (v): local and undefined"));
}

TEST(Symbol, StringTableMustEndInNul) {
  Bytes bytes = machineObject(
      "nyuzi", std::string(kText) + "  - Name: .strtab\n    Type: SHT_STRTAB\n"
                                    "    Content: '006162'\n"
                                    "Symbols:\n  - StName: 1\n    Section: "
                                    ".text\n");
  EXPECT_THAT(
      read("nyuzi", bytes).errors,
      ElementsAre("a.o: section header 2 (.strtab): the string table of "
                  "the symbols does not end in NUL"));
}

TEST(Symbol, NamesMayNotBeExpensiveToRead) {
  // 2,000 symbols, each with the same name of 20,000 characters.
  std::string yaml = kText;
  yaml += "  - Name: .strtab\n    Type: SHT_STRTAB\n    Content: '00";
  for (int i = 0; i < 20000; ++i)
    yaml += "61";
  yaml += "00'\nSymbols:\n";
  for (int i = 0; i < 2000; ++i)
    yaml += "  - StName: 1\n    Section: .text\n";
  std::vector<std::string> errors = errorsOf("nyuzi", yaml);
  ASSERT_FALSE(errors.empty());
  EXPECT_THAT(errors[0], testing::EndsWith(
                             "st_name 0x1: the names of this file are longer "
                             "together than its size allows"));
}
