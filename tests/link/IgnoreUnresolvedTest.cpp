//===- IgnoreUnresolvedTest.cpp - undefined symbols that are meant --------===//
#include "link/NamedObjects.h"

using namespace llvm;

namespace xlink::test {
namespace {

// A symbol that may be undefined is 0; all others are errors as ever.
TEST(IgnoreUnresolved, SingleSymbols) {
  for (const char *machine : bothClasses) {
    LinkHarness links;
    links.file("a.o", namedObject(machine, {"own"}, {"f", "g"}));
    expectFailure(
        links.link({"-e", "0", "a.o", "--ignore-unresolved-symbol=f"}),
        std::string("xlink: error: undefined symbol: g\n"
                    ">>> referenced by a.o:(.data+0x") +
            (std::string(machine) == "nyuzi" ? "4" : "8") + ")\n");
    OutFile out =
        quiet(links.link({"-e", "0", "a.o", "--ignore-unresolved-symbol=f",
                          "--ignore-unresolved-symbol", "g",
                          "--ignore-unresolved-symbol=unknown"}));
    EXPECT_EQ(addressed(out), "0 0");
  }
}

// It is not for what a script reads.
TEST(IgnoreUnresolved, ScriptsWantValues) {
  LinkHarness links;
  links.file("a.o", namedObject("nyuzi", {"own"}, {"own"}));
  expectFailure(links.link({"-e", "0", "a.o", "--defsym=x=f",
                            "--ignore-unresolved-symbol=f"}),
                "xlink: error: option '--defsym=x=f': undefined symbol 'f'\n");
}

// Every input is an object file.
TEST(IgnoreUnresolved, AllOfAKind) {
  LinkHarness links;
  links.file("a.o", namedObject("nyuzi", {"own"}, {"f"}));
  for (const char *how : {"ignore-all", "ignore-in-object-files"})
    quiet(links.link(
        {"-e", "0", "a.o", std::string("--unresolved-symbols=") + how}));
  for (const char *how : {"report-all", "ignore-in-shared-libs"})
    expectFailure(links.link({"-e", "0", "a.o",
                              std::string("--unresolved-symbols=") + how}),
                  "xlink: error: undefined symbol: f\n"
                  ">>> referenced by a.o:(.data+0x0)\n");
}

} // namespace
} // namespace xlink::test
