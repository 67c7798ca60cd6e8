//===- OutputNames.h - no output overwrites an input or another one -------===//
#ifndef XLINK_REPORT_OUTPUTNAMES_H
#define XLINK_REPORT_OUTPUTNAMES_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Refuses a link that would write one of its inputs, or two of its outputs to
/// one file, however the names are spelled; only regular files count.
/// Returns whether all is well. Before anything is written.
bool checkOutputNames(const Program &program, llvm::vfs::FileSystem *fs,
                      Diagnostics &diag);

} // namespace xlink
#endif
