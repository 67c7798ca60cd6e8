//===- DeepestCalls.h - what functions take with all that they call -------===//
#ifndef XLINK_REPORT_DEEPESTCALLS_H
#define XLINK_REPORT_DEEPESTCALLS_H

#include "report/CallGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// What is known of one function and one resource.
struct FunctionShare {
  StatedValue own; ///< what it takes itself
  StatedValue sum; ///< what it takes with all that it calls
  /// What it takes itself where nobody states it.
  std::optional<uint64_t> implied = {};
};

/// Why something has no bound.
struct UnboundReason {
  enum Kind : uint8_t {
    Recursion, ///< `chain`, which ends where it begins; empty: nobody states
               ///< the calls, but the value of `symbol` depends on itself
    Undefined, ///< `node` is not defined
    Unstated,  ///< nobody says what `node` takes
    Value,     ///< what `node` takes depends on the undefined `symbol`
    Dynamic,   ///< `node` takes more than is known
    Indirect,  ///< `node` calls what nobody names
  } kind;
  CallGraph::Node node;
  llvm::StringRef symbol = {};
  std::vector<CallGraph::Node> chain = {};
};

/// The beginning and the end of a chain of calls.
struct CallChain {
  std::vector<CallGraph::Node> nodes;
  size_t omitted = 0; ///< before the last
};

/// What a function needs with all that it calls.
struct CallNeed {
  bool bounded = false;
  bool fromSymbol = false; ///< the sum is what an object states
  /// What the function takes itself, stated or what its callees leave of a sum.
  std::optional<uint64_t> own;
  uint64_t total = 0;                     ///< without a bound: at least that
  CallGraph::Node deepest = kNone;        ///< the callee that needs most
  uint32_t length = 0;                    ///< functions on the deepest path
  CallGraph::Node last = kNone;           ///< where that ends
  llvm::SmallVector<uint32_t, 2> reasons; ///< indices, ascending
  bool moreReasons = false;
};

/// One resource of all functions.
class DeepestCalls {
public:
  using Node = CallGraph::Node;
  /// So many reasons are kept of what has no bound.
  static constexpr size_t kMostReasons = 8;

  /// `shares`: by node. StackWords may be in any unit.
  DeepestCalls(const CallGraph &graph, Resource resource,
               std::vector<FunctionShare> shares);

  const CallNeed &operator[](Node node) const { return needs[node]; }
  const FunctionShare &share(Node node) const { return shares[node]; }
  const UnboundReason &reason(uint32_t index) const {
    return reasonList[index];
  }
  /// The deepest chain of calls from a function, or the deepest that is known:
  /// at most `most` functions and the last.
  CallChain path(Node node, size_t most) const;

private:
  bool hasOnlySum(Node node) const {
    return shares[node].own.kind == StatedValue::Nothing &&
           shares[node].sum.kind != StatedValue::Nothing;
  }
  uint64_t ownValue(Node node, CallNeed &need);
  void blame(CallNeed &need, UnboundReason reason);
  void inherit(CallNeed &need, const CallNeed &from) const;
  const Digraph::Components &whole();
  const Digraph::Components &wholeOfSums();
  const std::vector<uint32_t> &nearestRecursions();
  void blameRecursion(CallNeed &need, Node node);
  std::vector<Node> cycle(const Digraph::Components &in, uint32_t group,
                          Digraph::IsLeaf isLeaf) const;
  void computeSum(Node node);
  void compute(uint32_t group);
  void explainSum(Node node);
  void findPaths();

  const CallGraph &graph;
  const Resource resource;
  std::vector<FunctionShare> shares;
  Digraph::Components groups;
  std::optional<Digraph::Components> wholeGroups; ///< without leaves
  std::optional<Digraph::Components> sumGroups;   ///< of callsOfSums()
  std::vector<uint32_t> nearest; ///< of nearestRecursions, once made
  /// By group of `wholeGroups`: into `reasonList`.
  llvm::DenseMap<uint32_t, uint32_t> recursionReasons;
  std::vector<CallNeed> needs;
  std::vector<UnboundReason> reasonList;
};

} // namespace xlink
#endif
