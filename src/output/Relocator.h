//===- Relocator.h - values into fields -----------------------------------===//
#ifndef XLINK_OUTPUT_RELOCATOR_H
#define XLINK_OUTPUT_RELOCATOR_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <optional>
#include <vector>

namespace xlink {

/// Applies the relocations of input sections to copies of their bytes. Const
/// after construction; several threads may share one.
class Relocator {
public:
  Relocator(const Link &link, const SymbolValues &values);

  /// Relocates the bytes of section `id` in `bytes` (its whole size). Problems
  /// go to `diag`, which is the calling worker's own.
  void relocate(SectionId id, llvm::MutableArrayRef<uint8_t> bytes,
                DiagnosticBuffer &diag) const;

private:
  struct Target;
  void apply(SectionId id, const Relocation &rel, uint64_t place, bool alloc,
             uint64_t tombstone, uint8_t *field, DiagnosticBuffer &diag) const;
  std::optional<uint64_t> reversedPlace(SectionId id, const Relocation &rel,
                                        unsigned word,
                                        DiagnosticBuffer &diag) const;
  ValueKind kindOf(FileId file, const Relocation &rel) const;
  std::string where(SectionId id, const Relocation &rel) const;
  std::string symbolText(FileId file, uint32_t symbol) const;
  std::vector<std::string> definitionNote(FileId file, uint32_t symbol) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  const RelocationIndex rows;
};

} // namespace xlink
#endif
