//===- CommonOptionsTest.cpp - --warn-common, --sort-common ---------------===//
//
// Texts and orders are those of GNU ld 2.40; of symbols that it takes for
// equally aligned it has an order of its own.
//
//===----------------------------------------------------------------------===//
#include "link/NamedObjects.h"
#include <algorithm>

using namespace llvm;

namespace xlink::test {
namespace {

/// A line of a symbol table.
std::string common(const char *name, unsigned size, unsigned align) {
  return std::string("  - { Name: ") + name +
         ", Index: SHN_COMMON, Binding: STB_GLOBAL, Value: " +
         std::to_string(align) + ", Size: " + std::to_string(size) + " }\n";
}

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("a.o",
                 namedObject("nyuzi", {"d1"}, {},
                             common("c1", 4, 4) + common("c2", 8, 8) +
                                 common("c4", 2, 2) + common("c5", 1, 1) +
                                 common("c6", 64, 64)));
    harness.file("b.o",
                 namedObject("nyuzi", {"c4"}, {},
                             common("c1", 8, 4) + common("c2", 4, 4) +
                                 common("d1", 8, 8) + common("c5", 1, 1) +
                                 "  - { Name: c6, Section: .rodata, Binding: "
                                 "STB_WEAK }\n"));
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0"});
    return harness.link(arguments);
  }
};

std::vector<std::string> sortedLines(StringRef text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.push_back(text.split('\n').first.str());
    text = text.split('\n').second;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(CommonOptions, WarnCommon) {
  Links links;
  quiet(links.link({"a.o", "b.o"}));
  quiet(links.link({"a.o", "b.o", "--warn-common", "--no-warn-common"}));
  quiet(links.link({"a.o", "b.o", "--warn-common", "--no-warn-symbol"}));
  EXPECT_EQ(
      sortedLines(links.link({"--warn-common", "a.o", "b.o"}).errors),
      (std::vector<std::string>{
          "xlink: warning: b.o and a.o: multiple common of 'c5'",
          "xlink: warning: b.o: common of 'c1' overriding smaller common from "
          "a.o",
          "xlink: warning: b.o: common of 'c2' overridden by larger common "
          "from a.o",
          "xlink: warning: b.o: common of 'd1' overridden by definition from "
          "a.o",
          "xlink: warning: b.o: definition of 'c4' overriding common from "
          "a.o"}));
  EXPECT_EQ(
      sortedLines(links.link({"--warn-common", "b.o", "a.o"}).errors),
      (std::vector<std::string>{
          "xlink: warning: a.o and b.o: multiple common of 'c5'",
          "xlink: warning: a.o: common of 'c1' overridden by larger common "
          "from b.o",
          "xlink: warning: a.o: common of 'c2' overriding smaller common from "
          "b.o",
          "xlink: warning: a.o: common of 'c4' overridden by definition from "
          "b.o",
          "xlink: warning: a.o: definition of 'd1' overriding common from "
          "b.o"}));
}

TEST(CommonOptions, WarnCommonIsAWarning) {
  Links links;
  links.harness.file("c.o",
                     namedObject("nyuzi", {"x"}, {}, common("c5", 1, 1)));
  expectFailure(links.link({"a.o", "c.o", "--warn-common", "--fatal-warnings"}),
                "xlink: error: c.o and a.o: multiple common of 'c5'\n");
}

/// The names of a file's common symbols by address.
std::string order(const OutFile &out) {
  std::vector<std::pair<uint64_t, std::string>> found;
  for (const char *name : {"c1", "c2", "c3", "c4", "c5"})
    if (const OutSymbol *s = out.symbol(name))
      found.push_back({s->value, name});
  std::sort(found.begin(), found.end());
  std::string text;
  for (const auto &[value, name] : found)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

TEST(CommonOptions, SortCommon) {
  for (const char *machine : bothClasses) {
    LinkHarness links;
    links.file("a.o", namedObject(machine, {"f"}, {},
                                  common("c1", 4, 4) + common("c2", 8, 8) +
                                      common("c3", 8, 32) + common("c4", 2, 2) +
                                      common("c5", 1, 1)));
    auto sorted = [&](std::vector<std::string> options) {
      options.insert(options.begin(), {"-e", "0", "a.o"});
      return order(quiet(links.link(options)));
    };
    EXPECT_EQ(sorted({}), "c1 c2 c3 c4 c5");
    EXPECT_EQ(sorted({"--sort-common"}), "c3 c2 c1 c4 c5");
    EXPECT_EQ(sorted({"--sort-common=descending"}), "c3 c2 c1 c4 c5");
    EXPECT_EQ(sorted({"--sort-common=ascending"}), "c5 c4 c1 c2 c3");
  }
}

// Each file has its own COMMON.
TEST(CommonOptions, SortCommonWithinFiles) {
  LinkHarness links;
  links.file("a.o", namedObject("nyuzi", {"f"}, {},
                                common("c1", 1, 1) + common("c2", 2, 2)));
  links.file("b.o", namedObject("nyuzi", {"g"}, {},
                                common("c3", 4, 4) + common("c4", 8, 8)));
  EXPECT_EQ(
      order(quiet(links.link({"-e", "0", "a.o", "b.o", "--sort-common"}))),
      "c2 c1 c4 c3");
  expectFailure(links.link({"-e", "0", "a.o", "--sort-common=size"}),
                "xlink: error: option '--sort-common': 'size' is none of "
                "ascending, descending\n");
}

} // namespace
} // namespace xlink::test
