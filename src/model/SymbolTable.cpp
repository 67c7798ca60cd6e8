//===- SymbolTable.cpp ----------------------------------------------------===//
#include "model/SymbolTable.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

/// Where a name stands, or would.
SymbolTable::Slot &SymbolTable::slotOf(StringRef name, uint64_t hash) const {
  const size_t mask = table.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot &slot = table[i];
    if (slot.number == kNone)
      return const_cast<Slot &>(slot);
    if (slot.tag != uint32_t(hash >> 32))
      continue;
    const Symbol &symbol = symbols[SymbolId(slot.number)];
    if (symbol.hash == hash && symbol.name == name)
      return const_cast<Slot &>(slot);
  }
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

void SymbolTable::grow(size_t slots) {
  const std::vector<Slot> old = std::move(table);
  table = std::vector<Slot>(slots, Slot{0, kNone});
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

} // namespace xlink
