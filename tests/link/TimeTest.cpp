//===- TimeTest.cpp - how long the phases of a link take ------------------===//
#include "link/Linking.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

using testing::ElementsAre;

LinkHarness inputs() {
  LinkHarness links;
  links.file("a.o", nyuzi("Sections:\n"
                          "  - { Name: .text, Type: SHT_PROGBITS, "
                          "Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                          "Content: '00000000' }\n"
                          "Symbols:\n"
                          "  - { Name: _start, Section: .text, "
                          "Binding: STB_GLOBAL }\n"));
  return links;
}

/// The names of a table's lines, in order, without the figures behind them.
std::vector<std::string> namesIn(StringRef table) {
  std::vector<std::string> names;
  for (StringRef line : split(table.rtrim(), '\n'))
    names.push_back(line.split("  ").first.str());
  return names;
}

const std::vector<std::string> kPhases = {"open and parse inputs",
                                          "resolve symbols",
                                          "prepare the script",
                                          "place sections",
                                          "find what lives",
                                          "place orphans",
                                          "merge contents",
                                          "assign addresses",
                                          "report",
                                          "check",
                                          "write the output"};

TEST(Time, NamesEveryPhase) {
  const Linked linked = inputs().link({"a.o", "--time"});
  EXPECT_EQ(linked.errors, "");
  std::vector<std::string> expected = {"Phase"};
  expected.insert(expected.end(), kPhases.begin(), kPhases.end());
  for (const char *figure :
       {"total", "input files", "input bytes", "input sections",
        "global symbols", "relocations", "peak memory, bytes"})
    expected.push_back(figure);
  EXPECT_EQ(namesIn(linked.text), expected) << linked.text;
  EXPECT_THAT(linked.text, testing::ContainsRegex("input files +1\n"));
  // .text, .symtab, .strtab and .shstrtab, as readelf lists them.
  EXPECT_THAT(linked.text, testing::ContainsRegex("input sections +4\n"));
  EXPECT_THAT(linked.text, testing::ContainsRegex("total +[0-9.]+ ms  100.0%"));
}

// Names that members offer and nobody asks for are no symbols of the link.
TEST(Time, CountsSymbolsThatTakePart) {
  LinkHarness links = inputs();
  const std::string before = links.link({"a.o", "--time"}).text;
  links.file("lib.a", makeArchive({{"m.o", nyuzi(R"(
Symbols:
  - { Name: unused, Index: SHN_ABS, Binding: STB_GLOBAL }
)")}}));
  const std::string after = links.link({"a.o", "lib.a", "--time"}).text;
  auto count = [](StringRef text) {
    return text.split("global symbols").second.split('\n').first.trim().str();
  };
  EXPECT_NE(count(before), "");
  EXPECT_EQ(count(after), count(before));
}

// Without the option nobody measures, and the output is the same.
TEST(Time, SaysNothingUnasked) {
  const Linked plain = inputs().link({"a.o"});
  EXPECT_EQ(plain.text, "");
  EXPECT_EQ(inputs().link({"a.o", "--time"}).image(), plain.image());
}

// A link that fails says where its time went until then.
TEST(Time, OfLinksThatFail) {
  const Linked linked = inputs().link({"a.o", "missing.o", "--time"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(namesIn(linked.text)[1], "open and parse inputs");
}

std::vector<std::string> phasesOf(const Linked &linked, const char *path) {
  std::vector<std::string> names;
  const Bytes &bytes = linked.files.at(path);
  Expected<json::Value> trace =
      json::parse({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  if (!trace) {
    ADD_FAILURE() << toString(trace.takeError());
    return names;
  }
  int64_t end = 0;
  for (const json::Value &value :
       *trace->getAsObject()->getArray("traceEvents")) {
    const json::Object &event = *value.getAsObject();
    if (event.getString("ph") != "X")
      continue;
    EXPECT_EQ(event.getInteger("ts"), end); // one behind the other
    end += *event.getInteger("dur");
    names.push_back(event.getString("name")->str());
  }
  EXPECT_EQ(
      trace->getAsObject()->getObject("otherData")->getInteger("input files"),
      1);
  return names;
}

// The members are those of the Trace Event Format's complete events.
TEST(Time, TraceForBrowsers) {
  EXPECT_EQ(phasesOf(inputs().link({"a.o", "--time-trace=t.json"}), "t.json"),
            kPhases);
  EXPECT_EQ(phasesOf(inputs().link({"a.o", "--time-trace"}), "out.time-trace"),
            kPhases);
  EXPECT_EQ(phasesOf(inputs().link({"a.o", "--time-trace=%.json"}), "out.json"),
            kPhases);
  // An undefined symbol ends the link after the checks.
  Linked failed =
      inputs().link({"a.o", "--time-trace=t.json", "--require-defined=gone"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_FALSE(phasesOf(failed, "t.json").empty());
}

TEST(Time, TraceOverwritesNothing) {
  const Linked linked = inputs().link({"a.o", "--time-trace=out"});
  EXPECT_EQ(linked.errors, "xlink: error: trace of the time 'out' is the same "
                           "as output file\n");
  EXPECT_TRUE(linked.files.empty());
}

// Who shows progress is told of each phase as it begins.
TEST(Time, Progress) {
  std::vector<std::string> seen;
  LinkRequest request;
  request.arguments = {"-m", "nyuzi", "no-such-file.o"};
  request.progress = [&](const char *phase) { seen.push_back(phase); };
  EXPECT_EQ(link(request).status, 1);
  EXPECT_EQ(seen.at(0), "open and parse inputs");
}

} // namespace
} // namespace xlink::test
