//===- StackInputs.h - files beside the inputs that tell of stacks --------===//
#ifndef XLINK_RESOLVE_STACKINPUTS_H
#define XLINK_RESOLVE_STACKINPUTS_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Fills Program::stackInputs where the depth of stacks is asked for: with
/// --stack-usage-files what compilers left beside each object, foo.su and
/// foo.ci beside foo.o, and the file of --stack-calls. Objects without such
/// files are none of anybody's concern, but all of them are a warning.
/// `fs` null: the real one.
void readStackInputs(Program &program, llvm::vfs::FileSystem *fs,
                     Diagnostics &diag);

} // namespace xlink
#endif
