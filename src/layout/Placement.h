//===- Placement.h - input sections to output sections --------------------===//
#ifndef XLINK_LAYOUT_PLACEMENT_H
#define XLINK_LAYOUT_PLACEMENT_H

#include "model/Link.h"

namespace xlink {

/// Runs the script's SECTIONS over the input sections: creates link.outputs and
/// link.layout, sets InputSection::output of everything a pattern matches,
/// marks what /DISCARD/ takes. Sections that nothing matches keep output ==
/// kNone.
void placeSections(Link &link);

/// Gives every live section that no pattern matched an output section: one of
/// its own name, where GNU ld would put it.
void placeOrphans(Link &link);

/// Settles the order of members (SHF_LINK_ORDER), and each output section's
/// type, flags and entry size.
void finishOutputs(Link &link);

/// All input sections as patterns and orphans meet them: file by file, a file's
/// COMMON symbols behind its sections, then what belongs to no file.
std::vector<SectionId> inputOrder(const Link &link);

/// Whether this is a file's COMMON, which is no section of the file and has
/// neither type nor flags for GNU ld.
bool isCommon(const InputSection &section);

} // namespace xlink
#endif
