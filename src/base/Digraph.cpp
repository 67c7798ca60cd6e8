//===- Digraph.cpp --------------------------------------------------------===//
//
// Problem: sums over callees need callees first, and the groups of functions
// that can call themselves through each other; programs have hundreds of
// thousands of functions.
//
// Method: LLVM's iterator over strongly connected components, from a node that
// calls all others; it gives callees first. A cycle is found in breadth, so
// that the shortest one is shown.
//
// Cost: linear in functions and calls; a cycle, in its group.
//
//===----------------------------------------------------------------------===//
#include "base/Digraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include <algorithm>

namespace xlink {
/// A node as LLVM's iterators see it.
struct GraphNode {
  llvm::ArrayRef<const GraphNode *> callees;
};
} // namespace xlink

template <> struct llvm::GraphTraits<const xlink::GraphNode *> {
  using NodeRef = const xlink::GraphNode *;
  using ChildIteratorType = const NodeRef *;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) {
    return node->callees.begin();
  }
  static ChildIteratorType child_end(NodeRef node) {
    return node->callees.end();
  }
};

using namespace llvm;

namespace xlink {

Digraph::Digraph(size_t count, ArrayRef<std::pair<Node, Node>> calls)
    : count(count) {
  const Grouped<Node> all(count, [&](auto fn) {
    for (auto [caller, callee] : calls)
      fn(caller, callee);
  });
  // Each callee once.
  edges = Grouped<Node>(count, [&](auto fn) {
    std::vector<Node> seenBy(count, UINT32_MAX);
    for (Node caller = 0; caller < count; ++caller)
      for (Node callee : all.of(caller))
        if (std::exchange(seenBy[callee], caller) != caller)
          fn(caller, callee);
  });
}

Digraph::Components Digraph::components(function_ref<bool(Node)> isLeaf) const {
  std::vector<GraphNode> nodes(count + 1);
  const Grouped<const GraphNode *> callees(count + 1, [&](auto fn) {
    for (Node node = 0; node < count; ++node) {
      fn(count, &nodes[node]);
      if (!isLeaf(node))
        for (Node callee : edges.of(node))
          fn(node, &nodes[callee]);
    }
  });
  for (size_t i = 0; i <= count; ++i)
    nodes[i].callees = callees.of(i);
  Components result;
  result.of.resize(count);
  const GraphNode *const all = &nodes.back();
  for (auto it = scc_begin(all); it->front() != all; ++it) {
    std::vector<Node> &members = result.members.emplace_back();
    for (const GraphNode *node : *it) {
      members.push_back(Node(node - nodes.data()));
      result.of[members.back()] = uint32_t(result.members.size() - 1);
    }
    std::sort(members.begin(), members.end()); // in order of first mention
    result.recursive.push_back(it.hasCycle());
  }
  return result;
}

std::vector<Digraph::Node> Digraph::cycle(const Components &in,
                                          uint32_t group) const {
  const Node start = in.members[group].front();
  DenseMap<Node, Node> from;
  std::vector<Node> queue = {start};
  for (size_t i = 0; i < queue.size(); ++i)
    for (Node callee : callees(queue[i])) {
      if (callee == start) {
        std::vector<Node> chain = {start};
        for (Node node = queue[i]; node != start; node = from[node])
          chain.push_back(node);
        chain.push_back(start);
        std::reverse(chain.begin(), chain.end());
        return chain;
      }
      if (in.of[callee] == group && from.try_emplace(callee, queue[i]).second)
        queue.push_back(callee);
    }
  return {start, start};
}

} // namespace xlink
