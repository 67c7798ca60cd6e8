//===- Grouped.h - elements side by side with those of their group --------===//
//
// Problem: symbols by section, edges by their ends: many elements in groups
// that are counted from 0, most of them small. A list for each group is an
// allocation each.
//
// Method: count the elements of each group, add up where groups begin, put each
// element behind those of its group that came before.
//
// Cost: two walks over the elements, a number for each group, one thread.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_GROUPED_H
#define XLINK_BASE_GROUPED_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlink {

template <class T> class Grouped {
public:
  Grouped() = default;
  /// `forEach(fn)` calls fn(group, element) for all elements, each time in the
  /// same order: that of a group's elements. Groups are below `groups`.
  template <class ForEach> Grouped(size_t groups, ForEach forEach);

  /// Those of a group.
  llvm::ArrayRef<T> of(size_t group) const {
    return {elements.data() + first[group], count(group)};
  }
  llvm::MutableArrayRef<T> of(size_t group) {
    return {elements.data() + first[group], count(group)};
  }
  size_t count(size_t group) const { return first[group + 1] - first[group]; }
  /// How many there are in the groups in front of this one, which may be the
  /// number of groups.
  uint32_t before(size_t group) const { return first[group]; }
  size_t size() const { return elements.size(); }
  /// All elements, group by group.
  std::vector<T> all() && { return std::move(elements); }

private:
  /// Of each group, where it begins; behind that where the last one ends.
  std::vector<uint32_t> first;
  std::vector<T> elements;
};

template <class T>
template <class ForEach>
Grouped<T>::Grouped(size_t groups, ForEach forEach) : first(groups + 2) {
  // Where a group begins stands one place too far on until its elements are
  // there: each moves it by one.
  forEach([&](size_t group, const T &) { ++first[group + 2]; });
  for (size_t i = 2; i < first.size(); ++i)
    first[i] += first[i - 1];
  elements.resize(first.back());
  forEach([&](size_t group, const T &element) {
    elements[first[group + 1]++] = element;
  });
  first.pop_back();
}

} // namespace xlink
#endif
