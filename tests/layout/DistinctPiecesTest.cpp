//===- DistinctPiecesTest.cpp - a set that many threads fill
//---------------===//
#include "sections/DistinctPieces.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

using namespace llvm;

namespace xlink::test {
namespace {

PieceCopy copyOf(StringRef text, uint64_t alignLog2, uint64_t position) {
  return {text.data(), uint32_t(text.size()), 0,
          pieceClaim(alignLog2, position)};
}

/// Enters copies, one batch; their order stays.
void enterAll(DistinctPieces &pieces, std::vector<PieceCopy> &copies) {
  EXPECT_TRUE(pieces.fill(1, [&](size_t, DistinctPieces::Inserter &inserter) {
    return inserter.enter(copies);
  }));
}

TEST(DistinctPieces, EqualBytesAreOnePiece) {
  DistinctPieces pieces(Parallel(1), 100);
  const std::string again = "one";
  std::vector<PieceCopy> copies = {copyOf("one", 0, 0), copyOf("two", 0, 4),
                                   copyOf(again, 0, 8), copyOf("on", 0, 12)};
  enterAll(pieces, copies);
  EXPECT_EQ(copies[0].number, copies[2].number);
  EXPECT_NE(copies[0].number, copies[1].number);
  EXPECT_NE(copies[0].number, copies[3].number);
  EXPECT_EQ(pieces[copies[3].number].bytes(), "on");
}

// Hashes look at words of eight bytes, and at what is left of them.
TEST(DistinctPieces, EachByteCounts) {
  for (size_t size = 1; size < 70; ++size) {
    DistinctPieces pieces(Parallel(1), 100);
    std::vector<std::string> texts(size + 1, std::string(size, 'a'));
    for (size_t i = 0; i < size; ++i)
      texts[i][i] = 'b';
    std::vector<PieceCopy> copies;
    for (const std::string &text : texts)
      copies.push_back(copyOf(text, 0, 0));
    enterAll(pieces, copies);
    std::set<uint32_t> numbers, tags;
    for (const PieceCopy &copy : copies) {
      numbers.insert(copy.number);
      tags.insert(copy.tag);
    }
    EXPECT_EQ(numbers.size(), texts.size()) << size;
    EXPECT_EQ(tags.size(), texts.size()) << size;
  }
}

TEST(DistinctPieces, TheFirstCopyStays) {
  for (bool backwards : {false, true}) {
    DistinctPieces pieces(Parallel(1), 100);
    std::vector<PieceCopy> copies = {copyOf("a", 0, 10), copyOf("a", 0, 20)};
    if (backwards)
      std::swap(copies[0], copies[1]);
    enterAll(pieces, copies);
    EXPECT_EQ(pieces[copies[0].number].position(), 10u);
    EXPECT_TRUE(copies[0].claims);
    EXPECT_EQ(copies[1].claims, backwards);
  }
}

TEST(DistinctPieces, TheFirstCopyIsAlignedForAll) {
  DistinctPieces pieces(Parallel(1), 100);
  std::vector<PieceCopy> copies = {copyOf("a", 1, 10), copyOf("a", 3, 24),
                                   copyOf("a", 3, 32), copyOf("a", 0, 1)};
  enterAll(pieces, copies);
  EXPECT_EQ(pieces[copies[0].number].position(), 1u);
  EXPECT_EQ(pieces[copies[0].number].alignLog2(), 3u);
  EXPECT_FALSE(copies[1].claims);
  EXPECT_FALSE(copies[2].claims);
  EXPECT_TRUE(copies[3].claims);
}

TEST(DistinctPieces, Empty) {
  DistinctPieces pieces(Parallel(1), 100);
  EXPECT_EQ(pieces[DistinctPieces::kEmpty].claim, 0u);
  std::vector<PieceCopy> copies = {copyOf("", 2, 7), copyOf("", 0, 9)};
  enterAll(pieces, copies);
  EXPECT_EQ(copies[0].number, DistinctPieces::kEmpty);
  EXPECT_TRUE(copies[0].claims);
  EXPECT_FALSE(copies[1].claims);
  EXPECT_EQ(pieces[DistinctPieces::kEmpty].position(), 7u);
}

// What came behind a piece before is only a guess.
TEST(DistinctPieces, OtherOrders) {
  DistinctPieces pieces(Parallel(1), 100);
  std::vector<PieceCopy> copies;
  for (const char *text : {"a", "b", "c", "a", "b", "c", "a", "c", "b", "a", "",
                           "b", "b", "c", "a", "d", "a", "d", "c"})
    copies.push_back(copyOf(text, 0, copies.size()));
  enterAll(pieces, copies);
  std::map<std::string, uint32_t> numbers;
  for (size_t i = 0; i < copies.size(); ++i) {
    const std::string text = copies[i].bytes().str();
    const uint32_t number =
        numbers.try_emplace(text, copies[i].number).first->second;
    EXPECT_EQ(copies[i].number, number) << i;
    EXPECT_EQ(pieces[number].bytes(), text) << i;
  }
  EXPECT_EQ(numbers.size(), 5u);
}

/// Items of many texts, with many that are equal.
struct ManyCopies {
  static constexpr size_t items = 300, each = 500;
  ManyCopies() {
    std::mt19937 random(1);
    unsigned number = 0;
    for (size_t i = 0; i < items * each; ++i) {
      // In runs, as headers make them.
      number = random() % 4 ? (number + 1) % 60000 : random() % 60000;
      texts.push_back(std::to_string(number) +
                      std::string(number % 40, char('a' + number % 26)));
      aligns.push_back(random() % 8 ? 0 : 1);
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      stays.try_emplace(texts[i], i);
      most[texts[i]] = std::max(most[texts[i]], aligns[i]);
    }
  }
  std::vector<std::string> texts;
  std::vector<uint64_t> aligns;
  /// By text, the position of the copy that stays: without the set.
  std::unordered_map<std::string, size_t> stays;
  std::unordered_map<std::string, uint64_t> most; ///< alignment of a copy
};

// The hint is far too small, so the table grows while it is filled. `calls`:
// how often an item was begun.
void fillWithMany(const ManyCopies &many, unsigned threads, size_t hint,
                  size_t &calls) {
  DistinctPieces pieces(Parallel(threads), hint);
  std::vector<uint32_t> numbers(many.texts.size());
  std::vector<uint8_t> claims(many.texts.size());
  std::atomic<size_t> begun{0};
  ASSERT_TRUE(
      pieces.fill(many.items, [&](size_t item, DistinctPieces::Inserter &in) {
        ++begun;
        std::vector<PieceCopy> batch;
        for (size_t i = item * many.each; i < (item + 1) * many.each; ++i)
          batch.push_back(copyOf(many.texts[i], many.aligns[i], i));
        if (!in.enter(batch))
          return false;
        for (size_t i = 0; i < batch.size(); ++i) {
          numbers[item * many.each + i] = batch[i].number;
          claims[item * many.each + i] = batch[i].claims;
        }
        return true;
      }));
  calls = begun;
  for (size_t i = 0; i < many.texts.size(); ++i) {
    ASSERT_EQ(pieces[numbers[i]].bytes(), many.texts[i]);
    const size_t stays = many.stays.at(many.texts[i]);
    ASSERT_EQ(pieces[numbers[i]].position(), stays);
    ASSERT_EQ(pieces[numbers[i]].alignLog2(), many.most.at(many.texts[i]));
    ASSERT_EQ(numbers[i], numbers[stays]);
    ASSERT_TRUE(claims[stays]) << "who stays is told so";
  }
  size_t count = 0;
  for (size_t b = 0; b < pieces.blockCount(); ++b)
    count += pieces.inBlock(b).second;
  EXPECT_EQ(count, many.stays.size() + 1) << "and the empty one";
}

TEST(DistinctPieces, ThreadsDoNotShow) {
  const ManyCopies many;
  for (unsigned threads : {1, 2, 5}) {
    size_t calls = 0;
    fillWithMany(many, threads, size_t(16) << 20, calls);
    EXPECT_EQ(calls, many.items) << "there was room";
  }
}

TEST(DistinctPieces, GrowsWhileItIsFilled) {
  const ManyCopies many;
  for (unsigned threads : {1, 2, 5}) {
    size_t calls = 0;
    // Of 2 MB two threads begin, with room for less than there is.
    fillWithMany(many, threads, threads == 1 ? 1024 : size_t(2) << 20, calls);
    EXPECT_GT(calls, many.items);
  }
}

} // namespace
} // namespace xlink::test
