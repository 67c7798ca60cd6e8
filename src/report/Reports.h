//===- Reports.h - which reports a link was asked for ---------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/ReportFiles.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <optional>
#include <string>

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

/// The table of --print-memory-usage, as GNU ld prints it: used size, region
/// size and the share in percent, without the last line's end.
std::string memoryUsageText(const LinkMap &map);

/// More than the table.
struct MemoryDetails {
  /// Follows the table: for each region the sizes that are free, only loaded,
  /// set aside or padding, and the largest files, in bytes and percent of the
  /// region; then the files in no region. Begins with a line's end, or is
  /// empty.
  std::string text;
  /// All of it, and the table, as an object of `regions` and `outside`; sizes
  /// in bytes.
  llvm::json::Object json;
};
MemoryDetails memoryDetails(const LinkMap &map);

/// A further line where the stack takes the rest of the program's memory and
/// objects say how large it is; a warning when it does not fit. Empty where no
/// object states a stack.
std::string stackUsageText(const Link &link, const SymbolValues &values,
                           Diagnostics &diag);

/// The stack of a program.
struct StackNeed {
  std::string function; ///< the entry, or a function that it calls
  uint64_t words = 0;   ///< with all callees and the threads that they start
};
/// The need of the entry or, where that is not stated, the largest need of a
/// function that it calls; nothing where that is not known either. The stacks
/// of threads are part of the stack of the function that starts them.
std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values);

/// Whether the stack takes the rest of the program's memory, and objects state
/// anything from which its need could follow.
bool sharesStack(const Program &program);

/// --print-resource-usage: stack words, threads, timers and channel ends of the
/// entry and of every function that an object names as running in parallel with
/// another, each with all its callees, as text and as an object.
///
/// A function needs its own part and the largest need of a callee: a callee
/// gives everything back when it returns. One of a callee's threads is the one
/// that called it. The ABI leaves this open; it is how the vendor's compilers
/// make the values of their result symbols. Where an object states no own part,
/// the value of the function's result symbol (XS1: f.nstackwords, f.maxthreads
/// ...) is its need with all callees; the report says so.
void writeResourceUsage(llvm::raw_ostream &text, llvm::json::OStream &json,
                        const Link &link, const SymbolValues &values);

/// Warns of global symbols for which objects state types that contradict each
/// other. A type that leaves something open (no prototype, no size, no members)
/// contradicts nothing.
void checkTypes(const Program &program, Diagnostics &diag);

/// --dump-types: a line "FILE: DECLARATION" for each stated type, in order.
/// Malformed ones are printed as they are, with a warning.
std::string typesText(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
