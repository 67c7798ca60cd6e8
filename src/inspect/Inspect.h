//===- Inspect.h - xlink-inspect, as a library call -----------------------===//
#ifndef XLINK_INSPECT_INSPECT_H
#define XLINK_INSPECT_INSPECT_H

#include "base/Diagnostics.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Exit statuses, those of diff.
enum InspectStatus : int { kSame = 0, kDifferent = 1, kTrouble = 2 };

struct InspectResult {
  InspectStatus status = kTrouble;
  std::string text;   ///< the answer
  std::string output; ///< where it shall be written; empty: standard output
  std::vector<Diagnostic> diagnostics; ///< in order
};

/// Answers one command line, without the program's name. Files are read from
/// `fs` (null: the operating system); nothing is written. `executable`: beside
/// which machine files are; empty: none.
InspectResult inspect(const std::vector<std::string> &arguments,
                      llvm::vfs::FileSystem *fs = nullptr,
                      const std::string &executable = "");

} // namespace xlink
#endif
