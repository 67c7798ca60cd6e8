//===- Machine.h - what all inputs together say of the machine ------------===//
#ifndef XLINK_RESOLVE_MACHINE_H
#define XLINK_RESOLVE_MACHINE_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace xlink {

/// Turns options and the headers of all files into program.state; reports what
/// does not go together.
void configureMachine(Program &program, Diagnostics &diag);

/// Keeps the first object's attributes section and drops the others, with a
/// warning for the first of each kind that disagrees with it.
void mergeAttributes(Program &program, Diagnostics &diag);

/// Drops debug sections under -S and -s.
void dropStripped(Program &program);

} // namespace xlink
#endif
