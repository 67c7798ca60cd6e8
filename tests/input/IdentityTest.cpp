//===- IdentityTest.cpp - what a file is, and whose -----------------------===//
#include "Reading.h"

using namespace xlink;
using namespace xlink::test;

static Bytes text(std::string s) { return Bytes(s.begin(), s.end()); }

TEST(Identity, FilesAreToldByTheirFirstBytes) {
  EXPECT_EQ(identifyFile({}), FileKind::Empty);
  EXPECT_EQ(identifyFile(machineObject("nyuzi", "")), FileKind::ElfRelocatable);
  EXPECT_EQ(identifyFile(objectFromYaml(yamlHeader("nyuzi", "ET_EXEC"))),
            FileKind::ElfOther);
  EXPECT_EQ(identifyFile(text("\x7f"
                              "ELF")),
            FileKind::ElfOther);
  EXPECT_EQ(identifyFile(text("!<arch>\n")), FileKind::Archive);
  EXPECT_EQ(identifyFile(text("!<thin>\n")), FileKind::ThinArchive);
  EXPECT_EQ(identifyFile(text("BC\xC0\xDE....")), FileKind::Bitcode);
  EXPECT_EQ(identifyFile(text("\xDE\xC0\x17\x0B....")), FileKind::Bitcode);
  EXPECT_EQ(identifyFile(text("SECTIONS { }\n")), FileKind::Text);
  EXPECT_EQ(identifyFile(text("/* \xC3\xA9\t*/\r\n")), FileKind::Text);
  EXPECT_EQ(identifyFile(text(std::string("XMOS\2\0", 6))), FileKind::Unknown);
}

TEST(Identity, IdentityOfEitherByteOrder) {
  Bytes bytes = machineObject("aphelion", "");
  std::optional<ElfIdentity> id = readIdentity(bytes);
  ASSERT_TRUE(id);
  EXPECT_TRUE(id->is64);
  EXPECT_FALSE(id->isBig);
  EXPECT_EQ(id->machine, 0xA9E1);
  EXPECT_EQ(id->type, 1);

  bytes = objectFromYaml("--- !ELF\nFileHeader:\n  Class: ELFCLASS32\n  Data: "
                         "ELFDATA2MSB\n  Type: ET_REL\n  Machine: EM_PPC\n");
  id = readIdentity(bytes);
  ASSERT_TRUE(id);
  EXPECT_FALSE(id->is64);
  EXPECT_TRUE(id->isBig);
  EXPECT_EQ(id->machine, 20);
  bytes.resize(19);
  EXPECT_FALSE(readIdentity(bytes));
}

TEST(Identity, HeaderFieldsAreKept) {
  Bytes bytes = machineObject("colossus", "", 0x21);
  setOsAbi(bytes, 255);
  Read r = read("colossus", bytes);
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->flags, 0x21u);
  EXPECT_EQ(r.object->osabi, 255);
  EXPECT_EQ(r.object->machine, 248);
  EXPECT_EQ(r.object->path, "a.o");
  EXPECT_EQ(r.object->bytes, bytes.size());
}

TEST(Identity, DamagedHeaders) {
  EXPECT_THAT(read("nyuzi", text("hello")).errors,
              ElementsAre("a.o: ELF header: no ELF file: it does not begin "
                          "with 0x7f 'ELF'"));
  Bytes whole = machineObject("nyuzi", "");
  Bytes bytes(whole.begin(), whole.begin() + 10);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: ELF header: the file ends after 0xa bytes"));
  bytes.assign(whole.begin(), whole.begin() + 51);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: ELF header: the file ends after 0x33 bytes, "
                          "the header has 0x34"));
  bytes = whole;
  bytes[4] = 3;
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: ELF header: EI_CLASS 0x3 at offset 0x4 is "
                          "neither ELFCLASS32 nor ELFCLASS64"));
  bytes = whole;
  bytes[5] = 0;
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: ELF header: EI_DATA 0x0 at offset 0x5 is "
                          "neither ELFDATA2LSB nor ELFDATA2MSB"));
}
