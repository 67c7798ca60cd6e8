//===- RegionSpill.h - --enable-non-contiguous-regions --------------------===//
#ifndef XLINK_LAYOUT_REGIONSPILL_H
#define XLINK_LAYOUT_REGIONSPILL_H

#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xlink {

/// Whether a section has another place behind its current one.
bool canMoveOn(const Placement &placement, SectionId id);

/// Moves sections of one output section to their next places. `changed` is
/// called with each output section whose members changed.
void moveOn(const Program &program, Placement &placement, OutputId from,
            llvm::ArrayRef<SectionId> sections,
            llvm::function_ref<void(OutputId)> changed);

} // namespace xlink
#endif
