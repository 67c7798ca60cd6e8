//===- ResourceUsageTest.cpp - --print-resource-usage of long chains ------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// The lines about the stack of the entry, of a link without a message.
std::string entryStack(StringRef lines) {
  LinkHarness links;
  links.file("a.o", statementObject(lines));
  Linked linked = links.link({"a.o", "--print-resource-usage"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.status, 0);
  StringRef part = StringRef(linked.text).split("    stack words: ").second;
  return part.split("    threads").first.str();
}

// Chains as long as programs are large, and as wide; nothing here recurses.
TEST(ResourceUsage, LongChains) {
  constexpr int count = 30000;
  auto name = [](int i) { return "f" + std::to_string(i); };
  std::string lines = "code _start\nstack _start 1\ncalls _start f0\n";
  for (int i = 0; i < count; ++i) {
    // Symbols without an address: the machine's memory is small.
    lines += "result " + name(i) + "\nstack " + name(i) + " 1\n";
    if (i + 1 < count)
      lines += "calls " + name(i) + " " + name(i + 1) + "\n";
  }
  EXPECT_EQ(entryStack(lines),
            "30001, its own 1\n      deepest path: _start -> f0 -> f1 -> f2 "
            "-> f3 -> f4 -> f5 -> f6 -> f7 -> f8 -> f9 -> f10 -> f11 -> f12 -> "
            "f13 -> f14 -> f15 -> f16 -> f17 -> f18 -> (29980 more) -> "
            "f29999\n");
  // Closed to a circle.
  std::string report = entryStack(lines + "calls f29999 f0\n");
  EXPECT_TRUE(StringRef(report).starts_with(
      "unbounded, its own 1\n      recursion f0 -> f1 -> "))
      << report;
  EXPECT_TRUE(StringRef(report).ends_with(" (29980 more) -> f0\n")) << report;
}

} // namespace
} // namespace xlink::test
