//===- Diff.h - the subcommand diff ---------------------------------------===//
#ifndef XLINK_INSPECT_DIFF_H
#define XLINK_INSPECT_DIFF_H

#include "inspect/FileDiff.h"
#include "inspect/Inspect.h"
#include "inspect/Options.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace xlink {

/// What --ignore knows beside names of sections.
std::string diffIgnoreWords();
/// Enters one word of --ignore, a name of the above or a glob of section names;
/// false: it is neither.
bool addDiffIgnore(llvm::StringRef word, DiffIgnore &ignore);

/// Compares two files and appends the answer to `text`. Errors are kTrouble,
/// and reported.
InspectStatus diffFiles(const InspectOptions &options,
                        llvm::vfs::FileSystem *fs, std::string &text,
                        Diagnostics &diag);

} // namespace xlink
#endif
