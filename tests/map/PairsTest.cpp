//===- PairsTest.cpp - rounds that join what is the same ------------------===//
#include "map/Pairs.h"
#include <gtest/gtest.h>
#include <string>

using namespace llvm;

namespace xlink::test {
namespace {

/// Keys of letters; '-' keeps out of the round.
auto keysOf(StringRef letters) {
  return [=](uint32_t i) {
    return letters[i] == '-' ? std::nullopt
                             : std::optional(PairKey{letters.substr(i, 1)});
  };
}

std::string text(const std::vector<uint32_t> &partners) {
  std::string text;
  for (uint32_t partner : partners)
    text += partner == kNoIndex ? "-" : std::to_string(partner);
  return text;
}

// Equal keys join in their order, as far as both lists have some.
TEST(Pairs, Round) {
  Pairs pairs(5, 4);
  pairs.round(keysOf("aab-c"), keysOf("bada"));
  EXPECT_EQ(text(pairs.ofA), "130--");
  EXPECT_EQ(text(pairs.ofB), "20-1");
  // What is joined stays so; the rest has another chance.
  pairs.round(keysOf("xxxdx"), keysOf("xxdx"));
  EXPECT_EQ(text(pairs.ofA), "1302-");
}

TEST(Pairs, RoundOfTheCallers) {
  Pairs pairs(3, 3);
  std::string runs;
  pairs.round(keysOf("aba"), keysOf("bac"),
              [&](ArrayRef<uint32_t> a, ArrayRef<uint32_t> b) {
                runs += text(a) + "/" + text(b) + " ";
                if (a.size() == b.size())
                  pairs.joinInOrder(a, b);
              });
  EXPECT_EQ(runs, "02/1 1/0 ");
  EXPECT_EQ(text(pairs.ofA), "-0-");
}

// Each member of a key tells things apart.
TEST(Pairs, Keys) {
  const PairKey keys[] = {
      {"n"}, {"n", "f"}, {"n", "", "p"}, {"n", "", "", 1}, {"n", "", "", 0, 1}};
  for (const PairKey &a : keys)
    for (const PairKey &b : keys) {
      Pairs pairs(1, 1);
      pairs.round([&](uint32_t) { return a; }, [&](uint32_t) { return b; });
      EXPECT_EQ(text(pairs.ofA), &a == &b ? "0" : "-");
    }
}

} // namespace
} // namespace xlink::test
