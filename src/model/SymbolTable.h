//===- SymbolTable.h - names to global symbols ----------------------------===//
//
// Open addressing over (hash, id) pairs. Names arrive with their hash, computed
// in parallel when objects are parsed, so inserting costs a probe and, on a
// hit, one comparison of names. Symbols keep the order of first insertion,
// which is the order of the output's symbol table.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_SYMBOLTABLE_H
#define XLINK_MODEL_SYMBOLTABLE_H

#include "model/Symbols.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
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
  /// Start loading what insert() of a name with this hash will read: first the
  /// slot, then, when that has arrived, the symbol, and last its name. A large
  /// link waits for memory in each of the three.
  void prefetchSlot(uint64_t hash) const;
  void prefetchSymbol(uint64_t hash) const;
  void prefetchName(uint64_t hash) const;
  /// Makes room for `count` further symbols.
  void reserve(size_t count);
  /// Numbers the symbols from `first` on anew: symbol first + i becomes
  /// newIds[i]. Those are the same numbers in another order.
  void renumber(SymbolId first, llvm::ArrayRef<SymbolId> newIds);

  Symbol &operator[](SymbolId id) { return symbols[id]; }
  const Symbol &operator[](SymbolId id) const { return symbols[id]; }
  size_t size() const { return symbols.size(); }
  auto ids() const { return symbols.ids(); }

private:
  struct Slot {
    uint32_t tag = 0; ///< upper half of the hash
    SymbolId id;
  };
  void grow(size_t slots);
  size_t probe(llvm::StringRef name, uint64_t hash) const;
  const Symbol *guess(uint64_t hash) const;

  IdVector<SymbolId, Symbol> symbols;
  std::vector<Slot> table;
};

} // namespace xlink
#endif
