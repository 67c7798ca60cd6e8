//===- KeepSymbolTest.cpp - --keep-symbol ---------------------------------===//
#include "link/NamedObjects.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine) {
    harness.file("a.o", namedObject(machine, {"f", "g", "g2"}, {"f"},
                                    "  - { Name: local, Section: .rodata }\n"
                                    "  - { Name: other, Section: .rodata }\n"
                                    "  - { Name: .L1, Section: .rodata }\n"));
    harness.file("names", "f");
  }
  std::string symbols(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0", "a.o"});
    return symbolNames(quiet(harness.link(arguments)));
  }
};

// Through everything that leaves symbols out.
TEST(KeepSymbol, WhateverElseSaysThatItGoes) {
  for (const char *machine : bothClasses) {
    Links links(machine);
    EXPECT_EQ(links.symbols({"-s", "--keep-symbol=g"}), " | g");
    EXPECT_EQ(links.symbols({"--keep-symbol=local", "-s"}), "local | ");
    EXPECT_EQ(links.symbols({"-x", "--keep-symbol=local"}), "local | f g g2");
    EXPECT_EQ(links.symbols({"-X", "--keep-symbol=.L1"}),
              "local other .L1 | f g g2");
    EXPECT_EQ(links.symbols({"-S", "-x", "--keep-symbol=other"}),
              "other | f g g2");
    EXPECT_EQ(links.symbols({"--retain-symbols-file=names", "--keep-symbol=g",
                             "--keep-symbol", "local"}),
              "local | f g");
  }
}

TEST(KeepSymbol, Globs) {
  Links links("nyuzi");
  EXPECT_EQ(links.symbols({"-s", "--keep-symbol=g*"}), " | g g2");
  EXPECT_EQ(links.symbols({"-s", "--keep-symbol=[fl]*"}), "local | f");
  EXPECT_EQ(links.symbols({"-s", "--keep-symbol=?"}), " | f g");
}

// As stripped as without it where there is none of the name.
TEST(KeepSymbol, NothingOfTheName) {
  Links links("nyuzi");
  EXPECT_EQ(
      links.harness.link({"-e", "0", "a.o", "-s", "--keep-symbol=x"}).image(),
      links.harness.link({"-e", "0", "a.o", "-s"}).image());
}

} // namespace
} // namespace xlink::test
