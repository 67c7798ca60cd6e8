//===- DistinctPieces.cpp -------------------------------------------------===//
//
// Problem: of millions of strings, most of which are equal to others and all
// over the inputs, find the distinct ones, on several threads, reading each
// string once.
//
// Method: one table of hashes for all threads. A slot holds 32 bits of a hash,
// the tag, and the number of a piece, in one word that is written once, by an
// exchange that fails where another thread was first; what is known of a piece
// is written before that. So equal bytes always meet in the same slot, and a
// reader needs no lock. Tags only choose what to compare: pieces are equal when
// their bytes are. Copies' claims are joined atomically. Tables and bytes are
// far apart in memory; so copies are entered in batches, and each pass over a
// batch asks for the memory that the next one reads.
//
// Sections that have one string in common mostly have the next one in common
// too: both come from one header. So each piece knows one that came behind it,
// and copies are compared with that before they are looked for. A wrong guess
// costs a comparison.
//
// Nobody knows beforehand how many pieces are distinct. The table begins small;
// when it is seven eighths full, those who find no room stop. When all have
// stopped, the table is made twice as large, and they begin once more with the
// item that they were at: what it had entered is found again.
//
// Cost: one comparison for most copies, a hash for the others. 36 bytes for
// each distinct piece, and some 12 in the table.
//
//===----------------------------------------------------------------------===//
#include "sections/DistinctPieces.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace xlink {

/// The first table has a slot for so many bytes of copies.
static constexpr uint64_t kBytesPerSlot = 64;
static constexpr uint32_t kMostRoom = 64; ///< blocks that are made at once
static constexpr unsigned kLeastTable = 7, kMostTable = 31; ///< log2 of slots

static uint64_t wordAt(const char *at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Equal bytes have equal hashes. The upper half is the better one.
static uint64_t hashOfPiece(const char *at, size_t size) {
  constexpr uint64_t k1 = 0x9fb21c651e98df25, k2 = 0xd6e8feb86659fd93;
  uint64_t a = size * k2, b = k1;
  if (size >= 8) {
    const char *const last = at + size - 8;
    for (; last - at > 8; at += 16) {
      a = (a ^ wordAt(at)) * k1;
      b = (b ^ wordAt(at + 8)) * k2;
      a ^= a >> 32;
      b ^= b >> 32;
    }
    a ^= wordAt(std::min(at, last));
    b ^= wordAt(last);
  } else if (size >= 4) {
    uint32_t first, last;
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + size - 4, 4);
    a ^= uint64_t(first) << 32 | last;
  } else if (size > 0) {
    a ^= uint64_t(uint8_t(at[0])) << 16 | uint64_t(uint8_t(at[size / 2])) << 8 |
         uint8_t(at[size - 1]);
  }
  a *= k1;
  b *= k2;
  a ^= a >> 29 ^ b ^ b >> 32;
  return a * k2;
}

DistinctPieces::DistinctPieces(const Parallel &parallel, uint64_t bytes)
    : parallel(parallel), bytes(bytes) {
  makeTable(
      std::clamp(Log2_64_Ceil(std::max<uint64_t>(bytes / kBytesPerSlot, 1)),
                 kLeastTable, kMostTable));
  makeBlock(nextBlock++, makeRoom(1));
  blocks[0].pieces[kEmpty] = {"", 0, 0, 0, kNone};
  blocks[0].followers[kEmpty] = kNone;
  blocks[0].used = 1;
}

DistinctPieces::Memory *DistinctPieces::makeRoom(uint32_t count) {
  auto room = std::make_unique_for_overwrite<Memory[]>(count);
  const std::lock_guard<std::mutex> lock(roomsMutex);
  return rooms.emplace_back(std::move(room)).get();
}

void DistinctPieces::makeBlock(size_t block, Memory *memory) {
  blocks[block].pieces = memory->pieces;
  blocks[block].followers = memory->followers;
}

/// Pieces are numbered up to seven eighths of the slots, in whole blocks.
void DistinctPieces::makeTable(unsigned log2) {
  const size_t size = size_t(1) << log2;
  slotMask = uint32_t(size - 1);
  slotShift = 32 - log2;
  slots = std::make_unique_for_overwrite<uint64_t[]>(size);
  blocks.resize(size / 8 * 7 / kBlock);
  constexpr size_t parts = 64;
  parallel.forEach(parts, size * sizeof(uint64_t), [&](size_t part) {
    std::fill_n(&slots[size / parts * part], size / parts, uint64_t(0));
  });
}

bool DistinctPieces::grow() {
  const size_t size = size_t(slotMask) + 1;
  const unsigned log2 = Log2_64(size);
  if (log2 == kMostTable)
    return false;
  nextBlock = std::min(nextBlock.load(), blocks.size());
  const std::unique_ptr<uint64_t[]> old = std::move(slots);
  makeTable(log2 + 1);
  parallel.forEach(size, size * sizeof(uint64_t), [&](size_t i) {
    const uint64_t moved = old[i];
    if (moved == 0)
      return;
    uint32_t at = firstSlot(tagOf(moved));
    for (uint64_t seen = 0; !slotAt(at).compare_exchange_strong(
             seen, moved, std::memory_order_relaxed);
         seen = 0)
      at = nextSlot(at);
  });
  return true;
}

bool DistinctPieces::fill(size_t n, function_ref<bool(size_t, Inserter &)> fn) {
  std::vector<uint8_t> done(n);
  for (;;) {
    std::atomic<size_t> next{0};
    std::atomic<bool> full{false};
    parallel.forEach(parallel.threads(), bytes * kWorkOfByte, [&](size_t) {
      Inserter inserter(*this);
      while (!full.load(std::memory_order_relaxed)) {
        const size_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= n)
          return;
        if (done[i])
          continue;
        done[i] = fn(i, inserter);
        if (!done[i])
          full = true;
      }
    });
    if (!full) {
      slots.reset(); // later steps use the memory
      return true;
    }
    if (!grow())
      return false;
  }
}

size_t DistinctPieces::blockCount() const {
  return std::min(nextBlock.load(), blocks.size());
}

bool DistinctPieces::claim(DistinctPiece &piece, uint64_t claim) {
  constexpr uint64_t place = DistinctPiece::kMostPosition;
  std::atomic_ref<uint64_t> all(piece.claim);
  uint64_t seen = all.load(std::memory_order_relaxed), joint;
  do
    joint = std::max(seen & ~place, claim & ~place) |
            std::max(seen & place, claim & place);
  while (joint != seen &&
         !all.compare_exchange_weak(seen, joint, std::memory_order_relaxed));
  return (joint & place) == (claim & place);
}

DistinctPieces::Inserter::~Inserter() {
  if (block != kNone)
    pieces.blocks[block].used = used;
}

/// Makes sure that the block has a piece to write into.
bool DistinctPieces::Inserter::takeSpare() {
  if (block != kNone && used < kBlock)
    return true;
  const size_t fresh = pieces.nextBlock.fetch_add(1, std::memory_order_relaxed);
  if (fresh >= pieces.blocks.size())
    return false;
  if (block != kNone)
    pieces.blocks[block].used = used;
  block = fresh;
  used = 0;
  if (roomLeft == 0) {
    roomLeft = nextRoom;
    nextRoom = std::min(nextRoom * 2, kMostRoom);
    memory = pieces.makeRoom(roomLeft);
  }
  --roomLeft;
  pieces.makeBlock(block, memory++);
  return true;
}

/// Notes what came behind what: all threads may do so, any of them is a guess.
void DistinctPieces::Inserter::found(uint32_t number) {
  const std::atomic_ref<uint32_t> follower = pieces.followerOf(previous);
  if (follower.load(std::memory_order_relaxed) != number)
    follower.store(number, std::memory_order_release);
  previous = number;
}

/// Whether a copy is what came behind the piece of the one before.
bool DistinctPieces::Inserter::follow(PieceCopy &copy) {
  uint32_t number = kEmpty;
  if (copy.size != 0) {
    number = pieces.followerOf(previous).load(std::memory_order_acquire);
    if (number == kNone || pieces[number].bytes() != copy.bytes())
      return false;
    previous = number;
  }
  copy.number = number;
  copy.claims = claim(pieces[number], copy.claim);
  return true;
}

bool DistinctPieces::Inserter::enterOne(PieceCopy &copy) {
  if (follow(copy))
    return true;
  for (uint32_t at = copy.slot;; at = pieces.nextSlot(at)) {
    const Slot slot = pieces.slotAt(at);
    uint64_t seen = slot.load(std::memory_order_acquire);
    if (seen == 0) {
      if (!takeSpare())
        return false;
      pieces.blocks[block].pieces[used] = {copy.begin, copy.claim,
                                           tailKey(copy.begin, copy.size),
                                           copy.size, kNone};
      pieces.blocks[block].followers[used] = kNone;
      const uint32_t number = uint32_t(block * kBlock + used);
      if (slot.compare_exchange_strong(seen, uint64_t(copy.tag) << 32 | number,
                                       std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
        ++used;
        copy.number = number;
        copy.claims = true;
        found(number);
        return true;
      }
      // Another thread was faster: `seen` is what it has entered.
    }
    if (tagOf(seen) != copy.tag)
      continue;
    DistinctPiece &piece = pieces[uint32_t(seen)];
    if (piece.bytes() != copy.bytes())
      continue;
    copy.number = uint32_t(seen);
    copy.claims = claim(piece, copy.claim);
    found(copy.number);
    return true;
  }
}

bool DistinctPieces::Inserter::enter(MutableArrayRef<PieceCopy> batch) {
  while (!batch.empty() && follow(batch.front()))
    batch = batch.drop_front();
  return lookUp(batch);
}

/// Enters copies by their hashes.
bool DistinctPieces::Inserter::lookUp(MutableArrayRef<PieceCopy> batch) {
  for (PieceCopy &copy : batch) {
    copy.tag = uint32_t(hashOfPiece(copy.begin, copy.size) >> 32);
    copy.slot = pieces.firstSlot(copy.tag);
    __builtin_prefetch(&pieces.slots[copy.slot]);
  }
  auto seenBy = [&](const PieceCopy &copy) {
    return pieces.slotAt(copy.slot).load(std::memory_order_acquire);
  };
  for (PieceCopy &copy : batch) {
    uint64_t seen;
    while ((seen = seenBy(copy)) != 0 && tagOf(seen) != copy.tag)
      copy.slot = pieces.nextSlot(copy.slot);
    if (seen != 0)
      __builtin_prefetch(&pieces[uint32_t(seen)]);
  }
  for (PieceCopy &copy : batch)
    if (const uint64_t seen = seenBy(copy))
      __builtin_prefetch(pieces[uint32_t(seen)].begin);
  for (PieceCopy &copy : batch)
    if (!enterOne(copy))
      return false;
  return true;
}

} // namespace xlink
