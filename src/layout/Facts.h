//===- Facts.h - from a placement to what is known without addresses ------===//
#ifndef XLINK_LAYOUT_FACTS_H
#define XLINK_LAYOUT_FACTS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// The names by which scripts call output sections and regions, and room for
/// the rest.
Facts nameOutputs(const Parts &parts);

/// Completes those facts. Constants of the script are evaluated in `start`; the
/// names that they read count as needed there. `given`: what has a definition
/// whatever is PROVIDEd. `hadSize`: what holds something though all of it may
/// have moved on. Unknown regions are
/// reported to `diag`; null: they have been.
Facts computeFacts(const Parts &parts, Geometry &start,
                   const IdSet<SymbolId> &given, const IdSet<OutputId> &hadSize,
                   Diagnostics *diag);

/// What the inputs of an output section ask of it.
void gatherInputs(const Parts &parts, OutputId id, OutputFacts &facts);

} // namespace xlink
#endif
