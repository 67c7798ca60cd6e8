//===- RegistryTest.cpp - the machines and their declarations
//--------------===//

#include "Machines.h"
#include "gmock/gmock.h"

using namespace xlink;
using testing::ElementsAre;
using testing::StrEq;

namespace {

TEST(Registry, ListsTheMachines) {
  std::vector<std::string> names;
  for (const Target *target : allTargets())
    names.push_back(target->name);
  EXPECT_THAT(names,
              ElementsAre("xs1", "nyuzi", "aphelion", "dpu", "colossus"));
}

TEST(Registry, FindsByNameAndAlias) {
  for (const Target *target : allTargets())
    EXPECT_EQ(findTarget(target->name), target);
  EXPECT_EQ(findTarget("ipu"), findTarget("colossus"));
  EXPECT_EQ(findTarget("x86"), nullptr);
  EXPECT_EQ(findTarget(""), nullptr);
}

TEST(Registry, FindsByElfIdentity) {
  EXPECT_EQ(findTarget(false, false, 203), &machine("xs1"));
  EXPECT_EQ(findTarget(false, false, 0xB49E), &machine("xs1"));
  EXPECT_EQ(findTarget(false, false, 9999), &machine("nyuzi"));
  EXPECT_EQ(findTarget(true, false, 0xA9E1), &machine("aphelion"));
  EXPECT_EQ(findTarget(false, false, 245), &machine("dpu"));
  EXPECT_EQ(findTarget(false, false, 248), &machine("colossus"));
  EXPECT_EQ(findTarget(false, false, 0xA9E1), nullptr); // the class counts
  EXPECT_EQ(findTarget(false, true, 203), nullptr);     // and the byte order
  EXPECT_EQ(findTarget(true, false, 203), nullptr);
  EXPECT_EQ(findTarget(false, false, 62), nullptr);
}

TEST(Registry, MachinesAreComplete) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    EXPECT_GT(std::string(target->description).size(), 0u);
    EXPECT_FALSE(target->machines.empty());
    EXPECT_FALSE(target->entries.empty());
    EXPECT_GE(target->segmentFileAlign, 1u);
    EXPECT_EQ(target->attributesType != 0, target->attributesVendor != nullptr);
    for (const RelocationRow &row : target->relocations) {
      if (row.subtractsBase()) {
        EXPECT_LT(row.base, row.usesBaseSymbol() ? target->baseSymbols.size()
                                                 : target->bases.size());
      }
    }
  }
}

TEST(Registry, PolicyOfSegments) {
  for (const Target *target : allTargets()) {
    std::string name = target->name;
    EXPECT_EQ(target->noloadInSegments, name != "dpu");
    EXPECT_EQ(target->keepSymbolOnlySections, name == "dpu");
    EXPECT_EQ(target->gapSectionsHaveBytes, name == "dpu");
    EXPECT_EQ(target->segmentFileAlign, name == "nyuzi" ? 4u : 1u);
    EXPECT_EQ(target->retainFlag, name == "xs1" ? 0u : 0x200000u);
    EXPECT_EQ(target->gotSlotSize, name == "nyuzi" ? 4u : 0u);
  }
  EXPECT_EQ(machine("xs1").maxPageSize, 4u);
  EXPECT_EQ(machine("nyuzi").maxPageSize, 0x1000u);
  EXPECT_EQ(machine("aphelion").maxPageSize, 0x1000u);
  EXPECT_EQ(machine("dpu").maxPageSize, 8u);
  EXPECT_EQ(machine("colossus").maxPageSize, 4u);
}

TEST(Registry, EntriesInOrder) {
  EXPECT_THAT(machine("dpu").entries,
              ElementsAre(StrEq("__bootstrap"), StrEq("_start")));
  EXPECT_THAT(machine("nyuzi").entries, ElementsAre(StrEq("_start")));
}

TEST(Registry, XS1Declarations) {
  const Target &xs1 = machine("xs1");
  ASSERT_EQ(xs1.baseSymbols.size(), 2u);
  EXPECT_STREQ(xs1.baseSymbols[0].name, "_cp");
  EXPECT_EQ(xs1.baseSymbols[0].sectionFlag, 0x20000000u);
  EXPECT_STREQ(xs1.baseSymbols[0].section, ".cp.rodata");
  EXPECT_STREQ(xs1.baseSymbols[1].name, "_dp");
  EXPECT_EQ(xs1.baseSymbols[1].sectionFlag, 0x10000000u);
  EXPECT_STREQ(xs1.baseSymbols[1].section, ".dp.data");
  EXPECT_EQ(xs1.exprSectionType, 0x14u);
  EXPECT_EQ(xs1.pieceSectionType, 0x60000000u);
  EXPECT_EQ(xs1.removablePieceFlag, 0x100000u);
  EXPECT_THAT(xs1.ignoredTypes, ElementsAre(0x15u));
  EXPECT_TRUE(xs1.sectionSymbols.empty());
  // The base a row names is the base its name says.
  for (const RelocationRow &row : xs1.relocations) {
    if (row.formula == Formula::BaseRel) {
      EXPECT_EQ(llvm::StringRef(row.name).contains("_CP_"),
                llvm::StringRef(xs1.baseSymbols[row.base].name) == "_cp");
    }
  }
}

TEST(Registry, XS1ExpressionOperators) {
  std::vector<std::pair<uint32_t, ExprOp>> meaning;
  for (const ExprOperator &op : machine("xs1").exprOperators) {
    if (op.op != ExprOp::Statement)
      meaning.push_back({op.number, op.op});
    EXPECT_EQ(
        assigns(op.op),
        op.number <= 4 || (op.number >= 6 && op.number <= 10) ||
            llvm::is_contained({28u, 52u, 55u, 58u, 60u, 64u}, op.number));
  }
  using E = ExprOp;
  EXPECT_THAT(
      meaning,
      ElementsAre(std::pair(1u, E::Add), std::pair(2u, E::Max),
                  std::pair(3u, E::Mul), std::pair(4u, E::Sub),
                  std::pair(5u, E::Assert), std::pair(6u, E::AlignUp),
                  std::pair(7u, E::Less), std::pair(8u, E::Greater),
                  std::pair(9u, E::LessEqual), std::pair(10u, E::GreaterEqual),
                  std::pair(12u, E::Calls), std::pair(13u, E::Passed),
                  std::pair(15u, E::Reads), std::pair(16u, E::Writes),
                  std::pair(17u, E::StackWords), std::pair(19u, E::Threads),
                  std::pair(20u, E::Timers), std::pair(21u, E::ChannelEnds),
                  std::pair(25u, E::Parallel), std::pair(27u, E::VisibleName),
                  std::pair(28u, E::Defined), std::pair(33u, E::Block),
                  std::pair(34u, E::AlignLabel), std::pair(37u, E::TypeString),
                  std::pair(41u, E::KeptBy), std::pair(43u, E::BelongsTo),
                  std::pair(52u, E::AlignUp), std::pair(55u, E::Divide),
                  std::pair(58u, E::Select), std::pair(59u, E::Element),
                  std::pair(60u, E::SetMax), std::pair(64u, E::SetSum)));
}

TEST(Registry, NyuziSectionSymbols) {
  std::vector<std::string> symbols;
  for (const SectionSymbol &symbol : machine("nyuzi").sectionSymbols)
    symbols.push_back(std::string(symbol.name) + " " + symbol.section +
                      (symbol.atEnd ? " end" : " start"));
  EXPECT_THAT(symbols, ElementsAre("_GLOBAL_OFFSET_TABLE_ .got start",
                                   "__init_array_start .init_array start",
                                   "__init_array_end .init_array end"));
}

} // namespace
