//===- AssertionTest.cpp - the tests assert, the tool does not ------------===//
//
// LLVM checks the bounds of its slices, and libstdc++ those of its containers,
// in assertions of their headers. What the tests link is compiled with them, so
// that an access outside of an array ends a test instead of going unnoticed.
//
//===----------------------------------------------------------------------===//
#include "support/ToolProcess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <gtest/gtest.h>
#include <vector>

using namespace llvm;

namespace xlink::test {
namespace {

TEST(AssertionsDeathTest, OfLlvmHoldInTests) {
  std::vector<int> four(4);
  volatile size_t five = 5;
  EXPECT_DEATH((void)ArrayRef<int>(four).slice(five, 1), "specifier");
  EXPECT_DEATH((void)MutableArrayRef<int>(four)[five], "Invalid index");
  EXPECT_DEATH((void)alignToPowerOf2(four.size(), five), "power of 2");
}

TEST(AssertionsDeathTest, OfTheLibraryHoldInTests) {
  std::vector<int> four(4);
  volatile size_t five = 5;
  EXPECT_DEATH((void)four[five], "__n < this->size()");
}

bool asserts(const std::string &library) {
  Bytes bytes = readTestFile(buildDirectory() + "/" + library);
  return StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size())
      .contains("__assert_fail");
}

/// What the tests link, and what the tool links, is compiled apart.
TEST(Assertions, AreInTheTestsAndNotInTheTool) {
  for (const char *room : {"arch", "input", "script", "resolve", "layout",
                           "output", "report", "driver"}) {
    std::string library = std::string("libxlink_") + room;
    if (kSanitized) {
      EXPECT_TRUE(asserts(library + ".a")) << room;
      continue;
    }
    EXPECT_TRUE(asserts(library + "_checked.a")) << room;
#ifdef XLINK_TOOL_NDEBUG // not in builds of type Debug
    EXPECT_FALSE(asserts(library + ".a")) << room;
#endif
  }
}

} // namespace
} // namespace xlink::test
