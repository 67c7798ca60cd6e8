//===- GroupedTest.cpp - elements side by side with those of their group --===//
#include "base/Grouped.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <utility>
#include <vector>

using testing::ElementsAre;
using testing::IsEmpty;

namespace xlink::test {
namespace {

/// Letters in groups, as they are given.
Grouped<char> grouped(size_t groups,
                      const std::vector<std::pair<size_t, char>> &all) {
  return Grouped<char>(groups, [&](auto fn) {
    for (auto [group, letter] : all)
      fn(group, letter);
  });
}

TEST(Grouped, KeepTheirOrder) {
  const Grouped<char> g =
      grouped(5, {{3, 'a'}, {1, 'b'}, {3, 'c'}, {4, 'd'}, {1, 'e'}});
  EXPECT_THAT(g.of(0), IsEmpty());
  EXPECT_THAT(g.of(1), ElementsAre('b', 'e'));
  EXPECT_THAT(g.of(2), IsEmpty());
  EXPECT_THAT(g.of(3), ElementsAre('a', 'c'));
  EXPECT_THAT(g.of(4), ElementsAre('d'));
  EXPECT_EQ(g.before(0), 0u);
  EXPECT_EQ(g.before(3), 2u);
  EXPECT_EQ(g.before(5), 5u);
  EXPECT_EQ(g.count(3), 2u);
  EXPECT_EQ(g.size(), 5u);
}

TEST(Grouped, NothingInThem) {
  EXPECT_EQ(grouped(0, {}).size(), 0u);
  EXPECT_EQ(grouped(0, {}).before(0), 0u);
  const Grouped<char> g = grouped(2, {});
  EXPECT_THAT(g.of(0), IsEmpty());
  EXPECT_THAT(g.of(1), IsEmpty());
  EXPECT_EQ(g.before(2), 0u);
}

TEST(Grouped, MayBeSorted) {
  Grouped<char> g = grouped(2, {{1, 'b'}, {0, 'x'}, {1, 'a'}});
  std::sort(g.of(1).begin(), g.of(1).end());
  EXPECT_THAT(g.of(0), ElementsAre('x'));
  EXPECT_THAT(g.of(1), ElementsAre('a', 'b'));
}

} // namespace
} // namespace xlink::test
