//===- DeepestCalls.cpp ---------------------------------------------------===//
//
// Problem: what does a function take with all that it calls, such as stack?
// Functions are known by themselves, or only with their callees. Some calls
// have no bound: recursion, functions that nobody defines or says anything of,
// calls through pointers. They have to be named, not guessed at.
//
// Method: the strongly connected components of the calls, callees first. A
// function of which only the sum is known calls nobody as far as this is
// concerned: that is also how programmers bound a recursion. In a component of
// its own a function adds its share to the most of its callees. In a larger one
// nothing bounds the stack; other resources have a bound when no member takes
// any. Where only a sum is known, what the callees leave of it is the
// function's own. What has no bound inherits the reasons of its callees, at
// most kMostReasons of them, and what it takes at least: all its members are on
// one way round, so the largest share and the deepest way out of it add up.
//
// Each function points to the callee that needs most, and so to the deepest
// path. Paths may be as long as the program is large and there may be as many
// roots, so only their beginning and their last function are given.
//
// Cost: linear in the graph, and what is asked for.
//
//===----------------------------------------------------------------------===//
#include "report/DeepestCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

DeepestCalls::DeepestCalls(const CallGraph &graph, Resource resource,
                           std::vector<FunctionShare> given)
    : graph(graph), resource(resource), shares(std::move(given)),
      needs(graph.size()) {
  groups =
      graph.calls().components([&](Node node) { return hasOnlySum(node); });
  for (uint32_t group = 0; group < groups.size(); ++group)
    compute(group);
  findPaths();
}

void DeepestCalls::blame(CallNeed &need, UnboundReason reason) {
  need.reasons.push_back(uint32_t(reasonList.size()));
  reasonList.push_back(std::move(reason));
}

/// What a function takes itself, as far as that is known; reasons when it may
/// be more.
uint64_t DeepestCalls::ownValue(Node node, CallNeed &need) {
  const FunctionShare &share = shares[node];
  uint64_t value = 0;
  if (share.own.kind == StatedValue::Value)
    value = share.own.value;
  else if (share.own.kind == StatedValue::Unresolved)
    blame(need, {UnboundReason::Value, node, share.own.symbol});
  else if (share.implied)
    value = *share.implied;
  else
    blame(need, {graph[node].defined ? UnboundReason::Unstated
                                     : UnboundReason::Undefined,
                 node});
  if (graph[node].dynamic)
    blame(need, {UnboundReason::Dynamic, node});
  if (graph[node].indirect && !graph[node].callsStated)
    blame(need, {UnboundReason::Indirect, node});
  return value;
}

void DeepestCalls::inherit(CallNeed &need, const CallNeed &from) const {
  need.moreReasons |= from.moreReasons;
  SmallVector<uint32_t, 16> merged;
  std::set_union(need.reasons.begin(), need.reasons.end(), from.reasons.begin(),
                 from.reasons.end(), std::back_inserter(merged));
  if (merged.size() > kMostReasons) {
    merged.resize(kMostReasons);
    need.moreReasons = true;
  }
  need.reasons.assign(merged.begin(), merged.end());
}

/// The groups of all calls, of functions too of which only the sum is known.
const Digraph::Components &DeepestCalls::whole() {
  if (!wholeGroups)
    wholeGroups = graph.calls().components();
  return *wholeGroups;
}

/// The same, of calls of which formulas tell, too.
const Digraph::Components &DeepestCalls::wholeOfSums() {
  if (!sumGroups)
    sumGroups = graph.callsOfSums().components();
  return *sumGroups;
}

/// By function: the group of the recursion that its sum depends on, the nearest
/// among its callees whose sums do so too; kNone: there is none. A search in
/// breadth from all recursions at once, against the calls.
const std::vector<uint32_t> &DeepestCalls::nearestRecursions() {
  if (!nearest.empty())
    return nearest;
  std::vector<std::pair<Node, Node>> back;
  for (Node node = 0; node < graph.size(); ++node)
    for (Node callee : graph.callees(node))
      if (shares[callee].sum.recursive)
        back.emplace_back(callee, node);
  const Digraph callers(graph.size(), back);
  std::vector<uint32_t> distance(graph.size(), kNone);
  std::vector<Node> queue;
  for (Node node = 0; node < graph.size(); ++node)
    if (whole().recursive[whole().of[node]]) {
      distance[node] = 0;
      queue.push_back(node);
    }
  nearest.assign(graph.size(), kNone);
  for (size_t i = 0; i < queue.size(); ++i) {
    const Node node = queue[i];
    for (Node caller : callers.callees(node))
      if (distance[caller] == kNone) {
        distance[caller] = distance[node] + 1;
        queue.push_back(caller);
      }
    // Of equal ways the first in the order of the calls counts.
    nearest[node] = whole().of[node];
    if (distance[node] != 0)
      nearest[node] = nearest[*find_if(graph.callees(node), [&](Node callee) {
        return shares[callee].sum.recursive &&
               distance[callee] == distance[node] - 1;
      })];
  }
  return nearest;
}

/// The functions of a recursion.
std::vector<DeepestCalls::Node>
DeepestCalls::cycle(const Digraph::Components &in, uint32_t group,
                    Digraph::IsLeaf isLeaf) const {
  std::vector<Node> chain = graph.calls().cycle(in, group, isLeaf);
  erase_if(chain, [&](Node node) { return graph[node].isSet; });
  return chain;
}

/// Says why the sum of a function depends on itself. One reason stands for all
/// functions that depend on a recursion: thousands can be in it.
void DeepestCalls::blameRecursion(CallNeed &need, Node node) {
  const uint32_t group = nearestRecursions()[node];
  if (group == kNone)
    return blame(need,
                 {UnboundReason::Recursion, node, shares[node].sum.symbol});
  const auto [it, fresh] =
      recursionReasons.try_emplace(group, uint32_t(reasonList.size()));
  if (!fresh) {
    need.reasons.push_back(it->second);
    return;
  }
  blame(need,
        {UnboundReason::Recursion, node, {}, cycle(whole(), group, [](Node) {
           return false;
         })});
}

/// A function of which only the sum is known.
void DeepestCalls::computeSum(Node node) {
  CallNeed &need = needs[node];
  const StatedValue &sum = shares[node].sum;
  if (sum.recursive)
    return blameRecursion(need, node);
  if (sum.kind == StatedValue::Unresolved)
    return blame(need, {UnboundReason::Value, node, sum.symbol});
  need.bounded = need.fromSymbol = true;
  need.total = sum.value;
}

void DeepestCalls::compute(uint32_t group) {
  ArrayRef<Node> members = groups.members(group);
  const bool recursive = groups.recursive[group];
  if (!recursive && hasOnlySum(members.front()))
    return computeSum(members.front());
  CallNeed all; // of a recursive group: what holds for each member
  uint64_t taken = 0, most = 0;
  for (Node node : members) {
    taken = std::max(taken, ownValue(node, all));
    for (Node callee : graph.callees(node)) {
      if (groups.of[callee] == group)
        continue;
      const CallNeed &need = needs[callee];
      if (!need.bounded)
        inherit(all, need);
      if (all.deepest == kNone || need.total > most) {
        most = need.total;
        all.deepest = callee;
      }
    }
  }
  if (recursive && (resource == Resource::StackWords ||
                    taken > (resource == Resource::Threads ? 1u : 0u)))
    blame(all,
          {UnboundReason::Recursion,
           members.front(),
           {},
           cycle(groups, group, [&](Node node) { return hasOnlySum(node); })});
  all.bounded = all.reasons.empty();
  // The caller's thread is one of those that the callee counts.
  if (resource == Resource::Threads && most != 0)
    --most;
  // A number that no memory has is as good as the largest one.
  all.total = taken + most < taken ? UINT64_MAX : taken + most;
  if (all.reasons.size() > kMostReasons) {
    all.reasons.resize(kMostReasons);
    all.moreReasons = true;
  }
  for (Node node : members)
    needs[node] = all;
}

/// Below a function whose sum alone is known the sums lead on. They must get
/// smaller or lead out of every recursion, or the way could lead round.
void DeepestCalls::explainSum(Node node) {
  CallNeed &need = needs[node];
  uint64_t most = 0;
  const ArrayRef<Node> callees = graph.callsOfSums().callees(node);
  bool known = !graph[node].calls || !callees.empty() || need.total == 0;
  for (Node callee : callees) {
    const CallNeed &other = needs[callee];
    known &= other.bounded && other.total <= need.total &&
             !graph[callee].isStatement;
    if (!other.bounded || other.total > need.total)
      continue;
    most = std::max(most, other.total);
    if ((other.total < need.total ||
         wholeOfSums().of[callee] != wholeOfSums().of[node]) &&
        (need.deepest == kNone || other.total > needs[need.deepest].total))
      need.deepest = callee;
  }
  if (known && resource == Resource::StackWords)
    need.own = need.total - most;
  // Another callee, of which less is known, may be what the sum comes from.
  if (!known && need.deepest != kNone &&
      needs[need.deepest].total != need.total &&
      any_of(callees, [&](Node callee) {
        return !needs[callee].bounded || needs[callee].total > need.total;
      }))
    need.deepest = kNone;
}

/// Follows each function's deepest calls, every function once.
void DeepestCalls::findPaths() {
  for (Node node = 0; node < needs.size(); ++node) {
    if (shares[node].own.kind == StatedValue::Value)
      needs[node].own = shares[node].own.value;
    if (needs[node].fromSymbol)
      explainSum(node);
  }
  std::vector<Node> chain;
  for (Node root = 0; root < needs.size(); ++root) {
    for (Node node = root; node != kNone && needs[node].length == 0;
         node = needs[node].deepest)
      chain.push_back(node);
    for (; !chain.empty(); chain.pop_back()) {
      CallNeed &need = needs[chain.back()];
      bool ends = need.deepest == kNone;
      need.length =
          ends ? 1 : needs[need.deepest].length + !graph[chain.back()].isSet;
      need.last = ends ? chain.back() : needs[need.deepest].last;
    }
  }
}

CallChain DeepestCalls::path(Node node, size_t most) const {
  CallChain chain;
  const CallNeed &start = needs[node];
  for (; node != kNone && chain.nodes.size() < most; node = needs[node].deepest)
    if (!graph[node].isSet)
      chain.nodes.push_back(node);
  if (node != kNone) {
    chain.omitted = start.length - most - 1;
    chain.nodes.push_back(start.last);
  }
  return chain;
}

} // namespace xlink
