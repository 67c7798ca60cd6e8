//===- StackNotes.h - what files beside the inputs tell of stacks ---------===//
//
// Compilers write what functions take into files beside their objects, and
// users state what calls through pointers reach. Names and texts point into the
// files' buffers.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_STACKNOTES_H
#define XLINK_MODEL_STACKNOTES_H

#include "base/Config.h"
#include "model/Ids.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// A function as a compiler describes it: the name of its symbol, or what the
/// language calls it.
struct NotedFunction {
  llvm::StringRef name;
  std::optional<uint64_t> bytes; ///< nothing: it is only named
  bool dynamic = false;          ///< takes more, and nobody says how much
};

/// A call as a compiler describes it.
struct NotedCall {
  llvm::StringRef caller, callee; ///< names of symbols
  bool indirect = false;          ///< through a pointer: `callee` is empty
  llvm::StringRef place;          ///< "work.c:5:31", or empty
};

/// What one file beside an object says.
struct StackNotes {
  FileId file; ///< the object
  std::string path;
  /// It has the calls of all functions that it describes (.ci).
  bool hasCalls = false;
  std::vector<NotedFunction> functions;
  std::vector<NotedCall> calls;
};

/// A line of --stack-calls: what calls of a function through pointers reach.
struct StatedCalls {
  unsigned line = 0;
  llvm::StringRef caller;
  std::vector<llvm::StringRef> callees; ///< patterns
};

/// All of it.
struct StackInputs {
  std::vector<StackNotes> notes; ///< in the order of the objects
  std::string callsPath;         ///< of --stack-calls
  std::vector<StatedCalls> calls;
};

/// Whether a link asks for the depth of stacks at all.
inline bool wantsStackUsage(const Config &config) {
  return config.stackUsage != ReportFormat::None ||
         !config.stackLimits.empty() || config.errorStackLimit;
}

} // namespace xlink
#endif
