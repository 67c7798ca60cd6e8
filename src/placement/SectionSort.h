//===- SectionSort.h - the order of sections in a description -------------===//
//
// SORT and its like, REVERSE, --sort-section (GNU ld manual, "Input Section
// Wildcard Patterns").
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_PLACEMENT_SECTIONSORT_H
#define XLINK_PLACEMENT_SECTIONSORT_H

#include "model/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace xlink {

/// Priority in a name: .init_array.00100, .ctors.65435 (counts backwards);
/// nothing if it does not end in a number.
std::optional<int64_t> initPriority(llvm::StringRef name);

/// The order of the sections of one pattern.
struct SectionOrder {
  SortKind outer = SortKind::None, inner = SortKind::None;
  bool reverse = false;

  /// The order of a pattern; --sort-section supplies open parts.
  SectionOrder() = default;
  SectionOrder(const SectionPattern &pattern, SortSection option);
  bool sorts() const { return outer != SortKind::None; }
  bool byPriority() const { return outer == SortKind::InitPriority; }
  bool operator==(const SectionOrder &) const = default;
};

/// Compares sections of one description.
class SectionComparer {
public:
  SectionComparer(const Program &program, const InputDescription &description)
      : program(program), description(description) {}
  bool sortsFiles() const { return description.fileSort == SortKind::Name; }
  /// Below 0 where `a` stands in front: by files, then as `order` says. By
  /// priority only where both have one, else by name, so that this is not
  /// always an order (GNU ld).
  int compare(SectionId a, SectionId b, const SectionOrder &order) const;

private:
  const Program &program;
  const InputDescription &description;
};

/// The order if patterns of one description sort differently, or by priorities
/// that some sections lack. It is no order relation: GNU ld inserts each
/// section into a binary tree, by the order of the pattern that named it, a
/// plain pattern's at the far right. The tree is read in-order.
class SortTree {
public:
  explicit SortTree(const SectionComparer &comparer) : comparer(comparer) {}
  void hang(SectionId section, const SectionOrder &order);
  /// The sections of the tree, from left to right.
  std::vector<SectionId> inOrder() const;
  /// Number of comparisons: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  struct Node {
    SectionId section;
    uint32_t left = kNone, right = kNone;
  };
  /// The root and its descendants on one side alone. Sorted inputs grow there,
  /// so for each order in use the node furthest to that side among the first
  /// ones is recorded.
  struct Spine {
    bool left;
    std::vector<uint32_t> nodes;
    struct Furthest {
      SectionOrder order;
      std::vector<uint32_t> of; ///< by number of nodes, less 1
    };
    std::vector<Furthest> furthest;
  };
  bool goesLeft(SectionId section, uint32_t node,
                const SectionOrder &order) const;
  bool passes(SectionId section, uint32_t node, const SectionOrder &order,
              bool left) const {
    return goesLeft(section, node, order) == left;
  }
  size_t firstStop(Spine &spine, SectionId section, const SectionOrder &order);
  void hangBelow(uint32_t at, uint32_t node, const SectionOrder &order);
  void hangOn(Spine &spine, uint32_t node, const SectionOrder &order);

  const SectionComparer &comparer;
  std::vector<Node> nodes;
  Spine leftSpine{true, {}, {}}, rightSpine{false, {}, {}};
  mutable uint64_t stepCount = 0;
};

} // namespace xlink
#endif
