//===- Container.h - a machine's own file format around the output --------===//
//
// Some machines boot files that hold linked programs among other things. Their
// bytes are the machine's business (Target::containers); this is what lies
// between its hooks and the link: finding the format, reading further files,
// messages, and writing the result.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_OUTPUT_CONTAINER_H
#define XLINK_OUTPUT_CONTAINER_H

#include "model/Link.h"
#include "output/OutputFile.h"
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Reports an --oformat that the link's machine does not have, and options of a
/// container that is not written.
void checkContainer(Link &link);

/// Links to memory, hands the ELF file to the machine's container, and writes
/// what that makes of it. Files named by its options come from `fs`.
void writeContainer(Link &link, OutputSink &sink, llvm::vfs::FileSystem *fs);

/// --dump-NAME FILE: what the machine says of the file's contents.
std::string dumpContainer(const Config &config, llvm::vfs::FileSystem *fs,
                          Diagnostics &diag);

} // namespace xlink
#endif
