//===- SymbolSizes.cpp ----------------------------------------------------===//
//
// Problem: assembly, and some compilers, leave st_size 0. A table of sizes
// should have the function, not a hundred labels in it.
//
// Method: an item begins at a function, an object, a global label or a symbol
// that states its size; in a part without these, at local labels, except those
// of compilers (.L) and of disassemblers ($). An item without a size reaches up
// to the next one, or to the part's end. No item begins inside of the stated
// size of another one.
//
// Cost: two walks over the symbols of each part.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Whether an item begins here, in any part.
static bool isHead(const MapSymbol &s) {
  return s.size || !s.local ||
         (s.kind != MapSymbol::None && s.kind != MapSymbol::Section);
}

static bool isWrittenLabel(const MapSymbol &s) {
  return s.kind != MapSymbol::Section && !s.name.starts_with(".L") &&
         !s.name.starts_with("$");
}

void inferSizes(const MapPart &part, MutableArrayRef<MapSymbol> symbols) {
  if (!part.size || all_of(symbols, [](const MapSymbol &s) { return s.size; }))
    return;
  auto offset = [&](const MapSymbol &s) { return s.address - part.address; };
  const bool anyHead = any_of(symbols, isHead);
  std::vector<bool> heads(symbols.size());
  uint64_t statedEnd = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const MapSymbol &s = symbols[i];
    if (offset(s) >= part.size)
      break;
    heads[i] = s.size || (offset(s) >= statedEnd &&
                          (anyHead ? isHead(s) : isWrittenLabel(s)));
    if (s.size)
      statedEnd = std::max(statedEnd, offset(s) + std::min(s.size, part.size));
  }
  // Several names of one place reach equally far.
  uint64_t end = part.size, next = part.size;
  for (size_t i = symbols.size(); i-- > 0;) {
    if (!heads[i])
      continue;
    MapSymbol &s = symbols[i];
    if (offset(s) < next) {
      end = next;
      next = offset(s);
    }
    if (s.size)
      continue;
    s.size = end - offset(s);
    s.inferred = true;
  }
}

} // namespace xlink
