//===- StackFiles.h - files that tell of stacks, taken apart --------------===//
#ifndef XLINK_INPUT_STACKFILES_H
#define XLINK_INPUT_STACKFILES_H

#include "base/Diagnostics.h"
#include "model/StackNotes.h"

namespace xlink {

/// Reads what -fstack-usage of GCC and clang wrote (.su): a line for each
/// function, "work.c:12:5:main<tab>48<tab>static". Lines that are none are
/// warnings that name `notes.path` and the line.
void readStackUsageFile(llvm::StringRef text, StackNotes &notes,
                        Diagnostics &diag);

/// Reads what -fcallgraph-info of GCC wrote (.ci): functions and their calls.
/// What cannot be read is a warning that names `notes.path` and the line.
void readCallGraphFile(llvm::StringRef text, StackNotes &notes,
                       Diagnostics &diag);

/// Reads a file of --stack-calls: lines "caller: callee, callee", # begins a
/// comment. Anything else is an error that names `path` and the line.
std::vector<StatedCalls>
readStackCalls(llvm::StringRef path, llvm::StringRef text, Diagnostics &diag);

/// "ns::S::f" of "static int ns::S::f(int) [with T = int]", of a demangled
/// name, or of "f.constprop.0": what different spellings of one function share.
std::string plainFunctionName(llvm::StringRef name);

} // namespace xlink
#endif
