//===- Diff.h - the subcommand diff ---------------------------------------===//
#ifndef XLINK_INSPECT_DIFF_H
#define XLINK_INSPECT_DIFF_H

#include "inspect/Inspect.h"
#include "inspect/Options.h"
#include <string>

namespace xlink {

/// Compares two files and appends the answer to `text`. Errors are kTrouble,
/// and reported.
InspectStatus diffFiles(const InspectOptions &options,
                        llvm::vfs::FileSystem *fs, std::string &text,
                        Diagnostics &diag);

} // namespace xlink
#endif
