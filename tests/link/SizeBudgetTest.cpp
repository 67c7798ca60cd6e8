//===- SizeBudgetTest.cpp - --size-budget and --baseline ------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string object(const char *size) {
  return std::string(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: )") +
         size + R"( }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x20 }
Symbols:
  - { Name: _start, Section: .text, Size: )" +
         size + R"(, Type: STT_FUNC, Binding: STB_GLOBAL }
)";
}

constexpr const char *kScript =
    "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
    " ram : ORIGIN = 0x8000, LENGTH = 64 }\n"
    "SECTIONS { .text : { *(.text) } > rom .bss : { *(.bss) } > ram }";

struct Budgets {
  LinkHarness links;
  Budgets() {
    links.file("a.o", nyuzi(object("0x40")));
    links.file("a64.o", aphelion(object("0x40")));
    links.file("x.ld", kScript);
    LinkHarness before;
    before.file("a.o", nyuzi(object("0x30"))).file("x.ld", kScript);
    links.file(
        "old.json",
        before.linkAsGiven({"a.o", "-T", "x.ld", "-e", "0", "--map-json=m"})
            .files["m"]);
  }
  Linked link(StringRef budget, std::vector<std::string> more = {},
              const char *input = "a.o") {
    links.file("b.txt", budget);
    std::vector<std::string> arguments = {
        "--size-budget=b.txt", "-T", "x.ld", "-e", "0", input};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return links.linkAsGiven(arguments);
  }
};

std::string fileText(const Linked &linked, const char *name) {
  auto it = linked.files.find(name);
  return it == linked.files.end()
             ? "no file"
             : std::string(it->second.begin(), it->second.end());
}

TEST(SizeBudget, WhatFits) {
  Budgets budgets;
  for (const char *input : {"a.o", "a64.o"})
    for (const char *format : {"elf", "binary", "ihex"}) {
      const Linked linked = budgets.link(
          "region rom 6%\nregion ram 32\nobject a*.o 96\nsymbol _start 64\n",
          {std::string("--oformat=") + format}, input);
      EXPECT_EQ(linked.errors, "xlink: error: b.txt:1: region rom takes 64 "
                               "bytes, 3 more than its limit of 6% (61)\n"
                               ">>> 64 bytes: " +
                                   std::string(input) + ":(.text)\n");
      EXPECT_TRUE(linked.files.empty());
      EXPECT_EQ(budgets
                    .link("region rom 7%\nregion ram 50%\n"
                          "object a*.o 96\nsymbol _start 64\n",
                          {std::string("--oformat=") + format}, input)
                    .errors,
                "");
    }
  EXPECT_EQ(budgets.link("section .text 64\nobject a.o 96", {"-r"}).errors, "");
}

TEST(SizeBudget, ExcessFailsTheLink) {
  Budgets budgets;
  const Linked linked = budgets.link("# b\nregion rom 0x38\nregion rum 1K",
                                     {"--baseline", "old.json", "-Map=m"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.errors,
            "xlink: error: b.txt:2: region rom takes 64 bytes, 8 more than its "
            "limit of 0x38 (56)\n"
            ">>> 64 bytes: a.o:(.text)\n"
            ">>> it has grown by 16 bytes since old.json, where it was 48\n"
            ">>> +16 bytes: _start in a.o\n"
            "xlink: warning: b.txt:3: region rum: nothing in the program has "
            "this name\n"
            ">>> the program has the regions rom, ram\n");
  // Reports are there, the output is not.
  EXPECT_EQ(linked.files.size(), 1u);
  EXPECT_TRUE(linked.files.count("m"));
}

// Also when other things are wrong.
TEST(SizeBudget, OfALinkThatFails) {
  Budgets budgets;
  const Linked linked =
      budgets.link("symbol _start 8", {"-u", "none", "--require-defined=none"});
  EXPECT_TRUE(StringRef(linked.errors)
                  .contains("xlink: error: b.txt:1: symbol _start takes 64 "
                            "bytes, 56 more than its limit of 8\n"))
      << linked.errors;
  EXPECT_TRUE(StringRef(linked.errors).contains("none")) << linked.errors;
}

TEST(SizeBudget, AnswersInJson) {
  Budgets budgets;
  Linked linked =
      budgets.link("region rom 0x38\nobject z.o 1", {"--answers-json=a.json"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(fileText(linked, "a.json"), R"({
  "format": "xlink answers",
  "version": 1,
  "sizeBudget": {
    "file": "b.txt",
    "limits": [
      {
        "exceeded": true,
        "found": true,
        "kind": "region",
        "limit": 56,
        "line": 1,
        "name": "rom",
        "used": 64
      },
      {
        "exceeded": false,
        "found": false,
        "kind": "object",
        "limit": 1,
        "line": 2,
        "name": "z.o",
        "used": 0
      }
    ]
  }
}
)");
}

TEST(SizeBudget, Trouble) {
  Budgets budgets;
  expectFailure(budgets.link("region rom 1Q"),
                "xlink: error: b.txt:1: '1Q' is no size: one is written like "
                "512, 0x200, 48K or 1M, a share of a region like 90%\n");
  expectFailure(budgets.link("", {"--baseline=none.json", "--no-warn-general"}),
                "xlink: error: cannot open none.json: No such file or "
                "directory\n");
  expectFailure(budgets.link("", {"--baseline=b.txt", "--no-warn-general"}),
                "xlink: error: b.txt:1:1: no JSON: a value is missing at the "
                "end\n");
  expectFailure(budgets.links.linkAsGiven(
                    {"-T", "x.ld", "-e", "0", "a.o", "--size-budget=none"}),
                "xlink: error: cannot open the size budget none: No such file "
                "or directory\n");
}

TEST(SizeBudget, BaselineAlone) {
  Budgets budgets;
  const Linked linked = budgets.links.linkAsGiven(
      {"-T", "x.ld", "-e", "0", "a.o", "--baseline=old.json"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors, "xlink: warning: option '--baseline' has no effect "
                           "without '--size-budget' or '--html-report'\n");
}

// They are inputs: nothing overwrites them, make knows of them.
TEST(SizeBudget, Files) {
  TemporaryDirectory directory;
  Budgets budgets;
  directory.write("a.o", nyuzi(object("0x40")));
  directory.write("x.ld", std::string(kScript));
  directory.write("b.txt", std::string("region rom 1K\n"));
  auto run = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"-o", "out", "-T", "x.ld", "-e", "0", "a.o",
                                   "--size-budget=b.txt"});
    return runTool(directory, options).messages;
  };
  EXPECT_EQ(run({"--map-json=old.json", "--dependency-file=d"}), "");
  EXPECT_EQ(directory.read("d"),
            "out: \\\n  x.ld \\\n  a.o \\\n  b.txt\n\nx.ld:\n\na.o:\n\n"
            "b.txt:\n");
  EXPECT_EQ(run({"--map-json=old.json", "--baseline=old.json"}),
            "xlink: error: input file 'old.json' is the same as map in JSON\n");
  EXPECT_EQ(run({"--answers-json=b.txt"}),
            "xlink: error: input file 'b.txt' is the same as answers in "
            "JSON\n");
}

} // namespace
} // namespace xlink::test
