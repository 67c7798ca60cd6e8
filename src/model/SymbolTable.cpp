//===- SymbolTable.cpp ----------------------------------------------------===//
#include "model/SymbolTable.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xlink {

auto SymbolTable::hasName(StringRef name, uint64_t hash) const {
  return [this, name, hash](uint32_t number) {
    const Symbol &symbol = symbols[SymbolId(number)];
    return symbol.hash == hash && symbol.name == name;
  };
}

SymbolId SymbolTable::insert(StringRef name, uint64_t hash) {
  const auto [number, isNew] =
      table.insert(hash, uint32_t(symbols.size()), hasName(name, hash));
  if (isNew) {
    Symbol &symbol = symbols.emplace_back();
    symbol.name = name;
    symbol.hash = hash;
  }
  return SymbolId(number);
}

SymbolId SymbolTable::insert(StringRef name) {
  return insert(name, xxh3_64bits(name));
}

SymbolId SymbolTable::find(StringRef name, uint64_t hash) const {
  const auto number = table.find(hash, hasName(name, hash));
  return number ? SymbolId(*number) : SymbolId();
}

SymbolId SymbolTable::find(StringRef name) const {
  return find(name, xxh3_64bits(name));
}

} // namespace xlink
