//===- DistinctPieces.h - what many sections have in common ---------------===//
#ifndef XLINK_SECTIONS_DISTINCTPIECES_H
#define XLINK_SECTIONS_DISTINCTPIECES_H

#include "base/Parallel.h"
#include "model/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace xlink {

constexpr uint64_t kTailBytes = 7;

/// Seven bytes of a string from its end, and how many there are, more than
/// seven being eight: in the order of these numbers strings are sorted by their
/// ends, those that end others first.
inline uint64_t tailKey(const char *begin, uint64_t size) {
  if (size >= 8)
    return (llvm::support::endian::read64le(begin + size - 8) &
            ~uint64_t(255)) |
           8;
  uint64_t key = size;
  for (uint64_t i = 0; i < size; ++i)
    key |= uint64_t(uint8_t(begin[i])) << (64 - 8 * (size - i));
  return key;
}

/// Bytes of which there may be many copies.
struct alignas(32) DistinctPiece {
  const char *begin; ///< of some copy
  /// Of all copies together; 0: there is none. See pieceClaim.
  uint64_t claim;
  uint64_t tail; ///< tailKey, made while the bytes are in a cache
  uint32_t size;
  uint32_t whole; ///< the number of a piece that ends in it; kNone: it stays

  llvm::StringRef bytes() const { return {begin, size}; }
  /// The most that a copy asks for, and where the first one stands.
  uint64_t alignLog2() const { return (claim >> 56) - 1; }
  uint64_t position() const { return kMostPosition - (claim & kMostPosition); }

  static constexpr uint64_t kMostPosition = (uint64_t(1) << 56) - 1;
};

/// Alignment and position of a copy: the first copy stays, with the largest
/// alignment of all (GNU ld).
inline uint64_t pieceClaim(uint64_t alignLog2, uint64_t position) {
  return (alignLog2 + 1) << 56 | (DistinctPiece::kMostPosition - position);
}

/// A copy that waits to be entered.
struct PieceCopy {
  const char *begin;
  uint32_t size;
  uint32_t index; ///< for whoever enters it
  uint64_t claim;
  uint32_t number = kNone; ///< of the distinct piece, once it has been entered
  bool claims = false;     ///< then: whether it is the first one so far
  uint32_t tag = 0, slot = 0;

  llvm::StringRef bytes() const { return {begin, size}; }
};

/// A set of pieces, each with a number, that several threads fill at once.
/// Which number a piece gets depends on them; that there is one piece for equal
/// bytes, and which copy stays, does not.
class DistinctPieces {
  struct Memory;

public:
  /// Piece 0 is the empty one, in no table: it is found without a look at it.
  static constexpr uint32_t kEmpty = 0;
  /// How many copies are best entered at once.
  static constexpr size_t kBatch = 64;
  /// Strings are short, so a byte of one is as much work as so many that are
  /// only read.
  static constexpr uint64_t kWorkOfByte = 8;

  /// What one thread enters pieces with.
  class Inserter {
  public:
    explicit Inserter(DistinctPieces &pieces) : pieces(pieces) {}
    ~Inserter();
    /// Finds or makes the piece of each copy. False: there is no room.
    bool enter(llvm::MutableArrayRef<PieceCopy> batch);

  private:
    bool follow(PieceCopy &copy);
    bool lookUp(llvm::MutableArrayRef<PieceCopy> batch);
    bool enterOne(PieceCopy &copy);
    bool takeSpare();
    void found(uint32_t number);

    DistinctPieces &pieces;
    uint32_t previous = kEmpty; ///< the piece of the copy before
    size_t block = kNone;
    uint32_t used = 0;                   ///< of the block's pieces
    Memory *memory = nullptr;            ///< for blocks to come
    uint32_t roomLeft = 0, nextRoom = 1; ///< blocks there, and in the next one
  };

  /// `bytes`: of all copies, a hint.
  explicit DistinctPieces(const Parallel &parallel, uint64_t bytes);

  /// Once for each set: calls fn(i, inserter) for each i in [0, n) on several
  /// threads. Where fn returns false because there is no room, there will be,
  /// and it is called once more. False: there are more pieces than can be
  /// numbered.
  bool fill(size_t n, llvm::function_ref<bool(size_t, Inserter &)> fn);

  DistinctPiece &operator[](uint32_t number) {
    return blocks[number / kBlock].pieces[number % kBlock];
  }
  const DistinctPiece &operator[](uint32_t number) const {
    return blocks[number / kBlock].pieces[number % kBlock];
  }
  /// Adds a copy's claim; whether it is the first one so far.
  static bool claim(DistinctPiece &piece, uint64_t claim);

  /// All numbers are below this one.
  uint32_t numbers() const { return uint32_t(blockCount() * kBlock); }
  /// Pieces stand in blocks, which threads may share among themselves.
  size_t blockCount() const;
  /// The numbers of a block's pieces: from, and how many.
  std::pair<uint32_t, uint32_t> inBlock(size_t block) const {
    return {uint32_t(block * kBlock), blocks[block].used};
  }

private:
  static constexpr uint32_t kBlock = 32;
  /// A block's memory.
  struct Memory {
    DistinctPiece pieces[kBlock];
    /// Of each piece one that came behind it somewhere; kNone: none did.
    uint32_t followers[kBlock];
  };
  struct Block {
    DistinctPiece *pieces = nullptr;
    uint32_t *followers = nullptr;
    uint32_t used = 0;
  };
  /// The tag of a piece and its number, or 0.
  using Slot = std::atomic_ref<uint64_t>;
  Slot slotAt(uint32_t at) const { return Slot(slots[at]); }
  std::atomic_ref<uint32_t> followerOf(uint32_t number) const {
    return std::atomic_ref<uint32_t>(
        blocks[number / kBlock].followers[number % kBlock]);
  }
  Memory *makeRoom(uint32_t count);
  void makeBlock(size_t block, Memory *memory);
  static uint32_t tagOf(uint64_t slot) { return uint32_t(slot >> 32); }
  uint32_t firstSlot(uint32_t tag) const { return tag >> slotShift; }
  uint32_t nextSlot(uint32_t slot) const { return (slot + 1) & slotMask; }
  void makeTable(unsigned log2);
  bool grow();

  const Parallel parallel;
  const uint64_t bytes;
  std::unique_ptr<uint64_t[]> slots;
  uint32_t slotMask = 0;
  unsigned slotShift = 0;
  std::vector<Block> blocks;
  /// Memory of blocks, several at once: to give back each would take as long as
  /// to fill it.
  std::vector<std::unique_ptr<Memory[]>> rooms;
  std::mutex roomsMutex;
  std::atomic<size_t> nextBlock{0};
};

} // namespace xlink
#endif
