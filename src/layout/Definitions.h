//===- Definitions.h - which names have a definition ----------------------===//
#ifndef XLINK_LAYOUT_DEFINITIONS_H
#define XLINK_LAYOUT_DEFINITIONS_H

#include "layout/ScriptRun.h"

namespace xlink {

/// Fills `names` before the first round: names that are needed from the
/// beginning, and those with a definition beside any PROVIDE, by an input or by
/// an assignment, except one that needs the name itself. `run` is over a
/// geometry in which nothing is placed.
void findDefinitions(const PartialLink &partial, ScriptRun &run,
                     NameKnowledge &names);

} // namespace xlink
#endif
