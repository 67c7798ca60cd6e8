//===- CommandLine.h - from arguments as written to one form --------------===//
#ifndef XLINK_DRIVER_COMMANDLINE_H
#define XLINK_DRIVER_COMMANDLINE_H

#include "base/Diagnostics.h"
#include "driver/OptionTable.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// An argument whose option is known.
struct Argument {
  const Option *option;  ///< the table's first row for an input
  llvm::StringRef value; ///< in an argument; "" where there is none
};

/// Splits arguments into options and values, in order. Unknown options, missing
/// and unwanted values are reported and left out. The result borrows from
/// `args`.
std::vector<Argument> normalize(llvm::ArrayRef<std::string> args,
                                DiagnosticBuffer &messages);

/// Arguments, and the response files that some of them come from.
struct ExpandedArguments {
  std::vector<std::string> words, paths;
};

/// Replaces each @FILE by the arguments that the file holds.
ExpandedArguments expandResponseFiles(llvm::ArrayRef<const char *> args,
                                      llvm::vfs::FileSystem *fs,
                                      DiagnosticBuffer &messages);

} // namespace xlink
#endif
