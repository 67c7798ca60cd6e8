//===- CallEdges.h - who calls whom, as numbers ---------------------------===//
#ifndef XLINK_REPORT_CALLEDGES_H
#define XLINK_REPORT_CALLEDGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace xlink {

/// Calls between functions, which are numbers from 0 on.
class CallEdges {
public:
  using Node = uint32_t;

  CallEdges() : firstEdge(1) {}
  /// `calls`: caller and callee, in any order and as often as they like.
  CallEdges(size_t count, llvm::ArrayRef<std::pair<Node, Node>> calls);

  size_t size() const { return firstEdge.size() - 1; }
  /// What a function calls, each once, in the order of `calls`.
  llvm::ArrayRef<Node> callees(Node node) const {
    return llvm::ArrayRef(edges).slice(firstEdge[node],
                                       firstEdge[node + 1] - firstEdge[node]);
  }

  /// Groups of functions that call each other, callees before callers.
  struct Components {
    std::vector<uint32_t> of;    ///< by node
    std::vector<uint32_t> first; ///< by component: its nodes in `nodes`
    std::vector<Node> nodes;
    std::vector<bool> recursive;

    size_t size() const { return recursive.size(); }
    llvm::ArrayRef<Node> members(uint32_t component) const {
      return llvm::ArrayRef(nodes).slice(
          first[component], first[component + 1] - first[component]);
    }
  };
  using IsLeaf = llvm::function_ref<bool(Node)>;
  /// Calls of nodes for which `isLeaf` holds are passed over.
  Components components(IsLeaf isLeaf) const;
  /// The shortest way from the first member of a recursive group back to it,
  /// which begins and ends with it; calls of leaves do not count.
  std::vector<Node> cycle(const Components &in, uint32_t group,
                          IsLeaf isLeaf) const;

private:
  std::vector<uint32_t> firstEdge; ///< by node: its callees in `edges`
  std::vector<Node> edges;
};

} // namespace xlink
#endif
