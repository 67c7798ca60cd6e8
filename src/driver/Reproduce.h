//===- Reproduce.h - a link as an archive ---------------------------------===//
#ifndef XLINK_DRIVER_REPRODUCE_H
#define XLINK_DRIVER_REPRODUCE_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "output/OutputFile.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// --reproduce: writes all files that the link reads, the command line and the
/// version to a tar file, from which the link can be repeated elsewhere.
/// Whether the link succeeds does not matter.
void writeReproduction(const Program &program, llvm::vfs::FileSystem *fs,
                       OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
