//===- PatternIndex.cpp ---------------------------------------------------===//
//
// Problem: of a hundred thousand patterns only a few can match a name.
//
// Method: patterns without wildcards stand in a hash table, the others by their
// prefix before the first wildcard. The prefixes are sorted, and each refers to
// the longest other one that it begins with. All prefixes of a name are on one
// such chain: that of the last prefix that sorts before it.
//
// A name is searched in the hash table only if a pattern without wildcards
// begins with all of these prefixes too: ".text.main" is not.
//
// The first eight letters of a text are kept as a number, which decides nearly
// all comparisons.
//
// Cost: a binary search a name, one comparison for each link of the chain, and
// at most one hash probe.
//
//===----------------------------------------------------------------------===//
#include "placement/PatternIndex.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
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
    prefixes.push_back({Text(prefix), {number}});
}

PatternIndex::Text::Text(StringRef text) : all(text) {
  if (text.size() >= sizeof letters) {
    letters = support::endian::read64be(text.data());
    mask = ~uint64_t(0);
    return;
  }
  if (text.empty())
    return;
  for (char letter : text)
    letters = letters << 8 | uint8_t(letter);
  const size_t behind = 8 * (sizeof letters - text.size());
  letters <<= behind;
  mask = ~uint64_t(0) << behind;
}

void PatternIndex::settle() {
  llvm::stable_sort(prefixes, [](const Prefix &a, const Prefix &b) {
    return a.text.isBefore(b.text);
  });
  std::vector<Prefix> joined;
  for (Prefix &p : prefixes) {
    if (!joined.empty() && joined.back().text.all == p.text.all) {
      joined.back().numbers.append(p.numbers);
      continue;
    }
    uint32_t within = joined.empty() ? kNone : uint32_t(joined.size() - 1);
    while (within != kNone && !p.text.startsWith(joined[within].text))
      within = joined[within].within;
    p.within = within;
    joined.push_back(std::move(p));
  }
  prefixes = std::move(joined);
  for (const auto &entry : exact) {
    const Text text(entry.first());
    for (uint32_t i = lastBefore(text); i != kNone; i = prefixes[i].within)
      prefixes[i].holdsExact |= text.startsWith(prefixes[i].text);
  }
}

/// The last prefix that is `name` or sorts before it, or kNone.
uint32_t PatternIndex::lastBefore(const Text &name) const {
  auto it =
      llvm::upper_bound(prefixes, name, [](const Text &n, const Prefix &p) {
        return n.isBefore(p.text);
      });
  return it == prefixes.begin() ? kNone : uint32_t(it - prefixes.begin() - 1);
}

} // namespace xlink
