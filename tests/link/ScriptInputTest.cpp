//===- ScriptInputTest.cpp - scripts that name scripts --------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes object() {
  return nyuzi("Symbols:\n  - { Name: a, Index: SHN_ABS, Binding: STB_GLOBAL "
               "}\n");
}

const char kTooMany[] = "too many linker scripts (at most 4096, 32 deep)\n";

TEST(ScriptInput, OfItself) {
  for (const char *command : {"INPUT(j.ld j.ld)", "GROUP(j.ld)",
                              "STARTUP(j.ld)", "INPUT(AS_NEEDED(j.ld))"}) {
    LinkHarness links;
    links.file("a.o", object()).file("j.ld", StringRef(command));
    for (std::vector<std::string> arguments :
         {std::vector<std::string>{"-e", "0", "a.o", "j.ld"},
          {"-e", "0", "a.o", "-T", "j.ld"},
          {"-e", "0", "a.o", "-dT", "j.ld"}}) {
      Linked linked = links.link(arguments);
      EXPECT_EQ(linked.status, 1);
      EXPECT_EQ(StringRef(linked.errors)
                    .count("INPUT of the script 'j.ld' from within itself\n"),
                StringRef(command).count("j.ld"))
          << linked.errors;
    }
  }
}

TEST(ScriptInput, ThroughOthers) {
  LinkHarness links;
  links.file("a.o", object());
  links.file("j.ld", StringRef("\n INPUT(k.ld)"));
  links.file("k.ld", StringRef("INCLUDE part.ld"));
  links.file("part.ld", StringRef("INPUT(./j.ld)"));
  expectFailure(
      links.link({"-e", "0", "a.o", "j.ld"}),
      "xlink: error: part.ld:1:7: INPUT of the script './j.ld' from "
      "within itself\n"
      ">>> j.ld names k.ld\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
}

// Without a cycle their number can double with each level.
TEST(ScriptInput, Number) {
  LinkHarness links;
  links.file("a.o", object());
  for (int i = 0; i < 20; ++i) {
    std::string next = "s" + std::to_string(i + 1) + ".ld";
    links.file("s" + std::to_string(i) + ".ld",
               StringRef("INPUT(" + next + " " + next + ")"));
  }
  links.file("s20.ld", StringRef("INPUT(a.o)"));
  Linked linked = links.link({"-e", "0", "s0.ld"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(StringRef(linked.errors).count(kTooMany), 1u);
}

TEST(ScriptInput, Depth) {
  LinkHarness links;
  links.file("a.o", object());
  for (int i = 0; i < 40; ++i)
    links.file("s" + std::to_string(i) + ".ld",
               StringRef("INPUT(s" + std::to_string(i + 1) + ".ld)"));
  links.file("s40.ld", StringRef("INPUT(a.o)"));
  expectFailure(
      links.link({"-e", "0", "a.o", "s0.ld"}),
      std::string("xlink: error: s31.ld:1:7: ") + kTooMany +
          "xlink: warning: undefined symbols are not reported, since not all "
          "inputs could be read\n");
  quiet(links.link({"-e", "0", "s9.ld"}));
}

TEST(ScriptInput, TwiceIsNoCycle) {
  LinkHarness links;
  links.file("a.o", object()).file("j.ld", StringRef("INPUT(a.o)"));
  quiet(links.link({"-e", "0", "j.ld", "j.ld"}));
}

} // namespace
} // namespace xlink::test
