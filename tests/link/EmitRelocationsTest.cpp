//===- EmitRelocationsTest.cpp - -q: programs that keep relocations -------===//
#include "arch/Target.h"
#include "link/Goldens.h"
#include "link/Linking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

namespace xlink::test {
namespace {

/// A relocation of a linked file.
struct Kept {
  uint64_t place;
  uint32_t type;
  uint64_t symbol; ///< its value
  int64_t addend;
  const OutSection *section;
  uint64_t target() const { return symbol + uint64_t(addend); }
};

std::vector<Kept> keptIn(const OutFile &out) {
  std::vector<Kept> list;
  for (const OutSection &s : out.sections) {
    if (s.type != ELF::SHT_RELA)
      continue;
    EXPECT_EQ(out.sections[s.link].type, unsigned(ELF::SHT_SYMTAB));
    EXPECT_EQ(s.flags, unsigned(ELF::SHF_INFO_LINK));
    const size_t size = out.is64 ? 24 : 12;
    for (size_t at = 0; at + size <= s.bytes.size(); at += size) {
      const uint8_t *e = s.bytes.data() + at;
      if (out.is64) {
        const uint64_t info = read64le(e + 8);
        list.push_back({read64le(e), uint32_t(info),
                        out.symbols.at(info >> 32).value,
                        int64_t(read64le(e + 16)), &out.sections.at(s.info)});
      } else {
        const uint32_t info = read32le(e + 4);
        list.push_back({read32le(e), info & 0xff,
                        out.symbols.at(info >> 8).value,
                        int32_t(read32le(e + 8)), &out.sections.at(s.info)});
      }
    }
  }
  return list;
}

class EmitRelocations : public testing::TestWithParam<std::string> {};

// Beside its relocations the program is the same: loaded bytes, addresses,
// global symbols.
TEST_P(EmitRelocations, ChangesNothingElse) {
  Golden golden(GetParam());
  Linked plain = golden.harness.link(golden.arguments);
  std::vector<std::string> arguments = golden.arguments;
  arguments.push_back("-q");
  OutFile with = quiet(golden.harness.link(arguments));
  OutFile without = quiet(plain);
  EXPECT_FALSE(keptIn(with).empty());
  EXPECT_EQ(layoutOf(with), layoutOf(without));
  EXPECT_EQ(segmentsOf(with), segmentsOf(without));
  for (const OutSection &s : without.sections)
    if (s.flags & ELF::SHF_ALLOC) {
      EXPECT_EQ(bytesOf(with, s.name), bytesOf(without, s.name));
    }
  for (const OutSymbol &s : without.symbols)
    if (s.binding == ELF::STB_GLOBAL) {
      EXPECT_EQ(with.value(s.name), s.value) << s.name;
    }
  EXPECT_EQ(with.entry, without.entry);
}

// Place, symbol and addend of each relocation give what its field holds.
TEST_P(EmitRelocations, SayWhatFieldsHold) {
  Golden golden(GetParam());
  golden.arguments.push_back("-q");
  OutFile out = quiet(golden.harness.link(golden.arguments));
  const Target *target = nullptr;
  for (const Target *t : allTargets())
    if (is_contained(t->machines, out.machine) && t->is64 == out.is64)
      target = t;
  ASSERT_TRUE(target);
  TargetState state;
  std::vector<TargetMessage> messages;
  // Where fields count from may depend on the architecture in e_flags.
  InputHeader header;
  header.machine = out.machine;
  header.flags = out.flags;
  target->configure({}, {header}, state, messages);
  unsigned checked = 0;
  for (const Kept &kept : keptIn(out)) {
    const RelocationRow *row = findRelocation(*target, kept.type);
    ASSERT_TRUE(row) << kept.type;
    if (!row->hasField() || row->formula == Formula::GotOffset)
      continue;
    RelocationOperands operands;
    operands.S = kept.symbol;
    operands.A = kept.addend;
    operands.place = kept.place;
    operands.alloc = kept.section->flags & ELF::SHF_ALLOC;
    operands.inSection = true;
    if (row->formula == Formula::BaseRel && row->base != kFieldBase)
      operands.base = out.value(target->baseSymbols[row->base].name);
    const RelocationOutcome outcome = evaluate(*row, *target, state, operands);
    EXPECT_EQ(outcome.fault, RelocationFault::None) << row->name;
    const uint64_t at = kept.place - kept.section->address;
    ASSERT_LE(at + row->bytes, kept.section->bytes.size());
    Bytes bytes = kept.section->bytes;
    deposit(*row, outcome.V, bytes.data() + at);
    EXPECT_TRUE(bytes == kept.section->bytes) << row->name << " at " << at;
    ++checked;
  }
  EXPECT_NE(checked, 0u);
}

INSTANTIATE_TEST_SUITE_P(Links, EmitRelocations, testing::ValuesIn(goldens()),
                         [](const auto &info) {
                           return goldenTestName(info.param);
                         });

std::string textOf(const std::vector<Kept> &list) {
  std::string text;
  for (const Kept &k : list) {
    char line[64];
    snprintf(line, sizeof line, "%s%llx:%u->%llx", text.empty() ? "" : " ",
             (unsigned long long)k.place, k.type,
             (unsigned long long)k.target());
    text += line;
  }
  return text;
}

// Of equal strings one stays: relocations say where that is.
TEST(EmitRelocation, FollowsMergedStrings) {
  auto object = [](StringRef name) {
    return nyuzi((R"(
Sections:
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '61006200' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: .rodata.str, Type: 1, Addend: 2 }, { Offset: 4, Symbol: .rodata.str, Type: 1 } ] }
Symbols:
  - { Name: .rodata.str, Type: STT_SECTION, Section: .rodata.str }
  - { Name: )" + name +
                  ", Section: .data, Binding: STB_GLOBAL }\n")
                     .str());
  };
  LinkHarness links;
  links.file("a.o", object("a"))
      .file("b.o", object("b"))
      .file("s.ld", "SECTIONS { .rodata 0x1000 : { *(.rodata*) } .data 0x2000 "
                    ": { *(.data) } }");
  for (const char *option : {"-q", "--emit-relocs", "-emit-relocs"}) {
    OutFile out =
        quiet(links.link({option, "-T", "s.ld", "-e", "0", "a.o", "b.o"}));
    EXPECT_EQ(textOf(keptIn(out)),
              "2000:1->1002 2004:1->1000 2008:1->1002 200c:1->1000");
    EXPECT_EQ(bytesOf(out, ".data"), "02100000001000000210000000100000");
  }
}

// What was collected has no relocations, and nothing refers to it.
TEST(EmitRelocation, LeavesOutWhatIsNotThere) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
  - { Name: .text.gone, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
  - { Name: .rela.text.gone, Type: SHT_RELA, Info: .text.gone, Relocations: [ { Offset: 0, Symbol: main, Type: 1 } ] }
  - { Name: .debug_x, Type: SHT_PROGBITS, Content: '0000000000000000' }
  - { Name: .rela.debug_x, Type: SHT_RELA, Info: .debug_x, Relocations: [ { Offset: 0, Symbol: gone, Type: 1 }, { Offset: 4, Symbol: main, Type: 1 } ] }
Symbols:
  - { Name: gone, Section: .text.gone }
  - { Name: main, Section: .text, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link(
      {"-q", "--gc-sections", "-e", "main", "-Ttext=0x1000", "a.o"}));
  EXPECT_EQ(textOf(keptIn(out)), "4:1->1000");
  EXPECT_EQ(out.section(".rela.text.gone"), nullptr);
}

// Symbols that relocations name stay, whatever is stripped.
TEST(EmitRelocation, KeepsTheSymbolsThatItNames) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: main, Type: 1 } ] }
Symbols:
  - { Name: local, Section: .text }
  - { Name: main, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("none", "");
  OutFile out = quiet(links.link({"-q", "--retain-symbols-file=none", "-e",
                                  "main", "-Ttext=0x1000", "a.o"}));
  EXPECT_EQ(textOf(keptIn(out)), "1000:1->1000");
  EXPECT_EQ(symbolNames(out), "  | main");
}

} // namespace
} // namespace xlink::test
