//===- StackFiles.h - stack sizes and calls as compilers write them -------===//
#ifndef XLINK_INPUT_STACKFILES_H
#define XLINK_INPUT_STACKFILES_H

#include "base/Diagnostics.h"
#include "model/ObjectFile.h"
#include "model/StackNotes.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// The stack size of one function.
struct StackSize {
  uint32_t relocation; ///< names the function: into ParsedObject::relocations
  uint64_t size;       ///< the number, in bytes and flags of the machine
};

/// Why a section is not a sequence of entries, and where.
struct StackSizesError {
  uint64_t offset;
  std::string text;
};

/// Whether a section has stack sizes: .stack_sizes, .stack_sizes.NAME.
bool isStackSizes(const ParsedSection &section);

/// Reads the entries of such a section, a reference of `addressSize` bytes and
/// a number in ULEB128 each, into `sizes`. After an error, those in front of
/// it.
std::optional<StackSizesError> readStackSizes(const ParsedObject &object,
                                              const ParsedSection &section,
                                              unsigned addressSize,
                                              std::vector<StackSize> &sizes);

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
/// comment. Other lines are errors that name `path` and the line.
std::vector<StatedCalls>
readStackCalls(llvm::StringRef path, llvm::StringRef text, Diagnostics &diag);

/// "ns::S::f" of "static int ns::S::f(int) [with T = int]", of a demangled
/// name, or of "f.constprop.0": the common part of a function's spellings.
std::string plainFunctionName(llvm::StringRef name);

} // namespace xlink
#endif
