//===- PatternIndex.h - which patterns a name can meet --------------------===//
#ifndef XLINK_PLACEMENT_PATTERNINDEX_H
#define XLINK_PLACEMENT_PATTERNINDEX_H

#include "model/Ids.h"
#include "model/ScriptTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace xlink {

/// Patterns of section names by their prefix.
class PatternIndex {
public:
  /// Enters a pattern under a number, the numbers ascending; null: any name.
  void add(const GlobPattern *name, uint32_t number);
  /// After the last pattern.
  void settle();
  /// Calls fn with lists of the numbers that may match a name, each ascending:
  /// no other pattern matches it, not all of these do.
  template <class Fn> void forEachList(llvm::StringRef name, Fn fn) const {
    bool mayBeExact = true;
    const Text text(name);
    for (uint32_t i = lastBefore(text); i != kNone; i = prefixes[i].within)
      if (text.startsWith(prefixes[i].text)) {
        fn(llvm::ArrayRef<uint32_t>(prefixes[i].numbers));
        mayBeExact &= prefixes[i].holdsExact;
      }
    if (mayBeExact)
      if (auto it = exact.find(name); it != exact.end())
        fn(llvm::ArrayRef<uint32_t>(it->second));
    fn(llvm::ArrayRef<uint32_t>(general));
  }

private:
  /// A text whose first letters are at hand: they nearly always decide.
  struct Text {
    explicit Text(llvm::StringRef text);
    bool isBefore(const Text &other) const {
      return letters != other.letters ? letters < other.letters
                                      : all < other.all;
    }
    bool startsWith(const Text &prefix) const {
      return !((letters ^ prefix.letters) & prefix.mask) &&
             (prefix.all.size() <= sizeof letters ||
              all.starts_with(prefix.all)) &&
             all.size() >= prefix.all.size();
    }
    llvm::StringRef all;
    uint64_t letters = 0; ///< the first one highest; zeros behind the last
    uint64_t mask = 0;    ///< which of its bits are letters
  };
  /// The prefixes of patterns before their first wildcard.
  struct Prefix {
    Text text;
    llvm::SmallVector<uint32_t, 2> numbers;
    uint32_t within = kNone; ///< the longest other one that this begins with
    bool holdsExact = false; ///< a pattern without wildcards begins with this
  };
  uint32_t lastBefore(const Text &name) const;

  llvm::StringMap<llvm::SmallVector<uint32_t, 2>> exact;
  std::vector<Prefix> prefixes; ///< sorted, once settled
  std::vector<uint32_t> general;
};

} // namespace xlink
#endif
