//===- SymbolTableWriter.h - .symtab and .strtab of the output ------------===//
#ifndef XLINK_OUTPUT_SYMBOLTABLEWRITER_H
#define XLINK_OUTPUT_SYMBOLTABLEWRITER_H

#include "base/RawVector.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <vector>

namespace xlink {

/// The finished tables.
struct SymbolTableBytes {
  RawVector<uint8_t> symtab, strtab;
  RawVector<uint8_t> shndx; ///< .symtab_shndx; empty when no index needs it
  uint32_t firstGlobal = 0; ///< sh_info
  /// Where each symbol of an input went: its index in the table by
  /// InputFile::symbolBase + index, 0 for what is not in it. Only on request.
  std::vector<uint32_t> indices;
  /// The symbols of the output sections, in outputs that keep relocations.
  IdVector<OutputId, uint32_t> sections;
};

/// Builds the output's symbol table: locals first (file by file), then globals
/// in the order in which the link first saw their names. What -s, -S, -x, -X
/// and visibility leave out or make local is decided here.
SymbolTableBytes buildSymbolTable(const Link &link, const SymbolValues &values,
                                  const IdVector<OutputId, uint32_t> &headers,
                                  bool wantIndices = false);

} // namespace xlink
#endif
