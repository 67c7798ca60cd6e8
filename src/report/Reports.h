//===- Reports.h - which reports a link was asked for ---------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "model/Link.h"
#include "output/OutputFile.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Refuses a link that would write one of its inputs, or two of its outputs to
/// one file, however the names are spelled; what is no regular file is exempt.
/// Returns whether all is well. Before anything is written.
bool checkOutputNames(const Link &link, llvm::vfs::FileSystem *fs);

/// What must exist even when the link fails: the map, the table of cross
/// references, the use of memory regions and of resources, the collected
/// sections, the types. Addresses must be fixed. Texts for standard output
/// become notes.
void reportLayout(const Link &link, OutputSink &sink);

/// What belongs to an output that is complete: the dependency file.
void reportSuccess(const Link &link, OutputSink &sink);

} // namespace xlink
#endif
