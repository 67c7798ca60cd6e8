//===- MarkLive.h - garbage collection of sections ------------------------===//
#ifndef XLINK_LAYOUT_MARKLIVE_H
#define XLINK_LAYOUT_MARKLIVE_H

#include "model/Link.h"

namespace xlink {

/// --gc-sections: clears InputSection::live of what no root reaches and, for
/// mergeable sections, records in link.livePieces which bytes are referred to.
/// Without the option everything stays live.
void markLive(Link &link);

} // namespace xlink
#endif
