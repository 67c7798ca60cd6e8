//===- GroupTest.cpp - section groups -------------------------------------===//
#include "Reading.h"

using namespace xlink;
using namespace xlink::test;

/// Section 1 is the group with these members (yaml2obj's numbers or names, the
/// flags first), 2 and 3 are .text.f and .data.f.
static std::string group(const std::string &members,
                         const std::string &info = "f") {
  return "Sections:\n  - Name: .group\n    Type: SHT_GROUP\n    Link: .symtab\n"
         "    Info: " +
         info + "\n    Members:\n" + members + R"(
  - Name: .text.f
    Type: SHT_PROGBITS
    Flags: [SHF_GROUP]
  - Name: .data.f
    Type: SHT_PROGBITS
    Flags: [SHF_GROUP]
Symbols:
  - Name: f
    Binding: STB_WEAK
    Section: .text.f
  - StName: 0
    Type: STT_SECTION
    Section: .data.f
  - StName: 0
    Section: .data.f
)";
}
static std::string members(std::initializer_list<const char *> list) {
  std::string s;
  for (const char *m : list)
    s += std::string("      - SectionOrType: ") + m + "\n";
  return s;
}

TEST(Group, ComdatWithItsMembers) {
  Read r =
      readYaml("nyuzi", group(members({"GRP_COMDAT", ".text.f", ".data.f"})));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  ASSERT_EQ(r.object->groups.size(), 1u);
  const ParsedGroup &g = r.object->groups[0];
  EXPECT_EQ(g.signature, "f");
  EXPECT_TRUE(g.comdat);
  EXPECT_THAT(g.members, ElementsAre(2u, 3u));
  EXPECT_EQ(g.section, 1u);
  EXPECT_EQ(r.section(".group")->kind, SectionKind::Group);
  EXPECT_EQ(r.section(".text.f")->group, 1u);
  EXPECT_EQ(r.section(".data.f")->group, 1u);
  EXPECT_EQ(r.section(".group")->group, 0u);
}

TEST(Group, WithoutComdat) {
  Read r = readYaml("nyuzi", group(members({"0", ".text.f"})));
  ASSERT_TRUE(r.object);
  EXPECT_FALSE(r.object->groups[0].comdat);
}

TEST(Group, SignatureOfASectionSymbolIsTheSectionsName) {
  Read r = readYaml("nyuzi", group(members({"GRP_COMDAT", ".text.f"}), "2"));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->groups[0].signature, ".data.f");
}

TEST(Group, BadSignatures) {
  EXPECT_THAT(errorsOf("nyuzi", group(members({"GRP_COMDAT", ".text.f"}), "3")),
              ElementsAre("a.o: section header 1 (.group): the group's "
                          "signature, symbol 3, has no name"));
  EXPECT_THAT(
      errorsOf("nyuzi", group(members({"GRP_COMDAT", ".text.f"}), "9")),
      ElementsAre("a.o: section header 1 (.group): sh_info 9 of a group "
                  "is not a symbol index (4 symbols)"));
}

TEST(Group, BadMembers) {
  EXPECT_THAT(
      errorsOf("nyuzi", group(members({"GRP_COMDAT", "99", "0", "1"}))),
      ElementsAre("a.o: section header 1 (.group): member 99 at offset 0x4 is "
                  "not a section index (7 sections)",
                  "a.o: section header 1 (.group): member 0 at offset 0x8 is "
                  "not a section index (7 sections)",
                  "a.o: section header 1 (.group): member 1 at offset 0xc is a "
                  "group itself"));
  EXPECT_THAT(
      errorsOf("nyuzi", group(members({"GRP_COMDAT", ".text.f", ".text.f"}))),
      ElementsAre("a.o: section header 1 (.group): member 2 at offset 0x8 is a "
                  "member of section header 1 already"));
}

TEST(Group, ASectionBelongsToOneGroupOnly) {
  std::string yaml = group(members({"GRP_COMDAT", ".text.f"}));
  yaml.insert(yaml.find("Symbols:"),
              "  - Name: .group2\n    Type: SHT_GROUP\n    Link: .symtab\n"
              "    Info: f\n    Members:\n" +
                  members({"GRP_COMDAT", ".text.f"}));
  EXPECT_THAT(errorsOf("nyuzi", yaml),
              ElementsAre("a.o: section header 4 (.group2): member 2 at offset "
                          "0x4 is a member of section header 1 already"));
}

TEST(Group, BadSizesAndFlags) {
  EXPECT_THAT(errorsOf("nyuzi", group(members({"2", ".text.f"}))),
              ElementsAre("a.o: section header 1 (.group): unknown group flags "
                          "0x2"));
  std::string yaml = group("");
  yaml.replace(yaml.find("    Members:\n"), 13, "    Content: '0100000002'\n");
  EXPECT_THAT(errorsOf("nyuzi", yaml),
              ElementsAre("a.o: section header 1 (.group): sh_size 0x5 of a "
                          "group is not a positive multiple of 4"));
}
