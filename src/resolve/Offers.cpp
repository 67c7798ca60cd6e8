//===- Offers.cpp ---------------------------------------------------------===//
//
// Problem: the indices of archives offer far more names than a link has: each
// of them as a symbol would cost more than the rest of resolving, and every
// later pass over the symbols would meet them again.
//
// Method: a hash table aside, from a name to the first offer of it, in four
// bytes a slot: the offer's number, and as much of the hash as there is room
// for beside it. The names stay in the archives. The table depends on nothing
// that resolving finds out, so it is made in advance by all threads: first the
// hashes, then the table, in shards by the hash, each filled by one thread in
// the order of the offers. A shard is no larger than a processor's own cache,
// or filling it would wait for memory at each offer. A later offer of a name is
// not in it: who takes offers in their order meets that one there. He asks a
// filter first, which fits into the nearest cache where the table of symbols
// does not.
//
// Cost: for each offer a hash, and a probe of a table that is two thirds full;
// 14 bytes of memory; all threads look at all hashes for each shard, of which
// there are few. No table and no thread where there is no archive.
//
//===----------------------------------------------------------------------===//
#include "resolve/Offers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <array>
#include <bit>

using namespace llvm;

namespace xlink {

/// Offers that one thread hashes at once.
static constexpr uint32_t kChunk = 8192;
/// Offers of a shard: their slots have 768 KB.
static constexpr uint32_t kOffersOfShard = 1 << 17;
static constexpr uint32_t kMaxShards = 16;
/// Offers whose slots are asked for before the first of them is looked at.
static constexpr uint32_t kBlock = 128;

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
  return lower_bound(runs, input,
                     [](const Run &run, uint32_t i) { return run.input < i; })
      ->first;
}

/// Where the first offer of a name stands, or would; `name` returns the name,
/// which is asked for where a hash is the same.
template <class Name>
uint32_t Offers::slotOf(const Shard &shard, uint64_t hash, Name name) const {
  const uint64_t tag = hash >> 32 << bits;
  const uint32_t mask = uint32_t((uint64_t(1) << bits) - 1);
  for (uint32_t at = shard.home(hash);;
       at = at + 1 == shard.size ? 0 : at + 1) {
    const uint32_t slot = shard.slots[at];
    if (slot == kNone)
      return at;
    if (((slot ^ uint32_t(tag)) & ~mask) != 0)
      continue;
    const uint32_t offer = slot & mask;
    if (hashes[offer] == hash && (*this)[offer].name() == name())
      return at;
  }
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
  shard.slots = std::make_unique_for_overwrite<uint32_t[]>(shard.size);
  std::fill_n(shard.slots.get(), shard.size, kNone);
  std::array<uint32_t, kBlock> own;
  for (uint32_t first = 0; first < count; first += kBlock) {
    // Nobody can foresee whose an offer is: no branch depends on it.
    uint32_t found = 0;
    for (uint32_t i = first; i < first + std::min(kBlock, count - first); ++i) {
      own[found] = i;
      found += shardOf(hashes[i]) == number;
    }
    for (uint32_t i = 0; i < found; ++i)
      __builtin_prefetch(&shard.slots[shard.home(hashes[own[i]])], /*rw=*/1);
    for (uint32_t i = 0; i < found; ++i) {
      const uint64_t hash = hashes[own[i]];
      uint32_t &slot = shard.slots[slotOf(
          shard, hash, [&] { return (*this)[own[i]].name(); })];
      if (slot == kNone)
        slot = uint32_t(hash >> 32 << bits) | own[i];
    }
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
  // A number that is all ones is none, and neither is the slot kNone.
  bits = std::bit_width(count);
  const uint32_t wanted = (count - 1) / kOffersOfShard + 1;
  shards.resize(std::bit_ceil(std::min(wanted, kMaxShards)));
  parallel.forEach(shards.size(), size_t(count) * 32,
                   [&](size_t i) { fill(uint32_t(i)); });
}

uint32_t Offers::find(StringRef name, uint64_t hash) const {
  if (shards.empty())
    return kNone;
  const Shard &shard = shards[shardOf(hash)];
  const uint32_t slot = shard.slots[slotOf(shard, hash, [&] { return name; })];
  return slot == kNone ? slot : slot & uint32_t((uint64_t(1) << bits) - 1);
}

void NameFilter::cover(const SymbolTable &symbols) {
  // At least 8 bits for each symbol: one of eight other names gets through.
  if (words.empty() || symbols.size() > words.size() * 8) {
    words.assign(std::bit_ceil(symbols.size() / 4 + 1), 0);
    covered = 0;
  }
  const size_t mask = words.size() * 64 - 1;
  for (; covered < symbols.size(); ++covered) {
    const size_t bit = symbols[SymbolId(covered)].hash & mask;
    words[bit / 64] |= uint64_t(1) << (bit % 64);
  }
}

} // namespace xlink
