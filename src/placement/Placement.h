//===- Placement.h - input sections to output sections --------------------===//
#ifndef XLINK_PLACEMENT_PLACEMENT_H
#define XLINK_PLACEMENT_PLACEMENT_H

#include "base/Diagnostics.h"
#include "model/Contents.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace xlink {

/// Runs the script's SECTIONS over the input sections: output sections,
/// statements, and in them everything that a pattern matches; marks what
/// /DISCARD/ takes. Sections that nothing matches are in no output section.
Placement placeSections(const Program &program, Diagnostics &diag);

/// All input sections as patterns and orphans meet them: file by file, a file's
/// COMMON symbols behind its sections, then what belongs to no file.
std::vector<SectionId> inputOrder(const Program &program);

/// Whether a section has an output section of its own that no pattern takes:
/// --unique=GLOB names it, or it is a member of a group that -r keeps.
bool standsAlone(const Program &program, const InputSection &section);

/// Places the sections of a relocatable output that no script describes: those
/// that the next link would not tell apart share an output section, and all
/// are in the order of the inputs.
Placement placeByName(const Program &program, Placement placement,
                      const Liveness &liveness);

/// Discards each section with SHF_LINK_ORDER whose section, or that one's, and
/// so on, is discarded, or of which `alsoGone` is true. Returns the output
/// sections whose members are others then.
std::vector<OutputId>
dropDependents(const Program &program, Placement &placement,
               llvm::function_ref<bool(SectionId)> alsoGone = nullptr);

/// Takes sections out of an output section.
void removeMembers(OutputSection &out,
                   llvm::function_ref<bool(SectionId)> goes);

/// Whether any input section has SHF_LINK_ORDER.
bool anyLinked(const Placement &placement);

/// Puts sections with SHF_LINK_ORDER into the order of those they describe,
/// whose output sections are in the order of `outputs`. Whether that changed
/// anything.
bool orderLinked(const Program &program, Placement &placement,
                 llvm::ArrayRef<OutputId> outputs);

/// Where a SHF_LINK_ORDER section says that it belongs: the section it
/// describes. A wrong sh_link (they exist) is none, and no error.
SectionId linkedTo(const Program &program, SectionId id);

} // namespace xlink
#endif
