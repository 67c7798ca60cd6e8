//===- Digraph.h - a directed graph of numbers ----------------------------===//
#ifndef XLINK_BASE_DIGRAPH_H
#define XLINK_BASE_DIGRAPH_H

#include "base/Grouped.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace xlink {

/// Edges between nodes, which are numbers from 0 on: calls between functions,
/// references between sections, operands of expressions. The words are those of
/// calls.
class Digraph {
public:
  using Node = uint32_t;

  Digraph() = default;
  /// `calls`: caller and callee, in any order; each counts once.
  Digraph(size_t count, llvm::ArrayRef<std::pair<Node, Node>> calls);

  size_t size() const { return count; }
  /// The callees of a function, each once, in the order of `calls`.
  llvm::ArrayRef<Node> callees(Node node) const { return edges.of(node); }

  /// Groups of functions that call each other, callees before callers.
  struct Components {
    std::vector<uint32_t> of; ///< by node
    std::vector<std::vector<Node>> members;
    std::vector<bool> recursive;

    size_t size() const { return members.size(); }
  };
  /// Calls of nodes for which `isLeaf` holds are passed over.
  Components components(llvm::function_ref<bool(Node)> isLeaf = [](Node) {
    return false;
  }) const;
  /// The shortest way from the first member of a recursive group back to it,
  /// which begins and ends with it.
  std::vector<Node> cycle(const Components &in, uint32_t group) const;

private:
  size_t count = 0;
  Grouped<Node> edges; ///< by caller
};

} // namespace xlink
#endif
