//===- Tables.h - symbols of the output, and tables that name them --------===//
#ifndef XLINK_OUTPUT_TABLES_H
#define XLINK_OUTPUT_TABLES_H

#include "output/Writer.h"
#include <deque>

namespace xlink {

/// Where symbols of the inputs are in the output's table; 0: nowhere.
struct SymbolIndices {
  /// By InputFile::symbolBase + index.
  std::vector<uint32_t> symbols;
  /// Local symbols that name a group whose own symbol (the key, as above) is
  /// not in the table.
  llvm::DenseMap<uint32_t, uint32_t> signatures;
  /// Symbols of output sections.
  IdVector<OutputId, uint32_t> sections;
};

/// The output's symbol table: locals first, then hidden symbols, then globals,
/// each in the order of the files that have or define them.
struct OutputSymbols {
  size_t count = 0; ///< of entries, the null symbol among them
  llvm::SmallVector<uint8_t, 0> symtab, strtab;
  llvm::SmallVector<uint8_t, 0> shndx; ///< .symtab_shndx; empty: not needed
  uint32_t firstGlobal = 0;            ///< sh_info
  SymbolIndices indices; ///< empty unless the output keeps relocations
};

/// Makes it. -s, -S, -x, -X and visibility leave symbols out or make them
/// local.
OutputSymbols makeSymbolTable(const LinkedProgram &output);

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

/// A vector that grows would copy their bytes.
using TableList = std::deque<Table>;

/// The tables that -r and -q keep: a RELA table for each output section that
/// has relocations, the groups of a relocatable output, and link-time
/// expressions and types of symbols with the indices that symbols and strings
/// have in the output.
struct LinkTables {
  TableList groups; ///< parallel to FileLayout::groups
  TableList others;
  /// Strings of expressions and types, behind the symbols' names.
  llvm::SmallVector<uint8_t, 0> strings;
};

/// `symbols`: the output's. The caller sets sh_link of all tables, which is the
/// header of the symbol table.
LinkTables buildLinkTables(const LinkedProgram &output,
                           const OutputSymbols &symbols, Diagnostics &diag);

} // namespace xlink
#endif
