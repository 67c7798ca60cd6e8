//===- SectionSort.cpp ----------------------------------------------------===//
//
// Problem: if patterns of one description sort differently, the order is that
// of an unbalanced tree, and inputs are usually sorted, so that it degenerates
// to a list.
//
// Method: the tree itself is not built. Its root and the nodes to the right of
// that, and of each other, make a list; every other section hangs to the left
// of the first of these that it precedes. All to the left of one node is a tree
// again: a stable sort where all have one order, else divided in turn. Where
// all sections that sort have one order, bisection finds the node: the first
// that is behind the section is also the first at which the greatest node so
// far is. Priorities that some sections lack make no order; there the list is
// walked.
//
// Cost: a logarithm for each section if there is one order besides those of
// plain patterns. Else it can be quadratic, as in GNU ld.
//
//===----------------------------------------------------------------------===//
#include "placement/SectionSort.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

std::optional<int64_t> initPriority(StringRef name) {
  size_t dot = name.rfind('.');
  uint64_t number;
  if (dot == StringRef::npos ||
      name.drop_front(dot + 1).getAsInteger(10, number) || number > INT32_MAX)
    return std::nullopt;
  if (dot == 6 && (name.starts_with(".ctors") || name.starts_with(".dtors")))
    return number <= 65535 ? std::optional<int64_t>(65535 - int64_t(number))
                           : std::nullopt;
  return int64_t(number);
}

SectionOrder::SectionOrder(const SectionPattern &pattern, SortSection option)
    : outer(pattern.outer), inner(pattern.inner), reverse(pattern.reverse) {
  for (SortKind *kind : {&outer, &inner})
    if (*kind == SortKind::Default)
      *kind = SortKind::None;
  if (option == SortSection::None || pattern.name.text == ".init" ||
      pattern.name.text == ".fini")
    return;
  const SortKind kind =
      option == SortSection::Name ? SortKind::Name : SortKind::Alignment;
  if (pattern.outer == SortKind::Default)
    outer = kind;
  else if (pattern.inner == SortKind::Default && pattern.outer != kind &&
           (pattern.outer == SortKind::Name ||
            pattern.outer == SortKind::Alignment))
    inner = kind;
}

static int compareBy(SortKind kind, const ParsedSection &x,
                     const ParsedSection &y) {
  if (kind == SortKind::InitPriority) {
    auto p = initPriority(x.name), q = initPriority(y.name);
    if (p && q && *p != *q)
      return *p < *q ? -1 : 1;
  }
  if (kind == SortKind::Name || kind == SortKind::InitPriority)
    return x.name.compare(y.name);
  if (kind == SortKind::Alignment && x.align != y.align)
    return x.align > y.align ? -1 : 1; // largest first
  return 0;
}

int SectionComparer::compare(SectionId a, SectionId b,
                             const SectionOrder &order) const {
  const InputSection &x = program.sections[a], &y = program.sections[b];
  if (description.fileSort == SortKind::Name)
    if (int files = program.fileName(x.file).compare(program.fileName(y.file)))
      return description.fileReverse ? -files : files;
  for (SortKind kind : {order.outer, order.inner})
    if (int result = compareBy(kind, *x.parsed, *y.parsed))
      return order.reverse ? -result : result;
  return 0;
}

/// The order of all sections that sort, if they have one and it is an order.
static const SectionOrder *commonOrder(const SectionComparer &comparer,
                                       ArrayRef<OrderedSection> sections) {
  const SectionOrder *common = nullptr;
  for (const OrderedSection &s : sections) {
    if (!comparer.sorts(s.order))
      continue;
    if (s.order.byPriority() || (common && *common != s.order))
      return nullptr;
    common = &s.order;
  }
  return common;
}

std::vector<SectionId> treeOrder(const SectionComparer &comparer,
                                 std::vector<OrderedSection> sections) {
  using Tree = std::vector<OrderedSection>; // in the order of insertion
  auto sorts = [&](const OrderedSection &s) { return comparer.sorts(s.order); };
  auto precedes = [&](const OrderedSection &a, SectionId b) {
    return comparer.compare(a.section, b, a.order) < 0;
  };
  std::vector<SectionId> result;
  std::vector<Tree> open; // the leftmost last
  open.push_back(std::move(sections));
  while (!open.empty()) {
    Tree tree = std::move(open.back());
    open.pop_back();
    const SectionOrder *common = commonOrder(comparer, tree);
    if (tree.size() < 2 || (common && all_of(tree, sorts))) {
      llvm::stable_sort(tree, [&](const auto &a, const auto &b) {
        return precedes(a, b.section);
      });
      for (const OrderedSection &s : tree)
        result.push_back(s.section);
      continue;
    }
    Tree spine; // the root, and the nodes to the right of each other
    std::vector<Tree> left;          // of each node of the spine
    std::vector<SectionId> greatest; // of its nodes up to each, by `common`
    for (const OrderedSection &s : tree) {
      size_t at = spine.size();
      if (sorts(s) && common)
        at = llvm::partition_point(
                 greatest, [&](SectionId g) { return !precedes(s, g); }) -
             greatest.begin();
      else if (sorts(s))
        at = find_if(
                 spine,
                 [&](const auto &node) { return precedes(s, node.section); }) -
             spine.begin();
      if (at < spine.size()) {
        left[at].push_back(s);
        continue;
      }
      if (common)
        greatest.push_back(
            spine.empty() ||
                    comparer.compare(s.section, greatest.back(), *common) >= 0
                ? s.section
                : greatest.back());
      spine.push_back(s);
      left.emplace_back();
    }
    for (size_t i = spine.size(); i-- > 0;) {
      open.push_back({spine[i]});
      open.push_back(std::move(left[i]));
    }
  }
  return result;
}

} // namespace xlink
