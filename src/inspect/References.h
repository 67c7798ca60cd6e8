//===- References.h - why bytes of two files differ -----------------------===//
//
// Where bytes of a matched function or object differ, a field may lie there
// that says where something else is. The question is whether both files mean
// the same thing, which only stands elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_REFERENCES_H
#define XLINK_INSPECT_REFERENCES_H

#include "inspect/Pairing.h"
#include <optional>
#include <string>

namespace xlink {

/// A byte of a chunk.
struct Spot {
  const Chunk *chunk = nullptr;
  uint64_t offset = 0; ///< in the section
};

/// What a field refers to.
struct Reference {
  uint32_t symbol = Pairs::kNone; ///< that a relocation names
  int64_t addend = 0;
  std::optional<uint64_t> address; ///< as far as there are addresses
};

/// What is known of bytes that differ.
struct Verdict {
  /// Both files refer to the same thing.
  bool moved = false;
  /// No relocation says so, but machine and symbols fit.
  bool probably = false;
  /// The field's unit: how far in front of the spot it begins, and its bytes;
  /// 0: no field is known.
  unsigned back = 0, bytes = 0;
  const RelocationRow *row = nullptr;
  int64_t valueA = 0, valueB = 0;
  Reference a, b;
};

/// One of the two files, with what finding places in it takes.
class Side {
public:
  Side(const LinkedFile &file, const ChunkTable &chunks);

  const LinkedFile &file;
  const ChunkTable &chunks;
  TargetState state;
  std::vector<uint64_t> bases; ///< of Target::baseSymbols

  /// The loaded section with that address, or kNone; its end counts where
  /// `atEnd`.
  uint32_t sectionAt(uint64_t address, bool atEnd = false) const;
  /// Symbols with that value, a few of them.
  llvm::ArrayRef<uint32_t> symbolsAt(uint64_t address) const;
  /// Relocations of a section with offsets in [from, to).
  llvm::ArrayRef<LinkedFile::Relocation>
  relocations(uint32_t section, uint64_t from, uint64_t to) const;
  bool keepsRelocations(uint32_t section) const {
    return !relocations(section, 0, UINT64_MAX).empty();
  }
  /// "main+0x4", ".rodata+0x10", "0x1000"
  std::string placeText(uint64_t address) const;
  std::string text(const Reference &reference) const;

private:
  std::vector<uint32_t> sectionsByAddress;
  std::vector<uint64_t> values; ///< of symbolsByValue
  std::vector<uint32_t> symbolsByValue;
  std::vector<uint32_t> firstRelocation; ///< by section, and the end
};

class References {
public:
  References(const Side &a, const Side &b, const Pairs &chunks,
             const Pairs &symbols, const Pairs &sections);

  /// Of bytes that differ; `guess`: try fields that no relocation tells of.
  Verdict judge(Spot a, Spot b, bool guess) const;
  /// Whether two relocations at the same place of a pair mean the same.
  bool same(const LinkedFile::Relocation &a,
            const LinkedFile::Relocation &b) const;
  /// What a relocation refers to.
  static Reference referenceOf(const LinkedFile &file,
                               const LinkedFile::Relocation &relocation);

private:
  /// A row that can be told from bytes and addresses alone.
  struct Guess {
    const RelocationRow *row;
    uint8_t mask[16];
    unsigned step; ///< units begin at multiples of it
    bool word;     ///< a whole word, wherever it stands
    /// Of upper or lower bits of an address: the row of the other ones.
    const RelocationRow *other = nullptr;
  };
  Verdict judgeKept(Spot a, Spot b) const;
  Verdict judgeGuessed(Spot a, Spot b) const;
  bool tryUnit(const Guess &guess, Spot a, Spot b, unsigned back,
               Verdict &verdict) const;
  bool tryParts(const Guess &guess, Spot a, Spot b, unsigned back,
                Verdict &verdict) const;
  bool sameAddress(uint64_t a, uint64_t b) const;
  bool samePlace(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                 uint64_t offsetB) const;
  bool sameConstant(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                    uint64_t offsetB) const;
  bool sameString(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                  uint64_t offsetB) const;

  const Side &a, &b;
  const Pairs &chunks, &symbols, &sections;
  std::vector<Guess> guesses;
};

} // namespace xlink
#endif
