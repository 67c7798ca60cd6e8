//===- TypeSectionTest.cpp - the types that objects state -----------------===//
#include "Reading.h"
#include "llvm/ADT/StringExtras.h"

using namespace xlink;
using namespace xlink::test;

/// The string table of the symbols, ".strtab", is "\0f\0si\0g\0": names at 1, 3
/// and 6. Symbol 1 is f; 2 is g, local; 3 is another g, global.
static std::string withWords(const std::vector<uint32_t> &words,
                             const std::string &type = "SHT_PROGBITS",
                             const std::string &more = "") {
  Bytes bytes(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i)
    poke(bytes, i * 4, words[i], 4);
  return "Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
         "    Content: '00000000'\n  - Name: .typeinfo\n    Type: " +
         type + "\n" + more + "    Content: '" + llvm::toHex(bytes) +
         "'\n  - Name: .strtab\n    Type: SHT_STRTAB\n"
         "    Content: '006600736900670000'\nSymbols:\n"
         "  - StName: 6\n    Section: .text\n"
         "  - StName: 1\n    Binding: STB_GLOBAL\n    Section: .text\n"
         "  - StName: 6\n    Binding: STB_GLOBAL\n";
}

TEST(TypeSection, Entries) {
  for (const char *type : {"SHT_PROGBITS", "0x13", "0x70000000"}) {
    Read r = readYaml("xs1", withWords({1, 3, 6, 1, 3, 3}, type));
    ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
    EXPECT_EQ(r.section(".typeinfo")->kind, SectionKind::Types);
    ASSERT_EQ(r.object->types.size(), 3u);
    EXPECT_EQ(r.object->types[0].name, "f");
    EXPECT_EQ(r.object->types[0].type, "si");
    EXPECT_EQ(r.object->types[0].symbol, 2u);
    EXPECT_EQ(r.object->types[1].symbol, 3u) << "the global of that name";
    EXPECT_EQ(r.object->types[1].section, ".typeinfo");
    EXPECT_EQ(r.object->types[1].entry, 1u);
    EXPECT_EQ(r.object->types[2].symbol, 0u) << "no symbol has that name";
  }
}

TEST(TypeSection, Malformed) {
  EXPECT_THAT(errorsOf("xs1", withWords({1, 3, 6})),
              ElementsAre("a.o: section header 2 (.typeinfo): sh_size 0xc is "
                          "not a multiple of 8, the size of an entry"));
  EXPECT_THAT(
      errorsOf("xs1", withWords({1, 3, 9, 3, 1, 0xffffffff})),
      ElementsAre("a.o:(.typeinfo): entry 1: name 0x9 is beyond the end of the "
                  "string table (0x9 bytes)",
                  "a.o:(.typeinfo): entry 2: type 0xffffffff is beyond the end "
                  "of the string table (0x9 bytes)"));
  EXPECT_THAT(
      errorsOf("xs1", withWords({1, 3}, "SHT_PROGBITS", "    Link: .text\n")),
      ElementsAre("a.o: section header 2 (.typeinfo): sh_link 1 is "
                  "neither 0 nor the index of a symbol table"));
}

// The name means nothing in memory, nor on a machine that does not declare it.
TEST(TypeSection, OtherSectionsOfThatName) {
  Read r = readYaml(
      "xs1", withWords({1, 3}, "SHT_PROGBITS", "    Flags: [ SHF_ALLOC ]\n"));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.section(".typeinfo")->kind, SectionKind::Regular);
  EXPECT_TRUE(r.object->types.empty());
  r = readYaml("nyuzi", withWords({1, 3}));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.section(".typeinfo")->kind, SectionKind::Regular);
}

// An entry of .expr can give a type too: the string among its operands.
TEST(TypeSection, Annotations) {
  auto text = [](std::vector<uint32_t> words) {
    Bytes bytes(words.size() * 4);
    for (size_t i = 0; i < words.size(); ++i)
      poke(bytes, i * 4, words[i], 4);
    return llvm::toHex(bytes);
  };
  std::string yaml = withWords({});
  yaml.insert(yaml.find("  - Name: .strtab"),
              "  - Name: .expr\n    Type: 0x14\n    Content: '" +
                  text({37 << 6 | 2, 2, 3, 0, 0,      //
                        37 << 6 | 2 << 2, 3, 0, 3, 0, //
                        37 << 6 | 1, 2, 2, 0, 0}) +
                  "'\n");
  Read r = readYaml("xs1", yaml);
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  ASSERT_EQ(r.object->types.size(), 2u);
  EXPECT_EQ(r.object->types[0].name, "f");
  EXPECT_EQ(r.object->types[0].type, "si");
  EXPECT_EQ(r.object->types[0].section, ".expr");
  EXPECT_EQ(r.object->types[1].symbol, 3u);
  EXPECT_EQ(r.object->types[1].entry, 1u);
}
