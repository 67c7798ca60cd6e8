//===- Converters.h - code between callers and functions ------------------===//
#ifndef XLINK_SECTIONS_CONVERTERS_H
#define XLINK_SECTIONS_CONVERTERS_H

#include "base/Diagnostics.h"
#include "model/Link.h"

namespace xlink {

/// Makes code for callers that pass less than a function expects, as far as
/// types that objects state tell (Target::callConverter): one section for each
/// function and way of calling it, in a file of the linker's own. What those
/// callers know as the function is that code from then on, and what they know
/// as its stack words is the code's. Before any other made section.
void makeConverters(Program &program);

/// Of references that need such code and cannot have it, those that live.
void checkConverters(const Link &link, Diagnostics &diag);

} // namespace xlink
#endif
