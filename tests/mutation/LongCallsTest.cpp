//===- LongCallsTest.cpp - chains and circles of thousands of functions ---===//
//
// The reports about a chain of calls as long as the program, and about a circle
// in which each function's stack is stated as that of the next and some more,
// take no longer for being in one piece: boundedLink gives each link a second.
//
//===----------------------------------------------------------------------===//
#include "mutation/BoundedLink.h"
#include "support/CallObject.h"
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
  std::vector<std::pair<std::string, Bytes>> files;
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
    files.push_back({numbered("o", i), callObject("nyuzi", lines)});
    arguments.push_back(files.back().first);
  }
  EXPECT_EQ(boundedLink("chains", files, arguments), 0);
}

TEST(LongCalls, CirclesOfSums) {
  const unsigned count = unsigned(numberFrom("XLINK_CIRCLE", 4000));
  std::string lines = "code _start\ncalls _start f0\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = numbered("f", i),
                      next = numbered("f", (i + 1) % count);
    lines += "code " + name + "\nresult " + name + ".nstackwords\nsum " + name +
             ".nstackwords " + next + ".nstackwords 4\ncalls " + name + " " +
             next + "\n";
  }
  for (const char *report : {"--stack-usage", "--print-resource-usage=json"})
    boundedLink("circle", {{"a.o", statementObject(lines)}}, {report, "a.o"});
}

} // namespace
} // namespace xlink::test
