//===- Definitions.h - which names have a definition ----------------------===//
#ifndef XLINK_LAYOUT_DEFINITIONS_H
#define XLINK_LAYOUT_DEFINITIONS_H

#include "layout/ScriptRun.h"

namespace xlink {

/// Fills `names` with what is known before the first round: names that are
/// needed from the beginning, and those that have a definition whatever is
/// PROVIDEd, by an input or by an assignment, but for one that needs the name
/// itself. `run` is over a geometry in which nothing is placed.
void findDefinitions(const Parts &parts, ScriptRun &run, NameKnowledge &names);

} // namespace xlink
#endif
