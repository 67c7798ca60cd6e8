//===- HashIndexTest.cpp - elements of an array by their hash -------------===//
#include "base/HashIndex.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace xlink::test {
namespace {

/// Texts with hashes that a test chooses.
struct Texts {
  auto equals(const std::string &text) const {
    return [&](uint32_t number) { return all[number] == text; };
  }
  std::pair<uint32_t, bool> insert(const std::string &text, uint64_t hash) {
    const auto result = index.insert(hash, uint32_t(all.size()), equals(text));
    if (result.second)
      all.push_back(text);
    return result;
  }
  std::optional<uint32_t> find(const std::string &text, uint64_t hash) const {
    return index.find(hash, equals(text));
  }

  std::vector<std::string> all;
  HashIndex index;
};

using Result = std::pair<uint32_t, bool>;

TEST(HashIndex, NumbersTheFirstOfEqualElements) {
  Texts texts;
  EXPECT_EQ(texts.find("a", 1), std::nullopt);
  EXPECT_EQ(texts.insert("a", 1), Result(0, true));
  EXPECT_EQ(texts.insert("b", 2), Result(1, true));
  EXPECT_EQ(texts.insert("a", 1), Result(0, false));
  EXPECT_EQ(texts.find("b", 2), 1u);
  EXPECT_EQ(texts.find("c", 3), std::nullopt);
}

TEST(HashIndex, EqualHashes) {
  Texts texts;
  EXPECT_EQ(texts.insert("a", 7), Result(0, true));
  EXPECT_EQ(texts.insert("b", 7), Result(1, true));
  // Its own key is that of the second one.
  EXPECT_EQ(texts.insert("c", 8), Result(2, true));
  EXPECT_EQ(texts.insert("d", 7), Result(3, true));
  for (uint32_t round = 0; round < 2; ++round) {
    EXPECT_EQ(texts.find("a", 7), 0u);
    EXPECT_EQ(texts.find("b", 7), 1u);
    EXPECT_EQ(texts.find("c", 8), 2u);
    EXPECT_EQ(texts.find("d", 7), 3u);
    EXPECT_EQ(texts.find("e", 7), std::nullopt);
    texts.index.reserve(10000); // into another table
  }
}

TEST(HashIndex, UpperHalvesOfHashesDoNotCount) {
  Texts texts;
  EXPECT_EQ(texts.insert("a", 7), Result(0, true));
  EXPECT_EQ(texts.insert("b", uint64_t(1) << 32 | 7), Result(1, true));
  EXPECT_EQ(texts.find("a", uint64_t(2) << 32 | 7), 0u);
}

// The table keeps the two largest keys for itself; behind them is 0.
TEST(HashIndex, ReservedKeys) {
  Texts texts;
  uint32_t number = 0;
  for (uint64_t hash : {0xffffffffu, 0xfffffffeu, 0xfffffffdu, 0u, 1u}) {
    texts.index.prefetch(hash);
    EXPECT_EQ(texts.insert("x" + std::to_string(hash), hash),
              Result(number++, true));
  }
  number = 0;
  for (uint64_t hash : {0xffffffffu, 0xfffffffeu, 0xfffffffdu, 0u, 1u}) {
    EXPECT_EQ(texts.find("x" + std::to_string(hash), hash), number++);
    EXPECT_EQ(texts.find("y", hash), std::nullopt);
  }
}

TEST(HashIndex, ManyElements) {
  Texts texts;
  const auto textOf = [](uint32_t i) { return std::to_string(i); };
  // Sixteen of a hash, and hashes that follow each other.
  for (uint32_t i = 0; i < 2000; ++i)
    EXPECT_EQ(texts.insert(textOf(i), i % 125), Result(i, true));
  for (uint32_t i = 0; i < 2000; ++i)
    EXPECT_EQ(texts.find(textOf(i), i % 125), i);
}

} // namespace
} // namespace xlink::test
