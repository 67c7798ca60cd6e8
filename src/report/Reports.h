//===- Reports.h - which reports a link was asked for ---------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/OutputFile.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Refuses a link that would write one of its inputs, or two of its outputs to
/// one file, however the names are spelled; what is no regular file is exempt.
/// Returns whether all is well. Before anything is written.
bool checkOutputNames(const Program &program, llvm::vfs::FileSystem *fs,
                      Diagnostics &diag);

/// What must exist even when the link fails: the map, the table of cross
/// references, the use of memory regions and of resources, the depth of stacks,
/// the collected sections, the types. Addresses must be fixed. Texts for
/// standard output become notes.
void reportLayout(const Link &link, const SymbolValues &values,
                  OutputSink &sink, Diagnostics &diag);

/// What belongs to an output that is complete: the dependency file.
/// `further`: files that were read while the output was made.
void reportSuccess(const Program &program, llvm::ArrayRef<ReadFile> further,
                   OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
