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

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"
#include "output/OutputFile.h"
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Reports an --oformat that the link's machine does not have, and options of a
/// container that is not written.
void checkContainer(const Program &program, Diagnostics &diag);

/// Links to memory, hands the ELF file to the machine's container, and writes
/// what that makes of it. Files named by its options come from `fs`; the result
/// is those that were read. `entry` is e_entry.
std::vector<std::string>
writeContainer(const Link &link, const SymbolValues &values,
               const FileLayout &layout, uint64_t entry, OutputSink &sink,
               llvm::vfs::FileSystem *fs, Diagnostics &diag);

} // namespace xlink
#endif
