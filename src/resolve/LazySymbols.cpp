//===- LazySymbols.cpp ----------------------------------------------------===//
//
// Problem: the indices of archives have far more names than a link: each of
// them as a symbol would cost more than the rest of resolving, and every later
// pass over the symbols would meet them again.
//
// Method: a hash table beside the symbol table, with open addressing, from a
// name to the first archive symbol of that name. The names stay in the
// archives. It depends on nothing that resolution finds out, so several threads
// fill it in advance: a slot is written by an exchange that fails where another
// thread was first, and of two symbols of one name the lower number stays.
//
// Cost: a hash for each name of an index, 14 bytes, and a probe of a table that
// is two thirds full; nothing where there is no archive.
//
//===----------------------------------------------------------------------===//
#include "resolve/LazySymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <atomic>
#include <bit>

using namespace llvm;

namespace xlink {

/// Symbols that one thread inserts at a time.
static constexpr size_t kChunk = 8192;

void LazySymbols::addIndex(uint32_t input, ArrayRef<ArchiveSymbol> symbols) {
  indices.push_back({count, input, symbols});
  count += uint32_t(symbols.size());
}

const LazySymbols::Index &LazySymbols::indexOf(uint32_t number) const {
  return *std::prev(
      upper_bound(indices, number, [](uint32_t n, const Index &index) {
        return n < index.first;
      }));
}

const ArchiveSymbol &LazySymbols::symbolOf(uint32_t number) const {
  const Index &index = indexOf(number);
  return index.symbols[number - index.first];
}

/// Whether a slot that is not empty has the symbol of a name.
bool LazySymbols::holds(uint32_t slot, StringRef name, uint64_t hash) const {
  return slot >> bits == uint32_t(hash << bits) >> bits &&
         symbolOf(numberIn(slot)).name() == name;
}

void LazySymbols::insert(uint32_t number, StringRef name, uint64_t hash) {
  const uint32_t own = uint32_t(hash << bits) | (number + 1);
  for (size_t at = home(hash);; at = next(at)) {
    const std::atomic_ref<uint32_t> slot(slots[at]);
    uint32_t seen = slot.load(std::memory_order_relaxed);
    if (seen == 0 && slot.compare_exchange_strong(seen, own))
      return;
    if (!holds(seen, name, hash))
      continue;
    while (own < seen && !slot.compare_exchange_weak(seen, own))
      ;
    return;
  }
}

void LazySymbols::build(const Parallel &parallel) {
  if (count == 0)
    return;
  bits = std::bit_width(count);
  hashes.resize(count);
  // One slot at least stays empty, which ends every search.
  slots.resize(size_t(count) + count / 2 + 1);
  auto forChunks = [&](size_t n, function_ref<void(size_t, size_t)> fn) {
    parallel.forEach(divideCeil(n, kChunk), n * 64, [&](size_t chunk) {
      fn(chunk * kChunk, std::min(n, (chunk + 1) * kChunk));
    });
  };
  forChunks(slots.size(), [&](size_t begin, size_t end) {
    std::fill(&slots[begin], &slots[begin] + (end - begin), 0);
  });
  for (const Index &index : indices)
    forChunks(index.symbols.size(), [&](size_t begin, size_t end) {
      uint64_t *const hash = &hashes[index.first];
      for (size_t i = begin; i < end; ++i)
        hash[i] = xxh3_64bits(index.symbols[i].name());
      for (size_t i = begin; i < end; ++i) {
        // Names meet in no order that a cache knows.
        if (constexpr size_t kAhead = 16; i + kAhead < end)
          __builtin_prefetch(&slots[home(hash[i + kAhead])], /*rw=*/1);
        insert(index.first + uint32_t(i), index.symbols[i].name(), hash[i]);
      }
    });
}

std::optional<Provider> LazySymbols::find(StringRef name, uint64_t hash,
                                          uint32_t end) const {
  if (slots.empty())
    return std::nullopt;
  for (size_t at = home(hash); slots[at] != 0; at = next(at)) {
    if (!holds(slots[at], name, hash))
      continue;
    const uint32_t number = numberIn(slots[at]);
    if (number >= end)
      return std::nullopt;
    return Provider{indexOf(number).input, symbolOf(number).member};
  }
  return std::nullopt;
}

} // namespace xlink
