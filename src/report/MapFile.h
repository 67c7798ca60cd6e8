//===- MapFile.h - lists of a link as GNU ld prints them ------------------===//
#ifndef XLINK_REPORT_MAPFILE_H
#define XLINK_REPORT_MAPFILE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace xlink {

/// Writes the map in GNU ld's format: why archive members take part, COMMON
/// symbols, discarded sections, memory regions, and the script's statements
/// with the addresses they came to. Addresses must be fixed; errors do not
/// matter.
void writeMap(llvm::raw_ostream &out, const Link &link,
              const SymbolValues &values);

/// Writes the table of --cref: for each global symbol that a file names, by
/// name, the files that define it, then those that refer to it, the last in the
/// link first.
void writeCrossReferences(llvm::raw_ostream &out, const Program &program);

/// --trace-symbol: a note for each file that defines or refers to such a
/// symbol.
void traceSymbols(const Program &program, Diagnostics &diag);

/// --print-gc-sections: a line for each section that nothing refers to.
std::string collectedSectionsText(const Link &link);

/// Whether a section is one for GNU ld, and so for reports: tables that
/// describe the file are not. Sections for the linker alone, such as
/// groups, are.
bool isReportedSection(const ParsedSection &section);

} // namespace xlink
#endif
