//===- MergeTableTest.cpp - equal pieces of mergeable sections ------------===//
#include "sections/MergeTable.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace llvm;

namespace xlink::test {
namespace {

std::pair<uint32_t, bool> insert(MergeTable &table, StringRef text,
                                 uint8_t alignLog2 = 0) {
  return table.insert(text, MergeTable::hashOf(text), alignLog2);
}

TEST(MergeTable, EqualBytesAreOnePiece) {
  MergeTable table(100);
  const std::string again = "one";
  EXPECT_EQ(insert(table, "one"), std::pair(0u, true));
  EXPECT_EQ(insert(table, "two"), std::pair(1u, true));
  EXPECT_EQ(insert(table, again), std::pair(0u, false));
  EXPECT_EQ(insert(table, "on"), std::pair(2u, true));
  EXPECT_EQ(insert(table, ""), std::pair(3u, true));
  EXPECT_EQ(insert(table, ""), std::pair(3u, false));
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(table[2].bytes(), "on");
  EXPECT_EQ(table[3].size, 0u);
}

TEST(MergeTable, TheFirstCopyIsAlignedForAll) {
  MergeTable table(100);
  for (uint8_t align : {1, 3, 0})
    insert(table, "a", align);
  EXPECT_EQ(table[0].alignLog2, 3u);
}

// Beside a map; the table has to grow.
TEST(MergeTable, ManyCopies) {
  std::mt19937 random(1);
  MergeTable table(1000);
  std::map<std::string, uint32_t> numbers;
  std::vector<std::string> texts;
  for (size_t i = 0; i < 150000; ++i) {
    const unsigned number = random() % 60000;
    texts.push_back(std::to_string(number) +
                    std::string(number % 40, char('a' + number % 26)));
  }
  for (const std::string &text : texts) {
    const auto [it, isNew] =
        numbers.try_emplace(text, uint32_t(numbers.size()));
    ASSERT_EQ(insert(table, text), std::pair(it->second, isNew));
    ASSERT_EQ(table[it->second].bytes(), text);
  }
  EXPECT_EQ(table.size(), numbers.size());
}

} // namespace
} // namespace xlink::test
