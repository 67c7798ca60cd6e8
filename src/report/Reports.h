//===- Reports.h - which reports a link was asked for ---------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/OutputFile.h"
#include "report/Maps.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Makes the files that reports read, a budget and an older map, inputs of the
/// link: an output must not overwrite them, and depends on them.
void addReportInputs(Program &program);

/// What must exist even when the link fails: the table of cross references, the
/// use of memory regions and of resources, the depth of stacks, the collected
/// sections, the types, why something is as it is. Addresses must be fixed.
/// Texts for standard output become notes. What exceeds --size-budget is an
/// error. `fs`: where the files that reports read are. The maps that go into
/// files are open then, to be written beside the output and committed.
std::unique_ptr<Maps> reportLayout(const Link &link, const SymbolValues &values,
                                   llvm::vfs::FileSystem *fs, OutputSink &sink,
                                   Diagnostics &diag);

/// Writes --time-trace, which exists whatever came of the link.
void writeTimeTrace(const Program &program, llvm::StringRef trace,
                    OutputSink &sink, Diagnostics &diag);

/// What belongs to an output that is complete: the dependency file.
/// `further`: files that were read while the output was made.
void reportSuccess(const Program &program, llvm::ArrayRef<std::string> further,
                   OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
