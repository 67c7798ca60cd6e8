//===- MapRegions.h - memory regions of a LinkMap -------------------------===//
#ifndef XLINK_REPORT_MAPREGIONS_H
#define XLINK_REPORT_MAPREGIONS_H

#include "map/LinkMap.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// The regions of MEMORY or, where the script has none, those of the machine's
/// own script: then nothing of them is in use yet. None for a machine that
/// knows no memory, and with -r.
void addRegions(const Link &link, LinkMap &map);

/// Adds members that depend on the output sections and their parts: where there
/// is no MEMORY the regions that hold the output sections, and how far these
/// fill them; and the room that is set aside for heaps and stacks.
void completeRegions(const Link &link, const SymbolValues &values,
                     LinkMap &map);

} // namespace xlink
#endif
