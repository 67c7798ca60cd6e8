//===- SymbolTable.h - names to global symbols ----------------------------===//
//
// Names arrive with their hash, computed in parallel when objects are parsed.
// Symbols keep the order of first insertion.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_SYMBOLTABLE_H
#define XLINK_MODEL_SYMBOLTABLE_H

#include "base/HashIndex.h"
#include "base/Parallel.h"
#include "model/Symbols.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <vector>

namespace xlink {

class SymbolTable {
public:
  /// The symbol of that name, made Undefined when new. `hash` is xxh3_64bits.
  SymbolId insert(llvm::StringRef name, uint64_t hash);
  SymbolId insert(llvm::StringRef name);
  /// The symbol of that name, or kNone.
  SymbolId find(llvm::StringRef name) const;
  SymbolId find(llvm::StringRef name, uint64_t hash) const;

  /// Asks memory for what insert() will read of a name.
  void prefetch(uint64_t hash) const { table.prefetch(hash); }
  /// Makes room for so many names: to grow a large table costs as much as to
  /// fill it.
  void reserve(size_t names) {
    symbols.reserve(names);
    table.reserve(names);
  }

  Symbol &operator[](SymbolId id) { return symbols[id]; }
  const Symbol &operator[](SymbolId id) const { return symbols[id]; }
  size_t size() const { return symbols.size(); }
  auto ids() const { return symbols.ids(); }
  /// Calls fn(id) for each symbol, on several threads where there are many:
  /// multiples of 64 that follow each other on one, in order, so that each may
  /// change a bit of its own in an IdSet.
  template <class Fn> void forEach(const Parallel &parallel, Fn fn) const {
    constexpr size_t chunk = 1 << 13;
    parallel.forEach(llvm::divideCeil(size(), chunk), size() * sizeof(Symbol),
                     [&](size_t i) {
                       for (SymbolId id : idRange(
                                SymbolId(i * chunk),
                                SymbolId(std::min((i + 1) * chunk, size()))))
                         fn(id);
                     });
  }

private:
  /// Whether the symbol of a number has that name.
  auto hasName(llvm::StringRef name, uint64_t hash) const;

  IdVector<SymbolId, Symbol> symbols;
  HashIndex table; ///< into `symbols`
};

} // namespace xlink
#endif
