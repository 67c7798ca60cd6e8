//===- Orphans.h - sections that no pattern matched -----------------------===//
#ifndef XLINK_LAYOUT_ORPHANS_H
#define XLINK_LAYOUT_ORPHANS_H

#include "placement/Placement.h"

namespace xlink {

/// Gives every live section that no pattern matched an output section: one of
/// its own name, where GNU ld would put it. Then settles the order of members
/// (SHF_LINK_ORDER): the placement is complete.
Placement placeOrphans(const Program &program, Placement placement,
                       const Liveness &liveness, Diagnostics &diag);

} // namespace xlink
#endif
