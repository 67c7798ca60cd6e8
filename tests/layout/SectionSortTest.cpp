//===- SectionSortTest.cpp - patterns that sort differently ---------------===//
//
// The order is compared with that of the tree itself.
//
//===----------------------------------------------------------------------===//
#include "placement/SectionSort.h"
#include <gtest/gtest.h>
#include <random>

namespace xlink::test {
namespace {

/// Sections with names, of no file.
struct Named {
  explicit Named(const std::vector<std::string> &texts)
      : names(texts), program(config) {
    program.sections.emplace_back(); // 0 is nobody's
    for (const std::string &name : names) {
      ParsedSection &p = program.madeSections.emplace_back();
      p.name = name;
      p.align = uint64_t(1) << (name.size() % 5);
      program.sections.emplace_back().parsed = &p;
    }
  }
  std::vector<std::string> names;
  Config config;
  Program program;
};

/// GNU ld's tree as it says itself.
class PlainTree {
public:
  explicit PlainTree(const SectionComparer &comparer) : comparer(comparer) {}
  void hang(SectionId section, const SectionOrder &order) {
    nodes.push_back({section, -1, -1});
    const int node = int(nodes.size()) - 1;
    if (node == 0)
      return;
    for (int at = 0;;) {
      bool left = order.sorts() &&
                  comparer.compare(section, nodes[at].section, order) < 0;
      int &next = left ? nodes[at].left : nodes[at].right;
      if (next < 0) {
        next = node;
        return;
      }
      at = next;
    }
  }
  void visit(int at, std::vector<SectionId> &result) const {
    if (at < 0 || nodes.empty())
      return;
    visit(nodes[at].left, result);
    result.push_back(nodes[at].section);
    visit(nodes[at].right, result);
  }

private:
  struct Node {
    SectionId section;
    int left, right;
  };
  const SectionComparer &comparer;
  std::vector<Node> nodes;
};

std::vector<SectionOrder> ordersToMix() {
  std::vector<SectionOrder> orders(5);
  orders[1].outer = SortKind::Name;
  orders[2].outer = SortKind::Alignment;
  orders[2].inner = SortKind::Name;
  orders[3].outer = SortKind::Name;
  orders[3].reverse = true;
  orders[4].outer = SortKind::InitPriority;
  return orders;
}

TEST(SectionSort, TreeOfRandomInputs) {
  std::mt19937 random(7);
  const std::vector<SectionOrder> orders = ordersToMix();
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::string> names;
    const size_t count = 1 + random() % 60;
    for (size_t i = 0; i < count; ++i)
      names.push_back((random() % 2 ? ".a." : ".bb.") +
                      std::to_string(random() % 40) +
                      (random() % 4 ? "" : "x"));
    Named named(names);
    InputDescription description;
    const SectionComparer comparer(named.program, description);
    std::vector<OrderedSection> sections;
    PlainTree plain(comparer);
    // Few orders in one trial, as patterns of one description have.
    const size_t first = random() % orders.size(),
                 second = random() % orders.size();
    for (SectionId id : named.program.sections.ids(1)) {
      const SectionOrder &order = orders[random() % 2 ? first : second];
      sections.push_back({id, order});
      plain.hang(id, order);
    }
    std::vector<SectionId> expected;
    plain.visit(0, expected);
    EXPECT_EQ(treeOrder(comparer, sections), expected) << "trial " << trial;
  }
}

/// The order of so many sections whose names rise or fall, each beside one of a
/// plain pattern.
std::vector<SectionId> orderOfMany(size_t count, bool rising) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    names.push_back(".s" +
                    std::to_string(1000000 + (rising ? i : count - 1 - i)));
    names.push_back(".a");
  }
  Named named(names);
  InputDescription description;
  SectionOrder byName;
  byName.outer = SortKind::Name;
  std::vector<OrderedSection> sections;
  for (SectionId id : named.program.sections.ids(1))
    sections.push_back({id, id.index() % 2 ? byName : SectionOrder()});
  return treeOrder(SectionComparer(named.program, description), sections);
}

// A comparison of each with each would take minutes.
TEST(SectionSort, ManySortedInputs) {
  constexpr uint32_t count = 100000;
  const std::vector<SectionId> rising = orderOfMany(count, /*rising=*/true);
  ASSERT_EQ(rising.size(), 2 * count);
  for (uint32_t i = 0; i < 2 * count; ++i)
    ASSERT_EQ(rising[i].index(), i + 1);
  const std::vector<SectionId> falling = orderOfMany(count, /*rising=*/false);
  ASSERT_EQ(falling.size(), 2 * count);
  for (uint32_t i = 0; i < count; ++i)
    ASSERT_EQ(falling[i].index(), 2 * (count - i) - 1);
}

TEST(SectionSort, Priorities) {
  EXPECT_EQ(initPriority(".init_array.00100"), 100);
  EXPECT_EQ(initPriority(".ctors.65435"), 100);
  EXPECT_EQ(initPriority(".init_array"), std::nullopt);
  EXPECT_EQ(initPriority(".ctors.65536"), std::nullopt);
}

} // namespace
} // namespace xlink::test
