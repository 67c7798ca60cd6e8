//===- DigraphTest.cpp - graphs made by hand ------------------------------===//
#include "base/Digraph.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;

namespace xlink::test {
namespace {

using Node = Digraph::Node;
using Calls = std::vector<std::pair<Node, Node>>;

bool noLeaf(Node) { return false; }

/// "[3] [1 2]*", a star behind recursive groups, callees first.
std::string groupsOf(const Digraph &edges,
                     llvm::function_ref<bool(Node)> isLeaf) {
  const Digraph::Components groups = edges.components(isLeaf);
  std::string text;
  for (uint32_t group = 0; group < groups.size(); ++group) {
    text += group ? " [" : "[";
    for (size_t i = 0; i < groups.members[group].size(); ++i) {
      const Node node = groups.members[group][i];
      EXPECT_EQ(groups.of[node], group);
      text += (i ? " " : "") + std::to_string(node);
    }
    text += groups.recursive[group] ? "]*" : "]";
  }
  return text;
}

TEST(Digraph, EachCalleeOnceInOrder) {
  const Digraph edges(4, Calls{{2, 1}, {0, 3}, {2, 0}, {2, 1}, {0, 3}});
  EXPECT_EQ(edges.size(), 4u);
  EXPECT_THAT(std::vector<Node>(edges.callees(0)), ElementsAre(3));
  EXPECT_TRUE(edges.callees(1).empty());
  EXPECT_THAT(std::vector<Node>(edges.callees(2)), ElementsAre(1, 0));
  EXPECT_TRUE(edges.callees(3).empty());
}

TEST(Digraph, GroupsCalleesFirst) {
  EXPECT_EQ(groupsOf(Digraph(), noLeaf), "");
  EXPECT_EQ(groupsOf(Digraph(2, {}), noLeaf), "[0] [1]");
  const Digraph edges(6, Calls{{0, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 4}});
  EXPECT_EQ(groupsOf(edges, noLeaf), "[3] [1 2]* [0] [4]* [5]");
  // A leaf calls no function.
  EXPECT_EQ(groupsOf(edges, [](Node node) { return node == 2 || node == 4; }),
            "[2] [1] [0] [3] [4] [5]");
}

TEST(Digraph, ShortestCycle) {
  const Digraph edges(5, Calls{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 0}});
  const Digraph::Components groups = edges.components(noLeaf);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(edges.cycle(groups, 0), ElementsAre(0, 1, 4, 0));
  const Digraph self(1, Calls{{0, 0}});
  EXPECT_THAT(self.cycle(self.components(noLeaf), 0), ElementsAre(0, 0));
}

// A chain as long as a program is large needs no stack of ours.
TEST(Digraph, LongChain) {
  constexpr Node kCount = 200000;
  Calls calls;
  for (Node node = 0; node + 1 < kCount; ++node)
    calls.emplace_back(node, node + 1);
  calls.emplace_back(kCount - 1, kCount / 2);
  const Digraph edges(kCount, calls);
  const Digraph::Components groups = edges.components(noLeaf);
  EXPECT_EQ(groups.size(), kCount / 2 + 1);
  EXPECT_EQ(groups.members[0].size(), kCount / 2);
  EXPECT_TRUE(groups.recursive[0]);
}

} // namespace
} // namespace xlink::test
