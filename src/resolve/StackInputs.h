//===- StackInputs.h - stack sizes and calls from files -------------------===//
#ifndef XLINK_RESOLVE_STACKINPUTS_H
#define XLINK_RESOLVE_STACKINPUTS_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Fills Program::stackInputs where the depth of stacks is asked for: with
/// --stack-usage-files from foo.su and foo.ci beside foo.o, and from the file
/// of --stack-calls. That no object has such files is a warning.
/// `fs` null: the real one.
void readStackInputs(Program &program, llvm::vfs::FileSystem *fs,
                     Diagnostics &diag);

} // namespace xlink
#endif
