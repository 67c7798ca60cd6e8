//===- AssertionTest.cpp - assertions of the suite's build
//-----------------===//
//
// LLVM checks the bounds of its slices, and libstdc++ those of its containers,
// in assertions of their headers. The suite's build has them, so that an access
// outside of an array ends a test instead of going unnoticed; the tool as
// shipped has none (tool/AssertionTest.cpp).
//
//===----------------------------------------------------------------------===//
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

} // namespace
} // namespace xlink::test
