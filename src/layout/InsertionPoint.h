//===- InsertionPoint.h - behind a section, among assignments -------------===//
#ifndef XLINK_LAYOUT_INSERTIONPOINT_H
#define XLINK_LAYOUT_INSERTIONPOINT_H

#include "model/Placement.h"

namespace xlink {

/// Where GNU ld inserts an output section that is to follow another, by INSERT
/// or as an orphan: behind the assignments to symbols, but before the first one
/// to dot, which sets up what comes next. `it` is the statement behind the
/// section; with `atStart`, the layout's first one: `. = base` there is meant
/// for everything. `setUp(id)` tells whether dot can have been set up for the
/// output section `id`.
template <class Iterator, class SetUp>
Iterator insertionPoint(Iterator it, Iterator end, bool atStart, SetUp setUp) {
  Iterator dotAssignment = end;
  for (; it != end && it->output == kNone; ++it) {
    if (it->command->kind != CommandKind::Assignment ||
        !static_cast<const AssignmentCommand *>(it->command)->isDot())
      continue;
    if (dotAssignment == end && !atStart)
      dotAssignment = it;
    atStart = false;
  }
  if (it == end || dotAssignment == end || !setUp(it->output))
    return it;
  return dotAssignment;
}

} // namespace xlink
#endif
