//===- SectionSort.cpp ----------------------------------------------------===//
//
// Problem: if patterns of one description sort differently, the order is that
// of an unbalanced tree, and inputs are usually sorted, so that it degenerates
// to a list.
//
// Method: the same tree. A section passes the nodes down one side of the root
// as a whole if one comparison with the furthest of these says so; bisection
// finds the first node that it does not pass. Priorities that some sections
// lack make no order; there the path is walked.
//
// Cost: for ascending and descending inputs a logarithm for each section. Other
// inputs can still make it quadratic, as in GNU ld.
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
  if (sortsFiles())
    if (int files = program.fileName(x.file).compare(program.fileName(y.file)))
      return description.fileReverse ? -files : files;
  for (SortKind kind : {order.outer, order.inner})
    if (int result = compareBy(kind, *x.parsed, *y.parsed))
      return order.reverse ? -result : result;
  return 0;
}

bool SortTree::goesLeft(SectionId section, uint32_t node,
                        const SectionOrder &order) const {
  ++stepCount;
  return comparer.compare(section, nodes[node].section, order) < 0;
}

/// The first node of a spine that a section does not pass: its place is on the
/// other side of it, or, where it is the number of nodes, at the end.
size_t SortTree::firstStop(Spine &spine, SectionId section,
                           const SectionOrder &order) {
  auto known = find_if(spine.furthest, [&](const Spine::Furthest &f) {
    return f.order == order;
  });
  if (known == spine.furthest.end())
    known = spine.furthest.insert(known, {order, {}});
  std::vector<uint32_t> &of = known->of;
  for (size_t i = of.size(); i < spine.nodes.size(); ++i) {
    const uint32_t node = spine.nodes[i];
    of.push_back(i && !passes(nodes[node].section, of.back(), order, spine.left)
                     ? of.back()
                     : node);
  }
  return size_t(llvm::partition_point(of,
                                      [&](uint32_t furthest) {
                                        return passes(section, furthest, order,
                                                      spine.left);
                                      }) -
                of.begin());
}

/// Walks down from a node.
void SortTree::hangBelow(uint32_t at, uint32_t node,
                         const SectionOrder &order) {
  for (;;) {
    const bool left = goesLeft(nodes[node].section, at, order);
    uint32_t &next = left ? nodes[at].left : nodes[at].right;
    if (next == kNone) {
      next = node;
      return;
    }
    at = next;
  }
}

void SortTree::hangOn(Spine &spine, uint32_t node, const SectionOrder &order) {
  const SectionId section = nodes[node].section;
  size_t stop = 0;
  if (order.byPriority())
    while (stop < spine.nodes.size() &&
           passes(section, spine.nodes[stop], order, spine.left))
      ++stop;
  else
    stop = firstStop(spine, section, order);
  if (stop == spine.nodes.size()) {
    uint32_t last = spine.nodes.back();
    (spine.left ? nodes[last].left : nodes[last].right) = node;
    spine.nodes.push_back(node);
    return;
  }
  const uint32_t at = spine.nodes[stop];
  uint32_t &other = spine.left ? nodes[at].right : nodes[at].left;
  if (other == kNone)
    other = node;
  else
    hangBelow(other, node, order);
}

void SortTree::hang(SectionId section, const SectionOrder &order) {
  const uint32_t node = uint32_t(nodes.size());
  nodes.push_back({section});
  if (node == 0) {
    leftSpine.nodes = rightSpine.nodes = {0};
    return;
  }
  if (!order.sorts() && !comparer.sortsFiles()) { // at the far right
    nodes[rightSpine.nodes.back()].right = node;
    rightSpine.nodes.push_back(node);
    return;
  }
  hangOn(goesLeft(section, 0, order) ? leftSpine : rightSpine, node, order);
}

std::vector<SectionId> SortTree::inOrder() const {
  std::vector<SectionId> result;
  std::vector<uint32_t> open; // nodes whose left side is being visited
  for (uint32_t at = nodes.empty() ? uint32_t(kNone) : 0;;) {
    for (; at != kNone; at = nodes[at].left)
      open.push_back(at);
    if (open.empty())
      return result;
    at = open.back();
    open.pop_back();
    result.push_back(nodes[at].section);
    at = nodes[at].right;
  }
}

} // namespace xlink
