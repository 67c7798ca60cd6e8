//===- SymbolTable.cpp ----------------------------------------------------===//
#include "model/SymbolTable.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

/// Where a name stands, or would.
SymbolTable::Slot &SymbolTable::slotOf(StringRef name, uint64_t hash) const {
  return *probe(hash, table.size(), [&](uint32_t number) {
    const Symbol &symbol = symbols[SymbolId(number)];
    return symbol.hash == hash && symbol.name == name;
  });
}

/// The symbol in the first slot of that hash, when it has the same tag.
const Symbol *SymbolTable::guess(uint64_t hash) const {
  if (table.empty())
    return nullptr;
  const Slot &slot = table[hash & (table.size() - 1)];
  return slot.number != kNone && slot.tag == uint32_t(hash >> 32)
             ? &symbols[SymbolId(slot.number)]
             : nullptr;
}

void SymbolTable::prefetchSlot(uint64_t hash) const {
  if (!table.empty())
    __builtin_prefetch(&table[hash & (table.size() - 1)]);
}

void SymbolTable::prefetchSymbol(uint64_t hash) const {
  if (const Symbol *symbol = guess(hash))
    __builtin_prefetch(symbol, /*rw=*/1);
}

void SymbolTable::prefetchName(uint64_t hash) const {
  if (const Symbol *symbol = guess(hash))
    __builtin_prefetch(symbol->name.data());
}

void SymbolTable::grow(size_t slots, const Parallel &parallel) {
  const std::vector<Slot> old = std::move(table);
  table = std::vector<Slot>(slots);
  parallel.forEach(regions(), slots * sizeof(Slot), [&](size_t region) {
    const size_t first = region * kRegion;
    std::fill_n(&table[first], std::min(kRegion, slots - first),
                Slot{0, kNone});
  });
  const size_t mask = slots - 1;
  for (const Slot &slot : old) {
    if (slot.number == kNone)
      continue;
    size_t i = symbols[SymbolId(slot.number)].hash & mask;
    while (table[i].number != kNone)
      i = (i + 1) & mask;
    table[i] = slot;
  }
}

void SymbolTable::reserve(size_t count, const Parallel &parallel) {
  size_t want = 64;
  while (want < (symbols.size() + count) * 2)
    want *= 2;
  if (want > table.size())
    grow(want, parallel);
  // Room that stays unused is never touched; growing would copy them all.
  symbols.reserve(symbols.size() + 2 * count);
}

SymbolId SymbolTable::insert(StringRef name, uint64_t hash) {
  if (table.size() < (symbols.size() + 1) * 2)
    grow(table.empty() ? 64 : table.size() * 2, Parallel(1));
  Slot &slot = slotOf(name, hash);
  if (slot.number == kNone) {
    slot.tag = uint32_t(hash >> 32);
    slot.number = uint32_t(symbols.size());
    Symbol &s = symbols.emplace_back();
    s.name = name;
    s.hash = hash;
  }
  return SymbolId(slot.number);
}

SymbolId SymbolTable::insert(StringRef name) {
  return insert(name, xxh3_64bits(name));
}

SymbolId SymbolTable::find(StringRef name, uint64_t hash) const {
  return table.empty() ? SymbolId() : SymbolId(slotOf(name, hash).number);
}

SymbolId SymbolTable::find(StringRef name) const {
  return table.empty() ? kNone : find(name, xxh3_64bits(name));
}

void SymbolTable::renumber(SymbolId first, ArrayRef<SymbolId> newIds) {
  // All slots are found by the old numbers before one has a new one.
  std::vector<size_t> slots;
  std::vector<Symbol> moved;
  slots.reserve(newIds.size());
  moved.reserve(newIds.size());
  for (uint32_t i = 0; i < newIds.size(); ++i) {
    const Symbol &symbol = symbols[first + i];
    size_t at = symbol.hash & (table.size() - 1);
    while (table[at].number != (first + i).index())
      at = (at + 1) & (table.size() - 1);
    slots.push_back(at);
    moved.push_back(symbol);
  }
  for (uint32_t i = 0; i < newIds.size(); ++i) {
    table[slots[i]].number = newIds[i].index();
    symbols[newIds[i]] = moved[i];
  }
}

} // namespace xlink
