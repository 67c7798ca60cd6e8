//===- ReportMutationTest.cpp - reports about damaged inputs --------------===//
//
// Whatever the bytes of objects, the reports about them end in bounded time and
// space, in a link that fails too, and what they write for programs can be read
// (BoundedLink.h). XLINK_MUTANTS asks for more of each machine,
// XLINK_MUTANTS_FROM begins at another one.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "mutation/BoundedLink.h"
#include "mutation/Mutants.h"
#include "support/CallObject.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// All reports at once.
const std::vector<std::string> kReports = {"--cref",
                                           "--map-json=map.json",
                                           "--html-report=page.html",
                                           "--answers-json=answers.json",
                                           "--print-size-attribution",
                                           "--print-memory-usage",
                                           "--stack-usage",
                                           "--why-live=*",
                                           "--why-dead=*",
                                           "--why-extract",
                                           "--why-extract=*",
                                           "--why-placed=*",
                                           "--why-live=main",
                                           "--why-dead=local",
                                           "--stack-limit=main=4",
                                           "--time"};

class ReportMutation : public testing::TestWithParam<const Target *> {};

/// Links with frames and calls beside those that other mutants are made of.
std::vector<Specimen> reportedSpecimens(StringRef machine) {
  std::vector<Specimen> specimens = specimensOf(machine);
  if (machine != "xs1") // its compilers state calls in .expr
    specimens.push_back({"calls",
                         {{"a.o", callObject(machine, "_start 0 main\n"
                                                      "main 48 f ~g\n"
                                                      "local f 32 leaf &h\n"
                                                      "g 16 f main b\n"
                                                      "h - h\n"
                                                      "leaf 8\n"
                                                      "* h leaf\n")},
                          {"b.o", callObject(machine, "b 300 leaf\n"
                                                      "c 70000 b\n")}},
                         {"-e", "_start", "a.o", "b.o"}});
  return specimens;
}

TEST_P(ReportMutation, OfObjects) {
  const char *machine = GetParam()->name;
  const std::vector<Specimen> specimens = reportedSpecimens(machine);
  ASSERT_FALSE(HasFailure());
  watchLinks();
  const uint64_t first = numberFrom("XLINK_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_MUTANTS", 250);
  uint64_t failed = 0;
  static const char *const modes[] = {"", "--gc-sections", "--icf=all", "-r"};
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    Specimen s = mutantOf(specimens, machine, i);
    s.arguments.insert(s.arguments.end(), kReports.begin(), kReports.end());
    // Each specimen meets each mode.
    if (const StringRef mode = modes[i / specimens.size() % 4]; !mode.empty())
      s.arguments.push_back(mode.str());
    failed += boundedLink(std::string(machine) + " " + std::to_string(i),
                          s.files, s.arguments);
  }
  // Mutants that all fail alike, or all pass, test nothing.
  EXPECT_GT(failed, count / 5);
  EXPECT_LT(failed, count / 10 * 9);
}

/// Bytes that mean something to a reader of JSON, of HTML or of a terminal.
std::string hostileName(size_t length, uint64_t seed) {
  static const char *const pieces[] = {"</script>",
                                       "<!--",
                                       "-->",
                                       "<script",
                                       "\"",
                                       "\\",
                                       "\\u003c",
                                       "\n",
                                       "\x01",
                                       "\x1b[2J",
                                       "\xff",
                                       "\xc3",
                                       "\xed\xa0\x80",
                                       "\xe2\x80\xa8",
                                       "@MAP@",
                                       "@",
                                       "_Z1fv",
                                       "_ZN",
                                       "*",
                                       "[",
                                       "(",
                                       ")",
                                       ":(",
                                       ".text",
                                       "%",
                                       "'",
                                       "&lt;",
                                       "{0}",
                                       "\t",
                                       "_R"};
  std::string name;
  for (uint64_t n = 0; name.size() < length; ++n)
    name += pieces[(seed >> (5 * (n % 12))) % std::size(pieces)];
  name.resize(length);
  return name;
}

// Names come from objects; none of them breaks what holds it.
TEST_P(ReportMutation, OfNames) {
  const std::string machine = GetParam()->name;
  static const char *const places[] = {"aaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbb",
                                       "ccccccccccccccc", "ddddddddddddddd"};
  const Bytes object = machineObject(machine, R"(
Sections:
  - { Name: .text.main, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
  - { Name: .text.aaaaaaaaaaaaaaa, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
  - { Name: bbbbbbbbbbbbbbb, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 16 }
Symbols:
  - { Name: ccccccccccccccc, Type: STT_FILE, Index: SHN_ABS }
  - { Name: ddddddddddddddd, Type: STT_FUNC, Section: .text.aaaaaaaaaaaaaaa, Size: 8 }
  - { Name: _start, Type: STT_FUNC, Section: .text.main, Binding: STB_GLOBAL, Size: 16 }
  - { Name: aaaaaaaaaaaaaaa, Type: STT_FUNC, Section: .text.aaaaaaaaaaaaaaa, Binding: STB_GLOBAL, Size: 16 }
)",
                                     machine == "dpu"        ? 0x02800000
                                     : machine == "aphelion" ? 6
                                                             : 0u);
  watchLinks();
  const uint64_t first = numberFrom("XLINK_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_MUTANTS", 70);
  uint64_t passed = 0;
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    std::string text(object.begin(), object.end());
    uint64_t seed = seedOf(machine, i);
    for (StringRef place : places) {
      const std::string name = hostileName(place.size(), seed *= 31);
      for (size_t at = text.find(place.str()); at != std::string::npos;
           at = text.find(place.str(), at + 1))
        text.replace(at, name.size(), name);
    }
    const std::string path = hostileName(9, seed) + ".o";
    std::vector<std::string> arguments = kReports;
    arguments.insert(arguments.end(), {"-e", "_start", path});
    if (i % 2)
      arguments.push_back("--gc-sections");
    passed +=
        boundedLink(machine + " names " + std::to_string(i),
                    {{path, Bytes(text.begin(), text.end())}}, arguments) == 0;
  }
  EXPECT_GT(passed, count / 2);
}

INSTANTIATE_TEST_SUITE_P(EveryMachine, ReportMutation,
                         testing::ValuesIn(allTargets()), [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
} // namespace xlink::test
