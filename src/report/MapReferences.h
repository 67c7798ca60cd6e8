//===- MapReferences.h - what the parts of a map refer to -----------------===//
#ifndef XLINK_REPORT_MAPREFERENCES_H
#define XLINK_REPORT_MAPREFERENCES_H

#include "map/LinkMap.h"
#include "model/Link.h"

namespace xlink {

/// Adds `references` and `relocations`, and says that they are there. `partOf`,
/// `globalPart`: the part of each section and global symbol, kNoIndex: none.
void addReferences(const Link &link,
                   const IdVector<SectionId, uint32_t> &partOf,
                   const OpenIdVector<SymbolId, uint32_t> &globalPart,
                   LinkMap &map);

} // namespace xlink
#endif
