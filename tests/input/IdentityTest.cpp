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
  EXPECT_TRUE(id->littleEndian);
  EXPECT_EQ(id->machine, 0xA9E1);
  EXPECT_EQ(id->type, 1);

  bytes = objectFromYaml("--- !ELF\nFileHeader:\n  Class: ELFCLASS32\n  Data: "
                         "ELFDATA2MSB\n  Type: ET_REL\n  Machine: EM_PPC\n");
  id = readIdentity(bytes);
  ASSERT_TRUE(id);
  EXPECT_FALSE(id->is64);
  EXPECT_FALSE(id->littleEndian);
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

TEST(Identity, EachMachineOfATargetIsAccepted) {
  Bytes bytes = machineObject("xs1", "");
  setMachine(bytes, 0xB49E);
  Read r = read("xs1", bytes);
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->machine, 0xB49E);
}

TEST(Identity, OtherMachines) {
  EXPECT_THAT(read("nyuzi", machineObject("dpu", "")).errors,
              ElementsAre("a.o: machine 0xf5 (dpu) is not nyuzi"));
  EXPECT_THAT(read("nyuzi", machineObject("aphelion", "")).errors,
              ElementsAre("a.o: machine 0xa9e1 (aphelion) is not nyuzi"));
  Bytes bytes = machineObject("nyuzi", "");
  setMachine(bytes, 0xf3);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: machine 0xf3 (riscv) is not nyuzi"));
  setMachine(bytes, 0x7777);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: machine 0x7777 is not nyuzi"));
}

TEST(Identity, OtherClassOrByteOrder) {
  Bytes bytes = machineObject("aphelion", "");
  setMachine(bytes, 9999);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: ELF64 file, but nyuzi is an ELF32 machine"));
  bytes = objectFromYaml("--- !ELF\nFileHeader:\n  Class: ELFCLASS32\n  Data: "
                         "ELFDATA2MSB\n  Type: ET_REL\n  Machine: 9999\n");
  EXPECT_THAT(
      read("nyuzi", bytes).errors,
      ElementsAre("a.o: big-endian ELF file, but nyuzi is little-endian"));
}

TEST(Identity, OnlyRelocatableObjects) {
  EXPECT_THAT(read("dpu", objectFromYaml(yamlHeader("dpu", "ET_EXEC"))).errors,
              ElementsAre("a.o: an executable (ET_EXEC) cannot be linked, only "
                          "relocatable objects"));
  EXPECT_THAT(
      read("dpu", objectFromYaml(yamlHeader("dpu", "ET_DYN"))).errors,
      ElementsAre("a.o: a shared object (ET_DYN) cannot be linked, only "
                  "relocatable objects"));
  EXPECT_THAT(
      read("dpu", objectFromYaml(yamlHeader("dpu", "ET_CORE"))).errors,
      ElementsAre("a.o: ELF header: e_type 0x4 at offset 0x10 is not ET_REL: "
                  "only relocatable objects can be linked"));
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
