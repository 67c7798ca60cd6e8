//===- LongCallsTest.cpp - chains and circles of thousands of functions ---===//
//
// The reports about a chain of calls as long as the program, and about a circle
// in which each function's stack is stated as that of the next and some more,
// end, and say what is in them. Method and numbers are such that a search that
// begins anew at each function would not end within the suite's patience.
//
//===----------------------------------------------------------------------===//
#include "support/CallObject.h"
#include "support/LinkHarness.h"
#include "support/StatementObject.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

std::string numbered(const char *name, unsigned i) {
  return name + std::to_string(i);
}

TEST(LongCalls, Chains) {
  // In many objects: yaml2obj takes long for a large one.
  constexpr unsigned objects = 50, each = 100, count = objects * each;
  LinkHarness links;
  std::vector<std::string> arguments = {
      "-e",           "_start",       "--gc-sections",        "--stack-usage",
      "--why-live=*", "--why-dead=*", "--answers-json=a.json"};
  for (unsigned i = 0; i < count; i += each) {
    std::string lines = i ? "" : "_start 0 f0\n";
    // What lives, and what does not.
    for (const char *name : {"f", "d"})
      for (unsigned k = i; k < i + each; ++k)
        lines += numbered(name, k) + " 8" +
                 (k + 1 < count ? " " + numbered(name, k + 1) : "") + "\n";
    links.file(numbered("o", i), callObject("nyuzi", lines));
    arguments.push_back(numbered("o", i));
  }
  const Linked linked = links.link(arguments);
  EXPECT_EQ(linked.status, 0) << linked.errors;
  EXPECT_EQ(linked.files.count("a.json"), 1u);
  // Each of the 5000 functions takes 8 bytes.
  EXPECT_NE(linked.text.find("40000"), std::string::npos);
}

TEST(LongCalls, CirclesOfSums) {
  constexpr unsigned count = 4000;
  std::string lines = "code _start\ncalls _start f0\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = numbered("f", i),
                      next = numbered("f", (i + 1) % count);
    lines += "code " + name + "\nresult " + name + ".nstackwords\nsum " + name +
             ".nstackwords " + next + ".nstackwords 4\ncalls " + name + " " +
             next + "\n";
  }
  const LinkHarness links = LinkHarness().file("a.o", statementObject(lines));
  for (const char *report : {"--stack-usage", "--print-resource-usage=json"})
    EXPECT_NE(links.link({report, "a.o"}).text, "") << report;
}

} // namespace
} // namespace xlink::test
