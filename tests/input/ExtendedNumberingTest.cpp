//===- ExtendedNumberingTest.cpp - more than 65,279 sections --------------===//
//
// The count then stands in sh_size of section 0, the name table's index in its
// sh_link, and symbols find their sections through SHT_SYMTAB_SHNDX.
//
//===----------------------------------------------------------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;
using llvm::object::ELF32LE;

/// `content` sections of 4 bytes, then .symtab (a symbol "far" in the last of
/// them), .symtab_shndx and .strtab.
static Bytes manySections(uint32_t content, bool withIndices = true) {
  const char strings[] = "\0far\0.text";
  uint32_t count = content + 4;
  std::vector<ELF32LE::Shdr> headers(count);
  std::vector<ELF32LE::Sym> symbols(2);
  std::vector<uint32_t> indices = {0, content};
  std::memset(headers.data(), 0, count * sizeof(headers[0]));
  std::memset(symbols.data(), 0, 2 * sizeof(symbols[0]));
  symbols[1].st_name = 1;
  symbols[1].st_info = STB_GLOBAL << 4;
  symbols[1].st_shndx = SHN_XINDEX;

  Bytes bytes(sizeof(ELF32LE::Ehdr));
  auto append = [&](uint32_t index, uint32_t type, const void *data,
                    uint32_t size, uint32_t link, uint32_t entrySize) {
    ELF32LE::Shdr &h = headers[index];
    h.sh_name = 5;
    h.sh_type = type;
    h.sh_offset = bytes.size();
    h.sh_size = size;
    h.sh_link = link;
    h.sh_entsize = entrySize;
    auto *from = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), from, from + size);
  };
  for (uint32_t i = 1; i <= content; ++i)
    append(i, SHT_PROGBITS, "abcd", 4, 0, 0);
  append(content + 1, SHT_SYMTAB, symbols.data(), 32, content + 3, 16);
  append(content + 2, withIndices ? SHT_SYMTAB_SHNDX : SHT_PROGBITS,
         indices.data(), 8, content + 1, 4);
  append(content + 3, SHT_STRTAB, strings, sizeof(strings), 0, 0);
  headers[0].sh_size = count;
  headers[0].sh_link = content + 3;

  ELF32LE::Ehdr header;
  std::memset(&header, 0, sizeof(header));
  std::memcpy(header.e_ident,
              "\x7f"
              "ELF\1\1\1",
              7);
  header.e_type = ET_REL;
  header.e_machine = 9999;
  header.e_shoff = bytes.size();
  header.e_shentsize = sizeof(ELF32LE::Shdr);
  header.e_shnum = 0;
  header.e_shstrndx = SHN_XINDEX;
  std::memcpy(bytes.data(), &header, sizeof(header));
  auto *from = reinterpret_cast<const uint8_t *>(headers.data());
  bytes.insert(bytes.end(), from, from + count * sizeof(headers[0]));
  return bytes;
}

TEST(ExtendedNumbering, SectionsBeyondTheReservedIndices) {
  Read r = read("nyuzi", manySections(70000));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->sections.size(), 70001u); // without tables
  EXPECT_EQ(r.object->sections[70000].name, ".text");
  const ParsedSymbol *far = r.symbol("far");
  EXPECT_EQ(far->place, SymbolPlace::Section);
  EXPECT_EQ(far->section, 70000u);
}

TEST(ExtendedNumbering, WorksForSmallFilesToo) {
  Read r = read("nyuzi", manySections(3));
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.symbol("far")->section, 3u);
}

TEST(ExtendedNumbering, SymbolsNeedTheTableOfIndices) {
  EXPECT_THAT(read("nyuzi", manySections(3, false)).errors,
              ElementsAre("a.o: symbol 1 (far): st_shndx is SHN_XINDEX, but "
                          "there is no SHT_SYMTAB_SHNDX section"));
}

TEST(ExtendedNumbering, IndicesAreChecked) {
  Bytes bytes = manySections(3);
  poke(bytes, 52 + 3 * 4 + 32 + 4, 0xffffffff, 4);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: symbol 1 (far): st_shndx 4294967295 is not a "
                          "section index (7 sections)"));
}

TEST(ExtendedNumbering, TheTableOfIndicesMustCoverAllSymbols) {
  Bytes bytes = manySections(3);
  uint64_t headers = bytes.size() - 7 * 40;
  poke(bytes, headers + 5 * 40 + 20, 4, 4); // sh_size
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: section header 5 (.text): sh_size 0x4 is too "
                          "small for the 2 symbols of section header 4"));
}

TEST(ExtendedNumbering, CountsAndNameTablesAreChecked) {
  Bytes bytes = manySections(3);
  uint64_t headers = bytes.size() - 7 * 40;
  poke(bytes, headers + 20, 8, 4);
  EXPECT_THAT(
      read("nyuzi", bytes).errors,
      ElementsAre("a.o: ELF header: e_shoff 0x73 + 8 section headers of "
                  "0x28 bytes is beyond the end of the file (0x18b "
                  "bytes)"));
  poke(bytes, headers + 20, 7, 4);
  poke(bytes, headers + 24, 7, 4);
  EXPECT_THAT(read("nyuzi", bytes).errors,
              ElementsAre("a.o: section header 0: sh_link (e_shstrndx) 7 is "
                          "not a section index (7 sections)"));
}
