//===- MutationTest.cpp - damaged inputs never break the linker -----------===//
//
// Whatever the bytes of its inputs, a link ends with status 0 and an output, or
// with status 1, a message and no output; it takes less than a second and 256
// MB, and the output can be loaded (support/ImageCheck.h). The mutants are the
// same on every run; a failure names its number. XLINK_MUTANTS asks for more of
// each machine, XLINK_MUTANTS_FROM begins at another one.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "mutation/BoundedLink.h"
#include "mutation/Mutants.h"
#include "support/ToolProcess.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

constexpr unsigned kToolMutants = 100;
/// XLINK_WRITE_MUTANT="xs1 12" leaves the files of that mutant in the current
/// directory and prints the options and files of its link.
void writeIfWanted(const std::string &name, const Specimen &mutant) {
  const char *wanted = getenv("XLINK_WRITE_MUTANT");
  if (!wanted || wanted != name)
    return;
  for (const auto &[path, bytes] : mutant.files)
    if (FILE *f = fopen(path.c_str(), "wb")) {
      fwrite(bytes.data(), 1, bytes.size(), f);
      fclose(f);
    }
  for (const std::string &argument : mutant.arguments)
    printf("%s ", argument.c_str());
  printf("\n");
}
class Mutation : public testing::TestWithParam<const Target *> {};

TEST_P(Mutation, InProcess) {
  const char *machine = GetParam()->name;
  std::vector<Specimen> specimens = specimensOf(machine);
  ASSERT_FALSE(HasFailure());
  watchLinks();

  const uint64_t first = numberFrom("XLINK_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_MUTANTS", 600);
  uint64_t failed = 0;
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    std::string name = std::string(machine) + " " + std::to_string(i);
    Specimen s = mutantOf(specimens, machine, i);
    writeIfWanted(name, s);
    failed += boundedLink(name, s.files, s.arguments);
  }
  // Mutants that all fail alike, or all pass, test nothing.
  EXPECT_GT(failed, count / 4);
  EXPECT_LT(failed, count / 10 * 9);
}

TEST_P(Mutation, ThroughTheTool) {
  const char *machine = GetParam()->name;
  std::vector<Specimen> specimens = specimensOf(machine);
  ASSERT_FALSE(HasFailure());
  ToolLimits limits;
  limits.seconds = 20;
  if (!kSanitized)
    limits.addressSpace = uint64_t(1) << 30;
  for (unsigned i = 0; i < kToolMutants && !HasFailure(); ++i) {
    SCOPED_TRACE(std::string(machine) + " " + std::to_string(i));
    Specimen s = mutantOf(specimens, machine, i);
    TemporaryDirectory directory;
    std::vector<std::string> files;
    for (auto &[path, bytes] : s.files) {
      directory.write(path, bytes);
      files.push_back(path);
    }
    std::vector<std::string> arguments = {"-o", "out"};
    arguments.insert(arguments.end(), s.arguments.begin(), s.arguments.end());
    ToolRun run = runTool(directory, arguments, limits);
    EXPECT_TRUE(run.status == 0 || run.status == 1)
        << run.status << ": " << run.messages;
    EXPECT_LT(run.seconds, kMostSeconds);
    if (run.observed && !kSanitized) {
      EXPECT_LE(run.peakBytes, kMostBytes);
    }
    EXPECT_EQ(run.messages.find("xlink: error: ") != std::string::npos,
              run.status == 1)
        << run.messages;
    // No output, and nothing half written either.
    if (run.status == 0)
      files.push_back("out");
    std::sort(files.begin(), files.end());
    std::string expected;
    for (const std::string &file : files)
      expected += (expected.empty() ? "" : " ") + file;
    EXPECT_EQ(directory.list(), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryMachine, Mutation,
                         testing::ValuesIn(allTargets().begin(),
                                           allTargets().end()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
} // namespace xlink::test
