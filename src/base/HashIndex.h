//===- HashIndex.h - elements of an array by their hash -------------------===//
//
// Problem: tables of names and strings have millions of entries, and the time
// of a lookup is that of the memory it touches. A table of strings needs 24
// bytes a slot, though an array has the strings already.
//
// Method: a hash table from 32 bits of an element's hash to its number in the
// array: 8 bytes a slot. Elements with equal hashes have keys that follow each
// other. Nothing is ever removed, so the keys of an element's predecessors
// stay.
//
// Cost: one probe, and one comparison of elements, but for equal hashes: n
// elements have n * n / 2^33 pairs of those.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_HASHINDEX_H
#define XLINK_BASE_HASHINDEX_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Compiler.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace xlink {

class HashIndex {
public:
  /// The number of the element with that hash for which `equals(number)`, and
  /// whether it is new: then it is `fresh`.
  template <class Equals>
  std::pair<uint32_t, bool> insert(uint64_t hash, uint32_t fresh,
                                   Equals equals) {
    for (uint32_t key = uint32_t(hash);; ++key) {
      const auto [slot, isNew] = numbers.try_emplace(usable(key), fresh);
      if (isNew || equals(slot->second))
        return {slot->second, isNew};
    }
  }
  /// The number of that element, if there is one.
  template <class Equals>
  std::optional<uint32_t> find(uint64_t hash, Equals equals) const {
    for (uint32_t key = uint32_t(hash);; ++key) {
      const auto slot = numbers.find(usable(key));
      if (slot == numbers.end())
        return std::nullopt;
      if (equals(slot->second))
        return slot->second;
    }
  }
  /// Asks memory for the slot of an element that is looked up soon. Inline: GCC
  /// removes calls of functions that only prefetch.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void prefetch(uint64_t hash) const {
    uint32_t key = uint32_t(hash);
    const size_t slots =
        numbers.getMemorySize() / sizeof(std::pair<uint32_t, uint32_t>);
    const unsigned slot =
        llvm::DenseMapInfo<uint32_t>::getHashValue(usable(key));
    if (slots)
      __builtin_prefetch(static_cast<const std::pair<uint32_t, uint32_t> *>(
                             numbers.getPointerIntoBucketsArray()) +
                         (slot & (slots - 1)));
  }
  /// Makes room for so many elements.
  void reserve(size_t count) { numbers.reserve(unsigned(count)); }

private:
  /// `key`, or the next one that DenseMap does not keep for itself.
  static uint32_t usable(uint32_t &key) {
    using Info = llvm::DenseMapInfo<uint32_t>;
    while (key == Info::getEmptyKey() || key == Info::getTombstoneKey())
      ++key;
    return key;
  }

  llvm::DenseMap<uint32_t, uint32_t> numbers;
};

} // namespace xlink
#endif
