//===- References.h - why bytes of two files differ -----------------------===//
//
// Where bytes of a matched function or object differ, a field may lie there
// that says where something else is. The question is whether both files mean
// the same thing, which only stands elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_REFERENCES_H
#define XLINK_INSPECT_REFERENCES_H

#include "inspect/KnownParts.h"
#include "inspect/Side.h"

namespace xlink {

/// A byte of a chunk.
struct Spot {
  const Chunk *chunk = nullptr;
  uint64_t offset = 0; ///< in the section
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

class References {
public:
  References(const Side &a, const Side &b, const Pairs &chunks,
             const Pairs &symbols, const Pairs &sections,
             const KnownParts *known = nullptr);

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
    /// Too few bits to tell by themselves: the maps must say so.
    bool needsMap = false;
    /// Of upper or lower bits of an address: the row of the other ones.
    const RelocationRow *other = nullptr;
  };
  /// What the maps say of a field that seems to refer to something.
  enum class Evidence { None, For, Against };
  Verdict judgeKept(Spot a, Spot b) const;
  Verdict judgeByOne(Spot a, Spot b, bool keptInA) const;
  bool means(const Side &kept, const Side &other,
             const LinkedFile::Relocation &relocation, uint32_t section,
             uint64_t offset) const;
  Verdict judgeGuessed(Spot a, Spot b) const;
  bool tryUnit(const Guess &guess, Spot a, Spot b, unsigned back,
               Verdict &verdict) const;
  bool tryParts(const Guess &guess, Spot a, Spot b, unsigned back,
                Verdict &verdict) const;
  Evidence evidence(Spot a, uint64_t targetA, Spot b, uint64_t targetB) const;
  bool sameAddress(uint64_t a, uint64_t b) const;
  bool samePlace(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                 uint64_t offsetB) const;
  bool sameConstant(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                    uint64_t offsetB) const;
  bool sameString(uint32_t sectionA, uint64_t offsetA, uint32_t sectionB,
                  uint64_t offsetB) const;

  const Side &a, &b;
  const Pairs &chunks, &symbols, &sections;
  const KnownParts *const known;
  std::vector<Guess> guesses;
};

} // namespace xlink
#endif
