//===- MachineFileTest.cpp - machines as files of text --------------------===//
#include "arch/MachineFile.h"
#include "Machines.h"
#include "gmock/gmock.h"
#include <fstream>
#include <random>
#include <sstream>

using namespace xlink;
using namespace llvm;

namespace {

const Target *noMachine(StringRef, bool) { return nullptr; }

/// The file of a machine that is built in.
std::string fileOf(StringRef name) {
  std::ifstream file(XLINK_SOURCE_DIR "/arch/" + name.str() + ".machine");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::unique_ptr<Machine> readGood(StringRef text) {
  std::vector<MachineProblem> problems;
  std::unique_ptr<Machine> machine =
      readMachine(text, /*builtIn=*/true, noMachine, problems);
  for (const MachineProblem &problem : problems)
    ADD_FAILURE() << problem.line << ":" << problem.column << ": "
                  << problem.text;
  return machine;
}

bool equal(const RelocationRow &a, const RelocationRow &b) {
  auto members = [](const RelocationRow &row) {
    return std::tie(row.number, row.bytes, row.placeAlign, row.formula,
                    row.negate, row.page, row.baseKind, row.base, row.placePlus,
                    row.placeDown, row.wrapBits, row.wrapSigned, row.multiple,
                    row.shift, row.carry, row.bits, row.check, row.low,
                    row.high, row.flip, row.flipUnless, row.pieces, row.signBit,
                    row.order, row.op, row.use, row.addendBits,
                    row.takesAddress, row.addressBit, row.alsoJumps, row.pair,
                    row.weakMask, row.weakCode, row.alignsBehind);
  };
  return members(a) == members(b) && StringRef(a.name) == b.name &&
         StringRef(a.hint ? a.hint : "") == (b.hint ? b.hint : "");
}

// Of rows with each property, beside those of the machines that are built in.
constexpr const char kRows[] = R"(MACHINE rows {
  elf 64 big 1 2;
  description "rows";
  osabi 3;
  e-flags 1 mask 0xff;
  attributes 0x70000003 vendor acme tag 7;
  base tp tls-start - 8;
  base dp symbol __dp;
  base bp cpu;
  vendor 191 ACME;
  vectors .vectors* .isr[0-9] align 64;
  word 2;
  local-labels discard;
  prefetch 8;
  cpu one { flags 1; define SIZE 4K; fill 1 2; base 0x10; no-code 0 16 "low"; executable 16 32 "high"; }
  0 R_0;
  1 R_1: 4, value S + A - P, wrap s34, carry 12, signed 32, bits 31:12 -> 31:12, weak 0x7f 0x37;
  2 R_2: 4, low 12, bits 11:0 -> 31:20, pair R_1, little;
  3 R_3: 4, value (page(S + A, 4096) - down(P, 4096)) / 4096, signed 21, bits 20:0 -> 20:0;
  4 R_4: 4, value S + A - down(P + 4, 8), multiple 2, either 16, bits 15:0 -> 15:0, halves, in-field;
  5 R_5: 2, value -S - A, limits -4 .. 5, bits 3:0 -> 11:8, sub, place 2, in-field signed 3;
  6 R_6: 4, value S + A - tp, flip 23:22 unless 24, bits 24:0 -> 24:0, call, or-address 31, hint "far";
  7 R_7: 4, value S + A - GOT, add, address, or-jump;
  8 R_8: 4, value S + A - bp, magnitude 8, bits 7:0 -> 7:0, sign 9, branch;
  9 R_9: 2, value (S + A - next(4)) / 2, little, halves;
 10 R_10: 8, value G + A;
 11 R_11: 4, value S + A - dp;
 12 R_12 align-hint "assembled for relaxation";
 13 R_13 refused "not here";
}
SECTIONS { .text : { *(.text) } }
)";

TEST(MachineFile, ReadsBackAsItIsPrinted) {
  std::vector<std::unique_ptr<Machine>> read;
  std::vector<const Target *> all(allTargets().begin(), allTargets().end());
  read.push_back(readGood(kRows));
  all.push_back(&read.front()->target);
  for (const Target *target : all) {
    const std::string text = printMachine(*target);
    const std::unique_ptr<Machine> again = readGood(text);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(printMachine(again->target), text);
    EXPECT_EQ(StringRef(again->target.script).trim(),
              StringRef(target->script).trim());
    ASSERT_EQ(again->target.relocations.size(), target->relocations.size());
    for (size_t i = 0; i < target->relocations.size(); ++i)
      EXPECT_TRUE(equal(again->target.relocations[i], target->relocations[i]))
          << target->relocations[i].name;
  }
}

// The tables that the build has made of the files.
TEST(MachineFile, IsTheMachineThatIsBuiltIn) {
  for (const Target *target : allTargets()) {
    const std::unique_ptr<Machine> machine = readGood(fileOf(target->name));
    ASSERT_TRUE(machine);
    EXPECT_EQ(printMachine(machine->target), printMachine(*target));
    EXPECT_STREQ(machine->target.script, target->script);
    std::vector<MachineProblem> problems;
    checkMachine(*machine, problems);
    for (const MachineProblem &problem : problems)
      ADD_FAILURE() << target->name << ": " << problem.text;
  }
}

TEST(MachineFile, VectorsAreThoseOfTheRows) {
  const std::string text = printVectors(machine("nyuzi"));
  EXPECT_THAT(text, testing::HasSubstr("R_NYUZI_BRANCH20\t-\t0x401ffffc\t0x0\t"
                                       "0x40000000\t-\t00000000\te0ffff00\n"));
  EXPECT_THAT(text, testing::HasSubstr("R_NYUZI_BRANCH20\t-\t0x40200000\t0x0\t"
                                       "0x40000000\t-\t00000000\tERR range\n"));
  EXPECT_THAT(printVectors(machine("colossus")),
              testing::HasSubstr("R_COLOSSUS_RUN\tipu1\t0x7fffc\t0x0\t"
                                 "0x40000000\t0x40000\t00000000\tff0f0f00\n"));
}

// Any file is a machine, or has a message at a place in it.
TEST(MachineFile, SurvivesAnyChange) {
  std::vector<std::string> texts = {kRows};
  for (const char *name : {"nyuzi", "colossus", "dpu", "xs1"})
    texts.push_back(fileOf(name));
  const StringRef words[] = {"0",       "64", "0xffffffffffffffff",
                             "S",       "{",  "}",
                             ";",       "->", "\"",
                             ",",       "-",  "carry 63",
                             "bits",    ":",  "limits",
                             "wrap u1", "P",  "(",
                             ")",       "/*", "sign",
                             "page"};
  std::mt19937 random(1);
  unsigned good = 0;
  for (unsigned run = 0; run < 2000; ++run) {
    std::string text = texts[run % texts.size()];
    text.resize(std::min<size_t>(text.size(), 6000));
    for (unsigned change = random() % 4 + 1; change-- != 0;) {
      const size_t at = random() % text.size(), length = random() % 12;
      if (random() % 2)
        text.replace(at, length, words[random() % std::size(words)].str());
      else
        text[at] = char(random());
    }
    std::vector<MachineProblem> problems;
    const std::unique_ptr<Machine> machine =
        readMachine(text, /*builtIn=*/true, noMachine, problems);
    EXPECT_EQ(machine == nullptr, !problems.empty());
    EXPECT_LE(problems.size(), kMachineProblems);
    const size_t lines = StringRef(text).count('\n') + 1;
    for (const MachineProblem &problem : problems) {
      EXPECT_LE(problem.line, lines);
      EXPECT_GE(problem.column, 1u);
      EXPECT_LE(problem.column, text.size() + 1);
    }
    if (!machine)
      continue;
    ++good;
    checkMachine(*machine, problems);
    printVectors(machine->target);
    listRelocations(machine->target);
    const std::string printed = printMachine(machine->target);
    problems.clear();
    const std::unique_ptr<Machine> again =
        readMachine(printed, /*builtIn=*/true, noMachine, problems);
    ASSERT_TRUE(again) << problems.front().text << "\n" << printed;
    EXPECT_EQ(printMachine(again->target), printed);
  }
  EXPECT_GT(good, 100u);
}

} // namespace
