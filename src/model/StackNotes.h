//===- StackNotes.h - stack sizes and calls from files --------------------===//
//
// Compilers write frames and calls of functions into files beside their
// objects, and users state the callees of calls through pointers. Names and
// texts point into the files' buffers.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_STACKNOTES_H
#define XLINK_MODEL_STACKNOTES_H

#include "base/Config.h"
#include "model/Ids.h"
#include "llvm/ADT/StringRef.h"

namespace xlink {

/// A function as a compiler describes it, by the name of its symbol or by its
/// name in the language.
struct NotedFunction {
  llvm::StringRef name;
  std::optional<uint64_t> bytes = {}; ///< nothing: it is only named
  bool dynamic = false;               ///< takes more, of unknown size
};

/// A call as a compiler describes it.
struct NotedCall {
  llvm::StringRef caller, callee; ///< names of symbols
  bool indirect = false;          ///< through a pointer: `callee` is empty
  llvm::StringRef place;          ///< "work.c:5:31", or empty
};

/// The contents of one file beside an object.
struct StackNotes {
  FileId file; ///< the object
  std::string path;
  /// It has the calls of all functions that it describes (.ci).
  bool hasCalls = false;
  std::vector<NotedFunction> functions = {};
  std::vector<NotedCall> calls = {};
};

/// A line of --stack-calls: the callees of a function through pointers.
struct StatedCalls {
  std::string place; ///< "calls.txt:3"
  llvm::StringRef caller;
  std::vector<llvm::StringRef> callees = {}; ///< patterns
};

/// All of it.
struct StackInputs {
  std::vector<StackNotes> notes;  ///< in the order of the objects
  std::vector<StatedCalls> calls; ///< of --stack-calls
};

/// Whether a link asks for the depth of stacks at all.
inline bool wantsStackUsage(const Config &config) {
  return config.stackUsage != ReportFormat::None ||
         !config.stackLimits.empty() || config.errorStackLimit;
}

} // namespace xlink
#endif
