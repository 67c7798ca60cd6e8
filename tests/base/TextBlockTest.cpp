//===- TextBlockTest.cpp - numbers and letters of long texts --------------===//
#include "base/TextBlock.h"
#include <cstdio>
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

// Beside printf, which many have checked.
TEST(TextBlock, HexadecimalDigits) {
  for (uint64_t seed = 1; seed < 2000; ++seed)
    for (unsigned digits = 1; digits <= 16; ++digits) {
      const uint64_t value = (seed * 0x9e3779b97f4a7c15) >> (64 - 4 * digits);
      char wanted[24];
      snprintf(wanted, sizeof wanted, "0x%0*llx", int(digits),
               static_cast<unsigned long long>(value));
      TextBlock text;
      text += '(';
      text.hexDigits(value, digits);
      text += ')';
      ASSERT_EQ(text.str(), "(" + std::string(wanted) + ")");
    }
  // Of what has more digits the lower ones.
  TextBlock text;
  text.hexDigits(0xfedc'ba98'7654'3210, 3);
  text.hexDigits(0xfedc'ba98'7654'3210, 8);
  text.hexDigits(0xfedc'ba98'7654'3210, 15);
  EXPECT_EQ(text.str(), "0x2100x765432100xedcba9876543210");
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
