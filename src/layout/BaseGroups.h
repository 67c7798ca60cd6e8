//===- BaseGroups.h - sections addressed from a base symbol ---------------===//
#ifndef XLINK_LAYOUT_BASEGROUPS_H
#define XLINK_LAYOUT_BASEGROUPS_H

#include "model/Link.h"

namespace xlink {

/// Index into target->baseSymbols of the group that `out` belongs to, by the
/// flags of its content or, while it has none, by the family of its name
/// (".cp.string" is of the family of ".cp.rodata"); kNone: no group.
uint32_t baseGroupOf(const Target &target, const OutputSection &out,
                     uint64_t flags);

/// Finds the output section at which each base symbol stands, and raises its
/// alignment to the largest in the group, so that everything keeps its
/// alignment relative to the base.
void alignBaseGroups(const Parts &parts, Facts &facts);

/// Notes for a reference that does not reach: how large the group is, what
/// fills it, and what moving to its end means. `reach` is how many bytes of it
/// the field reaches.
std::vector<std::string> describeBaseGroup(const Link &link, uint32_t group,
                                           uint64_t reach);

} // namespace xlink
#endif
