//===- TextBlockTest.cpp - numbers and letters of long texts --------------===//
#include "base/TextBlock.h"
#include <gtest/gtest.h>
#include <string>

namespace xlink::test {
namespace {

std::string decimal(uint64_t value) {
  TextBlock text;
  text.number(value);
  return text.str().str();
}

TEST(TextBlock, NumbersAreWhatTheStandardLibraryWrites) {
  // Both sides of each power of ten, and what lies between two of them.
  for (uint64_t power = 1; power < UINT64_MAX / 20; power *= 10)
    for (uint64_t value : {power - 1, power, power + 1, power * 5 + power / 3,
                           power * 9 + power / 10 * 9})
      EXPECT_EQ(decimal(value), std::to_string(value));
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(UINT64_MAX), "18446744073709551615");
  for (uint64_t value = 0; value < 110'000; ++value)
    ASSERT_EQ(decimal(value), std::to_string(value));
  for (uint64_t value = 99'999'999; value > 99'900'000; --value)
    ASSERT_EQ(decimal(value), std::to_string(value));
}

TEST(TextBlock, NumbersStandBehindEachOther) {
  TextBlock text;
  std::string wanted;
  for (uint64_t value = 1; value < 10'000'000'000; value = value * 3 + 1) {
    text.number(value);
    text += ',';
    wanted += std::to_string(value) + ",";
  }
  EXPECT_EQ(text.str(), wanted);
}

TEST(TextBlock, IsEmptiedAndFilledAgain) {
  TextBlock text;
  text += "a text";
  text.append(3, '.');
  EXPECT_EQ(text.str(), "a text...");
  text.clear();
  text.hexDigits(0x1a2b, 8);
  EXPECT_EQ(text.str(), "0x00001a2b");
}

} // namespace
} // namespace xlink::test
