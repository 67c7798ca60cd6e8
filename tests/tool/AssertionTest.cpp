//===- AssertionTest.cpp - the tool as shipped has no assertions ----------===//
#include "support/ToolProcess.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

TEST(Assertions, NoneInTheTool) {
  for (const char *room : {"arch", "machinefile", "input", "script", "resolve",
                           "layout", "output", "report", "driver"}) {
    Bytes bytes = readTestFile(buildDirectory() + "/libxlink_" + room + ".a");
    EXPECT_FALSE(bytes.empty()) << room;
    StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    EXPECT_FALSE(text.contains("__assert_fail")) << room;
  }
}

} // namespace
} // namespace xlink::test
