//===- SymbolTableWriter.h - .symtab and .strtab of the output ------------===//
#ifndef XLINK_OUTPUT_SYMBOLTABLEWRITER_H
#define XLINK_OUTPUT_SYMBOLTABLEWRITER_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <vector>

namespace xlink {

/// Symbols that follow each other in the table, and their names, which follow
/// each other too.
struct SymbolSpan {
  size_t symbol, symbols;   ///< index of the first one, and how many
  uint64_t name, nameBytes; ///< the same of bytes in the string table
};

/// The output's symbol table: locals first, then those that are hidden, then
/// globals, each in the order of the files that have or define them. What -s,
/// -S, -x, -X and visibility leave out or make local is decided here. All of it
/// is counted at first, and rendered later, span by span, on any threads.
class SymbolTableWriter {
public:
  /// `headers`: of each output section; 0: it has none. All references must
  /// outlive this. `wantIndices`: indices() is asked for.
  SymbolTableWriter(const Link &link, const SymbolValues &values,
                    const IdVector<OutputId, uint32_t> &headers,
                    bool wantIndices = false);
  ~SymbolTableWriter();

  size_t count() const; ///< of entries, the null symbol's among them
  uint64_t nameBytes() const;
  size_t entrySize() const;
  uint32_t firstGlobal() const; ///< sh_info
  /// Whether an index needs .symtab_shndx.
  bool isExtended() const;
  /// Where each symbol of an input went: its index in the table by
  /// InputFile::symbolBase + index, 0 for what is not in it.
  const std::vector<uint32_t> &indices() const;
  /// The local symbol that names a group whose own one (symbolBase + index) is
  /// not in the table; 0: there is none.
  uint32_t signatureIndex(uint32_t symbol) const;
  /// The symbols of the output sections, in outputs that keep relocations.
  const IdVector<OutputId, uint32_t> &sections() const;

  /// Some thousand symbols each; together they are the table.
  size_t spans() const;
  SymbolSpan span(size_t number) const;
  /// Renders the entries of a span, their names, and, in a table that is
  /// extended, as many words of .symtab_shndx.
  void render(size_t number, llvm::MutableArrayRef<uint8_t> symtab,
              llvm::MutableArrayRef<uint8_t> strtab,
              llvm::MutableArrayRef<uint8_t> shndx) const;

private:
  class Builder;
  bool is64;
  std::unique_ptr<Builder> built;
};

} // namespace xlink
#endif
