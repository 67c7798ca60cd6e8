//===- Diff.h - --diff A B ------------------------------------------------===//
#ifndef XLINK_INSPECT_DIFF_H
#define XLINK_INSPECT_DIFF_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "inspect/FileDiff.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// What --diff-ignore knows beside names of sections.
std::string diffIgnoreWords();
/// Enters one word of --diff-ignore, a name of the above or a glob of section
/// names; false: it is neither.
bool addDiffIgnore(llvm::StringRef word, DiffIgnore &ignore);

/// Exit statuses, those of diff.
enum DiffStatus : int { kSame = 0, kDifferent = 1, kTrouble = 2 };

/// Compares the two inputs of the command line and appends the answer to
/// `text`, in the form that it asks for. Errors are kTrouble, and reported.
DiffStatus diffFiles(const Config &config, llvm::vfs::FileSystem *fs,
                     std::string &text, Diagnostics &diag);

} // namespace xlink
#endif
