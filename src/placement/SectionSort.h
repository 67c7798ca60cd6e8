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
/// nothing where it does not end in a number.
std::optional<int64_t> initPriority(llvm::StringRef name);

/// How the sections of one pattern are ordered.
struct SectionOrder {
  SortKind outer = SortKind::None, inner = SortKind::None;
  bool reverse = false;

  /// What a pattern says, and --sort-section where it leaves something open.
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

/// The order where patterns of one description sort differently, or by
/// priorities that some do not have. No order of the sections stands behind it:
/// GNU ld hangs each into a binary tree, by the order of the pattern that named
/// it, a plain pattern's at the far right. In-order, the tree is the result.
class SortTree {
public:
  explicit SortTree(const SectionComparer &comparer) : comparer(comparer) {}
  void hang(SectionId section, const SectionOrder &order);
  /// The sections as they hang, from left to right.
  std::vector<SectionId> inOrder() const;
  /// How many comparisons were made: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  struct Node {
    SectionId section;
    uint32_t left = kNone, right = kNone;
  };
  /// The root and what hangs from it on one side alone. Sorted inputs grow
  /// there, so for each order that was asked for it is known which of the first
  /// nodes lies furthest to that side.
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
