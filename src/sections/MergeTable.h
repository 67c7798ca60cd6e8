//===- MergeTable.h - equal pieces of mergeable sections ------------------===//
#ifndef XLINK_SECTIONS_MERGETABLE_H
#define XLINK_SECTIONS_MERGETABLE_H

#include "model/Ids.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace xlink {

/// A string or a constant, of which there may be many copies.
struct SectionPiece {
  const char *begin; ///< of the first copy
  uint64_t tail;     ///< tailKey, made while the bytes are in a cache
  uint32_t size;     ///< of a string: without its terminator
  uint32_t whole;    ///< the number of a piece that ends in it; kNone: it stays
  uint8_t alignLog2; ///< the most that a copy asks for

  llvm::StringRef bytes() const { return {begin, size}; }
};

/// The different pieces of a group of sections, numbered in the order of their
/// first copies.
class MergeTable {
public:
  /// `bytes`: of all copies, a hint.
  explicit MergeTable(uint64_t bytes);

  /// Equal bytes have equal hashes, none of which is kNone.
  static uint32_t hashOf(llvm::StringRef bytes);
  /// Starts loading what insert() of a piece with this hash reads.
  void prefetch(uint32_t hash) const { __builtin_prefetch(&slots[home(hash)]); }
  /// The number of the piece with these bytes, and whether it is new.
  std::pair<uint32_t, bool> insert(llvm::StringRef bytes, uint32_t hash,
                                   uint8_t alignLog2);

  uint32_t size() const { return count; }
  SectionPiece &operator[](uint32_t number) {
    return blocks[number / kBlock][number % kBlock];
  }
  const SectionPiece &operator[](uint32_t number) const {
    return blocks[number / kBlock][number % kBlock];
  }

private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t piece = kNone; ///< a number; kNone: empty
  };
  static constexpr uint32_t kBlock = 1024;
  size_t home(uint32_t hash) const {
    return size_t(uint64_t(hash) * slots.size() >> 32);
  }
  size_t next(size_t slot) const { return (slot + 1) & (slots.size() - 1); }
  void grow();

  std::vector<Slot> slots; ///< a power of two; open addressing
  /// The pieces: a vector would be copied when it grows.
  std::vector<std::unique_ptr<SectionPiece[]>> blocks;
  uint32_t count = 0;
};

} // namespace xlink
#endif
