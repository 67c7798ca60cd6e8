//===- MergeTable.cpp -----------------------------------------------------===//
//
// Problem: of millions of strings, most of which are equal to others and all
// over the inputs, find the different ones.
//
// Method: a hash table with open addressing. A slot has the hash, which only
// chooses the pieces to compare: pieces are equal when their bytes are. Copies
// mostly come in the order of the first copies, as headers have them, and so
// stand the pieces and those bytes in memory; only the slots are looked up in
// no order, and can be asked for early.
//
// Cost: one probe and one comparison for each copy; 32 bytes for each piece,
// and some 16 in the table.
//
//===----------------------------------------------------------------------===//
#include "sections/MergeTable.h"
#include "sections/TailMerge.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <bit>

using namespace llvm;

namespace xlink {

/// Bytes of copies for which the first table has a slot.
static constexpr uint64_t kBytesOfSlot = 64;

MergeTable::MergeTable(uint64_t bytes)
    : slots(std::bit_ceil(std::max<uint64_t>(bytes / kBytesOfSlot, 16))) {}

uint32_t MergeTable::hashOf(StringRef bytes) {
  return std::min(uint32_t(xxh3_64bits(bytes)), kNone - 1);
}

void MergeTable::grow() {
  const std::vector<Slot> old = std::move(slots);
  slots.assign(old.size() * 2, Slot());
  for (const Slot &moved : old) {
    if (moved.piece == kNone)
      continue;
    size_t at = home(moved.hash);
    while (slots[at].piece != kNone)
      at = next(at);
    slots[at] = moved;
  }
}

std::pair<uint32_t, bool> MergeTable::insert(StringRef bytes, uint32_t hash,
                                             uint8_t alignLog2) {
  size_t at = home(hash);
  for (; slots[at].piece != kNone; at = next(at)) {
    if (slots[at].hash != hash)
      continue;
    SectionPiece &piece = (*this)[slots[at].piece];
    if (piece.bytes() != bytes)
      continue;
    piece.alignLog2 = std::max(piece.alignLog2, alignLog2);
    return {slots[at].piece, false};
  }
  slots[at] = {hash, count};
  if (count % kBlock == 0)
    blocks.push_back(std::make_unique_for_overwrite<SectionPiece[]>(kBlock));
  (*this)[count] = {bytes.data(), tailKey(bytes), uint32_t(bytes.size()), kNone,
                    alignLog2};
  // At most three quarters are full.
  if (uint64_t(++count) * 4 > slots.size() * 3)
    grow();
  return {count - 1, true};
}

} // namespace xlink
