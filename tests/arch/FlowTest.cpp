//===- FlowTest.cpp - calls and jumps, read from instructions -------------===//
//
// The words of the DPU come from public files of its SDK: from its run-time
// library and programs, with what the SDK's disassembler says of them; from the
// instruction encoder in the sources of its host library (2023.2), by the name
// of its macro. The decoder of the SDK's simulator (2020.3) reads all of them
// so, and a million random words as flowOf does.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

namespace xlink::test {
namespace {

struct Word {
  uint64_t bits;
  Flow flow;
  const char *text;
};

constexpr Word kDpuWords[] = {
    {0x8be300630000, Flow::Call, "call r23, main"},
    {0x8be300000000, Flow::Call, "call r23, before it is linked"},
    {0x8bcb00000000, Flow::PointerCall, "call r23, r18 in wramfifo.c"},
    {0x8b8f00000000, Flow::PointerCall, "call r23, r3 in wramfifo.c"},
    {0x8b9700123456, Flow::PointerCall, "CALLrri(r23, r5, ...)"},
    {0x8b94c00c0000, Flow::PointerCall, "CALLrrr(r23, r5, r6)"},
    {0x8b63c0000000, Flow::Onward, "the same with a constant: ANDNrri"},
    {0x8b94c01c0000, Flow::Onward, "HASHrrr(r23, r5, r6)"},
    {0x8b94c08c0000, Flow::Onward, "XORrrr(r23, r5, r6)"},
    {0x8b94c1000000, Flow::Onward, "another condition than none"},
    {0x9bcb00000000, Flow::Onward, "another code"},
    {0x8c6300350000, Flow::Jump, "jump 0x80000298"},
    {0x9c6300350000, Flow::Jump, "JUMPi() of a large number"},
    {0x8c7300350000, Flow::Jump, "JUMPri(id, ...)"},
    {0x8c5f00000000, Flow::Onward, "jump r23, a return"},
    {0x8c5f00100000, Flow::RegisterJump, "JUMPri(r23, 1)"},
    {0x8edf00000000, Flow::RegisterJump, "JUMPri(r23, ...) of bit 40"},
    {0x9c5f00000000, Flow::RegisterJump, "JUMPri(r23, ...) of bit 44"},
    {0x8c0700000000, Flow::RegisterJump, "jump r1 of the switch in printf"},
    {0x8c0f005fc000, Flow::RegisterJump, "jump r3, ... in __udiv32"},
    {0x8c14c00c0000, Flow::RegisterJump, "CALLzrr(r5, r6)"},
    {0x8c17c00c0000, Flow::Onward, "the same with a constant: ANDNzri"},
    {0x8c14c01c0000, Flow::Onward, "HASHzrr(r5, r6)"},
    {0x000000000000, Flow::Onward, "nothing"},
    {0x7c6300000000, Flow::Onward, "nop"},
    {0x708744000000, Flow::Onward, "lw r1, r1, a table"},
    {0x8057b0000000, Flow::Onward, "move r0, r21"},
    {0x3c079be20000, Flow::Onward, "a branch that depends on r1"},
};

TEST(Flow, OfDpu) {
  const Target &dpu = *findTarget("dpu");
  ASSERT_EQ(dpu.instructionBytes, 8u);
  for (const Word &word : kDpuWords)
    EXPECT_EQ(flowOf(dpu.flow, word.bits), word.flow)
        << llvm::formatv("{0:x} ", word.bits).str() << word.text;
}

// Which registers a call or jump has, for all of them: from 24 on they are
// constants and the tasklet's numbers, and r23 is where a caller goes on.
TEST(Flow, OfDpuByRegister) {
  const Target &dpu = *findTarget("dpu");
  for (uint64_t ra = 0; ra < 32; ++ra) {
    EXPECT_EQ(flowOf(dpu.flow, 0x8b8300000000 | ra << 34),
              ra < 24 ? Flow::PointerCall : Flow::Call)
        << ra;
    EXPECT_EQ(flowOf(dpu.flow, 0x8c0300000000 | ra << 34),
              ra == 23  ? Flow::Onward
              : ra < 24 ? Flow::RegisterJump
                        : Flow::Jump)
        << ra;
  }
}

// A pattern that another one in front of it hides would say nothing.
TEST(Flow, PatternsAreOfUse) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    EXPECT_EQ(target->instructionBytes != 0, !target->flow.empty());
    EXPECT_LE(target->instructionBytes, 8u);
    for (const FlowPattern &pattern : target->flow) {
      EXPECT_EQ(pattern.value & ~pattern.mask, 0u);
      EXPECT_EQ(flowOf(target->flow, pattern.value), pattern.flow)
          << llvm::formatv("{0:x}", pattern.value).str();
    }
  }
}

} // namespace
} // namespace xlink::test
