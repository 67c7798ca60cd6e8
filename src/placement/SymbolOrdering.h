//===- SymbolOrdering.h - --symbol-ordering-file --------------------------===//
#ifndef XLINK_PLACEMENT_SYMBOLORDERING_H
#define XLINK_PLACEMENT_SYMBOLORDERING_H

#include "base/Diagnostics.h"
#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"

namespace xlink {

/// Puts the sections of symbols that --symbol-ordering-file names in front of
/// the others of their statement: in statements of the script, or in those of
/// orphans.
void orderBySymbols(const Program &program, Placement &placement, bool orphans);

/// Warns of names in that file that order no section.
void reportUnorderable(const Program &program, const Placement &placement,
                       const Liveness &liveness, Diagnostics &diag);

/// Whether input section `a` and the piece `b` next to it must stay adjacent.
bool stayTogether(const Program &program, SectionId a, SectionId b);

} // namespace xlink
#endif
