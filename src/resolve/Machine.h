//===- Machine.h - the machine by options and the headers of all inputs ---===//
#ifndef XLINK_RESOLVE_MACHINE_H
#define XLINK_RESOLVE_MACHINE_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace xlink {

/// Turns options and the headers of all files into program.state; reports
/// contradictions.
void configureMachine(Program &program, Diagnostics &diag);

/// Keeps the first object's attributes section and drops the others, with a
/// warning for the first of each kind that disagrees with it.
void mergeAttributes(Program &program, Diagnostics &diag);

/// Drops debug sections under -S and -s.
void dropStripped(Program &program);

} // namespace xlink
#endif
