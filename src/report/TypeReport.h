//===- TypeReport.h - the types that objects state ------------------------===//
#ifndef XLINK_REPORT_TYPEREPORT_H
#define XLINK_REPORT_TYPEREPORT_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include <string>

namespace xlink {

/// Warns of global symbols for which objects state types that contradict each
/// other. A type that leaves something open (no prototype, no size, no members)
/// contradicts nothing.
void checkTypes(const Program &program, Diagnostics &diag);

/// --dump-types: a line "FILE: DECLARATION" for each stated type, in order.
/// Malformed ones are printed as they are, with a warning.
std::string typesText(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
