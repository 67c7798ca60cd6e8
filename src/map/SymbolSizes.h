//===- SymbolSizes.h - how far symbols without a size reach ---------------===//
#ifndef XLINK_MAP_SYMBOLSIZES_H
#define XLINK_MAP_SYMBOLSIZES_H

#include "map/LinkMap.h"

namespace xlink {

/// Gives functions, objects and global labels of which nobody says how large
/// they are the bytes up to what begins next in their part, and marks them as
/// inferred. Symbols are in order already.
void inferSizes(LinkMap &map);

} // namespace xlink
#endif
