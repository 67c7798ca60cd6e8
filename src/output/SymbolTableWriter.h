//===- SymbolTableWriter.h - .symtab and .strtab of the output ------------===//
#ifndef XLINK_OUTPUT_SYMBOLTABLEWRITER_H
#define XLINK_OUTPUT_SYMBOLTABLEWRITER_H

#include "output/Writer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

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

} // namespace xlink
#endif
