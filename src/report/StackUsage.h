//===- StackUsage.h - how deep each stack can get -------------------------===//
#ifndef XLINK_REPORT_STACKUSAGE_H
#define XLINK_REPORT_STACKUSAGE_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "report/CallGraph.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// A function on a stack of its own, or neighbouring threads that begin with
/// it and have stacks of one size.
struct StackRoot {
  CallGraph::Node node;
  enum Kind : uint8_t {
    Entry,
    Thread,   ///< an object says that it runs in parallel with others
    Numbered, ///< with memory set aside for `number` and those behind it
    Limited,  ///< --stack-limit names it
    Possible, ///< its address is taken, and no call of it is known
  } kind;
  std::optional<uint64_t> limit = {}; ///< bytes
  /// The source of the limit: "STACK_SIZE_TASKLET_#", "--stack-limit".
  const char *limitName = "";
  const char *thread = ""; ///< of a numbered one: "tasklet"
  unsigned number = 0, count = 1;
};

/// A name of a machine's Reservation, where # stands for a number.
std::string numbered(llvm::StringRef name, unsigned number);

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

  void addNumbered(const SymbolValues &values);
  void addLimited(Diagnostics &diag);
  void addPossible();
  void checkRoot(const StackRoot &root, Diagnostics &diag) const;
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
  llvm::json::Object writeRoot(llvm::raw_ostream &text,
                               const StackRoot &root) const;
  void writeRoots(llvm::raw_ostream &text, llvm::json::OStream &json) const;
  void writeLargestFrames(llvm::raw_ostream &text) const;
  llvm::json::Object writeUnseen(llvm::raw_ostream &text) const;

  const Link &link;
  CallGraph graph;
  DeepestCalls calls;
  /// The entry or the threads with stacks of a known size, other threads,
  /// functions of --stack-limit, then possible roots, the deepest first.
  std::vector<StackRoot> roots;
};

} // namespace xlink
#endif
