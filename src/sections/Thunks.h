//===- Thunks.h - code between callers and functions ----------------------===//
#ifndef XLINK_SECTIONS_THUNKS_H
#define XLINK_SECTIONS_THUNKS_H

#include "base/Diagnostics.h"
#include "model/Link.h"

namespace xlink {

/// Makes code for callers that pass less than a function expects, by the types
/// that objects state (Target::thunkMaker): one section for each function
/// and way of calling it, in a file of the linker's own. These callers' symbols
/// of the function and of its stack words are the code's from then on. Before
/// any other made section.
void makeThunks(Program &program);

/// Reports live references that need such code and cannot have it.
void checkThunks(const Link &link, Diagnostics &diag);

} // namespace xlink
#endif
