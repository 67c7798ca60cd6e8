//===- TailMergeTest.cpp - which strings end others -----------------------===//
//
// Beside the plain rule: sort by the bytes read backwards, then walk.
//
//===----------------------------------------------------------------------===//
#include "sections/SettleContributions.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace llvm;

namespace xlink::test {
namespace {

/// Distinct strings, and what they are aligned to: a binary logarithm.
using Aligned = std::map<std::string, uint64_t>;

/// By string, the one that it is read in, or itself.
using Wholes = std::map<std::string, std::string>;

Wholes sharedBy(const Aligned &strings, unsigned threads = 1,
                uint64_t unit = 1) {
  std::vector<SectionPiece> pieces;
  for (const auto &[text, align] : strings)
    pieces.emplace_back(text, uint8_t(align));
  mergeTails(Parallel(threads), pieces, unit);
  Wholes wholes;
  for (const SectionPiece &piece : pieces) {
    const SectionPiece &whole =
        piece.whole == kNone ? piece : pieces[piece.whole];
    EXPECT_TRUE(whole.whole == kNone) << "what others are read in stays";
    wholes.emplace_hint(wholes.end(), piece.bytes.str(), whole.bytes.str());
  }
  return wholes;
}

Wholes byTheRule(const Aligned &strings, uint64_t classes) {
  std::vector<std::pair<std::string, uint64_t>> backwards;
  for (const auto &[text, align] : strings)
    backwards.push_back({std::string(text.rbegin(), text.rend()), align});
  std::sort(backwards.begin(), backwards.end());
  Wholes wholes;
  std::map<uint64_t, std::pair<std::string, uint64_t>> last;
  for (auto it = backwards.rbegin(); it != backwards.rend(); ++it) {
    const auto &[text, align] = *it;
    auto &[whole, wholeAlign] = last[text.size() % classes];
    const bool shared =
        whole.size() > text.size() && StringRef(whole).starts_with(text) &&
        wholeAlign >= align && (whole.size() - text.size()) % (1 << align) == 0;
    if (!shared) {
      whole = text;
      wholeAlign = align;
    }
    wholes[std::string(text.rbegin(), text.rend())] =
        std::string(whole.rbegin(), whole.rend());
  }
  return wholes;
}

void compare(const Aligned &strings, uint64_t unit = 1, uint64_t classes = 1) {
  const Wholes expected = byTheRule(strings, classes);
  for (unsigned threads : {1, 2, 4})
    EXPECT_TRUE(sharedBy(strings, threads, unit) == expected) << threads;
}

TEST(TailMerge, Few) {
  const Wholes wholes = sharedBy(
      {{"", 0}, {"d", 0}, {"abcd", 0}, {"bcd", 0}, {"xbcd", 0}, {"abc", 0}});
  EXPECT_EQ(wholes.at("bcd"), "abcd");
  EXPECT_EQ(wholes.at("d"), "abcd");
  EXPECT_EQ(wholes.at(""), "abc") << "the first in order of the ends";
  EXPECT_EQ(wholes.at("abc"), "abc");
  EXPECT_EQ(wholes.at("xbcd"), "xbcd");
}

TEST(TailMerge, WithoutTheEmptyOne) {
  compare({{"a", 0}, {"ba", 0}});
  compare({{"a", 0}});
}

// Keys have eight bytes: what ends in front of, at and behind the end of one.
TEST(TailMerge, EndsAroundKeys) {
  Aligned strings;
  for (size_t size = 0; size < 40; ++size) {
    strings[std::string(size, 'a')] = 0;
    strings["b" + std::string(size, 'a')] = 0;
    strings["\xff" + std::string(size, 'a')] = 0;
    strings[std::string(1, '\0') + std::string(size, 'a')] = 0;
  }
  compare(strings);
  EXPECT_EQ(sharedBy(strings).at(std::string(13, 'a')),
            std::string(1, '\0') + std::string(13, 'a'));
}

/// Strings of which most end in one of a few texts, some in others of them.
Aligned manyEnds(size_t count, unsigned seed, unsigned aligns) {
  std::mt19937 random(seed);
  Aligned strings;
  const std::string ends[] = {
      "", ".", std::string(9, '.'), std::string(30, '.'),
      "a common end of many strings" + std::string(30, '.')};
  while (strings.size() < count) {
    std::string text;
    for (unsigned n = random() % 12; n; --n)
      text += "0123456789abcdefghij"[random() % 20];
    strings[text + ends[random() % 5]] = aligns ? random() % aligns : 0;
    if (random() % 4 == 0)
      strings[text] = aligns ? random() % aligns : 0;
  }
  return strings;
}

TEST(TailMerge, Many) { compare(manyEnds(3000, 1, 0)); }

TEST(TailMerge, ManyAligned) { compare(manyEnds(3000, 2, 3)); }

// They do not end each other; a string that ends all of them is read in the
// first.
TEST(TailMerge, OfOneSize) {
  std::mt19937 random(6);
  for (unsigned aligns : {1, 3})
    for (size_t count : {20, 9000})
      for (size_t dots : {3, 7, 30}) {
        Aligned strings;
        for (size_t size : {size_t(0), size_t(2), dots - 1, dots})
          strings[std::string(size, '.')] = random() % aligns;
        while (strings.size() < count)
          strings[std::to_string(100000 + random() % 900000) +
                  std::string(dots, '.')] = random() % aligns;
        compare(strings);
      }
}

// As many as several threads sort.
TEST(TailMerge, MoreThanOneThreadSorts) {
  compare(manyEnds(36000, 3, 0));
  compare(manyEnds(36000, 4, 2));
}

// All ask for eight bytes: those whose sizes differ by eight come together.
TEST(TailMerge, AllAlignedAlike) {
  Aligned strings = manyEnds(9000, 5, 0);
  for (auto &[text, align] : strings)
    align = 3;
  compare(strings, 1, 8);
}

} // namespace
} // namespace xlink::test
