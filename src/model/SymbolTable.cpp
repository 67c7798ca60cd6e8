//===- SymbolTable.cpp ----------------------------------------------------===//
#include "model/SymbolTable.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

size_t SymbolTable::probe(StringRef name, uint64_t hash) const {
  size_t mask = table.size() - 1;
  uint32_t tag = uint32_t(hash >> 32);
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot &slot = table[i];
    if (slot.id == kNone || (slot.tag == tag && symbols[slot.id].hash == hash &&
                             symbols[slot.id].name == name))
      return i;
  }
}

/// The symbol in the first slot of that hash, when it has the same tag.
const Symbol *SymbolTable::guess(uint64_t hash) const {
  if (table.empty())
    return nullptr;
  const Slot &slot = table[hash & (table.size() - 1)];
  return slot.id != kNone && slot.tag == uint32_t(hash >> 32)
             ? &symbols[slot.id]
             : nullptr;
}

void SymbolTable::prefetchSlot(uint64_t hash) const {
  if (!table.empty())
    __builtin_prefetch(&table[hash & (table.size() - 1)]);
}

void SymbolTable::prefetchSymbol(uint64_t hash) const {
  if (const Symbol *symbol = guess(hash)) {
    __builtin_prefetch(symbol, /*rw=*/1);
    __builtin_prefetch(&symbol->hidden, /*rw=*/1); // perhaps another line
  }
}

void SymbolTable::prefetchName(uint64_t hash) const {
  if (const Symbol *symbol = guess(hash))
    __builtin_prefetch(symbol->name.data());
}

void SymbolTable::grow(size_t slots) {
  std::vector<Slot> old = std::move(table);
  table.assign(slots, Slot());
  size_t mask = slots - 1;
  for (const Slot &slot : old) {
    if (slot.id == kNone)
      continue;
    size_t i = symbols[slot.id].hash & mask;
    while (table[i].id != kNone)
      i = (i + 1) & mask;
    table[i] = slot;
  }
}

void SymbolTable::reserve(size_t count) {
  size_t want = 64;
  while (want < (symbols.size() + count) * 2)
    want *= 2;
  if (want > table.size())
    grow(want);
  // Room that stays unused is never touched; growing would copy them all.
  symbols.reserve(symbols.size() + 2 * count);
}

SymbolId SymbolTable::insert(StringRef name, uint64_t hash) {
  if (table.size() < (symbols.size() + 1) * 2)
    grow(table.empty() ? 64 : table.size() * 2);
  size_t i = probe(name, hash);
  if (table[i].id == kNone) {
    table[i].tag = uint32_t(hash >> 32);
    table[i].id = SymbolId(symbols.size());
    Symbol &s = symbols.emplace_back();
    s.name = name;
    s.hash = hash;
  }
  return table[i].id;
}

SymbolId SymbolTable::insert(StringRef name) {
  return insert(name, xxh3_64bits(name));
}

SymbolId SymbolTable::find(StringRef name, uint64_t hash) const {
  return table.empty() ? kNone : table[probe(name, hash)].id;
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
    while (table[at].id != first + i)
      at = (at + 1) & (table.size() - 1);
    slots.push_back(at);
    moved.push_back(symbol);
  }
  for (uint32_t i = 0; i < newIds.size(); ++i) {
    table[slots[i]].id = newIds[i];
    symbols[newIds[i]] = moved[i];
  }
}

} // namespace xlink
