//===- Container.h - a machine's own file format around the output --------===//
//
// Some machines boot files that hold linked programs among other things. The
// machine makes their bytes (Target::containers). This file joins its hooks and
// the link: it finds the format, reads further files, reports, and writes the
// result.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_OUTPUT_CONTAINER_H
#define XLINK_OUTPUT_CONTAINER_H

#include "output/Writer.h"
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Reports an --oformat that the link's machine does not have, and options of a
/// container that is not written.
void checkContainer(const Program &program, Diagnostics &diag);

/// Links to memory, hands the ELF file to the machine's container, and writes
/// its result. Files named by its options come from `fs`; returns those that
/// were read.
std::vector<std::string> writeContainer(const LinkedProgram &output,
                                        OutputSink &sink,
                                        llvm::vfs::FileSystem *fs,
                                        Diagnostics &diag);

} // namespace xlink
#endif
