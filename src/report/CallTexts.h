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

/// A function's name in JSON: as in the file.
std::string nameIn(const CallGraph &graph, CallGraph::Node node);

/// Members of a JSON object, in the order in which they are written.
using JsonMembers = std::vector<std::pair<const char *, llvm::json::Value>>;
/// Something about calls, for people and for programs.
struct CallPhrase {
  std::string text;
  JsonMembers json;
};
/// "main -> f -> (3 more) -> g"; `path`, and `omittedBeforeLast` where
/// something was left out. `chain` has kMostJsonNames functions, and its last
/// one.
CallPhrase chainPhrase(const CallGraph &graph, const CallChain &chain);
/// Why something has no bound: `reason`, and what it is about.
CallPhrase reasonPhrase(const CallGraph &graph, const UnboundReason &reason);

} // namespace xlink
#endif
