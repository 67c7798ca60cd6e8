//===- MapFile.h - lists of a link as GNU ld prints them ------------------===//
#ifndef XLINK_REPORT_MAPFILE_H
#define XLINK_REPORT_MAPFILE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/ScriptTree.h"
#include "model/SymbolValues.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
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

/// The value of an expression of literals alone; nothing of any other.
std::optional<uint64_t> literalValue(const Expr &expr);
/// "(SIZEOF (.data) + 0x4)": fully in parentheses, literals folded.
std::string expressionText(const Expr &expr);
/// "a = 0x1", "PROVIDE (a = .)"; HIDDEN is not shown.
std::string assignmentText(const AssignmentCommand &assignment);
/// "LONG 0x16 (START + 0x2)": a literal needs no expression.
std::string dataText(const DataCommand &data, uint64_t value);
/// "*(.text SORT_BY_NAME(.text.*))"; KEEP is not shown.
std::string patternText(const InputDescription &description);
/// "s.ld:12"
std::string lineText(const ScriptLocation &where);

} // namespace xlink
#endif
