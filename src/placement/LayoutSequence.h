//===- LayoutSequence.h - statements that change places -------------------===//
#ifndef XLINK_PLACEMENT_LAYOUTSEQUENCE_H
#define XLINK_PLACEMENT_LAYOUTSEQUENCE_H

#include "model/Ids.h"
#include <cstdint>
#include <vector>

namespace xlink {

/// Numbers 0, 1, 2 ... in an order that changes, with marks by which the
/// nearest one is found.
class LayoutSequence {
public:
  using Marks = uint8_t; ///< a set of bits that the owner gives a meaning

  /// Appends the next number.
  void append(Marks marks);
  void remove(uint32_t n);
  /// Puts a removed number back in front of `before`; kNone: at the end.
  void insertBefore(uint32_t n, uint32_t before);
  /// The first behind `n` that has one of the marks, or kNone; of kNone: the
  /// first of all.
  uint32_t next(uint32_t n, Marks marks) const;
  /// The last in front of `n` that has one of the marks, or kNone.
  uint32_t previous(uint32_t n, Marks marks) const;
  /// The position of `n`.
  uint32_t position(uint32_t n) const;
  /// All that are not removed.
  std::vector<uint32_t> inOrder() const;
  /// Number of visited nodes: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  /// Of a treap: a binary tree in the order of the sequence, in which parents
  /// have the greater priority.
  struct Node {
    uint32_t parent = kNone, child[2] = {kNone, kNone};
    uint32_t size = 1;      ///< of the tree below, itself included
    uint32_t priority = 0;  ///< random
    Marks own = 0, any = 0; ///< any: in the tree below
  };
  uint32_t sizeOf(uint32_t n) const { return n == kNone ? 0 : nodes[n].size; }
  Marks anyOf(uint32_t n) const { return n == kNone ? 0 : nodes[n].any; }
  bool isRight(uint32_t n) const {
    return nodes[nodes[n].parent].child[1] == n;
  }
  void pull(uint32_t n);
  void hang(uint32_t n, uint32_t parent, bool right);
  void rotateUp(uint32_t n);
  uint32_t outermost(uint32_t n, bool right) const;
  uint32_t nearest(uint32_t top, bool fromRight, Marks marks) const;
  uint32_t beside(uint32_t n, bool right, Marks marks) const;

  std::vector<Node> nodes;
  uint32_t root = kNone;
  uint32_t random = 1;
  mutable uint64_t stepCount = 0;
};

} // namespace xlink
#endif
