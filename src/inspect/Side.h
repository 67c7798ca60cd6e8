//===- Side.h - one of two files that are compared ------------------------===//
#ifndef XLINK_INSPECT_SIDE_H
#define XLINK_INSPECT_SIDE_H

#include "inspect/Pairing.h"
#include <optional>
#include <string>

namespace xlink {

/// The target of a field.
struct FieldTarget {
  uint32_t symbol = kNoIndex; ///< of the relocation
  int64_t addend = 0;
  std::optional<uint64_t> address; ///< if it has one
};

/// One of two files in atoms, and the lookups that a comparison needs.
class Side {
public:
  Side(const LinkedFile &file, const AtomTable &table);

  const LinkedFile &file;
  const AtomTable &table;
  TargetState state;
  std::vector<uint64_t> bases; ///< values of Target::baseSymbols

  /// The loaded section with that address, or kNoIndex; `atEnd`: its end
  /// counts, its beginning does not.
  uint32_t sectionAt(uint64_t address, bool atEnd = false) const;
  /// The atom with that address, or kNoIndex.
  uint32_t atomAt(uint64_t address) const;
  uint64_t addressOf(const Atom &atom) const {
    return file.sections[atom.section].address + atom.begin;
  }
  /// Empty if the section has no bytes in the file.
  llvm::ArrayRef<uint8_t> bytesOf(const Atom &atom) const;
  /// Symbols with that value, a few of them.
  llvm::ArrayRef<uint32_t> symbolsAt(uint64_t address) const;
  /// Relocations of a section with offsets in [from, to).
  llvm::ArrayRef<ElfRelocation> relocations(uint32_t section, uint64_t from,
                                            uint64_t to) const;
  bool keepsRelocations(uint32_t section) const {
    return !relocations(section, 0, UINT64_MAX).empty();
  }
  /// The target of a kept relocation.
  FieldTarget targetOf(const ElfRelocation &relocation) const;
  /// Whether an atom has the size of its symbol.
  bool isSized(const Atom &atom) const {
    return atom.symbol != kNoIndex && file.symbols[atom.symbol].size;
  }
  /// Whether an atom is padding: nameless zeros, or in code the machine's fill.
  bool isFill(const Atom &atom) const;

  /// The place of a nameless atom: "behind main"; "": no neighbour has a name.
  std::string whereText(uint32_t atom) const;
  /// "main+0x4", ".rodata+0x10", "0x1000"
  std::string placeText(uint64_t address) const;
  std::string text(const FieldTarget &target) const;

private:
  llvm::SmallVector<uint8_t, 8> fill; ///< between functions, beside 0
  std::vector<uint32_t> sectionsByAddress;
  std::vector<uint32_t> symbolsByValue;
};

} // namespace xlink
#endif
