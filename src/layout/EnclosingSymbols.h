//===- EnclosingSymbols.h - in which function a place is ------------------===//
#ifndef XLINK_LAYOUT_ENCLOSINGSYMBOLS_H
#define XLINK_LAYOUT_ENCLOSINGSYMBOLS_H

#include "model/Program.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace xlink {

/// Finds the function or object whose bytes contain a place, for messages. A
/// file's symbols are looked at when the first place in it is asked for, and
/// only then.
class EnclosingSymbols {
public:
  explicit EnclosingSymbols(const Program &program) : program(program) {}

  /// Of those that contain byte `offset` of a section the one that begins last,
  /// of several the first in the file's table; null: there is none.
  const ParsedSymbol *find(SectionId section, uint64_t offset);
  /// How many symbols were looked at: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  /// From `begin` on, until the next one begins, `symbol` is the answer.
  struct Stretch {
    uint32_t section;
    uint64_t begin;
    const ParsedSymbol *symbol; ///< null: no symbol contains it
  };
  std::vector<Stretch> stretchesOf(const ParsedObject &object);

  const Program &program;
  /// In the order of sections and offsets; of several at one place the last
  /// counts.
  llvm::DenseMap<FileId, std::vector<Stretch>> byFile;
  uint64_t stepCount = 0;
};

} // namespace xlink
#endif
