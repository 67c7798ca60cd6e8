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
  /// Whether an order, or the description's order of files, moves a section.
  bool sorts(const SectionOrder &order) const {
    return order.sorts() || description.fileSort == SortKind::Name;
  }
  /// Below 0 where `a` stands in front: by files, then as `order` says. By
  /// priority only where both have one, else by name, so that this is not
  /// always an order (GNU ld).
  int compare(SectionId a, SectionId b, const SectionOrder &order) const;

private:
  const Program &program;
  const InputDescription &description;
};

/// A section, and the order of the pattern that names it.
struct OrderedSection {
  SectionId section;
  SectionOrder order;
};

/// The order if patterns of one description sort differently, or by priorities
/// that some sections lack. It is no order relation: GNU ld inserts each
/// section into a binary tree, by the order of the pattern that named it, a
/// plain pattern's at the far right. The tree is read in-order.
std::vector<SectionId> treeOrder(const SectionComparer &comparer,
                                 std::vector<OrderedSection> sections);

} // namespace xlink
#endif
