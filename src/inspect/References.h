//===- References.h - fields of two files and their targets ---------------===//
//
// Bytes of a pair of atoms that differ may be a field with an address. Then the
// question is whether both files have the same target, which only moved.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_REFERENCES_H
#define XLINK_INSPECT_REFERENCES_H

#include "inspect/Side.h"

namespace xlink {

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
