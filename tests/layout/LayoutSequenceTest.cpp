//===- LayoutSequenceTest.cpp - statements that change places -------------===//
//
// The sequence is asked against a list that says itself what stands where.
//
//===----------------------------------------------------------------------===//
#include "placement/LayoutSequence.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

namespace xlink::test {
namespace {

/// Numbers in a list, with marks.
struct Plain {
  std::vector<uint32_t> list;
  std::vector<uint8_t> marks;

  size_t at(uint32_t n) const {
    return std::find(list.begin(), list.end(), n) - list.begin();
  }
  uint32_t next(uint32_t n, uint8_t wanted) const {
    for (size_t i = n == kNone ? 0 : at(n) + 1; i < list.size(); ++i)
      if (marks[list[i]] & wanted)
        return list[i];
    return kNone;
  }
  uint32_t previous(uint32_t n, uint8_t wanted) const {
    for (size_t i = at(n); i-- > 0;)
      if (marks[list[i]] & wanted)
        return list[i];
    return kNone;
  }
};

TEST(LayoutSequence, AsAList) {
  std::mt19937 random(9);
  for (unsigned trial = 0; trial < 100; ++trial) {
    Plain plain;
    LayoutSequence sequence;
    const uint32_t count = 1 + random() % 30;
    for (uint32_t i = 0; i < count; ++i) {
      plain.list.push_back(i);
      plain.marks.push_back(uint8_t(random() % 8));
      sequence.append(plain.marks.back());
    }
    for (unsigned change = 0; change < 60; ++change) {
      const uint32_t n = random() % count;
      plain.list.erase(plain.list.begin() + plain.at(n));
      sequence.remove(n);
      EXPECT_EQ(sequence.inOrder(), plain.list);
      const size_t place = random() % count;
      sequence.insertBefore(n, place < plain.list.size() ? plain.list[place]
                                                         : uint32_t(kNone));
      plain.list.insert(plain.list.begin() + place, n);
      EXPECT_EQ(sequence.inOrder(), plain.list);
      for (uint8_t marks : {1, 2, 5}) {
        const uint32_t from = random() % count;
        EXPECT_EQ(sequence.position(from), plain.at(from));
        EXPECT_EQ(sequence.next(from, marks), plain.next(from, marks));
        EXPECT_EQ(sequence.next(kNone, marks), plain.next(kNone, marks));
        EXPECT_EQ(sequence.previous(from, marks), plain.previous(from, marks));
      }
    }
  }
}

// A treap of 100,000 is some 40 deep.
TEST(LayoutSequence, CostsALogarithm) {
  const uint32_t count = 100000;
  LayoutSequence sequence;
  for (uint32_t i = 0; i < count; ++i)
    sequence.append(i == 0 || i == count - 1);
  for (uint32_t i = 1; i < count - 1; ++i) {
    EXPECT_EQ(sequence.previous(i, 1), 0u);
    sequence.remove(i);
    sequence.insertBefore(i, sequence.next(0, 1));
  }
  EXPECT_GE(sequence.steps(), count);
  EXPECT_LE(sequence.steps(), 200ull * count);
}

} // namespace
} // namespace xlink::test
