//===- Offers.cpp ---------------------------------------------------------===//
//
// Problem: the indices of archives offer far more names than a link has: each
// of them as a symbol would cost more than the rest of resolving, and every
// later pass over the symbols would meet them again.
//
// Method: a hash table aside, from a name to the first offer of it, in eight
// bytes a slot; the names stay in the archives. It depends on nothing that
// resolving finds out, so it is made in advance by all threads: first the
// hashes, then the table, in shards by the hash, each filled by one thread in
// the order of the offers. A later offer of a name is not in it: who takes
// offers in their order meets that one there.
//
// Cost: for each offer a hash, and a probe of a table that is two thirds full;
// 20 bytes of memory. No table and no thread where there is no archive.
//
//===----------------------------------------------------------------------===//
#include "resolve/Offers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <bit>

using namespace llvm;

namespace xlink {

/// Offers that one thread hashes at once. No more than these are not worth a
/// second shard either.
static constexpr uint32_t kChunk = 8192;
static constexpr unsigned kMaxShards = 16;
/// How far ahead a slot is asked for.
static constexpr uint32_t kAhead = 16;

/// A fraction of the table, as the lower half of the hash says: shards differ
/// in its lowest bits, slots in its highest.
uint32_t Offers::Shard::home(uint64_t hash) const {
  return uint32_t((uint64_t(uint32_t(hash)) * size) >> 32);
}

const Offers::Run *Offers::runOf(uint32_t offer) const {
  return &*std::prev(upper_bound(
      runs, offer, [](uint32_t n, const Run &run) { return n < run.first; }));
}

uint32_t Offers::firstOf(uint32_t input) const {
  return lower_bound(runs, input, [](const Run &run, uint32_t i) {
           return run.input < i;
         })->first;
}

bool Offers::isNamed(uint32_t offer, StringRef name, uint64_t hash) const {
  return hashes[offer] == hash && (*this)[offer].name() == name;
}

void Offers::computeHashes(const Parallel &parallel) {
  hashes = std::make_unique_for_overwrite<uint64_t[]>(count);
  const uint32_t chunks = (count - 1) / kChunk + 1;
  parallel.forEach(chunks, size_t(count) * 32, [&](size_t chunk) {
    const uint32_t first = uint32_t(chunk) * kChunk;
    const uint32_t end = first + std::min(kChunk, count - first);
    const Run *run = runOf(first);
    for (uint32_t i = first; i < end; ++i) {
      if (i - run->first == run->symbols.size())
        ++run;
      hashes[i] = xxh3_64bits(run->symbols[i - run->first].name());
    }
  });
}

/// Enters the offers of one shard. Others may be filled at the same time.
void Offers::fill(uint32_t number) {
  Shard &shard = shards[number];
  uint32_t names = 0;
  for (uint32_t i = 0; i < count; ++i)
    names += shardOf(hashes[i]) == number;
  // One slot at least stays empty, which ends every search.
  shard.size = names + names / 2 + 1;
  shard.slots = std::make_unique_for_overwrite<Slot[]>(shard.size);
  Slot *slots = shard.slots.get();
  std::fill_n(slots, shard.size, Slot{0, kNone});
  for (uint32_t i = 0; i < count; ++i) {
    if (i + kAhead < count)
      if (const uint64_t ahead = hashes[i + kAhead]; shardOf(ahead) == number)
        __builtin_prefetch(&slots[shard.home(ahead)], /*rw=*/1);
    const uint64_t hash = hashes[i];
    if (shardOf(hash) != number)
      continue;
    const uint32_t tag = uint32_t(hash >> 32);
    uint32_t at = shard.home(hash);
    while (slots[at].offer != kNone &&
           !(slots[at].tag == tag &&
             isNamed(slots[at].offer, (*this)[i].name(), hash)))
      at = at + 1 == shard.size ? 0 : at + 1;
    if (slots[at].offer == kNone)
      slots[at] = {tag, i};
  }
}

void Offers::assign(const Parallel &parallel, ArrayRef<LoadedInput> inputs) {
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const Archive *archive = inputs[i].archive.get();
    if (!archive || !archive->hasIndex)
      continue;
    runs.push_back({count, i, archive->symbols});
    count += uint32_t(archive->symbols.size());
  }
  if (runs.empty())
    return;
  computeHashes(parallel);
  const unsigned wanted =
      count <= kChunk ? 1 : std::min(parallel.threads(), kMaxShards);
  shards.resize(std::bit_ceil(wanted));
  parallel.forEach(shards.size(), size_t(count) * 32,
                   [&](size_t i) { fill(uint32_t(i)); });
}

uint32_t Offers::find(StringRef name, uint64_t hash) const {
  if (shards.empty())
    return kNone;
  const Shard &shard = shards[shardOf(hash)];
  const uint32_t tag = uint32_t(hash >> 32);
  uint32_t at = shard.home(hash);
  for (;; at = at + 1 == shard.size ? 0 : at + 1) {
    const Slot &slot = shard.slots[at];
    if (slot.offer == kNone ||
        (slot.tag == tag && isNamed(slot.offer, name, hash)))
      return slot.offer;
  }
}

} // namespace xlink
