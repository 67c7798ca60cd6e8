//===- LazySymbols.h - names that archives could define -------------------===//
#ifndef XLINK_RESOLVE_LAZYSYMBOLS_H
#define XLINK_RESOLVE_LAZYSYMBOLS_H

#include "base/Parallel.h"
#include "input/Archive.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace xlink {

/// An archive member, or a lazy object, that would define a name.
struct Provider {
  uint32_t input;  ///< index into the inputs
  uint32_t member; ///< in the archive; kNone: the lazy object itself
};

/// The symbols in the indices of all archives, numbered through in the order of
/// the inputs.
class LazySymbols {
public:
  /// Adds the index of an archive, which must stay, behind those so far.
  void addIndex(uint32_t input, llvm::ArrayRef<ArchiveSymbol> symbols);
  /// Once, behind the last addIndex(): makes the table.
  void build(const Parallel &parallel);
  /// The first symbol of a name, if it is in front of number `end`. `hash` is
  /// xxh3_64bits.
  std::optional<Provider> find(llvm::StringRef name, uint64_t hash,
                               uint32_t end) const;
  /// The hash of a symbol's name.
  uint64_t hashOf(uint32_t number) const { return hashes[number]; }

private:
  /// The index of one archive.
  struct Index {
    uint32_t first; ///< number of its first symbol
    uint32_t input;
    llvm::ArrayRef<ArchiveSymbol> symbols;
  };
  size_t home(uint64_t hash) const {
    return size_t((hash >> 32) * slots.size() >> 32);
  }
  size_t next(size_t slot) const {
    return slot + 1 == slots.size() ? 0 : slot + 1;
  }
  uint32_t numberIn(uint32_t slot) const {
    return (slot & ((uint32_t(1) << bits) - 1)) - 1;
  }
  const Index &indexOf(uint32_t number) const;
  const ArchiveSymbol &symbolOf(uint32_t number) const;
  bool holds(uint32_t slot, llvm::StringRef name, uint64_t hash) const;
  void insert(uint32_t number, llvm::StringRef name, uint64_t hash);

  std::vector<Index> indices;
  uint32_t count = 0;
  std::vector<uint64_t> hashes; ///< of each symbol
  unsigned bits = 0;            ///< of a number
  /// In the lower bits the symbol's number + 1, above them what fits of the
  /// lower half of its hash; 0: empty.
  std::vector<uint32_t> slots;
};

} // namespace xlink
#endif
