//===- FaultTextTest.cpp - the sentences of relocation errors
//--------------===//

#include "Machines.h"

using namespace xlink;

namespace {

std::string faultText(const char *targetName, const char *relocation,
                      RelocationOperands ops) {
  const Target &target = machine(targetName);
  const RelocationRow &row = rowOf(target, relocation);
  return describeFault(row, target, ops,
                       evaluate(row, target, configured(target).state, ops));
}

TEST(FaultText, XS1BaseOutOfRange) {
  EXPECT_EQ(
      faultText("xs1", "R_XCORE1_CP_REL10", {.S = 0x11408, .base = 0x10400}),
      "relocation R_XCORE1_CP_REL10 out of range: S 0x11408 + A 0 - cp "
      "0x10400 = 0x1008 = 1026 words; the field holds 0..1023");
  EXPECT_EQ(faultText("xs1", "R_XCORE1_DP_REL6",
                      {.S = 0x10400, .A = -8, .base = 0x10400}),
            "relocation R_XCORE1_DP_REL6 out of range: S 0x10400 + A -0x8 - dp "
            "0x10400 = -0x8 = -2 words; the field holds 0..63");
}

TEST(FaultText, XS1BranchShowsTheBiasedPlace) {
  EXPECT_EQ(
      faultText("xs1", "R_XCORE1_REL6", {.S = 0x3fff82, .place = 0x400000}),
      "relocation R_XCORE1_REL6 out of range: S 0x3fff82 + A 0 - next "
      "0x400002 = -0x80 = -64 halfwords; the field holds -63..63");
  EXPECT_EQ(
      faultText("xs1", "R_XCORE1_REL6_4", {.S = 0x500000, .place = 0x400002}),
      "relocation R_XCORE1_REL6_4 out of range: S 0x500000 + A 0 - next(4) "
      "0x400004 = 0xffffc = 262143 words; the field holds -63..63");
  EXPECT_EQ(
      faultText("xs1", "R_XCORE1_REL16_4", {.S = 0x400006, .place = 0x400000}),
      "relocation R_XCORE1_REL16_4 misaligned: S 0x400006 + A 0 - next "
      "0x400004 = 0x2, not a multiple of 4");
}

TEST(FaultText, XS1WeakSymbolHasNoDistanceFromABase) {
  std::string text = faultText("xs1", "R_XCORE1_CP_REL10",
                               {.base = 0x10400, .undefinedWeak = true});
  EXPECT_EQ(text, "relocation R_XCORE1_CP_REL10 out of range: the symbol is "
                  "weak and undefined, and its value 0 is not reached from cp "
                  "0x10400");
}

TEST(FaultText, Nyuzi) {
  EXPECT_EQ(faultText("nyuzi", "R_NYUZI_ABS32", {.S = 0xffffffff, .A = 1}),
            "relocation R_NYUZI_ABS32 out of range: S 0xffffffff + A 0x1 = "
            "0x100000000 = 4294967296 bytes; the field holds "
            "-2147483648..4294967295");
  EXPECT_EQ(faultText("nyuzi", "R_NYUZI_HI19", {.S = 0xffffffff, .A = 1}),
            "relocation R_NYUZI_HI19 out of range: S 0xffffffff + A 0x1 = "
            "0x100000000 = 524288 units of 8192 bytes; the field holds "
            "-262144..524287");
  EXPECT_EQ(faultText("nyuzi", "R_NYUZI_GOT", {.S = 0x1000, .G = 0x4000}),
            "relocation R_NYUZI_GOT out of range: G 0x4000 + A 0 = 0x4000 = "
            "16384 bytes; the field holds -16384..16383");
  EXPECT_EQ(faultText("nyuzi", "R_NYUZI_BRANCH25",
                      {.S = 0x8000002, .place = 0x8000000}),
            "relocation R_NYUZI_BRANCH25 misaligned: S 0x8000002 + A 0 - P "
            "0x8000000 = 0x2, not a multiple of 4");
}

TEST(FaultText, Aphelion) {
  EXPECT_EQ(faultText("aphelion", "R_APHELION_CALL",
                      {.S = 0x1000, .place = 0x80001004}),
            "relocation R_APHELION_CALL out of range: S 0x1000 + A 0 - P "
            "0x80001004 = -0x80000004 = -536870913 words; the field holds "
            "-536870912..536870911");
  EXPECT_EQ(faultText("aphelion", "R_APHELION_WORD", {.place = 0x1001}),
            "relocation R_APHELION_WORD misaligned: its place 0x1001 is not a "
            "multiple of 8");
  EXPECT_EQ(faultText("aphelion", "R_APHELION_FCALL",
                      {.S = 0xfffffffffffffff2, .place = 0x1000}),
            "relocation R_APHELION_FCALL misaligned: S 0xfffffffffffffff2 + A "
            "0 = 0xfffffffffffffff2, not a multiple of 4");
}

TEST(FaultText, AphelionCallHasAHint) {
  EXPECT_STREQ(rowOf(machine("aphelion"), "R_APHELION_CALL").hint,
               "fcall reaches any address");
}

TEST(FaultText, DpuShowsTheMappedValue) {
  EXPECT_EQ(faultText("dpu", "R_DPU_IMM5", {.S = 0x80000100, .A = 1}),
            "relocation R_DPU_IMM5 out of range: S 0x80000100 + A 0x1 = "
            "0x80000101, mapped to 0x21 = 33; the field holds -16..31");
  EXPECT_EQ(faultText("dpu", "R_DPU_8", {.S = 0x100, .alloc = false}),
            "relocation R_DPU_8 out of range: S 0x100 + A 0 = 0x100 = 256 "
            "bytes; the field holds -128..255");
}

TEST(FaultText, Colossus) {
  EXPECT_EQ(faultText("colossus", "R_COLOSSUS_RUN", {.S = 0x3fffc}),
            "relocation R_COLOSSUS_RUN out of range: S 0x3fffc + A 0 - TMEM "
            "base 0x40000 = -0x4 = -1 words; the field holds 0..65535");
  EXPECT_EQ(faultText("colossus", "R_COLOSSUS_16_S3", {.S = 0x80000}),
            "relocation R_COLOSSUS_16_S3 out of range: S 0x80000 + A 0 = "
            "0x80000 = 65536 units of 8 bytes; the field holds 0..65535");
  EXPECT_EQ(faultText("colossus", "R_COLOSSUS_16_S5", {.S = 0x50010}),
            "relocation R_COLOSSUS_16_S5 misaligned: S 0x50010 + A 0 = "
            "0x50010, not a multiple of 32");
}

} // namespace
