//===- Reports.h - which reports a link was asked for ---------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/ReportFiles.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Makes the files that reports read, a budget and an older map, inputs of the
/// link: an output must not overwrite them, and depends on them.
void addReportInputs(Program &program);

/// Fills Program::stackInputs where the depth of stacks is asked for: with
/// --stack-usage-files from foo.su and foo.ci beside foo.o, and from the file
/// of --stack-calls. That no object has such files is a warning.
/// `fs` null: the real one.
void readStackInputs(Program &program, llvm::vfs::FileSystem *fs,
                     Diagnostics &diag);

/// The reports that must exist even when the link fails: cross references, the
/// use of memory regions and of resources, the depth of stacks, collected
/// sections, types, --why-... Addresses must be fixed. Texts for standard
/// output become notes. A size above --size-budget is an error. `fs` has the
/// files that reports read. The maps that go into files are open then, to be
/// written beside the output and committed.
std::unique_ptr<Maps> reportLayout(const Link &link, const SymbolValues &values,
                                   llvm::vfs::FileSystem *fs, OutputSink &sink,
                                   Diagnostics &diag);

/// Writes --time-trace, which exists even when the link fails.
void writeTimeTrace(const Program &program, llvm::StringRef trace,
                    OutputSink &sink, Diagnostics &diag);

/// The report about an output that is complete: the dependency file.
/// `further`: files that were read while the output was made.
void reportSuccess(const Program &program, llvm::ArrayRef<std::string> further,
                   OutputSink &sink, Diagnostics &diag);

/// Of two functions that an object names as running in parallel, one writes a
/// global that the other reads or writes too, itself or through callees:
/// a warning with the source lines, or an error with --error-parallel-usage. A
/// function that runs in parallel with itself must not write a global at all.
/// A reference to a global as an argument counts as reading it: compilers state
/// its further use for the function that passes it. Addresses must be fixed.
void checkParallelUsage(const Link &link, const SymbolValues &values,
                        Diagnostics &diag);

/// Warns of global symbols for which objects state types that contradict each
/// other. A type that leaves something open (no prototype, no size, no members)
/// contradicts nothing.
void checkTypes(const Program &program, Diagnostics &diag);

/// --dump-types: a line "FILE: DECLARATION" for each stated type, in order.
/// Malformed ones are printed as they are, with a warning.
std::string typesText(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
