//===- CallTexts.h - chains of calls and reasons, for reports -------------===//
#ifndef XLINK_REPORT_CALLTEXTS_H
#define XLINK_REPORT_CALLTEXTS_H

#include "report/DeepestCalls.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// So many functions of a chain are printed, with its last one.
constexpr size_t kMostNames = 20;
/// The same in JSON.
constexpr size_t kMostJsonNames = 100;

/// The beginning of a chain at hand, at most `most` functions, and its last.
CallChain shortened(llvm::ArrayRef<CallGraph::Node> nodes, size_t most);
/// "main -> f -> (3 more) -> g", with names for people.
std::string chainText(const CallGraph &graph, const CallChain &chain);
/// Why something has no bound, for people.
std::string reasonText(const CallGraph &graph, const UnboundReason &reason);

/// A function's name in JSON: as in the file.
std::string nameIn(const CallGraph &graph, CallGraph::Node node);
/// Members of a JSON object, in the order in which they are written.
using JsonMembers = std::vector<std::pair<const char *, llvm::json::Value>>;
/// `path`, and `omittedBeforeLast` where something was left out.
JsonMembers chainMembers(const CallGraph &graph, const CallChain &chain);
/// Why something has no bound: `reason`, and what it is about.
JsonMembers reasonMembers(const CallGraph &graph, const UnboundReason &reason);

} // namespace xlink
#endif
