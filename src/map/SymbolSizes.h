//===- SymbolSizes.h - how far symbols without a size reach ---------------===//
#ifndef XLINK_MAP_SYMBOLSIZES_H
#define XLINK_MAP_SYMBOLSIZES_H

#include "map/LinkMap.h"
#include "llvm/ADT/ArrayRef.h"

namespace xlink {

/// Gives functions, objects and global labels of a part of which nobody says
/// how large they are the bytes up to what begins next in it, and marks them as
/// inferred. `symbols`: those of the part, in order.
void inferSizes(const MapPart &part, llvm::MutableArrayRef<MapSymbol> symbols);

} // namespace xlink
#endif
