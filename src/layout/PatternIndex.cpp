//===- PatternIndex.cpp ---------------------------------------------------===//
//
// Problem: of a hundred thousand patterns a name meets a handful.
//
// Method: patterns without wildcards stand in a hash table, the others by what
// stands before their first wildcard. These prefixes are sorted, and each knows
// the longest other one that it begins with. All that a name begins with are on
// one such chain: that of the last prefix that sorts before it.
//
// A name is looked for in the hash table only where a pattern without
// wildcards begins with all of these prefixes too: ".text.main" is not.
//
// Cost: a binary search a name, one comparison for each link of the chain, and
// at most one hash probe.
//
//===----------------------------------------------------------------------===//
#include "layout/PatternIndex.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

void PatternIndex::add(const GlobPattern *name, uint32_t number) {
  if (!name) {
    general.push_back(number);
    return;
  }
  if (!name->wild) {
    exact[name->text].push_back(number);
    return;
  }
  const StringRef prefix = plainPrefix(name->text);
  if (prefix.empty())
    general.push_back(number);
  else
    prefixes.push_back({prefix, {number}});
}

void PatternIndex::settle() {
  llvm::stable_sort(prefixes, [](const Prefix &a, const Prefix &b) {
    return a.text < b.text;
  });
  std::vector<Prefix> joined;
  for (Prefix &p : prefixes) {
    if (!joined.empty() && joined.back().text == p.text) {
      joined.back().numbers.append(p.numbers);
      continue;
    }
    uint32_t within = joined.empty() ? kNone : uint32_t(joined.size() - 1);
    while (within != kNone && !p.text.starts_with(joined[within].text))
      within = joined[within].within;
    p.within = within;
    joined.push_back(std::move(p));
  }
  prefixes = std::move(joined);
  for (const auto &entry : exact)
    for (uint32_t i = lastBefore(entry.first()); i != kNone;
         i = prefixes[i].within)
      prefixes[i].holdsExact |= entry.first().starts_with(prefixes[i].text);
}

/// The last prefix that is `name` or sorts before it, or kNone.
uint32_t PatternIndex::lastBefore(StringRef name) const {
  auto it =
      std::upper_bound(prefixes.begin(), prefixes.end(), name,
                       [](StringRef n, const Prefix &p) { return n < p.text; });
  return it == prefixes.begin() ? kNone : uint32_t(it - prefixes.begin() - 1);
}

} // namespace xlink
