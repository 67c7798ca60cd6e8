//===- MapFile.h - the link map -------------------------------------------===//
#ifndef XLINK_REPORT_MAPFILE_H
#define XLINK_REPORT_MAPFILE_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/Support/raw_ostream.h"

namespace xlink {

/// Writes the map in GNU ld's format: why archive members take part, COMMON
/// symbols, discarded sections, memory regions, and the script's statements
/// with the addresses they came to. Addresses must be fixed; errors do not
/// matter.
void writeMap(llvm::raw_ostream &out, const Link &link,
              const SymbolValues &values);

/// Whether a section is one for GNU ld, and so for reports: tables that
/// describe the file are not. What only the linker reads, such as section
/// groups, is.
bool isReportedSection(const ParsedSection &section);

} // namespace xlink
#endif
