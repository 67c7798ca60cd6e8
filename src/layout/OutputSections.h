//===- OutputSections.h ---------------------------------------------------===//
#ifndef XLINK_LAYOUT_OUTPUTSECTIONS_H
#define XLINK_LAYOUT_OUTPUTSECTIONS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// The names of output sections and regions in scripts, and room for the rest.
OutputInfo nameOutputs(const PartialLink &partial);

/// Completes those facts. Constants of the script are evaluated in `start`; the
/// names that they read count as needed there. `given`: names with a definition
/// beside any PROVIDE. `hadSize`: output sections that held inputs, even if all
/// moved on. Unknown regions are reported to `diag`; null: they have been.
OutputInfo computeOutputInfo(const PartialLink &partial, Addresses &start,
                             const IdSet<SymbolId> &given,
                             const IdSet<OutputId> &hadSize, Diagnostics *diag);

/// The requirements of an output section's inputs.
void gatherInputs(const PartialLink &partial, OutputId id,
                  OutputSectionInfo &info);

} // namespace xlink
#endif
