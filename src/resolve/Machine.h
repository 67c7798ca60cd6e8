//===- Machine.h - what all inputs together say of the machine ------------===//
#ifndef XLINK_RESOLVE_MACHINE_H
#define XLINK_RESOLVE_MACHINE_H

#include "model/Link.h"

namespace xlink {

/// Turns options and the headers of all files into link.state; reports what
/// does not go together.
void configureMachine(Link &link);

/// Keeps the first object's attributes section and drops the others; two that
/// disagree are an error.
void mergeAttributes(Link &link);

/// Drops debug sections under -S and -s.
void dropStripped(Link &link);

} // namespace xlink
#endif
