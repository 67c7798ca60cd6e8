//===- FileChecks.h - likely mistakes in a finished file ------------------===//
#ifndef XLINK_INSPECT_FILECHECKS_H
#define XLINK_INSPECT_FILECHECKS_H

#include "inspect/LinkedFile.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Wishes of `xlink-inspect checks`.
struct FileCheckOptions {
  std::vector<std::string> scripts; ///< -T
  std::vector<std::string> groups;  ///< --check-traps; empty: those that can
  bool demangle = true;
};

/// The answer.
struct FileCheckResult {
  std::string file, machine;
  std::vector<Diagnostic> findings;
  /// Names of the checks that ran, and of those that could not, with the
  /// reason.
  std::vector<const char *> checked;
  std::vector<std::pair<const char *, std::string>> unchecked;
};

/// Runs the checks of checks/ that a file, with its scripts, has enough for.
/// Nothing, and errors, if it is no program or a script cannot be read.
std::optional<FileCheckResult> checkFile(const LinkedFile &file,
                                         const FileCheckOptions &options,
                                         llvm::vfs::FileSystem *fs,
                                         Diagnostics &diag);

std::string checksText(const FileCheckResult &result);
std::string checksJson(const FileCheckResult &result);

} // namespace xlink
#endif
