//===- RetainSymbolsTest.cpp - --retain-symbols-file ----------------------===//
#include "link/NamedObjects.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine) {
    harness.file("a.o", namedObject(machine, {"f", "g", "h"}, {"f", "w"},
                                    "  - { Name: local, Section: .rodata }\n"
                                    "  - { Name: other, Section: .rodata }\n"
                                    "  - { Name: w, Binding: STB_WEAK }\n"));
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0", "a.o"});
    return harness.link(arguments);
  }
};

TEST(RetainSymbols, OnlyThoseOfTheFile) {
  for (const char *machine : bothClasses) {
    Links links(machine);
    links.harness.file("names", " g\n\n\tlocal h\r\nnothing");
    OutFile out = quiet(links.link({"--retain-symbols-file=names"}));
    EXPECT_EQ(symbolNames(out), "local | g h");
    // What relocations refer to is in its place all the same.
    OutFile all = quiet(links.link({}));
    EXPECT_EQ(bytesOf(out, ".data"), bytesOf(all, ".data"));
    EXPECT_NE(all.symbol("w"), nullptr);
  }
}

TEST(RetainSymbols, EmptyFile) {
  Links links("nyuzi");
  links.harness.file("names", "");
  OutFile out = quiet(links.link({"--retain-symbols-file", "names"}));
  EXPECT_EQ(symbolNames(out), " | ");
}

// GNU ld: it overrides them wherever they stand.
TEST(RetainSymbols, InsteadOfStripping) {
  Links links("nyuzi");
  links.harness.file("names", "f");
  const char *warning = "xlink: warning: option '--retain-symbols-file' "
                        "overrides '-s' and '-S'\n";
  for (const char *strip : {"-s", "-S"}) {
    OutFile out =
        warned(links.link({strip, "--retain-symbols-file=names"}), warning);
    EXPECT_EQ(symbolNames(out), " | f");
    out = warned(links.link({"--retain-symbols-file=names", strip}), warning);
    EXPECT_EQ(symbolNames(out), " | f");
  }
}

TEST(RetainSymbols, Errors) {
  Links links("nyuzi");
  links.harness.file("names", "f");
  expectFailure(links.link({"--retain-symbols-file=missing"}),
                "xlink: error: cannot open the list of symbols to retain "
                "missing: No such file or directory\n"
                "xlink: warning: undefined symbols are not reported, since not "
                "all inputs could be read\n");
  expectFailure(links.link({"--retain-symbols-file=names",
                            "--retain-symbols-file=names"}),
                "xlink: error: option '--retain-symbols-file' may be given "
                "once\n");
}

} // namespace
} // namespace xlink::test
