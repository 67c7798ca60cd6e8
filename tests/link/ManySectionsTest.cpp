//===- ManySectionsTest.cpp - more sections than 16 bits can count --------===//
//
// gABI: from SHN_LORESERVE (0xff00) on, e_shnum and e_shstrndx stand in section
// header 0 and symbols find their section through SHT_SYMTAB_SHNDX. Here an
// object of 66,000 sections goes in and a file with as many comes out.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace llvm;
using object::ELF32LE;

namespace xlink::test {
namespace {

constexpr unsigned kCount = 66000;

template <class T> void append(Bytes &to, const T &value) {
  const auto *p = reinterpret_cast<const uint8_t *>(&value);
  to.insert(to.end(), p, p + sizeof(T));
}

std::string sectionName(unsigned i) { return ".d" + std::to_string(i); }

/// Sections .d1 to .d66000 of four bytes each, their own number; `last` is in
/// the last one and .d1 has its address added.
Bytes hugeObject() {
  Bytes contents(sizeof(ELF32LE::Ehdr));
  Bytes headers;
  std::string names(1, '\0');
  auto section = [&](StringRef name, uint32_t type, uint32_t flags,
                     ArrayRef<uint8_t> data, uint32_t link = 0,
                     uint32_t info = 0, uint32_t entsize = 0) {
    ELF32LE::Shdr sh;
    memset(&sh, 0, sizeof sh);
    if (!name.empty()) {
      sh.sh_name = uint32_t(names.size());
      names += name.str() + '\0';
    }
    sh.sh_type = type;
    sh.sh_flags = flags;
    sh.sh_offset = uint32_t(contents.size());
    sh.sh_size = uint32_t(data.size());
    sh.sh_link = link;
    sh.sh_info = info;
    sh.sh_addralign = 4;
    sh.sh_entsize = entsize;
    contents.insert(contents.end(), data.begin(), data.end());
    contents.resize((contents.size() + 3) & ~size_t(3));
    append(headers, sh);
  };
  section("", ELF::SHT_NULL, 0, {});
  for (unsigned i = 1; i <= kCount; ++i) {
    uint8_t number[4];
    support::endian::write32le(number, i);
    section(sectionName(i), ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_WRITE,
            number);
  }
  const uint32_t symtab = kCount + 1, strtab = kCount + 2;

  Bytes symbols(2 * sizeof(ELF32LE::Sym)), indices;
  auto *last = reinterpret_cast<ELF32LE::Sym *>(symbols.data()) + 1;
  last->st_name = 1;
  last->st_value = 0;
  last->st_size = 0;
  last->st_info = ELF::STB_GLOBAL << 4;
  last->st_other = 0;
  last->st_shndx = ELF::SHN_XINDEX;
  append(indices, support::ulittle32_t(0));
  append(indices, support::ulittle32_t(kCount));
  section(".symtab", ELF::SHT_SYMTAB, 0, symbols, strtab, 1,
          sizeof(ELF32LE::Sym));
  const uint8_t symbolNames[] = "\0last";
  section(".strtab", ELF::SHT_STRTAB, 0, symbolNames);
  section(".symtab_shndx", ELF::SHT_SYMTAB_SHNDX, 0, indices, symtab, 0, 4);
  Bytes relocation;
  append(relocation, support::ulittle32_t(0));          // r_offset
  append(relocation, support::ulittle32_t(1 << 8 | 1)); // last, ABS32
  append(relocation, support::ulittle32_t(0));          // r_addend
  section(".rela.d1", ELF::SHT_RELA, 0, relocation, symtab, 1, 12);
  const uint32_t shstrndx = kCount + 5;
  Bytes table(names.begin(), names.end());
  section("", ELF::SHT_STRTAB, 0, table);

  auto *null = reinterpret_cast<ELF32LE::Shdr *>(headers.data());
  null->sh_size = kCount + 6;
  null->sh_link = shstrndx;
  null->sh_offset = 0;
  null->sh_addralign = 0;
  ELF32LE::Ehdr eh;
  memset(&eh, 0, sizeof eh);
  memcpy(eh.e_ident, ELF::ElfMagic, 4);
  eh.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS32;
  eh.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  eh.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  eh.e_type = ELF::ET_REL;
  eh.e_machine = 9999;
  eh.e_version = ELF::EV_CURRENT;
  eh.e_shoff = uint32_t(contents.size());
  eh.e_ehsize = sizeof eh;
  eh.e_shentsize = sizeof(ELF32LE::Shdr);
  eh.e_shstrndx = ELF::SHN_XINDEX;
  memcpy(contents.data(), &eh, sizeof eh);
  contents.insert(contents.end(), headers.begin(), headers.end());
  return contents;
}

/// The real section index of the symbol-table entry named `name`.
uint32_t extendedIndex(const OutFile &out, StringRef name) {
  const OutSection *table = out.section(".symtab_shndx");
  for (size_t i = 0; i < out.symbols.size(); ++i)
    if (out.symbols[i].name == name) {
      if (out.symbols[i].shndx != ELF::SHN_XINDEX)
        return out.symbols[i].shndx;
      return table && table->bytes.size() >= 4 * i + 4
                 ? support::endian::read32le(&table->bytes[4 * i])
                 : 0;
    }
  return 0;
}

TEST(ManySections, MergedIntoOne) {
  LinkHarness links;
  links.file("huge.o", hugeObject());
  links.file("x.ld", "SECTIONS { .data 0x1000 : { *(.d*) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "huge.o"}));
  EXPECT_FALSE(out.section(".symtab_shndx"));
  const OutSection *data = out.section(".data");
  ASSERT_TRUE(data);
  ASSERT_EQ(data->size, 4u * kCount);
  EXPECT_EQ(out.value("last"), 0x1000 + 4u * (kCount - 1));
  EXPECT_EQ(out.word(0x1000), out.value("last"));
  EXPECT_EQ(out.word(0x1000 + 4 * 40000), 40001u);
}

TEST(ManySections, AsManyInTheOutput) {
  OutFile out = quiet(
      LinkHarness().file("huge.o", hugeObject()).link({"-e", "0", "huge.o"}));
  // The sections, .comment, .symtab, .symtab_shndx, .shstrtab, .strtab.
  ASSERT_EQ(out.sections.size(), 1u + kCount + 5u);
  EXPECT_EQ(out.sections[0].size, out.sections.size());
  uint32_t index = extendedIndex(out, "last");
  ASSERT_LT(index, out.sections.size());
  EXPECT_GE(index, unsigned(ELF::SHN_LORESERVE));
  EXPECT_EQ(out.sections[index].name, sectionName(kCount));
  EXPECT_EQ(out.sections[index].address, out.value("last"));
  const OutSection *first = out.section(".d1");
  ASSERT_TRUE(first);
  EXPECT_EQ(out.word(first->address), out.value("last"));
}

// e_phnum has no way out that loaders of these machines know.
TEST(ManySections, TooManySegments) {
  LinkHarness links;
  links.file("huge.o", hugeObject());
  std::string script = "SECTIONS {\n";
  for (unsigned i = 1; i <= kCount; ++i)
    script += sectionName(i) + " " + std::to_string(0x2000ull * i) + " : { *(" +
              sectionName(i) + ") }\n";
  links.file("x.ld", script + "}");
  expectFailure(links.link({"-e", "0", "-n", "-T", "x.ld", "huge.o"}),
                "xlink: error: the output would have 66000 program headers; an "
                "ELF header counts up to 65534\n");
}

} // namespace
} // namespace xlink::test
