//===- SymbolTable.h - names to global symbols ----------------------------===//
//
// Open addressing over (hash, id) pairs. Names arrive with their hash, computed
// in parallel when objects are parsed, so inserting costs a probe and, on a
// hit, one comparison of names. Symbols keep the order of first insertion.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_SYMBOLTABLE_H
#define XLINK_MODEL_SYMBOLTABLE_H

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
  /// Start loading what insert() of a name with this hash reads: first the
  /// slot, then, when that has arrived, the symbol, and last its name.
  void prefetchSlot(uint64_t hash) const;
  void prefetchSymbol(uint64_t hash) const;
  void prefetchName(uint64_t hash) const;
  /// Makes room for `count` further symbols.
  void reserve(size_t count);

  Symbol &operator[](SymbolId id) { return symbols[id]; }
  const Symbol &operator[](SymbolId id) const { return symbols[id]; }
  size_t size() const { return symbols.size(); }
  auto ids() const { return symbols.ids(); }
  /// Calls fn(id) for each symbol, on several threads where there are many:
  /// multiples of 64 that follow each other on one, in order, so that each may
  /// change a bit of its own in an IdSet.
  template <class Fn> void forEach(const Parallel &parallel, Fn fn) const {
    forChunks(parallel, [&](size_t, SymbolId begin, SymbolId end) {
      for (SymbolId id : idRange(begin, end))
        fn(id);
    });
  }
  /// Those for which wanted(symbol) holds, few, in their order; asked for on
  /// several threads where there are many.
  template <class Fn>
  std::vector<SymbolId> select(const Parallel &parallel, Fn wanted) const {
    std::vector<std::vector<SymbolId>> found(llvm::divideCeil(size(), kChunk));
    forChunks(parallel, [&](size_t chunk, SymbolId begin, SymbolId end) {
      for (SymbolId id : idRange(begin, end))
        if (wanted(symbols[id]))
          found[chunk].push_back(id);
    });
    std::vector<SymbolId> all;
    for (const std::vector<SymbolId> &some : found)
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }

private:
  /// Symbols that one thread takes at a time; see forEach().
  static constexpr size_t kChunk = 1 << 13;
  /// Calls fn(number, begin, end) for chunks of all symbols.
  template <class Fn> void forChunks(const Parallel &parallel, Fn fn) const {
    parallel.forEach(llvm::divideCeil(size(), kChunk), size() * sizeof(Symbol),
                     [&](size_t chunk) {
                       fn(chunk, SymbolId(chunk * kChunk),
                          SymbolId(std::min((chunk + 1) * kChunk, size())));
                     });
  }

  struct Slot {
    uint32_t tag;    ///< upper half of the hash
    uint32_t number; ///< of a symbol, or kNone
  };
  Slot &slotOf(llvm::StringRef name, uint64_t hash) const;
  void grow(size_t slots);
  const Symbol *guess(uint64_t hash) const;

  OpenIdVector<SymbolId, Symbol> symbols;
  std::vector<Slot> table; ///< never full
};

} // namespace xlink
#endif
