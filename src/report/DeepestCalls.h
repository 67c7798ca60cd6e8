//===- DeepestCalls.h - needs of functions with all their callees ---------===//
#ifndef XLINK_REPORT_DEEPESTCALLS_H
#define XLINK_REPORT_DEEPESTCALLS_H

#include "report/CallGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// So many functions of a chain are printed, with its last one.
constexpr size_t kMostNames = 20;
/// The same in JSON.
constexpr size_t kMostJsonNames = 100;

/// The beginning and the end of a chain of calls.
struct CallChain {
  std::vector<CallGraph::Node> nodes;
  size_t omitted = 0; ///< before the last
};

/// A phrase about calls as text, and its members of a JSON object, in the order
/// in which they are written.
struct CallPhrase {
  std::string text;
  std::vector<std::pair<const char *, llvm::json::Value>> json;
};

/// The need of a function with all its callees.
struct CallNeed {
  bool bounded = false;
  bool fromSymbol = false; ///< the sum is stated by an object
  /// The function's own part, stated or the rest of a sum.
  std::optional<uint64_t> own;
  uint64_t total = 0;              ///< without a bound: at least that
  CallGraph::Node deepest = kNone; ///< the callee that needs most
  std::vector<uint32_t> reasons;   ///< indices, ascending
  bool moreReasons = false;
};

/// One resource of all functions.
class DeepestCalls {
public:
  using Node = CallGraph::Node;

  DeepestCalls(const CallGraph &graph, Resource resource);

  const CallNeed &operator[](Node node) const { return needs[node]; }
  /// Why a need has no bound: `reason`, and its subject.
  const CallPhrase &reason(uint32_t index) const { return reasonList[index]; }
  /// The deepest chain of calls from a function, or the deepest that is known:
  /// at most kMostJsonNames functions and the last.
  CallChain path(Node node) const;
  /// "main -> f -> (3 more) -> g"; in JSON `path`, and `omittedBeforeLast`
  /// where some are left out.
  CallPhrase pathPhrase(Node node) const { return phrase(path(node)); }

private:
  bool hasOnlySum(Node node) const {
    return own(node).kind == StatedValue::Nothing &&
           sum(node).kind != StatedValue::Nothing;
  }
  const StatedValue &own(Node node) const {
    return graph[node].own[size_t(resource)];
  }
  const StatedValue &sum(Node node) const {
    return graph[node].total[size_t(resource)];
  }
  CallPhrase phrase(const CallChain &chain) const;
  void blame(CallNeed &need, CallPhrase reason);
  void blameFor(CallNeed &need, const char *reason, std::string text,
                Node node);
  void blameValue(CallNeed &need, Node node, llvm::StringRef symbol);
  void blameCycle(CallNeed &need, const Digraph::Components &in,
                  uint32_t group);
  uint64_t ownValue(Node node, CallNeed &need);
  uint32_t nearestRecursion(Node node);
  void computeSum(Node node);
  void compute(uint32_t group);
  void explainSum(Node node);

  const CallGraph &graph;
  const Resource resource;
  Digraph::Components groups;    ///< of calls; a sum alone has no callees
  std::vector<uint32_t> nearest; ///< of nearestRecursion, once made
  /// By group of all calls: into `reasonList`.
  llvm::DenseMap<uint32_t, uint32_t> recursionReasons;
  std::vector<CallNeed> needs;
  std::vector<CallPhrase> reasonList;
};

} // namespace xlink
#endif
