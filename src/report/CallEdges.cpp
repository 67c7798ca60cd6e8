//===- CallEdges.cpp - who calls whom, as numbers -------------------------===//
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
#include "report/CallEdges.h"
#include "model/Ids.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

CallEdges::CallEdges(size_t count, ArrayRef<std::pair<Node, Node>> calls)
    : firstEdge(count + 1) {
  for (auto [caller, callee] : calls)
    ++firstEdge[caller + 1];
  for (size_t i = 0; i < count; ++i)
    firstEdge[i + 1] += firstEdge[i];
  edges.resize(calls.size());
  std::vector<uint32_t> next(firstEdge.begin(), firstEdge.end() - 1);
  for (auto [caller, callee] : calls)
    edges[next[caller]++] = callee;
  // Each callee once.
  std::vector<Node> seenBy(count, kNone);
  uint32_t kept = 0;
  for (Node caller = 0; caller < count; ++caller) {
    const uint32_t begin = firstEdge[caller], end = firstEdge[caller + 1];
    firstEdge[caller] = kept;
    for (uint32_t i = begin; i < end; ++i) {
      if (seenBy[edges[i]] == caller)
        continue;
      seenBy[edges[i]] = caller;
      edges[kept++] = edges[i];
    }
  }
  firstEdge.back() = kept;
  edges.resize(kept);
}

CallEdges::Components CallEdges::components(IsLeaf isLeaf) const {
  Components result;
  result.of.assign(size(), kNone);
  std::vector<uint32_t> order(size(), kNone), low(size());
  std::vector<Node> open; // visited, component not known yet
  struct Frame {
    Node node;
    uint32_t next, end; ///< into edges
  };
  std::vector<Frame> stack;
  uint32_t count = 0;
  auto enter = [&](Node node) {
    order[node] = low[node] = count++;
    open.push_back(node);
    uint32_t begin = firstEdge[node];
    stack.push_back({node, begin, isLeaf(node) ? begin : firstEdge[node + 1]});
  };
  for (Node root = 0; root < size(); ++root) {
    if (order[root] != kNone)
      continue;
    enter(root);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      Node node = frame.node;
      if (frame.next != frame.end) {
        Node callee = edges[frame.next++];
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

std::vector<CallEdges::Node>
CallEdges::cycle(const Components &in, uint32_t group, IsLeaf isLeaf) const {
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
