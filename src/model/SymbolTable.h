//===- SymbolTable.h - names to global symbols ----------------------------===//
//
// Open addressing over (hash, id) pairs. Names arrive with their hash, computed
// in parallel when objects are parsed, so inserting costs a probe and, on a
// hit, one comparison of names. Symbols keep the order of first insertion,
// which is the order of the output's symbol table.
//
// Several threads may enter many names at once: reserve() makes room for all,
// and each region of the table is one thread's, which seeks the names whose
// search begins there. What it enters are numbers of its own choice, until the
// symbols have their numbers. The search for a few names leads out of their
// region; one thread enters those afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_SYMBOLTABLE_H
#define XLINK_MODEL_SYMBOLTABLE_H

#include "base/Parallel.h"
#include "model/Symbols.h"
#include "llvm/ADT/ArrayRef.h"
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
  /// Start loading what insert() of a name with this hash will read: first the
  /// slot, then, when that has arrived, the symbol, and last its name. A large
  /// link waits for memory in each of the three.
  void prefetchSlot(uint64_t hash) const;
  void prefetchSymbol(uint64_t hash) const;
  void prefetchName(uint64_t hash) const;
  /// Makes room for `count` further symbols.
  void reserve(size_t count, const Parallel &parallel);
  /// Numbers the symbols from `first` on anew: symbol first + i becomes
  /// newIds[i]. Those are the same numbers in another order.
  void renumber(SymbolId first, llvm::ArrayRef<SymbolId> newIds);

  /// How many regions the table has.
  size_t regions() const { return (table.size() - 1) / kRegion + 1; }
  /// The region in which the search for a name begins.
  size_t regionOf(uint64_t hash) const {
    return (hash & (table.size() - 1)) / kRegion;
  }
  /// The number that a name has in the table. Where it is kNone the name is
  /// new, and has to be given one. Null: that is decided outside of the region.
  /// `isIt` tells whether a number is that of the name.
  template <class IsIt> uint32_t *seekInRegion(uint64_t hash, IsIt isIt) {
    const size_t home = hash & (table.size() - 1);
    return seek(hash, std::min(kRegion, table.size()) - home % kRegion, isIt);
  }
  /// The same in all of the table.
  template <class IsIt> uint32_t *seekInTable(uint64_t hash, IsIt isIt) {
    return seek(hash, table.size(), isIt);
  }
  /// Calls fn(number) for each number in a region, to change it.
  template <class Fn> void forEachIn(size_t region, Fn fn) {
    const size_t end = std::min((region + 1) * kRegion, table.size());
    for (size_t i = region * kRegion; i < end; ++i)
      if (table[i].number != kNone)
        fn(table[i].number);
  }
  /// Adds `count` symbols that are nothing yet: each has to be assigned, and
  /// the numbers in the table have to lead to them.
  void extend(size_t count) { symbols.extend(count); }

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
  /// Slots of a region: 256 KB, which a processor's own cache has room for.
  static constexpr size_t kRegion = size_t(1) << 15;

  /// The slot of a name among the first `steps` of the search for it, or null.
  template <class IsIt>
  Slot *probe(uint64_t hash, size_t steps, IsIt isIt) const {
    const size_t mask = table.size() - 1;
    const uint32_t tag = uint32_t(hash >> 32);
    for (size_t i = hash & mask; steps; --steps, i = (i + 1) & mask)
      if (const Slot &slot = table[i];
          slot.number == kNone || (slot.tag == tag && isIt(slot.number)))
        return const_cast<Slot *>(&slot);
    return nullptr;
  }
  template <class IsIt> uint32_t *seek(uint64_t hash, size_t steps, IsIt isIt) {
    Slot *slot = probe(hash, steps, isIt);
    if (!slot)
      return nullptr;
    slot->tag = uint32_t(hash >> 32);
    return &slot->number;
  }
  Slot &slotOf(llvm::StringRef name, uint64_t hash) const;
  void grow(size_t slots, const Parallel &parallel);
  const Symbol *guess(uint64_t hash) const;

  OpenIdVector<SymbolId, Symbol> symbols;
  std::vector<Slot> table; ///< never full
};

} // namespace xlink
#endif
