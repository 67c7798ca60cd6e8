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

/// Where there is no MEMORY: the regions that hold the output sections, and how
/// far these fill them. Needs the output sections.
void useMachineRegions(const Link &link, LinkMap &map);

/// What is set aside for heaps and stacks, in the regions. Needs the output
/// sections and their parts.
void addReservations(const Link &link, const SymbolValues &values,
                     LinkMap &map);

} // namespace xlink
#endif
