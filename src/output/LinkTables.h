//===- LinkTables.h - relocations, groups, expressions of an output -------===//
#ifndef XLINK_OUTPUT_LINKTABLES_H
#define XLINK_OUTPUT_LINKTABLES_H

#include "base/Diagnostics.h"
#include "output/SymbolTableWriter.h"
#include "output/Writer.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace xlink {

/// A section that the linker makes after the layout: symbols, names, and tables
/// for another link. The fields are those of its header.
struct Table {
  std::string name;
  uint32_t type = 0;
  llvm::SmallVector<uint8_t, 0> bytes = {};
  uint64_t align = 1, entsize = 0, flags = 0;
  uint32_t link = 0, info = 0;
  uint32_t nameOffset = 0; ///< in the section names
  Size offset = {};        ///< in the file
};

/// The tables that -r and -q keep: a RELA table for each output section that
/// has relocations, the groups of a relocatable output, and link-time
/// expressions and types of symbols with the indices that symbols and strings
/// have in the output.
struct LinkTables {
  std::vector<Table> groups; ///< parallel to FileLayout::groups
  std::vector<Table> others;
  /// Strings of expressions and types, behind the symbols' names.
  llvm::SmallVector<uint8_t, 0> strings;
};

/// `symbols`: the output's. The caller sets sh_link of all tables, which is the
/// header of the symbol table.
LinkTables buildLinkTables(const LinkedProgram &output,
                           const OutputSymbols &symbols, Diagnostics &diag);

} // namespace xlink
#endif
