//===- CrossReference.h - who defines and uses a symbol -------------------===//
#ifndef XLINK_REPORT_CROSSREFERENCE_H
#define XLINK_REPORT_CROSSREFERENCE_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace xlink {

/// Writes the table of --cref, as GNU ld prints it: for each global symbol that
/// a file names, by name, the files that define it, then those that refer to
/// it, the last in the link first.
void writeCrossReferences(llvm::raw_ostream &out, const Program &program);

/// --trace-symbol: a note for each file that defines or refers to such a
/// symbol.
void traceSymbols(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
