//===- IdsTest.cpp - numbers of things, which do not mix ------------------===//
#include "model/Ids.h"
#include "llvm/ADT/DenseMap.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <type_traits>

using namespace xlink;
using testing::ElementsAre;

namespace {

// Ids of different kinds neither convert nor compare, nor are they numbers.
static_assert(!std::is_convertible_v<SectionId, OutputId>);
static_assert(!std::is_constructible_v<SectionId, OutputId>);
static_assert(!std::is_assignable_v<SectionId &, OutputId>);
static_assert(!std::is_convertible_v<uint32_t, SectionId>);
static_assert(!std::is_convertible_v<SectionId, uint32_t>);
static_assert(std::is_convertible_v<None, SectionId>);
static_assert(std::is_convertible_v<None, uint32_t>);

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
};
static_assert(Comparable<SectionId, SectionId>);
static_assert(Comparable<SectionId, None>);
static_assert(!Comparable<SectionId, OutputId>);
static_assert(!Comparable<SectionId, uint32_t>);

template <class V, class I>
concept Indexable = requires(V v, I i) {
  v[i];
};
using Sizes = IdVector<SectionId, int>;
static_assert(Indexable<Sizes, SectionId>);
static_assert(!Indexable<Sizes, OutputId>);
static_assert(!Indexable<Sizes, size_t>);

TEST(Ids, NoneIsTheDefault) {
  EXPECT_EQ(SectionId(), kNone);
  EXPECT_EQ(SectionId(kNone), kNone);
  EXPECT_NE(SectionId(0), kNone);
  EXPECT_LT(SectionId(7), SectionId()) << "none sorts behind all others";
  const uint32_t index = kNone;
  EXPECT_EQ(index, ~uint32_t(0));
}

TEST(Ids, ThingsOfOneOwnerFollowEachOther) {
  SectionId id(5);
  EXPECT_EQ((id + 3).index(), 8u);
  EXPECT_EQ(++id, SectionId(6));
  EXPECT_EQ(id.index(), 6u);
}

template <class Range> auto indices(const Range &range) {
  std::vector<uint32_t> list;
  for (auto id : range)
    list.push_back(id.index());
  return list;
}

TEST(Ids, Ranges) {
  EXPECT_THAT(indices(idRange(OutputId(2), OutputId(5))),
              ElementsAre(2u, 3u, 4u));
  EXPECT_THAT(indices(idRange(OutputId(2), OutputId(2))), ElementsAre());
  EXPECT_THAT(indices(idRange(OutputId(5), OutputId(2))), ElementsAre())
      << "nothing lies between an id and one before it";
}

TEST(Ids, Vector) {
  IdVector<OutputId, std::string> names;
  EXPECT_EQ(names.next(), OutputId(0));
  names.push_back("a");
  names.emplace_back("b");
  EXPECT_EQ(names.next(), OutputId(2));
  EXPECT_EQ(names[OutputId(1)], "b");
  names[OutputId(1)] = "c";
  EXPECT_THAT(names, ElementsAre("a", "c"));
  EXPECT_THAT(indices(names.ids()), ElementsAre(0u, 1u));
  EXPECT_THAT(indices(names.ids(1)), ElementsAre(1u));
  EXPECT_THAT(indices(names.ids(3)), ElementsAre());
}

TEST(Ids, VectorsCompareByContents) {
  IdVector<OutputId, int> a(2, 7), b(2, 7);
  EXPECT_EQ(a, b);
  b[OutputId(1)] = 8;
  EXPECT_FALSE(a == b);
}

TEST(Ids, Keys) {
  llvm::DenseMap<SectionId, int> map;
  for (uint32_t i = 0; i < 1000; ++i)
    map[SectionId(i)] = int(i);
  EXPECT_EQ(map.size(), 1000u);
  EXPECT_EQ(map.lookup(SectionId(999)), 999);
  // To ask for nothing is allowed, and finds nothing.
  EXPECT_EQ(map.count(kNone), 0u);
  EXPECT_EQ(map.find(SectionId(kNone)), map.end());
}

} // namespace
