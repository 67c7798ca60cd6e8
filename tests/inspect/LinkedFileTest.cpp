//===- LinkedFileTest.cpp - the reader of finished files ------------------===//
#include "inspect/LinkedFile.h"
#include "support/ObjectBuilder.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// A program with a section, a symbol in it, one outside, and a relocation.
Bytes executable() {
  return objectFromYaml(yamlHeader("nyuzi", "ET_EXEC") + R"(
ProgramHeaders:
  - { Type: PT_LOAD, Flags: [ PF_R, PF_X ], VAddr: 0x1000, FirstSec: .text, LastSec: .text }
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Address: 0x1000, AddressAlign: 4, Content: '0102030405060708' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0x1004, Symbol: f, Type: 1, Addend: 2 } ] }
Symbols:
  - { Name: a.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: f, Section: .text, Value: 0x1000, Size: 8, Type: STT_FUNC }
  - { Name: limit, Index: SHN_ABS, Value: 0x77, Binding: STB_GLOBAL }
  - { Name: far, Binding: STB_WEAK }
)");
}

/// The messages that reading gives, one a line.
std::string messagesOf(const Bytes &bytes) {
  Diagnostics diag;
  const std::optional<LinkedFile> file =
      readLinkedFile("x.elf", bytes, {}, diag);
  EXPECT_NE(file.has_value(), diag.failed());
  std::string text;
  for (const Diagnostic &d : diag.all())
    text += d.text + "\n";
  return text;
}

uint64_t field(const Bytes &bytes, uint32_t section, unsigned at) {
  return sectionHeaderOffset(bytes, section) + at;
}

TEST(LinkedFile, IsRead) {
  const Bytes bytes = executable();
  Diagnostics diag;
  const std::optional<LinkedFile> file =
      readLinkedFile("x.elf", bytes, {}, diag);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->target->name, StringRef("nyuzi"));
  EXPECT_TRUE(file->hasAddresses());
  ASSERT_EQ(file->segments.size(), 1u);
  EXPECT_EQ(file->segments[0].address, 0x1000u);
  ASSERT_GT(file->sections.size(), 2u);
  EXPECT_EQ(file->sections[1].name, ".text");
  EXPECT_EQ(file->sections[1].data.size(), 8u);
  ASSERT_EQ(file->symbols.size(), 4u);
  EXPECT_EQ(file->symbols[1].name, "f");
  EXPECT_EQ(file->symbols[1].file, "a.c");
  EXPECT_EQ(file->offsetOf(file->symbols[1]), 0u);
  EXPECT_EQ(file->symbols[2].section, LinkedFile::kAbsolute);
  EXPECT_EQ(file->symbols[2].file, "");
  EXPECT_EQ(file->symbols[3].section, LinkedFile::kUndefined);
  ASSERT_EQ(file->relocations.size(), 1u);
  EXPECT_EQ(file->relocations[0].offset, 4u);
  EXPECT_EQ(file->relocations[0].addend, 2);
  EXPECT_EQ(file->symbols[file->relocations[0].symbol].name, "f");
}

TEST(LinkedFile, SectionBeyondTheEnd) {
  Bytes bytes = executable();
  poke(bytes, field(bytes, 1, 0x14), 0x7fffffff, 4);
  EXPECT_EQ(messagesOf(bytes),
            "x.elf: section 1 (.text): sh_offset 0x54 and sh_size 0x7fffffff "
            "lead beyond the end of the file (" +
                hex(bytes.size()) + " bytes)\n");
}

TEST(LinkedFile, SectionBeyondTheAddressSpace) {
  Bytes bytes = objectFromYaml(yamlHeader("aphelion", "ET_EXEC") + R"(
Sections:
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC ], Address: 0xfffffffffffffff0, Size: 0x20 }
)");
  EXPECT_EQ(messagesOf(bytes),
            "x.elf: section 1 (.bss): sh_addr 0xfffffffffffffff0 and sh_size "
            "0x20 lead beyond the end of the address space\n");
}

// Many sections that share their bytes would make a small file a huge one.
TEST(LinkedFile, SectionsThatOverlap) {
  Bytes bytes = executable();
  poke(bytes, field(bytes, 1, 0x10), 0, 4);
  poke(bytes, field(bytes, 1, 0x14), bytes.size(), 4);
  EXPECT_EQ(messagesOf(bytes), "x.elf: section 2 (.rela.text): sections take "
                               "more bytes together than the file has\n");
}

TEST(LinkedFile, NamesOutsideOfTheirTable) {
  Bytes bytes = executable();
  poke(bytes, field(bytes, 1, 0), 0x1000, 4);
  EXPECT_EQ(messagesOf(bytes), "x.elf: section header 1: sh_name 0x1000 is not "
                               "in the table of section names\n");
  bytes = executable();
  const uint64_t symbols =
      *reinterpret_cast<uint32_t *>(&bytes[field(bytes, 3, 0x10)]);
  poke(bytes, symbols + 32, 0x1000, 4);
  EXPECT_EQ(messagesOf(bytes), "x.elf: section 3 (.symtab): symbol 2: st_name "
                               "0x1000 is not in the table of symbol names\n");
  bytes = executable();
  poke(bytes, symbols + 32 + 14, 0x123, 2);
  EXPECT_EQ(messagesOf(bytes),
            "x.elf: section 3 (.symtab): symbol 2: section 291 does not "
            "exist\n");
  bytes = executable();
  poke(bytes, symbols + 32 + 14, 0xffff, 2);
  EXPECT_EQ(messagesOf(bytes),
            "x.elf: section 3 (.symtab): symbol 2: SHN_XINDEX without an entry "
            "in SHT_SYMTAB_SHNDX\n");
}

TEST(LinkedFile, RelocationsOutsideOfTheirSection) {
  Bytes bytes = executable();
  const uint64_t table =
      *reinterpret_cast<uint32_t *>(&bytes[field(bytes, 2, 0x10)]);
  poke(bytes, table, 0x1006, 4);
  EXPECT_EQ(messagesOf(bytes), "x.elf: section 2 (.rela.text): relocation 0: "
                               "r_offset 0x1006 is not in section 1 (.text)\n");
  poke(bytes, table, 0x1004, 4);
  poke(bytes, table + 4, 0x901, 4);
  EXPECT_EQ(messagesOf(bytes), "x.elf: section 2 (.rela.text): relocation 0: "
                               "symbol 9 does not exist\n");
}

TEST(LinkedFile, SegmentBeyondTheEnd) {
  Bytes bytes = executable();
  poke(bytes, 0x34 + 4, 0xfffffff0, 4);
  EXPECT_EQ(messagesOf(bytes),
            "x.elf: program header 0: p_offset 0xfffffff0 and p_filesz 0x8 "
            "lead beyond the end of the file (" +
                hex(bytes.size()) + " bytes)\n");
}

// A file of segments alone has what they load.
TEST(LinkedFile, WithoutSectionHeaders) {
  Bytes bytes = executable();
  poke(bytes, 0x20, 0, 4);
  poke(bytes, 0x30, 0, 2);
  poke(bytes, 0x32, 0, 2);
  Diagnostics diag;
  const std::optional<LinkedFile> file =
      readLinkedFile("x.elf", bytes, {}, diag);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->hasSectionHeaders);
  ASSERT_EQ(file->sections.size(), 2u);
  EXPECT_EQ(file->sections[1].name, "segment 0");
  EXPECT_EQ(file->sections[1].data.size(), 8u);
  EXPECT_TRUE(file->sections[1].isCode());
}

TEST(LinkedFile, Empty) {
  EXPECT_EQ(messagesOf({}), "x.elf: ELF header: no ELF file\n");
}

} // namespace
} // namespace xlink::test
