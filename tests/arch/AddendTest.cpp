//===- AddendTest.cpp - addends in the field (SHT_REL)
//---------------------===//

#include "Machines.h"

using namespace xlink;

namespace {

std::optional<int64_t> addend(const char *target, const char *relocation,
                              std::vector<uint8_t> unit) {
  unit.resize(16);
  return extractAddend(rowOf(machine(target), relocation), unit.data());
}

TEST(Addend, XS1ScaledUnsigned) {
  EXPECT_EQ(addend("xs1", "R_XCORE1_DP_REL6", {0xe5, 0x58}), 0x25 * 4);
  EXPECT_EQ(addend("xs1", "R_XCORE1_CP_REL20", {0x00, 0xf0, 0x25, 0xe4}),
            0x25 * 4);
  EXPECT_EQ(addend("xs1", "R_XCORE1_CP_REL10", {0xff, 0xe7}), 1023 * 4);
  EXPECT_EQ(addend("xs1", "R_XCORE1_LSIZE20", {0x05, 0xf0, 0x9b, 0x77}), 0x15b);
}

TEST(Addend, XS1SignAndMagnitude) {
  EXPECT_EQ(addend("xs1", "R_XCORE1_REL6", {0x41, 0x71}), 2);
  EXPECT_EQ(addend("xs1", "R_XCORE1_REL6", {0x41, 0x75}), -2);
  EXPECT_EQ(addend("xs1", "R_XCORE1_REL10", {0xff, 0xd7}), -1023 * 2);
  EXPECT_EQ(addend("xs1", "R_XCORE1_REL20", {0xff, 0xf3, 0xff, 0xd3}),
            0xfffff * 2);
  EXPECT_EQ(addend("xs1", "R_XCORE1_REL20", {0x00, 0xf0, 0x00, 0xd4}), 0);
  EXPECT_EQ(addend("xs1", "R_XCORE1_REL10_4", {0x06, 0xdc}), -24);
}

TEST(Addend, WholeFieldsOfEveryMachine) {
  std::vector<uint8_t> minusFour(8, 0xff);
  minusFour[0] = 0xfc;
  EXPECT_EQ(addend("xs1", "R_XCORE1_ADDR32", minusFour), -4);
  EXPECT_EQ(addend("nyuzi", "R_NYUZI_ABS32", minusFour), -4);
  EXPECT_EQ(addend("aphelion", "R_APHELION_WORD", minusFour), -4);
  EXPECT_EQ(addend("dpu", "R_DPU_16", minusFour), -4);
  EXPECT_EQ(addend("colossus", "R_COLOSSUS_64", minusFour), -4);
  EXPECT_EQ(addend("colossus", "R_COLOSSUS_8", minusFour), 0xfc); // unsigned
  EXPECT_EQ(addend("colossus", "R_COLOSSUS_16_S3", {0x24, 0xa0}), 0x50120);
}

TEST(Addend, OfNothingIsNothing) {
  EXPECT_EQ(addend("dpu", "R_DPU_NONE", {}), 0);
  EXPECT_EQ(addend("xs1", "R_XCORE1_KEEP", {}), 0);
}

TEST(Addend, OfAPartOfAnInstructionIsRefused) {
  for (const char *name : {"R_NYUZI_HI19", "R_NYUZI_IMM_LO13", "R_NYUZI_GOT",
                           "R_NYUZI_BRANCH20", "R_NYUZI_BRANCH25"})
    EXPECT_EQ(addend("nyuzi", name, {}), std::nullopt) << name;
  for (const char *name : {"R_DPU_IMM17_24", "R_DPU_IMM24", "R_DPU_IMM8_DMA"})
    EXPECT_EQ(addend("dpu", name, {}), std::nullopt) << name;
  for (const char *name : {"R_APHELION_CALL", "R_APHELION_LI"})
    EXPECT_EQ(addend("aphelion", name, {}), std::nullopt) << name;
  for (const char *name : {"R_COLOSSUS_20", "R_COLOSSUS_RUN"})
    EXPECT_EQ(addend("colossus", name, {}), std::nullopt) << name;
}

TEST(Addend, OfEveryXS1RowCanBeRead) {
  uint8_t zeros[16] = {};
  for (const RelocationRow &row : machine("xs1").relocations)
    EXPECT_EQ(extractAddend(row, zeros), 0) << row.name;
}

} // namespace
