//===- Offers.h - names that archives' indices offer ----------------------===//
#ifndef XLINK_RESOLVE_OFFERS_H
#define XLINK_RESOLVE_OFFERS_H

#include "base/Parallel.h"
#include "model/Ids.h"
#include "model/SymbolTable.h"
#include "resolve/InputLoader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace xlink {

/// The symbols of all indices, numbered through in the order of the inputs.
class Offers {
public:
  /// Takes in the indices of `inputs`, whose archives must stay.
  void assign(const Parallel &parallel, llvm::ArrayRef<LoadedInput> inputs);
  /// The first offer of a name, or kNone. `hash` is xxh3_64bits.
  uint32_t find(llvm::StringRef name, uint64_t hash) const;
  /// The hash of an offer's name.
  uint64_t hashOf(uint32_t offer) const { return hashes[offer]; }
  /// The number of an input's first offer; its others follow in the order of
  /// the index. Only for archives with an index.
  uint32_t firstOf(uint32_t input) const;
  /// Where the index with an offer is: into the inputs.
  uint32_t inputOf(uint32_t offer) const { return runOf(offer)->input; }
  const ArchiveSymbol &operator[](uint32_t offer) const {
    const Run *run = runOf(offer);
    return run->symbols[offer - run->first];
  }

private:
  /// The offers of one archive.
  struct Run {
    uint32_t first;
    uint32_t input;
    llvm::ArrayRef<ArchiveSymbol> symbols;
  };
  /// The names of some hashes.
  struct Shard {
    /// In the lower `bits` an offer, above them what fits of the upper half of
    /// its hash; kNone: nothing is here.
    std::unique_ptr<uint32_t[]> slots;
    uint32_t size = 0;
    uint32_t home(uint64_t hash) const;
  };
  const Run *runOf(uint32_t offer) const;
  uint32_t shardOf(uint64_t hash) const {
    return uint32_t(hash) & uint32_t(shards.size() - 1);
  }
  template <class Name>
  uint32_t slotOf(const Shard &shard, uint64_t hash, Name name) const;
  void computeHashes(const Parallel &parallel);
  void fill(uint32_t number);

  std::vector<Run> runs;
  uint32_t count = 0;
  unsigned bits = 0;                  ///< of the number of an offer
  std::unique_ptr<uint64_t[]> hashes; ///< of each offer
  std::vector<Shard> shards;          ///< a power of two of them, or none
};

/// A bit for each hash, or for several: tells most names that are no symbols
/// from those that are, in a hundredth of the memory that a search would read.
class NameFilter {
public:
  /// Takes in the symbols that are new since the last call.
  void cover(const SymbolTable &symbols);
  /// Whether all symbols of the table are in it.
  bool covers(const SymbolTable &symbols) const {
    return covered == symbols.size() && !words.empty();
  }
  /// Whether a symbol may have this hash; if not, surely none has. Only after
  /// cover().
  bool mayHave(uint64_t hash) const {
    const size_t bit = hash & (words.size() * 64 - 1);
    return words[bit / 64] >> (bit % 64) & 1;
  }

private:
  std::vector<uint64_t> words; ///< a power of two of them
  size_t covered = 0;
};

} // namespace xlink
#endif
