//===- Digraph.cpp --------------------------------------------------------===//
//
// Problem: sums over callees need callees first, and the groups of functions
// that can call themselves through each other; programs have hundreds of
// thousands of functions.
//
// Method: calls are sorted into one array by caller. Groups are Tarjan's
// strongly connected components, with a stack of our own: call chains are as
// deep as programs are large. They come out callees first, which is the order
// that every sum over callees needs. A cycle is found breadth first, so that
// the shortest one is shown.
//
// Cost: linear in functions and calls; a cycle, in its group.
//
//===----------------------------------------------------------------------===//
#include "report/Digraph.h"
#include "model/Ids.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

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
    std::vector<Node> seenBy(count, kNone);
    for (Node caller = 0; caller < count; ++caller)
      for (Node callee : all.of(caller))
        if (std::exchange(seenBy[callee], caller) != caller)
          fn(caller, callee);
  });
}

Digraph::Components Digraph::components(IsLeaf isLeaf) const {
  Components result;
  result.of.assign(size(), kNone);
  std::vector<uint32_t> order(size(), kNone), low(size());
  std::vector<Node> open; // visited, component not known yet
  struct Frame {
    Node node;
    ArrayRef<Node> rest; ///< of its callees
  };
  std::vector<Frame> stack;
  uint32_t entered = 0;
  auto enter = [&](Node node) {
    order[node] = low[node] = entered++;
    open.push_back(node);
    stack.push_back({node, isLeaf(node) ? ArrayRef<Node>() : callees(node)});
  };
  for (Node root = 0; root < size(); ++root) {
    if (order[root] != kNone)
      continue;
    enter(root);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      Node node = frame.node;
      if (!frame.rest.empty()) {
        Node callee = frame.rest.front();
        frame.rest = frame.rest.drop_front();
        if (order[callee] == kNone)
          enter(callee);
        else if (result.of[callee] == kNone)
          low[node] = std::min(low[node], order[callee]);
        continue;
      }
      bool callsItself = !isLeaf(node) && is_contained(callees(node), node);
      stack.pop_back();
      if (!stack.empty())
        low[stack.back().node] = std::min(low[stack.back().node], low[node]);
      if (low[node] != order[node])
        continue;
      uint32_t component = uint32_t(result.recursive.size());
      result.first.push_back(uint32_t(result.nodes.size()));
      Node member;
      do {
        member = open.back();
        open.pop_back();
        result.of[member] = component;
        result.nodes.push_back(member);
      } while (member != node);
      // In the order of their first mention.
      std::sort(result.nodes.begin() + result.first.back(), result.nodes.end());
      result.recursive.push_back(callsItself ||
                                 result.nodes.size() - result.first.back() > 1);
    }
  }
  result.first.push_back(uint32_t(result.nodes.size()));
  return result;
}

std::vector<Digraph::Node> Digraph::cycle(const Components &in, uint32_t group,
                                          IsLeaf isLeaf) const {
  Node start = in.members(group).front();
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
      if (in.of[callee] == group && !isLeaf(queue[i]) &&
          from.try_emplace(callee, queue[i]).second)
        queue.push_back(callee);
    }
  return {start, start};
}

} // namespace xlink
