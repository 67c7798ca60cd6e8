//===- EmitRelocationsTest.cpp - what relocations of -q say ---------------===//
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
  configure(*target, {}, {header}, state, messages);
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
    if (row->usesBaseSymbol())
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

} // namespace
} // namespace xlink::test
