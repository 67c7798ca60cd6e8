//===- References.h - fields of two files and their targets ---------------===//
//
// Bytes of a pair of atoms that differ may be a field with an address. Then the
// question is whether both files have the same target, which only moved.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_REFERENCES_H
#define XLINK_INSPECT_REFERENCES_H

#include "inspect/Pairing.h"

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

/// A byte of an atom.
struct AtomByte {
  const Atom *atom = nullptr;
  uint64_t offset = 0; ///< in the section
};

/// The field around bytes that differ.
struct FieldVerdict {
  /// Both files have the same target.
  bool moved = false;
  /// No relocation states it, but the machine's rows and the symbols fit.
  bool probably = false;
  /// The field begins so far in front of the byte, and has so many bytes; 0: no
  /// field is known.
  unsigned back = 0, bytes = 0;
  const RelocationRow *row = nullptr;
  int64_t valueA = 0, valueB = 0;
  FieldTarget a, b;
};

class References {
public:
  References(const Side &a, const Side &b, const Pairs &atoms,
             const Pairs &symbols, const Pairs &sections);

  /// Of bytes that differ; `guess`: try fields without relocations.
  FieldVerdict judge(AtomByte a, AtomByte b, bool guess) const;
  /// Whether two relocations at one place of a pair have the same target.
  bool same(const ElfRelocation &a, const ElfRelocation &b) const;

private:
  /// A row whose fields are recognized by bytes and addresses alone.
  struct Guess {
    const RelocationRow *row;
    uint8_t mask[16];
    unsigned step; ///< fields begin at multiples of it
    bool word;     ///< a whole word, in data too
    /// Of upper or lower bits of an address: the row of the other ones.
    const RelocationRow *other = nullptr;
  };
  FieldVerdict judgeKept(AtomByte a, AtomByte b) const;
  /// `kept`: the file whose relocations state all fields, or null.
  bool tryField(const Guess &guess, AtomByte a, AtomByte b, unsigned back,
                const Side *kept, FieldVerdict &verdict) const;
  bool tryHalves(const Guess &guess, AtomByte a, AtomByte b) const;
  bool sameAddress(uint64_t a, uint64_t b) const;
  bool samePlace(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                 uint64_t offsetB) const;

  const Side &a, &b;
  const Pairs &atoms, &symbols, &sections;
  std::vector<Guess> guesses;
};

} // namespace xlink
#endif
