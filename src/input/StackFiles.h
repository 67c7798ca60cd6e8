//===- StackFiles.h - files that tell of stacks, taken apart --------------===//
#ifndef XLINK_INPUT_STACKFILES_H
#define XLINK_INPUT_STACKFILES_H

#include "base/Diagnostics.h"
#include "model/StackNotes.h"

namespace xlink {

/// Reads the output of -fstack-usage of GCC and clang (.su): a line for each
/// function, "work.c:12:5:main<tab>48<tab>static". Other lines are warnings
/// that name `notes.path` and the line.
void readStackUsageFile(llvm::StringRef text, StackNotes &notes,
                        Diagnostics &diag);

/// Reads the output of -fcallgraph-info of GCC (.ci): functions and their
/// calls. Malformed lines are warnings that name `notes.path` and the line.
void readCallGraphFile(llvm::StringRef text, StackNotes &notes,
                       Diagnostics &diag);

/// Reads a file of --stack-calls: lines "caller: callee, callee", # begins a
/// comment. Anything else is an error that names `path` and the line.
std::vector<StatedCalls>
readStackCalls(llvm::StringRef path, llvm::StringRef text, Diagnostics &diag);

/// "ns::S::f" of "static int ns::S::f(int) [with T = int]", of a demangled
/// name, or of "f.constprop.0": the common part of a function's spellings.
std::string plainFunctionName(llvm::StringRef name);

} // namespace xlink
#endif
