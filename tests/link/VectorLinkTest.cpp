//===- VectorLinkTest.cpp - golden vectors as whole links -----------------===//
//
// Every row of testdata/vectors is linked: one object holds the bytes before at
// the row's place with a relocation against a symbol of a second object. So the
// reader, the resolver, the layout and the writer must agree with the table,
// and not only its arithmetic.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "support/LinkHarness.h"
#include "support/VectorFile.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// Where the section stands in rows that leave the place open: in the first
/// region of tile memory of every architecture.
constexpr uint64_t kFreePlace = 0x50000;

/// A row with its place.
struct VectorLink : VectorRow {
  explicit VectorLink(const VectorRow &row)
      : VectorRow(row), P(row.P.value_or(kFreePlace)) {}
  uint64_t P;
};

std::string hexWord(uint64_t value) { return "0x" + utohexstr(value, true); }

/// The row's bytes between bytes that no relocation may touch. None in front
/// when the place is 0: no address is left there.
struct Unit {
  static constexpr uint8_t kFront = 0xa5, kBack = 0x5a;
  uint64_t front, back = 4;

  explicit Unit(const VectorLink &row) : front(std::min<uint64_t>(row.P, 8)) {}
  std::string around(StringRef bytes) const {
    return std::string(front, char(kFront)) + bytes.str() +
           std::string(back, char(kBack));
  }
};

/// Sections of `link` that stand where the row's base symbols have their value.
struct BaseSections {
  std::string yaml;
  std::vector<std::string> arguments;
};

/// A base symbol marks the first section with its flag, so one such section at
/// the base gives the symbol the row's value.
BaseSections baseSections(const RelocationRow &relocation, const Target &target,
                          const VectorLink &row) {
  BaseSections out;
  if (!row.base || !relocation.usesBaseSymbol())
    return out;
  const BaseSymbol &symbol = target.baseSymbols[relocation.base];
  out.yaml = std::string("  - Name: ") + symbol.section +
             "\n    Type: SHT_PROGBITS\n    ShFlags: " +
             hexWord(symbol.sectionFlag | 2) +
             "\n    AddressAlign: 4\n    Content: \"00000000\"\n";
  out.arguments = {std::string("--section-start=") + symbol.section + "=" +
                   hexWord(*row.base)};
  return out;
}

const RelocationRow *findRow(const Target &target, StringRef name) {
  for (const RelocationRow &row : target.relocations)
    if (name == row.name)
      return &row;
  return nullptr;
}

/// Links the row. `defsym`: base symbols come from the command line instead of
/// from sections.
Linked linkRow(const Target &target, const RelocationRow &relocation,
               const VectorLink &row, bool defsym) {
  Unit unit(row);
  BaseSections bases = baseSections(relocation, target, row);
  if (defsym && !bases.arguments.empty())
    bases = {"",
             {std::string("--defsym=") +
              target.baseSymbols[relocation.base].name + "=" +
              hexWord(*row.base)}};

  std::string place = R"(Sections:
  - Name: .vector
    Type: SHT_PROGBITS
    Flags: [ SHF_ALLOC, SHF_EXECINSTR ]
    AddressAlign: 1
    Content: ")" + toHex(unit.around(row.before)) +
                      R"("
  - Name: .rela.vector
    Type: SHT_RELA
    Info: .vector
    Relocations:
      - { Offset: )" + hexWord(unit.front) +
                      ", Symbol: target, Type: " + hexWord(relocation.number) +
                      ", Addend: " + std::to_string(row.A) + " }\n" +
                      bases.yaml +
                      "Symbols:\n  - { Name: target, Binding: STB_GLOBAL }\n";
  std::string symbol = "Symbols:\n  - { Name: target, Index: SHN_ABS, Binding: "
                       "STB_GLOBAL, Value: " +
                       hexWord(row.S) + " }\n";

  LinkHarness harness;
  harness.file("place.o", machineObject(target.name, place))
      .file("symbol.o", machineObject(target.name, symbol));
  // Rows that stand at 0 may meet what a default script puts there.
  std::vector<std::string> arguments = {"-m",
                                        target.name,
                                        "-e",
                                        "0",
                                        "--no-check-sections",
                                        "place.o",
                                        "symbol.o",
                                        "--section-start=.vector=" +
                                            hexWord(row.P - unit.front)};
  if (!row.cpu.empty())
    arguments.push_back("--mcpu=" + row.cpu);
  for (std::string &argument : bases.arguments)
    arguments.push_back(argument);
  return harness.link(arguments);
}

void checkRow(const Target &target, const VectorLink &row, bool defsym) {
  const RelocationRow *relocation = findRow(target, row.relocation);
  ASSERT_TRUE(relocation);
  Linked linked = linkRow(target, *relocation, row, defsym);
  if (!row.refusal.empty()) {
    EXPECT_EQ(linked.status, 1);
    EXPECT_TRUE(linked.files.empty()) << "an output was written";
    EXPECT_TRUE(StringRef(linked.errors).contains(row.refusal))
        << linked.errors;
    EXPECT_TRUE(StringRef(linked.errors).contains(row.relocation))
        << linked.errors;
    return;
  }
  ASSERT_EQ(linked.status, 0) << linked.errors;
  EXPECT_EQ(linked.errors, "");
  OutFile out(linked.image());
  const OutSection *section = out.section(".vector");
  ASSERT_TRUE(section);
  Unit unit(row);
  EXPECT_EQ(section->address, row.P - unit.front);
  EXPECT_EQ(toHex(section->bytes, /*LowerCase=*/true),
            toHex(unit.around(row.after), /*LowerCase=*/true));
}

class VectorLinks : public testing::TestWithParam<const Target *> {};

TEST_P(VectorLinks, GiveTheirBytes) {
  const Target &target = *GetParam();
  const std::vector<VectorRow> rows = readVectors(target.name);
  for (const VectorRow &vector : rows) {
    SCOPED_TRACE(vector.line);
    const VectorLink row(vector);
    checkRow(target, row, /*defsym=*/false);
    if (row.base)
      checkRow(target, row, /*defsym=*/true);
  }
  RecordProperty("rows", int(rows.size()));
}

INSTANTIATE_TEST_SUITE_P(Machines, VectorLinks,
                         testing::ValuesIn(allTargets().begin(),
                                           allTargets().end()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
} // namespace xlink::test
