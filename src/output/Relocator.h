//===- Relocator.h - values into fields -----------------------------------===//
#ifndef XLINK_OUTPUT_RELOCATOR_H
#define XLINK_OUTPUT_RELOCATOR_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/RelocationProblem.h"
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
  /// Where the piece of a merged section is that a relocation selects. Several
  /// in a row select the same: the halves of an address.
  struct SelectedPiece {
    uint32_t symbol = UINT32_MAX; ///< none yet
    int64_t addend = 0;
    uint64_t address = 0;
  };
  bool applyUsual(const InputFile &file, const Relocation &rel,
                  uint64_t address, uint8_t *bytes, SelectedPiece &last) const;
  bool selectPiece(const InputFile &file, const Relocation &rel,
                   SelectedPiece &piece) const;
  void apply(const Site &site, uint32_t index, uint64_t offset, uint8_t *field,
             RelocationProblems &problems) const;
  bool isFolded(const InputFile &file, uint32_t symbol) const;
  bool isPlace(const InputFile &file, uint32_t symbol) const;
  std::optional<RelocationOperands>
  operandsOf(const Site &site, uint32_t index, const RelocationRow &row,
             ValueKind kind, RelocationProblems &problems) const;
  std::optional<uint64_t> placeOf(const Site &site, uint32_t index,
                                  RelocationProblems &problems) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const RelocationIndex rows;
  std::vector<UsualRow> usualRows; ///< parallel to Target::relocations
};

} // namespace xlink
#endif
