//===- InsertionPoint.h - behind a section, among assignments -------------===//
#ifndef XLINK_PLACEMENT_INSERTIONPOINT_H
#define XLINK_PLACEMENT_INSERTIONPOINT_H

#include "model/Placement.h"

namespace xlink {

/// Whether a statement between output sections assigns to dot.
inline bool assignsDot(const LayoutCommand &c) {
  return c.output == kNone && c.command->kind == CommandKind::Assignment &&
         static_cast<const AssignmentCommand *>(c.command)->isDot();
}

/// Where GNU ld inserts an output section that is to follow another, by INSERT
/// or as an orphan: behind the assignments to symbols, but before the first one
/// to dot, which is for the next section. `next` is the place of the output
/// section behind, `dot` that of the first assignment to dot between the two;
/// without a section in front the second one, as `. = base` at the layout's
/// start is for all sections. `end` stands for none. `setUp(next)` tells
/// whether dot can have been set up for that section.
template <class Place, class SetUp>
Place insertionPoint(Place next, Place dot, Place end, SetUp setUp) {
  return next == end || dot == end || !setUp(next) ? next : dot;
}

} // namespace xlink
#endif
