//===- Relocator.h - values into fields -----------------------------------===//
#ifndef XLINK_OUTPUT_RELOCATOR_H
#define XLINK_OUTPUT_RELOCATOR_H

#include "arch/Relocation.h"
#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// Something wrong with one relocation, as numbers: relocations are applied on
/// many threads. Behind the barrier, in the order of the output,
/// reportProblems() makes text.
struct RelocationProblem {
  enum Kind : uint8_t {
    // One message for an object and a type:
    UnknownType, ///< of a section that is loaded
    IgnoredType, ///< a warning: unknown, of a section that is not loaded
    Unaligned,   ///< a warning: see RelocationRow::alignsBehind
    // One for each:
    Discarded,    ///< its symbol is in a section that is not in the output
    BeyondMerged, ///< it points behind a mergeable section
    Unresolved,   ///< a warning: its symbol is a result that has no value
    Recursive,    ///< a warning: such a result, which depends on itself
    OtherBase,    ///< a warning: its symbol is in another base's group
    SlotAddend,   ///< a warning: an addend to the offset of a GOT slot
    Fault,        ///< evaluate() refuses `operands`
    SplitWord,    ///< its field crosses a word, and words are reversed
    NoBase,       ///< the program does not have the base that it counts from
    NoPair,       ///< no relocation that it takes its value from is there
    OtherVendor,  ///< it is a vendor's, and none in front of it says which
    OddWords,     ///< the section to reverse is no multiple of words
  } kind;
  SectionId section;
  uint32_t relocation = kNone; ///< into ParsedObject::relocations
  RelocationOperands operands = {};
};

/// In the order in which they were found.
using RelocationProblems = std::vector<RelocationProblem>;

/// Reports the problems of all lists, in order. A program that does not fit can
/// have a hundred thousand: a message is composed only when it will be shown.
void reportProblems(const Link &link, llvm::ArrayRef<RelocationProblems> lists,
                    Diagnostics &diag);

/// The target of a relocation.
struct RelocationTarget {
  ValueKind kind; ///< Discarded: the field says that nothing is there
  uint64_t S = 0;
  int64_t A = 0;
  /// Kind Merged: the section that holds the piece which the addend selects.
  SectionId holder = {};
  /// Kind Merged: the addend leaves the section, and there is no such piece.
  bool beyond = false;
};

/// Applies the relocations of input sections to copies of their bytes. Const
/// after construction; several threads may share one.
class Relocator {
public:
  Relocator(const Link &link, const SymbolValues &values);

  /// Relocates the bytes of section `id` in `bytes` (its whole size), the first
  /// of which is at `address`. Problems are added to `problems`, which is the
  /// calling worker's own.
  void relocate(SectionId id, uint64_t address,
                llvm::MutableArrayRef<uint8_t> bytes,
                RelocationProblems &problems) const;

  /// `describesOnce`: of the section that the relocation is in.
  RelocationTarget targetOf(const InputFile &file, const Relocation &rel,
                            bool describesOnce) const;
  /// Debug information describes each address once, so that it does not refer
  /// to folded code; but lines do, for breakpoints (lld).
  bool describesOnce(const ParsedSection &section) const;

private:
  struct Site;
  const CompiledRow &rowOf(uint32_t type) const {
    return rows[std::min<size_t>(type, rows.size() - 1)];
  }
  void applyDirect(const Site &site, uint32_t begin, uint32_t end,
                   uint8_t *bytes, RelocationProblems &problems) const;
  void apply(const Site &site, uint32_t index, uint8_t *bytes,
             RelocationProblems &problems) const;
  bool isBeyondMergeable(const InputFile &file, const Relocation &rel) const;
  bool isPlace(const InputFile &file, uint32_t symbol) const;
  std::optional<int64_t> pairedValue(const InputFile &file,
                                     const Relocation &rel,
                                     const RelocationRow &row) const;
  bool isOfVendor(const InputFile &file, uint32_t index,
                  const Relocation &rel) const;
  RelocationOperands operandsOf(const Site &site, uint32_t index,
                                const Relocation &rel, const RelocationRow &row,
                                const RelocationTarget &target,
                                RelocationProblems &problems) const;
  std::optional<uint64_t> placeOf(const Site &site, uint32_t index,
                                  const Relocation &rel,
                                  RelocationProblems &problems) const;

  const Link &link;
  const Program &program;
  const SymbolValues &values;
  /// By type; the last one is that of no row.
  std::vector<CompiledRow> rows;
  std::vector<std::optional<uint64_t>> bases; ///< parallel to Target::bases
};

} // namespace xlink
#endif
