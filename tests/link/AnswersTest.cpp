//===- AnswersTest.cpp - answers for programs -----------------------------===//
//
// What --answers-json and --compare-maps=json write is of the form that their
// schemas describe, for all machines and for links that fail.
//
//===----------------------------------------------------------------------===//
#include "link/Goldens.h"
#include "link/SchemaCheck.h"
#include "link/WhyProgram.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string fileOf(const Linked &linked, const std::string &name) {
  const auto it = linked.files.find(name);
  return it == linked.files.end()
             ? ""
             : std::string(it->second.begin(), it->second.end());
}

/// Everything that can be asked.
const std::vector<std::string> kQuestions = {
    "--print-memory-usage", "--print-size-attribution",
    "--stack-usage",        "--why-live=*",
    "--why-dead=*",         "--why-extract",
    "--why-extract=*",      "--why-placed=*",
    "--size-budget=budget", "--answers-json=a.json"};

/// The links of the goldens and of a program with something for each question,
/// with and without collection, whole and with a symbol missing.
void addAnswers(SchemaCheck &check, const std::string &name, LinkHarness links,
                const std::vector<std::string> &arguments) {
  links.file("budget", StringRef("output .text 1\nsection .text* 1M\n"
                                 "symbol none 4\n"));
  const std::vector<std::vector<std::string>> ways = {
      {}, {"--gc-sections", "--icf=all"}, {"--require-defined=gone"}};
  for (size_t way = 0; way < ways.size(); ++way) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), kQuestions.begin(), kQuestions.end());
    all.insert(all.end(), ways[way].begin(), ways[way].end());
    const std::string text = fileOf(links.linkAsGiven(all), "a.json");
    if (!text.empty())
      check.add(name + std::to_string(way) + ".json", text);
  }
}

TEST(Answers, AreAsTheirSchemaSays) {
  SchemaCheck check;
  for (const std::string &name : goldens()) {
    const Golden golden(name);
    addAnswers(check, name, golden.harness, golden.arguments);
  }
  addAnswers(check, "why", whyProgram(), {"main.o", "lib.a", "-T", "s.ld"});
  EXPECT_EQ(check.size(), 3 * (goldens().size() + 1));
  EXPECT_EQ(check.run(), "");
}

// Each question has its member, and what was not asked has none.
TEST(Answers, HaveWhatWasAsked) {
  LinkHarness links = whyProgram();
  auto membersOf = [&](std::vector<std::string> more) {
    more.insert(more.end(),
                {"main.o", "lib.a", "-T", "s.ld", "--answers-json=a.json"});
    const Linked linked = links.link(more);
    Expected<json::Value> value = json::parse(fileOf(linked, "a.json"));
    if (!value) {
      ADD_FAILURE() << toString(value.takeError());
      return std::string();
    }
    std::vector<std::string> names;
    for (const auto &[name, member] : *value->getAsObject())
      names.push_back(std::string(name.str()));
    sort(names);
    return join(names, " ");
  };
  EXPECT_EQ(membersOf({}), "format version");
  EXPECT_EQ(membersOf({"--print-memory-usage"}), "format memoryUsage version");
  EXPECT_EQ(membersOf({"--print-memory-usage=json", "--stack-usage=json"}),
            "format memoryUsage stackUsage version");
  EXPECT_EQ(membersOf({"--why-live=table", "--why-dead=old", "--why-extract",
                       "--why-placed=.text"}),
            "format version whyDead whyExtract whyLive whyPlaced");
  links.file("budget", StringRef("output .text 1M\n"));
  EXPECT_EQ(membersOf({"--size-budget=budget", "--print-size-attribution"}),
            "format sizeAttribution sizeBudget version");
}

TEST(Answers, OnStandardOutput) {
  const LinkHarness links = whyProgram();
  const std::vector<std::string> arguments = {"main.o", "lib.a", "-T", "s.ld",
                                              "--print-memory-usage=json"};
  auto with = [&](const char *more) {
    std::vector<std::string> all = arguments;
    all.push_back(more);
    return links.link(all);
  };
  const Linked printed = with("--answers-json=-"),
               written = with("--answers-json=a.json");
  EXPECT_EQ(printed.text, written.text + fileOf(written, "a.json"));
  EXPECT_EQ(printed.files.count("-"), 0u);
}

TEST(Answers, ComparisonsAreAsTheirSchemaSays) {
  SchemaCheck check;
  LinkHarness links = whyProgram();
  auto map = [&](std::vector<std::string> more) {
    more.insert(more.end(),
                {"main.o", "lib.a", "-T", "s.ld", "--map-json=map.json"});
    return fileOf(links.link(more), "map.json");
  };
  links.file("old.json", StringRef(map({})));
  links.file("new.json", StringRef(map({"--gc-sections", "-u", "spare"})));
  for (const char *newer : {"old.json", "new.json"})
    check.add(
        newer,
        links.linkAsGiven({"--compare-maps=json", "old.json", newer}).text);
  EXPECT_EQ(check.run(), "");
}

} // namespace
} // namespace xlink::test
