//===- AddressMapTest.cpp - the DPU's memories in one address space
//--------===//

#include "Machines.h"

using namespace xlink;

namespace {

const Target &dpu() { return machine("dpu"); }

RelocationOutcome outcomeOf(const char *name, uint64_t S, int64_t A,
                            bool alloc = true) {
  return evaluate(rowOf(dpu(), name), dpu(), TargetState(),
                  {.S = S, .A = A, .alloc = alloc});
}

TEST(AddressMap, ClearsTheMemorysBits) {
  EXPECT_EQ(mapAddress(dpu(), 0x1234), 0x1234u);         // WRAM
  EXPECT_EQ(mapAddress(dpu(), 0x08001230), 0x1230u);     // MRAM
  EXPECT_EQ(mapAddress(dpu(), 0xf00000c8), 0xc8u);       // atomic
  EXPECT_EQ(mapAddress(dpu(), 0xffffffff), 0x0fffffffu); // atomic comes first
}

TEST(AddressMap, CountsInstructionsInIram) {
  EXPECT_EQ(mapAddress(dpu(), 0x80000000), 0u);
  EXPECT_EQ(mapAddress(dpu(), 0x80000058), 11u);
  EXPECT_EQ(mapAddress(dpu(), 0x80000059), 12u); // `. + 1` in the addend
  EXPECT_EQ(mapAddress(dpu(), 0x8000005f), 18u);
}

TEST(AddressMap, HoldsInAllocatedSectionsOnly) {
  EXPECT_EQ(outcomeOf("R_DPU_32", 0x80000058, 0).V, 11);
  EXPECT_EQ(outcomeOf("R_DPU_32", 0x80000058, 0, false).V, 0x80000058);
  EXPECT_EQ(outcomeOf("R_DPU_64", 0, -1, false).V, 0xffffffff);
  EXPECT_EQ(outcomeOf("R_DPU_64", 0, -1).V, 0x0fffffff);
}

TEST(AddressMap, ChecksTheMappedValueOrTheSmallNegativeOne) {
  // 0x0fffffff fits 28 bits as it is; shorter fields take -1 for what it is.
  EXPECT_EQ(outcomeOf("R_DPU_IMM28", 0, -1).V, 0x0fffffff);
  EXPECT_EQ(outcomeOf("R_DPU_IMM27", 0, -1).V, -1);
  EXPECT_EQ(outcomeOf("R_DPU_IMM5", 0, -16).fault, RelocationFault::None);
  EXPECT_EQ(outcomeOf("R_DPU_IMM5", 0, -17).fault, RelocationFault::Range);
  EXPECT_EQ(outcomeOf("R_DPU_IMM5", 0x80000000, 0xf8).fault,
            RelocationFault::None);
  EXPECT_EQ(outcomeOf("R_DPU_IMM5", 0x80000100, 0).fault,
            RelocationFault::Range);
}

TEST(AddressMap, SignExtendedFieldIsChecked) {
  EXPECT_EQ(outcomeOf("R_DPU_IMM17_24", 0xffff, 0).fault,
            RelocationFault::None);
  EXPECT_EQ(outcomeOf("R_DPU_IMM17_24", 0x10000, 0).fault,
            RelocationFault::Range);
  EXPECT_EQ(outcomeOf("R_DPU_IMM17_24", 0, -0x10000).V, -0x10000);
  EXPECT_EQ(outcomeOf("R_DPU_IMM17_24", 0, -0x10001).fault,
            RelocationFault::Range);
}

TEST(AddressMap, UnallocatedSectionsKeepTheCheck) {
  EXPECT_EQ(outcomeOf("R_DPU_16", 0, -0x8000, false).V, -0x8000);
  EXPECT_EQ(outcomeOf("R_DPU_16", 0x80000058, 0, false).fault,
            RelocationFault::Range);
}

// What the memories are called agrees with the map: both go by the upper bits.
TEST(AddressMap, Memories) {
  auto name = [](uint64_t address) -> std::string {
    return memoryAt(dpu(), address)->name;
  };
  EXPECT_EQ(name(0), "WRAM");
  EXPECT_EQ(name(0x07ffffff), "WRAM");
  EXPECT_EQ(name(0x08000000), "MRAM");
  EXPECT_EQ(name(0x0bffffff), "MRAM");
  EXPECT_EQ(name(0x80000000), "IRAM");
  EXPECT_EQ(name(0xefffffff), "IRAM");
  EXPECT_EQ(name(0xf0000000), "the atomic memory");
  EXPECT_EQ(name(0xffffffff), "the atomic memory");
  EXPECT_EQ(memoryAt(dpu(), 0x100000000), nullptr);
  EXPECT_EQ(memoryAt(machine("nyuzi"), 0), nullptr);
}

// A branch leaves IRAM for nowhere. A plain number may be any, and what is not
// loaded is not meant to branch.
TEST(AddressMap, BranchesToCode) {
  const RelocationRow &pc = *findRelocation(dpu(), 128);
  auto fault = [&](uint64_t S, bool inSection, bool alloc = true) {
    RelocationOperands ops;
    ops.S = S;
    ops.inSection = inSection;
    ops.alloc = alloc;
    return evaluate(pc, dpu(), TargetState(), ops).fault;
  };
  EXPECT_EQ(fault(0x80000058, true), RelocationFault::None);
  EXPECT_EQ(fault(0x58, true), RelocationFault::NoCode);
  EXPECT_EQ(fault(0x08000058, true), RelocationFault::NoCode);
  EXPECT_EQ(fault(0x58, false), RelocationFault::None);
  EXPECT_EQ(fault(0x58, true, false), RelocationFault::None);
}

TEST(AddressMap, IsTheDpusAlone) {
  for (const Target *target : allTargets())
    EXPECT_EQ(!target->maps.empty(), target == &dpu());
}

} // namespace
