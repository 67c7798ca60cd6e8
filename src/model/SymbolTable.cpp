//===- SymbolTable.cpp ----------------------------------------------------===//
#include "model/SymbolTable.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

static CachedHashStringRef keyOf(StringRef name, uint64_t hash) {
  return {name, uint32_t(hash)};
}

SymbolId SymbolTable::insert(StringRef name, uint64_t hash) {
  const auto [slot, isNew] =
      table.try_emplace(keyOf(name, hash), symbols.next());
  if (isNew) {
    Symbol &symbol = symbols.emplace_back();
    symbol.name = name;
    symbol.hash = hash;
  }
  return slot->second;
}

SymbolId SymbolTable::insert(StringRef name) {
  return insert(name, xxh3_64bits(name));
}

SymbolId SymbolTable::find(StringRef name, uint64_t hash) const {
  const auto slot = table.find(keyOf(name, hash));
  return slot == table.end() ? SymbolId() : slot->second;
}

SymbolId SymbolTable::find(StringRef name) const {
  return find(name, xxh3_64bits(name));
}

} // namespace xlink
