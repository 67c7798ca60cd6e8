//===- LayoutSequence.cpp -------------------------------------------------===//
//
// Problem: INSERT searches the section in front of a place, the one behind it
// and assignments to dot between them, among thousands of statements, and moves
// others there.
//
// Method: a treap: a search tree by place, with priorities from a fixed
// sequence of random numbers, so that it is as deep as a tree of random keys.
// Each node knows which marks are below it.
//
// Cost: a logarithm of the number of statements for each question and change.
//
//===----------------------------------------------------------------------===//
#include "placement/LayoutSequence.h"

namespace xlink {

void LayoutSequence::pull(uint32_t n) {
  ++stepCount;
  Node &node = nodes[n];
  const auto [left, right] = node.child;
  node.size = sizeOf(left) + 1 + sizeOf(right);
  node.any = anyOf(left) | node.own | anyOf(right);
}

/// Makes `n` a leaf, and lets it rise to its place.
void LayoutSequence::hang(uint32_t n, uint32_t parent, bool right) {
  nodes[n].parent = parent;
  if (parent == kNone) {
    root = n;
    return;
  }
  nodes[parent].child[right] = n;
  for (uint32_t at = parent; at != kNone; at = nodes[at].parent)
    pull(at);
  while (nodes[n].parent != kNone &&
         nodes[nodes[n].parent].priority < nodes[n].priority)
    rotateUp(n);
}

/// Exchanges a node and its parent; the order stays.
void LayoutSequence::rotateUp(uint32_t n) {
  const uint32_t parent = nodes[n].parent, above = nodes[parent].parent;
  const bool right = isRight(n);
  if (above == kNone)
    root = n;
  else
    nodes[above].child[isRight(parent)] = n;
  const uint32_t inner = nodes[n].child[!right];
  nodes[parent].child[right] = inner;
  if (inner != kNone)
    nodes[inner].parent = parent;
  nodes[n].child[!right] = parent;
  nodes[parent].parent = n;
  nodes[n].parent = above;
  pull(parent);
  pull(n);
}

void LayoutSequence::append(Marks marks) {
  random ^= random << 13; // xorshift
  random ^= random >> 17;
  random ^= random << 5;
  Node &node = nodes.emplace_back();
  node.priority = random;
  node.own = node.any = marks;
  insertBefore(uint32_t(nodes.size() - 1), kNone);
}

void LayoutSequence::remove(uint32_t n) {
  for (;;) {
    const auto [left, right] = nodes[n].child;
    if (left == kNone && right == kNone)
      break;
    const bool rightRises =
        left == kNone ||
        (right != kNone && nodes[left].priority < nodes[right].priority);
    rotateUp(rightRises ? right : left);
  }
  const uint32_t parent = nodes[n].parent;
  if (parent == kNone)
    root = kNone;
  else
    nodes[parent].child[isRight(n)] = kNone;
  for (uint32_t at = parent; at != kNone; at = nodes[at].parent)
    pull(at);
  nodes[n].parent = kNone;
}

/// The last node to one side below `n`.
uint32_t LayoutSequence::outermost(uint32_t n, bool right) const {
  for (; nodes[n].child[right] != kNone; n = nodes[n].child[right])
    ++stepCount;
  return n;
}

void LayoutSequence::insertBefore(uint32_t n, uint32_t before) {
  pull(n);
  if (before == kNone)
    hang(n, root == kNone ? root : outermost(root, true), true);
  else if (const uint32_t left = nodes[before].child[0]; left == kNone)
    hang(n, before, false);
  else
    hang(n, outermost(left, true), true);
}

/// The first from one side below `top` that has one of the marks, or kNone.
uint32_t LayoutSequence::nearest(uint32_t top, bool fromRight,
                                 Marks marks) const {
  if (!(anyOf(top) & marks))
    return kNone;
  for (;;) {
    ++stepCount;
    const uint32_t first = nodes[top].child[fromRight];
    if (anyOf(first) & marks)
      top = first;
    else if (nodes[top].own & marks)
      return top;
    else
      top = nodes[top].child[!fromRight];
  }
}

/// The nearest to one side of `n` that has one of the marks, or kNone.
uint32_t LayoutSequence::beside(uint32_t n, bool right, Marks marks) const {
  if (uint32_t found = nearest(nodes[n].child[right], !right, marks);
      found != kNone)
    return found;
  for (; nodes[n].parent != kNone; n = nodes[n].parent) {
    ++stepCount;
    const uint32_t parent = nodes[n].parent;
    if (isRight(n) == right)
      continue;
    if (nodes[parent].own & marks)
      return parent;
    if (uint32_t found = nearest(nodes[parent].child[right], !right, marks);
        found != kNone)
      return found;
  }
  return kNone;
}

uint32_t LayoutSequence::next(uint32_t n, Marks marks) const {
  return n == kNone ? nearest(root, false, marks) : beside(n, true, marks);
}

uint32_t LayoutSequence::previous(uint32_t n, Marks marks) const {
  return beside(n, false, marks);
}

uint32_t LayoutSequence::position(uint32_t n) const {
  uint32_t result = sizeOf(nodes[n].child[0]);
  for (; nodes[n].parent != kNone; n = nodes[n].parent) {
    ++stepCount;
    if (isRight(n))
      result += nodes[nodes[n].parent].size - nodes[n].size;
  }
  return result;
}

std::vector<uint32_t> LayoutSequence::inOrder() const {
  std::vector<uint32_t> result, open; // nodes whose left side is being visited
  for (uint32_t at = root;;) {
    for (; at != kNone; at = nodes[at].child[0])
      open.push_back(at);
    if (open.empty())
      return result;
    at = open.back();
    open.pop_back();
    result.push_back(at);
    at = nodes[at].child[1];
  }
}

} // namespace xlink
