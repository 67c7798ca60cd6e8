//===- SettleContributions.h ----------------------------------------------===//
#ifndef XLINK_SECTIONS_SETTLECONTRIBUTIONS_H
#define XLINK_SECTIONS_SETTLECONTRIBUTIONS_H

#include "model/EhRecords.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// The contents of live, placed sections: unwind tables without records of
/// dropped code, equal pieces stored once, used GOT slots. Moves sections with
/// such pieces together.
Contributions settleContributions(const Program &program, Placement &placement,
                                  Liveness liveness,
                                  const std::vector<EhFrame> &frames);

} // namespace xlink
#endif
