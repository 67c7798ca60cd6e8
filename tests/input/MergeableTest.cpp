//===- MergeableTest.cpp - which sections keep SHF_MERGE ------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;

static std::string section(const char *flags, const char *entrySize,
                           const char *content) {
  return std::string("Sections:\n  - Name: .s\n    Type: SHT_PROGBITS\n"
                     "    Flags: [") +
         flags + "]\n    EntSize: " + entrySize + "\n    Content: '" + content +
         "'\n";
}

static bool merges(const char *machine, const std::string &yaml) {
  Read r = readYaml(machine, yaml);
  EXPECT_THAT(r.errors, IsEmpty());
  return r.object && (r.section(".s")->flags & SHF_MERGE);
}

TEST(Mergeable, ConstantsAndStrings) {
  EXPECT_TRUE(merges("nyuzi", section("SHF_MERGE", "4", "0102030405060708")));
  EXPECT_TRUE(
      merges("nyuzi", section("SHF_MERGE, SHF_STRINGS", "1", "610062630000")));
  EXPECT_TRUE(merges("nyuzi", section("SHF_MERGE, SHF_STRINGS", "1", "")));
}

TEST(Mergeable, NotWithoutAnEntrySize) {
  EXPECT_FALSE(merges("nyuzi", section("SHF_MERGE", "0", "0102")));
  EXPECT_FALSE(merges("nyuzi", section("SHF_MERGE, SHF_STRINGS", "0", "6100")));
}

TEST(Mergeable, StringsOfAMachineWithPiecesHaveEntriesOfOneByte) {
  std::string yaml = section("SHF_MERGE, SHF_STRINGS", "0", "6100");
  EXPECT_TRUE(merges("xs1", yaml));
  EXPECT_EQ(readYaml("xs1", yaml).section(".s")->entsize, 1u);
  EXPECT_FALSE(merges("xs1", section("SHF_MERGE", "0", "0102")));
}

TEST(Mergeable, NotWhenWritable) {
  EXPECT_FALSE(
      merges("nyuzi", section("SHF_MERGE, SHF_WRITE", "4", "00000000")));
}

// GNU ld stores it as it is.
TEST(Mergeable, NotWhatIsNotMadeOfWholeEntries) {
  EXPECT_FALSE(merges("nyuzi", section("SHF_MERGE", "4", "010203040506")));
  EXPECT_FALSE(merges("nyuzi", section("SHF_MERGE, SHF_STRINGS", "1", "6162")));
  // The terminator is as wide as a character.
  EXPECT_FALSE(
      merges("nyuzi", section("SHF_MERGE, SHF_STRINGS", "2", "61006200")));
}

TEST(Mergeable, SymbolsMustLieInside) {
  std::string yaml = section("SHF_MERGE", "4", "01020304");
  EXPECT_THAT(errorsOf("nyuzi", yaml + "Symbols:\n  - Name: end\n    Section: "
                                       ".s\n    Value: 4\n"),
              IsEmpty());
  EXPECT_THAT(errorsOf("nyuzi", yaml + "Symbols:\n  - Name: far\n    Section: "
                                       ".s\n    Value: 5\n"),
              ElementsAre("a.o: symbol 1 (far): st_value 0x5 is beyond the end "
                          "of mergeable section .s (0x4 bytes)"));
}
