//===- StackUsage.h - how deep each stack can get -------------------------===//
#ifndef XLINK_REPORT_STACKUSAGE_H
#define XLINK_REPORT_STACKUSAGE_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "report/CallTexts.h"
#include "report/StackSources.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// A function on a stack of its own.
struct StackRoot {
  CallGraph::Node node;
  enum Kind : uint8_t {
    Entry,
    Thread,   ///< an object says that it runs in parallel with others
    Numbered, ///< with memory set aside for it; `number` says which
    Limited,  ///< --stack-limit names it
    Possible, ///< its address is taken, and no call of it is known
  } kind;
  unsigned number = 0;
  std::optional<uint64_t> limit = {}; ///< bytes
  /// Who says so: "STACK_SIZE_TASKLET_3", "--stack-limit".
  std::string limitName = {};
  const char *thread = ""; ///< of a numbered one: "tasklet"
};

/// The stacks of a program. Sizes are in bytes.
class StackUsage {
public:
  /// Addresses must be fixed. What cannot be read goes to `diag`, as warnings.
  StackUsage(const Link &link, const SymbolValues &values, Diagnostics &diag);

  const CallGraph &functions() const { return graph; }
  const CallNeed &need(CallGraph::Node node) const { return calls[node]; }
  /// The entry or the threads with stacks of a known size, other threads, what
  /// --stack-limit names, then what may be a root, the deepest first.
  const std::vector<StackRoot> &roots() const { return rootList; }
  /// Why a need has no bound, one of CallNeed::reasons.
  CallPhrase reason(uint32_t index) const {
    return reasonPhrase(graph, calls.reason(index));
  }
  /// "entry", "thread", "tasklet 3", "limit", "possible root"
  std::string kindOf(const StackRoot &root) const;
  /// The deepest calls from a function.
  CallChain path(CallGraph::Node node, size_t most) const {
    return calls.path(node, most);
  }
  /// Bytes that a function takes itself; nothing where nobody says.
  std::optional<uint64_t> own(CallGraph::Node node) const {
    return calls[node].own ? calls[node].own : calls.share(node).implied;
  }
  /// Runs of numbered roots that need and have the same, all others alone.
  std::vector<llvm::ArrayRef<StackRoot>> groups() const;
  /// How people call a group: "entry", "tasklets 0 to 15".
  std::string kindOf(llvm::ArrayRef<StackRoot> group) const;
  /// "STACK_SIZE_TASKLET_0 to STACK_SIZE_TASKLET_15"
  static std::string limitOf(llvm::ArrayRef<StackRoot> group);
  /// Functions of which calls through pointers are not known.
  uint64_t openFunctions() const;
  /// The source line where a function begins, or "".
  std::string lineOf(CallGraph::Node node) const;
  /// "a.o", where a function is defined, or "".
  std::string fileOf(CallGraph::Node node) const;
  /// Whether a node is a function: no other name of one, no part of one, and no
  /// global that one uses.
  bool isFunction(CallGraph::Node node) const;
  const StackSources &knownFrom() const { return sources; }

  /// Warns of each root that needs more than its limit, and of each with a
  /// limit from the command line whose need has no bound; errors with
  /// --error-stack-limit.
  void check(Diagnostics &diag) const;

private:
  std::vector<FunctionShare> shares() const;
  void findRoots(const SymbolValues &values, Diagnostics &diag);
  void addNumbered(const SymbolValues &values);
  void addLimited(Diagnostics &diag);
  void addPossible();
  void checkGroup(llvm::ArrayRef<StackRoot> group, Diagnostics &diag) const;

  const Link &link;
  StackSources sources;
  CallGraph graph;
  DeepestCalls calls;
  std::vector<bool> called; ///< by others, by node
  std::vector<StackRoot> rootList;
};

/// --stack-usage for people, and for programs the member "stackUsage" of
/// --answers-json.
void writeStackUsage(llvm::raw_ostream &text, llvm::json::OStream &json,
                     const Link &link, const StackUsage &usage);
/// The same for maps; `texts` keeps the names.
std::vector<MapStack> stacksOfMap(const StackUsage &usage,
                                  llvm::BumpPtrAllocator &texts);

} // namespace xlink
#endif
