//===- SymbolGlobs.cpp ----------------------------------------------------===//
//
// Problem: a link has a hundred thousand symbols, and a response file can have
// a hundred thousand patterns; their product is too much.
//
// Method: a pattern without a wildcard is looked up. Of one that begins with
// something plain, only the names that begin with it are compared: they stand
// side by side in an index by name. A few patterns are not worth the index, and
// compare all names.
//
// Cost: n log n for the index, and a comparison for each name that begins like
// a pattern: all of them where the pattern begins with a wildcard.
//
//===----------------------------------------------------------------------===//
#include "resolve/SymbolGlobs.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

/// So many patterns are worth an index.
static constexpr size_t kMany = 8;

/// Takes in the symbols that have come since it was last asked.
void SymbolGlobs::index() {
  for (SymbolId id(byName.size()); id.index() < symbols.size(); ++id) {
    ++stepCount;
    byName.emplace(symbols[id].name, id);
  }
}

std::vector<SymbolId> SymbolGlobs::candidates(StringRef prefix) const {
  std::vector<SymbolId> found;
  for (auto it = byName.lower_bound(prefix);
       it != byName.end() && it->first.starts_with(prefix); ++it)
    found.push_back(it->second);
  llvm::sort(found);
  return found;
}

void SymbolGlobs::forEach(ArrayRef<std::string> patterns,
                          function_ref<void(SymbolId)> fn) {
  for (StringRef pattern : patterns) {
    const StringRef prefix = plainPrefix(pattern);
    if (prefix == pattern) {
      ++stepCount;
      if (SymbolId id = symbols.find(pattern); id != kNone)
        fn(id);
      continue;
    }
    auto look = [&](SymbolId id) {
      ++stepCount;
      if (globMatch({pattern, true}, symbols[id].name))
        fn(id);
    };
    if (patterns.size() < kMany || prefix.empty()) {
      for (SymbolId id : symbols.ids())
        look(id);
      continue;
    }
    index();
    for (SymbolId id : candidates(prefix))
      look(id);
  }
}

} // namespace xlink
