//===- ConfigureTest.cpp - options and e_flags to the state of a link
//------===//

#include "Machines.h"
#include "gmock/gmock.h"

using namespace xlink;
using testing::_;
using testing::ElementsAre;
using testing::FieldsAre;
using testing::IsEmpty;
using testing::Pair;

namespace {

InputHeader input(const char *file, uint16_t machine, uint32_t flags = 0,
                  uint8_t osabi = 0) {
  return {file, machine, flags, osabi};
}
TargetOptions cpu(const char *name) { return {name, {}}; }

//===- All machines
//--------------------------------------------------------===//

TEST(Configure, WorksWithoutInputs) {
  for (const Target *target : allTargets()) {
    Configured link = configured(*target);
    EXPECT_EQ(link.state.machine, target->machines.front());
    EXPECT_THAT(link.texts(), IsEmpty()) << target->name;
  }
}

TEST(Configure, UnknownCpuNamesTheValidOnes) {
  EXPECT_THAT(configured(machine("xs1"), {}, cpu("xs9")).texts(),
              ElementsAre("error: unknown --mcpu value 'xs9' for xs1; valid "
                          "values: xs1, xs2, xs3"));
  EXPECT_THAT(configured(machine("colossus"), {}, cpu("xs1")).texts(),
              ElementsAre("error: unknown --mcpu value 'xs1' for colossus; "
                          "valid values: ipu1, ipu2, ipu21"));
  for (const char *name : {"nyuzi", "aphelion"})
    EXPECT_THAT(configured(machine(name), {}, cpu("z80")).texts(),
                ElementsAre("error: unknown --mcpu value 'z80' for " +
                            std::string(name) +
                            ": this machine has no variants"));
}

TEST(Configure, KnowsEachCpuItLists) {
  for (const Target *target : allTargets())
    for (const Cpu &known : target->cpus) {
      Configured link = configured(*target, {}, cpu(known.name));
      EXPECT_EQ(link.state.cpu, known.name);
      EXPECT_THAT(link.texts(), IsEmpty());
    }
}

TEST(Configure, GivesTheScriptItsVariables) {
  for (const Target *target : allTargets()) {
    std::string script = target->script;
    EXPECT_NE(script.find("SECTIONS"), std::string::npos);
    for (const auto &[name, value] : configured(*target).state.scriptVariables)
      for (std::string key = "@" + name + "@";;) {
        size_t at = script.find(key);
        if (at == std::string::npos)
          break;
        script.replace(at, key.size(), value);
      }
    EXPECT_EQ(script.find('@'), std::string::npos) << target->name;
  }
}

//===- XS1
//-----------------------------------------------------------------===//

TEST(Configure, XS1WritesTheOldMachineOnlyForOldInputs) {
  const Target &xs1 = machine("xs1");
  InputHeader newer = input("a.o", 203), older = input("b.o", 0xB49E);
  EXPECT_EQ(configured(xs1, {newer}).state.machine, 203);
  EXPECT_EQ(configured(xs1, {newer, older}).state.machine, 203);
  EXPECT_EQ(configured(xs1, {older, newer}).state.machine, 203);
  EXPECT_EQ(configured(xs1, {older, older}).state.machine, 0xB49E);
  EXPECT_THAT(configured(xs1, {older, newer}).texts(), IsEmpty());
}

TEST(Configure, XS1CoresDifferInRamAndNop) {
  const Target &xs1 = machine("xs1");
  TargetState first = configured(xs1).state;
  EXPECT_EQ(first.cpu, "xs1");
  EXPECT_THAT(first.codeFill, ElementsAre(0x00, 0x90));
  EXPECT_THAT(first.scriptVariables, ElementsAre(Pair("RAM_BASE", "0x10000"),
                                                 Pair("RAM_SIZE", "0x10000")));
  TargetState second = configured(xs1, {}, cpu("xs2")).state;
  EXPECT_THAT(second.codeFill, ElementsAre(0xff, 0x17));
  EXPECT_THAT(second.scriptVariables, ElementsAre(Pair("RAM_BASE", "0x40000"),
                                                  Pair("RAM_SIZE", "0x40000")));
  TargetState third = configured(xs1, {}, cpu("xs3")).state;
  EXPECT_THAT(third.codeFill, ElementsAre(0xff, 0x17));
  EXPECT_THAT(third.scriptVariables, ElementsAre(Pair("RAM_BASE", "0x80000"),
                                                 Pair("RAM_SIZE", "0x80000")));
}

TEST(Configure, XS1PlaceKeywordSwitchesTheBias) {
  const Target &xs1 = machine("xs1");
  const RelocationRow &row = rowOf(xs1, "R_XCORE1_REL10_4");
  TargetOptions options;
  RelocationOperands ops{.place = 0x10002};
  TargetState state = configured(xs1, {}, options).state;
  EXPECT_EQ(evaluate(row, xs1, state, ops).P, 0x10004u);
  ops.place = 0x10004; // two bytes on is the middle of a bundle
  EXPECT_EQ(evaluate(row, xs1, state, ops).P, 0x10008u);
  options.zKeywords = {"xs1-place=offset"};
  state = configured(xs1, {}, options).state;
  EXPECT_EQ(evaluate(row, xs1, state, ops).P, 0x10004u);
  EXPECT_THAT(xs1.zKeywords, ElementsAre(testing::StrEq("xs1-place=offset"),
                                         testing::StrEq("xs1-assert=abi")));
}

TEST(Configure, XS1AssertKeyword) {
  const Target &xs1 = machine("xs1");
  EXPECT_FALSE(configured(xs1).state.assertsOperand);
  TargetOptions options;
  options.zKeywords = {"xs1-assert=abi"};
  EXPECT_TRUE(configured(xs1, {}, options).state.assertsOperand);
}

TEST(Configure, XS1NotesChooseTheCore) {
  const Target &xs1 = machine("xs1");
  auto noted = [](const char *file, const char *core) {
    InputHeader header = input(file, 203);
    header.cpu = core;
    return header;
  };
  EXPECT_EQ(configured(xs1, {noted("a.o", ""), noted("b.o", "XS2")}).state.cpu,
            "xs2");
  EXPECT_EQ(configured(xs1, {noted("a.o", "XS3")}).state.cpu, "xs3");
  EXPECT_EQ(configured(xs1, {noted("a.o", "XS1")}).state.cpu, "xs1");
  Configured mixed = configured(xs1, {noted("a.o", "XS2"), noted("b.o", "XS1"),
                                      noted("c.o", ""), noted("d.o", "XS1"),
                                      noted("e.o", "XS9")});
  EXPECT_EQ(mixed.state.cpu, "xs2");
  EXPECT_THAT(mixed.texts(),
              ElementsAre("mismatch: incompatible cores: a.o is for XS2, b.o "
                          "is for XS1",
                          "mismatch: incompatible cores: a.o is for XS2, e.o "
                          "is for a core that is not known"));
  // --mcpu decides.
  EXPECT_THAT(configured(xs1, {noted("a.o", "XS2")}, cpu("xs2")).texts(),
              IsEmpty());
  Configured other = configured(
      xs1, {noted("a.o", "XS1"), noted("b.o", "XS1"), noted("c.o", "XS2")},
      cpu("xs3"));
  EXPECT_EQ(other.state.cpu, "xs3");
  EXPECT_THAT(
      other.texts(),
      ElementsAre("mismatch: incompatible core: a.o is for XS1, --mcpu is xs3",
                  "mismatch: incompatible core: c.o is for XS2, --mcpu is "
                  "xs3"));
}

//===- Nyuzi
//---------------------------------------------------------------===//

TEST(Configure, NyuziFillsCodeWithZeros) {
  TargetState state = configured(machine("nyuzi"), {input("a.o", 9999)}).state;
  EXPECT_EQ(state.flags, 0u);
  EXPECT_THAT(state.codeFill, ElementsAre(0, 0, 0, 0));
}

//===- Aphelion
//------------------------------------------------------------===//

TEST(Configure, AphelionTakesTheFirstVersionThereIs) {
  const Target &aphelion = machine("aphelion");
  Configured link =
      configured(aphelion, {input("a.o", 0xA9E1), input("b.o", 0xA9E1, 6),
                            input("c.o", 0xA9E1), input("d.o", 0xA9E1, 6)});
  EXPECT_EQ(link.state.flags, 6u);
  EXPECT_THAT(link.texts(), IsEmpty());
  EXPECT_THAT(link.state.codeFill, ElementsAre(0x26, 0, 0, 0));
}

TEST(Configure, AphelionRefusesTwoVersions) {
  EXPECT_THAT(
      configured(machine("aphelion"),
                 {input("a.o", 0xA9E1, 6), input("b.o", 0xA9E1, 5),
                  input("c.o", 0xA9E1, 5), input("d.o", 0xA9E1, 6)})
          .texts(),
      ElementsAre("mismatch: incompatible ISA: a.o has version 6, b.o has "
                  "version 5"));
}

//===- DPU
//-----------------------------------------------------------------===//

TEST(Configure, DpuKeepsTheFirstObjectsFlags) {
  const Target &dpu = machine("dpu");
  EXPECT_EQ(configured(dpu).state.flags, 0x02800000u);
  Configured link = configured(
      dpu, {input("a.o", 245, 0x02800001), input("b.o", 245, 0x02800000)});
  EXPECT_EQ(link.state.flags, 0x02800001u);
  EXPECT_THAT(link.texts(), IsEmpty());
}

TEST(Configure, DpuRefusesAnotherVersionAndNone) {
  const Target &dpu = machine("dpu");
  InputHeader two = input("a.o", 245, 0x02800000),
              none = input("b.o", 245, 0x02000000),
              three = input("c.o", 245, 0x03800000);
  EXPECT_THAT(
      configured(dpu, {two, none}).texts(),
      ElementsAre("mismatch: incompatible ABI: a.o has version 2, b.o has "
                  "none"));
  EXPECT_THAT(configured(dpu, {none, two}).texts(),
              ElementsAre("mismatch: incompatible ABI: b.o has none, a.o has "
                          "version 2"));
  EXPECT_THAT(
      configured(dpu, {two, three, none, none, three}).texts(),
      ElementsAre("mismatch: incompatible ABI: a.o has version 2, c.o has "
                  "version 3",
                  "mismatch: incompatible ABI: a.o has version 2, b.o has "
                  "none"));
  EXPECT_THAT(configured(dpu, {none, none}).texts(), IsEmpty());
}

//===- Colossus
//------------------------------------------------------------===//

TEST(Configure, ColossusArchitectureDecidesTheTile) {
  const Target &ipu = machine("ipu");
  TargetState state = configured(ipu).state;
  EXPECT_EQ(state.cpu, "ipu1");
  EXPECT_EQ(state.osabi, 255);
  EXPECT_EQ(state.fieldBase, 0x40000u);
  EXPECT_THAT(state.noCode, FieldsAre(0x60000u, 0x80000u, _));
  ASSERT_EQ(state.executable.size(), 1u);
  EXPECT_EQ(state.executable[0].begin, 0x40000u);
  EXPECT_EQ(state.executable[0].end, 0x60000u);
  EXPECT_THAT(state.codeFill, ElementsAre(0x00, 0x00, 0xe0, 0x19));
  EXPECT_THAT(state.scriptVariables,
              ElementsAre(Pair("TILE_BASE", "0x40000"),
                          Pair("TILE_SIZE", "0x40000"),
                          Pair("REGION0_SIZE", "0x20000")));

  state =
      configured(ipu, {input("a.o", 248, 0, 255), input("b.o", 248, 0x21, 255)})
          .state;
  EXPECT_EQ(state.cpu, "ipu21");
  EXPECT_EQ(state.flags, 0x21u);
  EXPECT_EQ(state.fieldBase, 0x4c000u);
  EXPECT_THAT(state.noCode, FieldsAre(0x80000u, 0xe8000u, _));
  ASSERT_EQ(state.executable.size(), 1u);
  EXPECT_EQ(state.executable[0].begin, 0x4c000u);
  EXPECT_EQ(state.executable[0].end, 0x80000u);
  EXPECT_THAT(state.scriptVariables,
              ElementsAre(Pair("TILE_BASE", "0x4c000"),
                          Pair("TILE_SIZE", "0x9c000"),
                          Pair("REGION0_SIZE", "0x34000")));
}

TEST(Configure, ColossusOptionOverridesTheObjects) {
  Configured link = configured(machine("colossus"),
                               {input("a.o", 248, 0x21, 0)}, cpu("ipu1"));
  EXPECT_EQ(link.state.cpu, "ipu1");
  EXPECT_EQ(link.state.fieldBase, 0x40000u);
  EXPECT_EQ(link.state.flags, 0x21u);
  EXPECT_EQ(link.state.osabi, 0); // the first object's
  EXPECT_THAT(link.texts(), IsEmpty());
}

TEST(Configure, ColossusWarnsOfTwoArchitectures) {
  Configured link = configured(
      machine("colossus"), {input("a.o", 248, 0x102), input("b.o", 248),
                            input("c.o", 248, 0x21), input("d.o", 248, 0x02)});
  EXPECT_EQ(link.state.cpu, "ipu2");
  EXPECT_EQ(link.state.flags, 0x02u);
  EXPECT_THAT(link.texts(), ElementsAre("warning: incompatible architectures: "
                                        "a.o is for ipu2, c.o is for ipu21"));
}

TEST(Configure, ColossusWarnsOfAnUnknownArchitecture) {
  Configured link = configured(machine("colossus"), {input("a.o", 248, 0x33)});
  EXPECT_EQ(link.state.cpu, "ipu1");
  EXPECT_THAT(link.texts(),
              ElementsAre("warning: a.o is for the unknown architecture 0x33; "
                          "taking ipu1, --mcpu chooses another"));
}

} // namespace
