//===- Relocator.h - values into fields -----------------------------------===//
#ifndef XLINK_OUTPUT_RELOCATOR_H
#define XLINK_OUTPUT_RELOCATOR_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/RelocationProblem.h"
#include <algorithm>
#include <optional>
#include <vector>

namespace xlink {

/// Applies the relocations of input sections to copies of their bytes. Const
/// after construction; several threads may share one.
class Relocator {
public:
  Relocator(const Link &link, const SymbolValues &values);

  /// Relocates the bytes of section `id` in `bytes` (its whole size), the first
  /// of which is at `address`. `mayReverse`: of its output section, see
  /// holdsReversedWords. What is wrong is added to `problems`, which is the
  /// calling worker's own.
  void relocate(SectionId id, uint64_t address,
                llvm::MutableArrayRef<uint8_t> bytes, bool mayReverse,
                RelocationProblems &problems) const;

  /// What a relocation finds; Discarded: its field says that nothing is there.
  /// `describesOnce`: of the section that it is in.
  ValueKind kindOf(const InputFile &file, const Relocation &rel,
                   bool describesOnce) const;
  /// Debug information says of each address once what is there, so that it does
  /// not refer to folded code; but lines do, for breakpoints (lld).
  bool describesOnce(const ParsedSection &section) const;

private:
  struct Site;
  const CompiledRow &rowOf(uint32_t type) const {
    return rows[std::min<size_t>(type, rows.size() - 1)];
  }
  std::optional<uint64_t> pieceAddress(const InputFile &file, uint32_t symbol,
                                       int64_t addend) const;
  void applyAny(const Site &site, uint32_t index, uint8_t *bytes,
                RelocationProblems &problems) const;
  void applyDirect(const Site &site, uint32_t begin, uint32_t end,
                   uint8_t *bytes, RelocationProblems &problems) const;
  void apply(const Site &site, uint32_t index, uint64_t offset, uint8_t *field,
             RelocationProblems &problems) const;
  bool isFolded(const InputFile &file, uint32_t symbol) const;
  bool isBeyondMergeable(const InputFile &file, const Relocation &rel) const;
  bool isPlace(const InputFile &file, uint32_t symbol) const;
  std::optional<RelocationOperands>
  operandsOf(const Site &site, uint32_t index, const RelocationRow &row,
             ValueKind kind, RelocationProblems &problems) const;
  std::optional<uint64_t> placeOf(const Site &site, uint32_t index,
                                  RelocationProblems &problems) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  /// By type; the last one is that of no row.
  std::vector<CompiledRow> rows;
};

} // namespace xlink
#endif
