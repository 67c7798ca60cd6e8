//===- ParallelUsage.h - globals that parallel functions share ------------===//
#ifndef XLINK_REPORT_PARALLELUSAGE_H
#define XLINK_REPORT_PARALLELUSAGE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// Of two functions that an object names as running in parallel, one writes a
/// global that the other reads or writes too, itself or through what it calls:
/// a warning with the source lines, or an error with --error-parallel-usage. A
/// function that runs in parallel with itself must not write a global at all.
/// To be given a reference to a global counts as reading it: what is done with
/// it, compilers state of the function that gives it. Addresses must be fixed.
void checkParallelUsage(const Link &link, const SymbolValues &values,
                        Diagnostics &diag);

} // namespace xlink
#endif
