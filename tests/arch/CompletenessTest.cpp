//===- CompletenessTest.cpp - every type of every ABI is there
//-------------===//
//
// The lists are written by hand from the ABI documents, not derived from the
// tables that they are compared with.
//
//===----------------------------------------------------------------------===//

#include "Machines.h"

using namespace xlink;

namespace {

struct Expected {
  uint32_t number;
  const char *name;
  unsigned bytes;
};

void expectRows(const char *name, const char *prefix,
                std::vector<Expected> expected) {
  const Target &target = machine(name);
  EXPECT_EQ(target.relocations.size(), expected.size());
  for (const Expected &item : expected) {
    std::string full = std::string(prefix) + item.name;
    SCOPED_TRACE(full);
    const RelocationRow *row = findRelocation(target, item.number);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->name, full);
    EXPECT_EQ(row->bytes, item.bytes);
  }
}

TEST(Completeness, XS1) {
  expectRows("xs1", "R_XCORE1_",
             {{0, "NONE", 0},     {1, "ADDR32", 4},   {2, "DP_REL6", 2},
              {3, "DP_REL16", 4}, {4, "CP_REL6", 2},  {5, "CP_REL16", 4},
              {6, "CP_REL10", 2}, {7, "CP_REL20", 4}, {8, "REL6", 2},
              {9, "REL16", 4},    {10, "REL10", 2},   {11, "REL20", 4},
              {12, "LSIZE20", 4}, {15, "ADDR16", 2},  {17, "ULEB128", 5},
              {18, "REL6_4", 2},  {19, "REL16_4", 4}, {20, "REL10_4", 2},
              {21, "REL20_4", 4}, {22, "KEEP", 0}});
}

TEST(Completeness, Nyuzi) {
  expectRows("nyuzi", "R_NYUZI_",
             {{0, "NONE", 0},
              {1, "ABS32", 4},
              {2, "BRANCH20", 4},
              {3, "BRANCH25", 4},
              {4, "HI19", 4},
              {5, "IMM_LO13", 4},
              {6, "GOT", 4}});
}

TEST(Completeness, Aphelion) {
  expectRows("aphelion", "R_APHELION_",
             {{0, "NONE", 0},
              {1, "WORD", 8},
              {2, "WORD_UNALIGNED", 8},
              {3, "CALL", 8},
              {4, "FCALL", 16},
              {5, "LI", 16}});
}

TEST(Completeness, Dpu) {
  expectRows("dpu", "R_DPU_",
             {{0, "NONE", 0},
              {1, "32", 4},
              {2, "8", 1},
              {3, "16", 2},
              {4, "64", 8},
              {128, "PC", 2},
              {129, "IMM5", 8},
              {130, "IMM8_DMA", 4},
              {131, "IMM24_PC", 8},
              {132, "IMM27_PC", 8},
              {133, "IMM28_PC_OPC8", 8},
              {134, "IMM8_STR", 8},
              {135, "IMM12_STR", 8},
              {136, "IMM16_STR", 8},
              {137, "IMM16_ATM", 8},
              {138, "IMM24", 8},
              {139, "IMM24_RB", 8},
              {140, "IMM27", 8},
              {141, "IMM28", 8},
              {142, "IMM32", 8},
              {143, "IMM32_ZERO_RB", 8},
              {144, "IMM17_24", 8},
              {145, "IMM32_DUS_RB", 8}});
}

TEST(Completeness, Colossus) {
  expectRows("colossus", "R_COLOSSUS_",
             {{0, "NONE", 0},
              {1, "8", 1},
              {2, "16", 2},
              {3, "20", 4},
              {4, "32", 4},
              {5, "64", 8},
              {6, "RELATIVE_16_S2", 2},
              {7, "18_S2", 4},
              {8, "19_S2", 4},
              {9, "RUN", 4},
              {14, "16_S3", 2},
              {15, "16_S4", 2},
              {16, "16_S5", 2},
              {17, "21", 4}});
}

} // namespace
