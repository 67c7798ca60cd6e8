//===- MapRoundTripTest.cpp - maps that are read again --------------------===//
//
// The maps of small programs of all machines: what was written can be read and
// says the same. map-schema.test compares their form with map.schema.json.
//
//===----------------------------------------------------------------------===//
#include "link/Goldens.h"
#include "link/Linking.h"
#include "map/LinkMapJson.h"
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

std::string mapOf(const Linked &linked) {
  auto it = linked.files.find("map.json");
  if (it == linked.files.end())
    return "no map";
  return {it->second.begin(), it->second.end()};
}

/// Reads a map and writes it again; returns its machine.
std::string expectSameAgain(const std::string &text) {
  Diagnostics diag;
  std::optional<LinkMap> map = readLinkMap("map.json", text, diag);
  for (const Diagnostic &d : diag.all())
    ADD_FAILURE() << d.text;
  EXPECT_EQ(map ? mapJson(*map) : "", text);
  return map ? map->machine.str() : "";
}

/// Ways to link the same inputs.
const std::vector<std::vector<std::string>> kWays = {
    {},
    {"--gc-sections", "--cref"},
    {"-r", "--cref"},
    {"--oformat=binary"},
    {"-s", "--icf=all", "--cref"}};

/// Calls fn with each program's files and the options of each way to link them
/// with a map in map.json.
void forEachWay(
    llvm::function_ref<void(const Golden &, std::vector<std::string> arguments)>
        fn) {
  for (const std::string &name : goldens()) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    for (const std::vector<std::string> &way : kWays) {
      std::vector<std::string> arguments = golden.arguments;
      arguments.insert(arguments.end(), way.begin(), way.end());
      arguments.push_back("--map-json=map.json");
      fn(golden, std::move(arguments));
    }
  }
}

TEST(MapRoundTrip, AllMachines) {
  std::set<std::string> machines;
  forEachWay([&](const Golden &golden, std::vector<std::string> arguments) {
    // Some fail, at -r of what was linked already for example: the map is
    // there all the same, if anything was placed.
    const Linked linked = golden.harness.linkAsGiven(arguments);
    if (linked.files.count("map.json"))
      machines.insert(expectSameAgain(mapOf(linked)));
    else
      EXPECT_NE(linked.status, 0);
  });
  EXPECT_EQ(machines, (std::set<std::string>{"xs1", "nyuzi", "aphelion", "dpu",
                                             "colossus"}));
}

// Parts are made as they are written, or kept where a report asks for them.
TEST(MapRoundTrip, SameWherePartsAreKept) {
  forEachWay([](const Golden &golden, std::vector<std::string> arguments) {
    const Linked linked = golden.harness.linkAsGiven(arguments);
    EXPECT_TRUE(linked.status != 0 || linked.files.count("map.json"));
    arguments.push_back("--print-memory-usage");
    EXPECT_EQ(mapOf(golden.harness.linkAsGiven(arguments)), mapOf(linked));
  });
}

// Of a link that fails, and of one without anything in it.
TEST(MapRoundTrip, OddLinks) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 0x1000 }
  - { Name: '', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Size: 4 }
Symbols:
  - { Name: "q\"\\\x01|", Section: .text, Binding: STB_GLOBAL, Size: 0xffffffff }
)"));
  links.file("empty.o", nyuzi(""));
  links.file("m.ld", "MEMORY { rom : ORIGIN = 0xfffffff0, LENGTH = 16 }\n"
                     "SECTIONS { .text : { *(*) } > rom }");
  links.file("all.ld", "MEMORY { all : ORIGIN = 0, LENGTH = ~0 }\n"
                       "SECTIONS { .text 0xfffff000 : { *(.text) } > all "
                       "/DISCARD/ : { *(*) } }");
  auto map = [&](std::vector<std::string> arguments) {
    arguments.push_back("--map-json=map.json");
    arguments.push_back("--no-warn-entry");
    return mapOf(links.linkAsGiven(arguments));
  };
  EXPECT_EQ(expectSameAgain(map({"empty.o"})), "nyuzi");
  EXPECT_EQ(expectSameAgain(map({"empty.o", "-r"})), "nyuzi");
  EXPECT_EQ(expectSameAgain(map({"a.o"})), "nyuzi");
  EXPECT_EQ(expectSameAgain(map({"a.o", "-T", "all.ld"})), "nyuzi");
  // The address space is too small: there is no map that means anything.
  Diagnostics diag;
  EXPECT_FALSE(readLinkMap("map.json", map({"a.o", "-T", "m.ld"}), diag));
  ASSERT_EQ(diag.all().size(), 1u);
  EXPECT_TRUE(StringRef(diag.all()[0].text)
                  .contains("go past the end of a 32-bit address space"))
      << diag.all()[0].text;
}

} // namespace
} // namespace xlink::test
