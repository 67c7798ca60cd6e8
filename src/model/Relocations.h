//===- Relocations.h - the relocations of an object -----------------------===//
//
// A large link has millions of relocations, and most of its objects hold them
// in the form in which one can be read at once: 12 bytes each, in order. Such
// tables stay as they are, in the file where they stand one behind the other,
// else copied together. Only what needs work before it can be read (addends in
// fields, tables out of order, ELF64) becomes an array of values.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_RELOCATIONS_H
#define XLINK_MODEL_RELOCATIONS_H

#include "llvm/Support/Endian.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
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

/// Relocations by index. Elements are values: there need be no such object in
/// memory. A copy shares packed entries, which nobody changes.
class Relocations {
public:
  /// Bytes of a packed entry, an Elf32_Rela.
  static constexpr size_t kPackedSize = 12;

  size_t size() const { return packed ? packedCount : values.size(); }
  bool empty() const { return size() == 0; }
  Relocation operator[](size_t i) const {
    if (!packed)
      return values[i];
    using llvm::support::endian::read32le;
    const uint8_t *entry = packed + kPackedSize * i;
    const uint32_t info = read32le(entry + 4);
    return {read32le(entry), int32_t(read32le(entry + 8)), info >> 8,
            info & 0xff};
  }
  /// What the entries take, without those that stand in the file.
  size_t bytes() const {
    return owned ? packedCount * kPackedSize
                 : values.capacity() * sizeof(Relocation);
  }

  /// Appends one; not to packed ones.
  void push_back(const Relocation &relocation) { values.push_back(relocation); }
  void reserve(size_t count) { values.reserve(count); }
  /// The values, to be put in order; not of packed ones.
  std::vector<Relocation> &asValues() { return values; }

  /// Takes `count` packed entries where they stand: what they stand in must
  /// live as long as the object.
  void refer(const uint8_t *entries, size_t count) {
    packed = entries;
    packedCount = count;
  }
  /// Takes room for `count` packed entries, which the caller fills.
  uint8_t *allocate(size_t count) {
    owned = std::shared_ptr<uint8_t[]>(new uint8_t[kPackedSize * count]);
    refer(owned.get(), count);
    return owned.get();
  }

  /// For range-based loops.
  class Iterator {
  public:
    Iterator(const Relocations &list, size_t at) : list(&list), at(at) {}
    Relocation operator*() const { return (*list)[at]; }
    Iterator &operator++() {
      ++at;
      return *this;
    }
    bool operator==(const Iterator &other) const { return at == other.at; }

  private:
    const Relocations *list;
    size_t at;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

private:
  std::vector<Relocation> values;
  const uint8_t *packed = nullptr; ///< null: `values` hold them
  size_t packedCount = 0;
  std::shared_ptr<uint8_t[]> owned; ///< packed entries that are no file's
};

} // namespace xlink
#endif
