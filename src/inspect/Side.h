//===- Side.h - one of two files that are compared ------------------------===//
#ifndef XLINK_INSPECT_SIDE_H
#define XLINK_INSPECT_SIDE_H

#include "inspect/KnownParts.h"
#include "inspect/Pairing.h"
#include <optional>
#include <string>

namespace xlink {

/// What a field refers to.
struct Reference {
  uint32_t symbol = Pairs::kNone; ///< that a relocation names
  int64_t addend = 0;
  std::optional<uint64_t> address; ///< as far as there are addresses
};

/// Bytes of a word that is looked at as a constant.
constexpr uint64_t kConstantBytes = 4;

/// One of the two files, with what finding places in it takes.
class Side {
public:
  /// `parts`: of the file's map, or null.
  Side(const LinkedFile &file, const ChunkTable &chunks,
       const PartTable *parts = nullptr);

  const LinkedFile &file;
  const ChunkTable &chunks;
  const PartTable *const parts;
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
  /// The word at a place if nobody writes it and it is none of code; 0 where
  /// there is none.
  uint32_t constantAt(uint32_t section, uint64_t offset) const;
  /// Whether a chunk is room that nobody asked for: a map says so, or nobody
  /// has it, and it is zeros or the machine's filler.
  bool isFill(const Chunk &chunk) const;
  /// Where bytes without a name are: "in a.o:(.rodata)", "behind main"; "":
  /// nobody says.
  std::string whereText(uint32_t chunk) const;
  bool keepsRelocations(uint32_t section) const {
    return !relocations(section, 0, UINT64_MAX).empty();
  }
  /// "main+0x4", ".rodata+0x10", "0x1000"
  std::string placeText(uint64_t address) const;
  std::string text(const Reference &reference) const;

private:
  llvm::SmallVector<uint8_t, 8> fill; ///< bytes between functions, beside 0
  std::string partText(uint32_t section, uint64_t offset) const;

  std::vector<uint32_t> sectionsByAddress;
  std::vector<uint64_t> values; ///< of symbolsByValue
  std::vector<uint32_t> symbolsByValue;
  std::vector<uint32_t> firstRelocation; ///< by section, and the end
};

} // namespace xlink
#endif
