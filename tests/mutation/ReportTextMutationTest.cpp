//===- ReportTextMutationTest.cpp - damaged texts that reports read -------===//
//
// Size budgets, older maps, what states calls, and what compilers tell of
// stacks: whatever is in such a file, the link ends in bounded time and space,
// and an error leaves no output. XLINK_MUTANTS asks for more of each kind,
// XLINK_MUTANTS_FROM begins at another one.
//
//===----------------------------------------------------------------------===//
#include "mutation/BoundedLink.h"
#include "mutation/Mutants.h"
#include "support/CallObject.h"
#include "support/InspectHarness.h"
#include "support/LinkHarness.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>
#include <ostream>

using namespace llvm;

namespace xlink::test {
namespace {

Bytes bytesOf(StringRef text) { return {text.begin(), text.end()}; }

Bytes program() {
  return callObject("nyuzi", "_start 0 main\n"
                             "main 48 f _ZN2ns3useEi\n"
                             "f 8 leaf\n"
                             "leaf - \n"
                             "_ZN2ns3useEi 16 _ZN2ns3useEi\n"
                             "first -\n"
                             "* first leaf\n");
}

/// The map of the program, to be damaged.
std::string mapText() {
  const Linked linked = LinkHarness()
                            .file("dir/a.o", program())
                            .link({"dir/a.o", "--stack-usage", "--map-json=m"});
  EXPECT_EQ(linked.status, 0) << linked.errors;
  const Bytes &map = linked.files.at("m");
  return {map.begin(), map.end()};
}

/// A text and the option that has it read as "text".
struct Reader {
  const char *name;
  const char *file; ///< where it is looked for
  std::vector<const char *> options;
  std::string (*text)();
};

void PrintTo(const Reader &reader, std::ostream *out) { *out << reader.name; }

std::string budget() {
  return "# What this product has.\n"
         "region  FLASH        48K\n"
         "region  RAM          90%\n"
         "archive libc.a       6K\n"
         "object  a.o          2\n"
         "section .text*       0x10\n"
         "output  '.te[wx]t'   10M\n"
         "symbol  \"ns::use(int)\" 512\n"
         "symbol  *            4\n";
}
std::string statedCalls() {
  return "# who is called by the dispatcher\n"
         "main: on_*, ns::use(int), first\n"
         "leaf: f , main # a comment\n"
         "ns::use(int): *\n";
}
std::string frames() {
  return "a.c:1:5:_start\t8\tstatic\n"
         "a.c:2:5:main\t16\tdynamic\n"
         "a.c:3:leaf\t24\tdynamic,bounded\n"
         "a.cc:5:5:int ns::use(int)\t40\tstatic\n";
}
std::string graph() {
  return R"ci(graph: { title: "a.c"
node: { title: "_start" label: "_start\na.c:1:5\n8 bytes (static)" }
node: { title: "a.c:leaf" label: "leaf\na.c:3:5\n24 bytes (dynamic)" }
node: { title: "_ZN2ns3useEi" label: "int ns::use(int)\na.cc:6:5\n8 bytes (static)" }
node: { title: "__indirect_call" label: "Indirect Call Placeholder" shape : ellipse }
edge: { sourcename: "leaf" targetname: "__indirect_call" label: "a.c:2:9" }
edge: { sourcename: "a.c:leaf" targetname: "first" label: "a.c:3:9" }
}
)ci";
}

class ReportText : public testing::TestWithParam<Reader> {};

TEST_P(ReportText, IsBounded) {
  const Reader &reader = GetParam();
  const std::string whole = reader.text();
  const Bytes object = program();
  watchLinks();
  const uint64_t first = numberFrom("XLINK_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_MUTANTS", 500);
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    const std::string text = mutateText(whole, seedOf(reader.name, i));
    std::vector<std::string> arguments = {"dir/a.o", "--answers-json=a.json"};
    arguments.insert(arguments.end(), reader.options.begin(),
                     reader.options.end());
    boundedLink(std::string(reader.name) + " " + std::to_string(i),
                {{"dir/a.o", object},
                 {"budget", bytesOf(budget())},
                 {reader.file, bytesOf(text)}},
                arguments);
    if (HasFailure())
      ADD_FAILURE() << StringRef(text).take_front(4000).str();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ReportText,
    testing::Values(Reader{"budgets", "text", {"--size-budget=text"}, budget},
                    Reader{"baselines",
                           "text",
                           {"--size-budget=budget", "--baseline=text",
                            "--html-report=page.html"},
                           mapText},
                    Reader{"calls",
                           "text",
                           {"--stack-usage", "--stack-calls=text"},
                           statedCalls},
                    Reader{"frames",
                           "dir/a.su",
                           {"--stack-usage", "--stack-usage-files"},
                           frames},
                    Reader{"graphs",
                           "dir/a.ci",
                           {"--stack-usage", "--stack-usage-files"},
                           graph}),
    [](const auto &info) { return std::string(info.param.name); });

// A damaged map is refused with a message, or compared; in JSON that parses.
TEST(ComparedMaps, AreBounded) {
  const std::string whole = mapText();
  const uint64_t first = numberFrom("XLINK_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_MUTANTS", 500);
  uint64_t compared = 0;
  static const char *const formats[] = {"--no-demangle", "--json",
                                        "--markdown"};
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    const std::string text = mutateText(whole, seedOf("maps", i));
    SCOPED_TRACE(i);
    const Inspected result =
        inspected({{"a.json", bytesOf(whole)}, {"b.json", bytesOf(text)}},
                  {"compare", formats[i % 3], i % 2 ? "a.json" : "b.json",
                   i % 2 ? "b.json" : "a.json"});
    EXPECT_EQ(result.status == kTrouble, !result.errors.empty())
        << result.errors;
    EXPECT_EQ(result.text.empty(), result.status == kTrouble) << result.text;
    if (result.status == kTrouble)
      continue;
    ++compared;
    if (i % 3 == 1) {
      Expected<json::Value> value = json::parse(result.text);
      EXPECT_TRUE(bool(value)) << result.text;
      if (!value)
        consumeError(value.takeError());
    }
  }
  EXPECT_GT(compared, count / 20);
  EXPECT_LT(compared, count / 10 * 9);
}

} // namespace
} // namespace xlink::test
