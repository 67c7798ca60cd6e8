//===- EnclosingSymbols.h - in which function a place is ------------------===//
#ifndef XLINK_LAYOUT_ENCLOSINGSYMBOLS_H
#define XLINK_LAYOUT_ENCLOSINGSYMBOLS_H

#include "model/Program.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace xlink {

/// The place of a reference, as far as messages name it.
struct FirstPlaces {
  struct Place {
    SectionId section;
    uint64_t offset;
  };
  std::vector<Place> first; ///< at most three
  uint64_t count = 0;

  void add(SectionId section, uint64_t offset) {
    if (count++ < 3)
      first.push_back({section, offset});
  }
};

/// Finds the function or object whose bytes contain a place, for messages. A
/// file's symbols are read for the first query about it, and only then.
class EnclosingSymbols {
public:
  /// `labels`: finds functions alone and, of code that is in none, as that of
  /// hand-written assembly, the label in front.
  explicit EnclosingSymbols(const Program &program, bool labels = false)
      : program(program), labels(labels) {}

  /// Of the symbols that contain byte `offset` of a section the one that begins
  /// last, of several the first in the file's table, or null.
  const ParsedSymbol *find(SectionId section, uint64_t offset);
  /// A note for each of the first places: "referenced by a.o:(.text+0x10) in
  /// main at src/work.c:12".
  void addReferences(const FirstPlaces &places,
                     std::vector<std::string> &notes);

private:
  struct Entry {
    const ParsedSymbol *symbol;
    uint64_t end = 0; ///< the largest of the functions and objects up to it
    const ParsedSymbol *label = nullptr; ///< the last one up to it
  };
  std::vector<Entry> entriesOf(const ParsedObject &object) const;
  /// Where a symbol's bytes begin and end. The value of a function may have
  /// bits that no instruction's address has, as bit 0 in Thumb.
  uint64_t beginOf(const ParsedSymbol &symbol) const;
  uint64_t endOf(const ParsedSymbol &symbol) const;

  const Program &program;
  const bool labels;
  /// By section and offset.
  llvm::DenseMap<FileId, std::vector<Entry>> byFile;
};

} // namespace xlink
#endif
