//===- StackUsage.h - how deep each stack can get -------------------------===//
#ifndef XLINK_REPORT_STACKUSAGE_H
#define XLINK_REPORT_STACKUSAGE_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "report/DeepestCalls.h"
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
  /// The source of the limit: "STACK_SIZE_TASKLET_3", "--stack-limit".
  std::string limitName = {};
  const char *thread = ""; ///< of a numbered one: "tasklet"
};

/// The stacks of a program. Sizes are in bytes.
class StackUsage {
public:
  /// Addresses must be fixed. Malformed inputs go to `diag`, as warnings.
  StackUsage(const Link &link, const SymbolValues &values, Diagnostics &diag);

  /// --stack-usage as text, and the member "stackUsage" of --answers-json.
  void write(llvm::raw_ostream &text, llvm::json::OStream &json) const;
  /// The same for maps; `texts` keeps the names.
  std::vector<MapStack> forMap(llvm::BumpPtrAllocator &texts) const;
  /// Warns of each root that needs more than its limit, and of each with a
  /// limit from the command line whose need has no bound; errors with
  /// --error-stack-limit.
  void check(Diagnostics &diag) const;

private:
  using Node = CallGraph::Node;
  /// Neighbouring roots that need and have the same.
  using Group = llvm::ArrayRef<StackRoot>;

  void addNumbered(const SymbolValues &values);
  void addLimited(Diagnostics &diag);
  void addPossible();
  std::vector<Group> groups() const;
  static std::string kindOf(Group group);
  void warn(std::string text, std::vector<std::string> notes,
            Diagnostics &diag) const;
  void checkGroup(Group group, Diagnostics &diag) const;
  bool isFunction(Node node) const;
  std::string lineOf(Node node) const;
  /// Bytes of a function's own; nothing where nothing is stated.
  std::optional<uint64_t> own(Node node) const {
    return calls[node].own ? calls[node].own
                           : graph[node].implied(Resource::StackWords);
  }
  void writeFunctions(llvm::json::OStream &json) const;
  void writeFrame(llvm::raw_ostream &text, Node node,
                  const std::string &line) const;
  llvm::json::Object writePath(llvm::raw_ostream &text, Node node) const;
  llvm::json::Object writeGroup(llvm::raw_ostream &text, Group group) const;
  void writeRoots(llvm::raw_ostream &text, llvm::json::OStream &json) const;
  void writeLargestFrames(llvm::raw_ostream &text) const;
  llvm::json::Object writeUnseen(llvm::raw_ostream &text) const;

  const Link &link;
  CallGraph graph;
  DeepestCalls calls;
  std::vector<bool> called; ///< by others, by node
  /// The entry or the threads with stacks of a known size, other threads,
  /// functions of --stack-limit, then possible roots, the deepest first.
  std::vector<StackRoot> roots;
};

} // namespace xlink
#endif
