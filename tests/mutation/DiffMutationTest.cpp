//===- DiffMutationTest.cpp - diff of damaged files -----------------------===//
//
// Whatever the bytes of a file, comparing it with the sound one ends in bounded
// time, with the differences or with a message. A file with other bytes is
// never called the same, and who stands first does not matter. XLINK_MUTANTS
// asks for more of each machine, XLINK_MUTANTS_FROM begins at another one.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "mutation/BoundedLink.h"
#include "mutation/Mutants.h"
#include "support/InspectHarness.h"
#include "support/LinkHarness.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

class DiffMutation : public testing::TestWithParam<const Target *> {};

/// What the specimens of a machine are linked to, also with relocations.
std::vector<Bytes> programsOf(StringRef machine) {
  std::vector<Bytes> programs;
  for (const Specimen &specimen : specimensOf(machine))
    for (const bool kept : {false, true}) {
      LinkHarness links;
      for (const auto &[path, bytes] : specimen.files)
        links.file(path, bytes);
      std::vector<std::string> arguments = specimen.arguments;
      if (kept)
        arguments.push_back("-q");
      const Linked linked = links.link(arguments);
      if (linked.status == 0 && linked.files.count("out"))
        programs.push_back(linked.image());
    }
  return programs;
}

Inspected compare(const Bytes &a, const Bytes &b, const char *format) {
  return inspected({{"a", a}, {"b", b}}, {"diff", format, "a", "b"});
}

TEST_P(DiffMutation, IsBounded) {
  const std::vector<Bytes> programs = programsOf(GetParam()->name);
  ASSERT_GT(programs.size(), 1u);
  const uint64_t first = numberFrom("XLINK_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_MUTANTS", 300);
  uint64_t trouble = 0, different = 0;
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    SCOPED_TRACE(std::string(GetParam()->name) + " " + std::to_string(i));
    const Bytes &sound = programs[i % programs.size()];
    const Bytes damaged = mutate(sound, i);
    const auto begin = std::chrono::steady_clock::now();
    const Inspected text = compare(sound, damaged, "--ignore=.none");
    const Inspected back = compare(damaged, sound, "--json");
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    EXPECT_LT(seconds.count(), 2 * kMostSeconds);
    EXPECT_EQ(text.status, back.status);
    EXPECT_EQ(text.status == 2, !text.errors.empty()) << text.errors;
    EXPECT_EQ(text.status == 1, !text.text.empty()) << text.text;
    EXPECT_EQ(text.status == 0, sound == damaged);
    const Inspected map = inspected({{"a", sound}, {"b", damaged}},
                                    {"compare", "--json", "a", "b"});
    EXPECT_EQ(map.status == 2, text.status == 2) << map.errors;
    for (const Inspected *answer : {&back, &map})
      if (answer->status != 2) {
        Expected<json::Value> value = json::parse(answer->text);
        EXPECT_TRUE(bool(value)) << answer->text;
        if (!value)
          consumeError(value.takeError());
      }
    trouble += text.status == 2;
    different += text.status == 1;
  }
  // Mutants that are all refused, or all read, test nothing.
  EXPECT_GT(trouble, count / 20);
  EXPECT_GT(different, count / 20);
}

INSTANTIATE_TEST_SUITE_P(, DiffMutation, testing::ValuesIn(allTargets()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
} // namespace xlink::test
