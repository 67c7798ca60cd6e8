//===- SymbolSizes.h - how far symbols without a size reach ---------------===//
#ifndef XLINK_MAP_SYMBOLSIZES_H
#define XLINK_MAP_SYMBOLSIZES_H

#include "map/LinkMap.h"
#include "llvm/ADT/ArrayRef.h"

namespace xlink {

/// Gives functions, objects and global labels without a size the bytes up to
/// the next item of the part, and marks them as inferred. `symbols`: those of
/// the part, in order.
void inferSizes(const MapPart &part, llvm::MutableArrayRef<MapSymbol> symbols);

} // namespace xlink
#endif
