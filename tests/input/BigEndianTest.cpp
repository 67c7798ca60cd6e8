//===- BigEndianTest.cpp - objects in the other byte order ----------------===//
//
// The same description as a little-endian and as a big-endian file: the reader
// makes one model of both.
//
//===----------------------------------------------------------------------===//
#include "input/Reading.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

constexpr const char *kBody = R"(
Sections:
  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: f, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text }, { SectionOrType: .rela.text } ] }
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 16, Size: 48 }
  - { Name: .rela.text, Type: SHT_RELA, Flags: [ SHF_GROUP ], Info: .text, Relocations: [ { Offset: 16, Symbol: g, Type: 1, Addend: -4 }, { Offset: 32, Symbol: far, Type: 1, Addend: 0x1234 } ] }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, EntSize: 0x10203, Size: 24 }
  - { Name: .symtab_shndx, Type: SHT_SYMTAB_SHNDX, Link: .symtab, EntSize: 4, Entries: [ 0, 0, 0, 0, 4 ] }
Symbols:
  - { Name: local, Section: .data, Value: 8, Size: 0x1234 }
  - { Name: f, Type: STT_FUNC, Section: .text, Value: 4, Size: 44, Binding: STB_GLOBAL, Other: [ STV_HIDDEN ] }
  - { Name: g, Binding: STB_WEAK }
  - { Name: far, Index: SHN_XINDEX, Value: 16, Binding: STB_GLOBAL }
)";

/// A machine with the other byte order.
Target bigTwin(const char *machine) {
  Target target = *findTarget(StringRef(machine));
  target.isBig = true;
  return target;
}

Bytes bigObject(const char *machine) {
  std::string yaml = yamlHeader(machine) + kBody;
  const size_t at = yaml.find("ELFDATA2LSB");
  yaml.replace(at, 11, "ELFDATA2MSB");
  return objectFromYaml(yaml);
}

void expectSame(const Read &a, const Read &b) {
  ASSERT_TRUE(a.object && b.object);
  ASSERT_EQ(a.object->sections.size(), b.object->sections.size());
  for (auto [s, t] : zip(a.object->sections, b.object->sections)) {
    EXPECT_EQ(s.name, t.name);
    EXPECT_EQ(s.type, t.type);
    EXPECT_EQ(s.flags, t.flags);
    EXPECT_EQ(s.size, t.size);
    EXPECT_EQ(s.align, t.align);
    EXPECT_EQ(s.entsize, t.entsize);
    EXPECT_EQ(s.group, t.group);
  }
  ASSERT_EQ(a.object->symbols.size(), b.object->symbols.size());
  for (auto [s, t] : zip(a.object->symbols, b.object->symbols)) {
    EXPECT_EQ(s.name, t.name);
    EXPECT_EQ(s.value, t.value);
    EXPECT_EQ(s.size, t.size);
    EXPECT_EQ(s.section, t.section);
    EXPECT_EQ(s.place, t.place);
    EXPECT_EQ(s.visibility, t.visibility);
  }
  ASSERT_EQ(b.object->groups.size(), 1u);
  EXPECT_EQ(a.object->groups[0].members, b.object->groups[0].members);
  EXPECT_EQ(b.object->groups[0].signature, "f");
  const auto r = a.relocations(".text"), q = b.relocations(".text");
  ASSERT_EQ(r.size(), 2u);
  ASSERT_EQ(q.size(), 2u);
  for (auto [x, y] : zip(r, q)) {
    EXPECT_EQ(x.offset, y.offset);
    EXPECT_EQ(x.symbol, y.symbol);
    EXPECT_EQ(x.type, y.type);
    EXPECT_EQ(x.addend, y.addend);
  }
}

TEST(BigEndian, TheSameModel) {
  for (const char *machine : {"nyuzi", "aphelion"}) {
    SCOPED_TRACE(machine);
    expectSame(readYaml(machine, kBody),
               read(bigTwin(machine), bigObject(machine)));
  }
}

TEST(BigEndian, OtherOrder) {
  const Target big = bigTwin("nyuzi");
  EXPECT_EQ(read("nyuzi", bigObject("nyuzi")).errors,
            std::vector<std::string>{
                "a.o: big-endian ELF file, but nyuzi is little-endian"});
  EXPECT_EQ(read(big, machineObject("nyuzi", kBody)).errors,
            std::vector<std::string>{
                "a.o: little-endian ELF file, but nyuzi is big-endian"});
}

// Whatever a byte becomes, the reader stays inside of the file.
TEST(BigEndian, ChangedBytes) {
  std::mt19937 random(1);
  for (const char *machine : {"nyuzi", "aphelion"}) {
    const Target big = bigTwin(machine);
    const Bytes whole = bigObject(machine);
    unsigned good = 0, bad = 0;
    for (unsigned i = 0; i < 1000; ++i) {
      Bytes bytes = whole;
      for (unsigned k = random() % 3; k < 3; ++k)
        bytes[random() % bytes.size()] = uint8_t(random());
      ++(read(big, bytes).object ? good : bad);
    }
    EXPECT_GT(good, 50u);
    EXPECT_GT(bad, 50u);
  }
}

} // namespace
} // namespace xlink::test
