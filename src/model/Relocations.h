//===- Relocations.h - the relocations of an object -----------------------===//
//
// A large link has millions of relocations, and most of its objects hold them
// as 12 bytes each, in order. Such tables stay where they are, in the file.
// Only tables that need work before they can be read (addends in fields, no
// order, several tables of one section, ELF64, big-endian) become an array of
// values.
//
// An index leads to either. Of a value it is its place in the array. In a file
// it is the entry's offset, which it holds as quotient and remainder of 12: so
// the entries of a table have indices that follow each other, wherever the
// table begins.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_RELOCATIONS_H
#define XLINK_MODEL_RELOCATIONS_H

#include "llvm/Support/Endian.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlink {

/// One relocation, class and SHT_REL/SHT_RELA differences removed. The place
/// (offset .. offset + the row's bytes) lies inside its section.
struct Relocation {
  uint64_t offset; ///< from the section's start
  int64_t addend;  ///< explicit, or read from the field for SHT_REL
  uint32_t symbol; ///< index into the object's symbols, 0: none
  uint32_t type;   ///< r_type of the machine
};

/// Relocations by index, as sections state theirs. Elements are values: there
/// need be no such object in memory.
class Relocations {
public:
  /// Bytes of an entry that stays in the file, a little-endian Elf32_Rela.
  static constexpr uint32_t kEntrySize = 12;
  /// Files up to this size can keep their entries.
  static constexpr uint64_t kMaxFile = uint64_t(kEntrySize) << 28;

  /// How many there are; of values also the index of the next one.
  size_t size() const { return file ? count : values.size(); }
  Relocation operator[](uint32_t index) const {
    if (!file)
      return values[index];
    using llvm::support::endian::read32le;
    const uint8_t *entry =
        file + size_t(index & kQuotient) * kEntrySize + (index >> kShift);
    const uint32_t info = read32le(entry + 4);
    return {read32le(entry), int32_t(read32le(entry + 8)), info >> 8,
            info & 0xff};
  }
  /// The index of the entry at `offset` of the file, below kMaxFile.
  static uint32_t indexAt(uint64_t offset) {
    return uint32_t(offset / kEntrySize) | uint32_t(offset % kEntrySize)
                                               << kShift;
  }
  /// Their memory.
  size_t bytes() const { return values.capacity() * sizeof(Relocation); }

  /// Appends a value.
  void push_back(const Relocation &relocation) { values.push_back(relocation); }
  void reserve(size_t room) { values.reserve(room); }
  /// The values, to be put in order.
  std::vector<Relocation> &asValues() { return values; }
  /// Takes `number` entries of a file where they stand; its bytes begin at
  /// `bytes` and live as long as the object.
  void refer(const uint8_t *bytes, size_t number) {
    file = bytes;
    count = number;
  }

private:
  static constexpr unsigned kShift = 28;
  static constexpr uint32_t kQuotient = (uint32_t(1) << kShift) - 1;

  std::vector<Relocation> values;
  const uint8_t *file = nullptr; ///< null: `values` hold them
  size_t count = 0;              ///< of those in the file
};

} // namespace xlink
#endif
