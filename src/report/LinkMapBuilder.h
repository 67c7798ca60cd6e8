//===- LinkMapBuilder.h - a finished link as one value --------------------===//
#ifndef XLINK_REPORT_LINKMAPBUILDER_H
#define XLINK_REPORT_LINKMAPBUILDER_H

#include "map/LinkMap.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// All that LinkMap tells of a link but `stacks`. Addresses must be fixed;
/// errors do not matter. The texts in it are the link's: it must not outlive
/// that.
///
/// `crossed`: with references and counts of relocations.
LinkMap buildLinkMap(const Link &link, const SymbolValues &values,
                     bool crossed);

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
