//===- Placement.h - input sections to output sections --------------------===//
#ifndef XLINK_PLACEMENT_PLACEMENT_H
#define XLINK_PLACEMENT_PLACEMENT_H

#include "base/Diagnostics.h"
#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace xlink {

/// Runs the script's SECTIONS over the input sections: makes output sections
/// and statements, fills them with the matching sections, and marks those of
/// /DISCARD/. Sections without a match are in no output section.
Placement placeSections(const Program &program, Diagnostics &diag);

/// The first section that the linker makes: those of files come before it.
SectionId madeSections(const Program &program);

/// All input sections in the order of patterns and orphans, also those that
/// resolution discarded: file by file, a file's COMMON symbols behind its
/// sections, then those of no file.
std::vector<SectionId> inputOrder(const Program &program);

/// Whether a section has an output section of its own that no pattern takes:
/// --unique=GLOB names it, or it is a member of a group that -r keeps.
bool standsAlone(const Program &program, const InputSection &section);

/// Places the sections of a relocatable output that no script describes: those
/// that the next link treats alike share an output section, all in the order of
/// the inputs.
Placement placeByName(const Program &program, Placement placement,
                      const Liveness &liveness);

/// Whether a statement between output sections assigns to dot.
bool assignsDot(const LayoutCommand &command);

/// Where GNU ld inserts an output section that is to follow another, by INSERT
/// or as an orphan: behind the assignments to symbols, but before the first one
/// to dot, which is for the next section. `next` is the place of the output
/// section behind, `dot` that of the first assignment to dot between the two;
/// without a section in front the second one, as `. = base` at the layout's
/// start is for all sections. `end` stands for none. `setUp(next)` tells
/// whether dot can have been set up for that section.
template <class Place, class SetUp>
Place insertionPoint(Place next, Place dot, Place end, SetUp setUp) {
  return next == end || dot == end || !setUp(next) ? next : dot;
}

/// Moves the results of each SECTIONS with an INSERT to their place.
void moveInserted(const Program &program, Placement &placement,
                  Diagnostics &diag);

/// Puts the sections of symbols that --symbol-ordering-file names in front of
/// the others of their statement: in statements of the script, or in those of
/// orphans.
void orderBySymbols(const Program &program, Placement &placement, bool orphans);

/// Warns of names in that file that order no section.
void reportUnorderable(const Program &program, const Placement &placement,
                       const Liveness &liveness, Diagnostics &diag);

/// Whether input section `a` and the piece `b` next to it must stay adjacent.
bool stayTogether(const Program &program, SectionId a, SectionId b);

/// Discards each section with SHF_LINK_ORDER whose described section is
/// discarded, directly or through others, or for which `alsoGone` is true.
/// Returns the output sections whose members changed.
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

/// The section that a SHF_LINK_ORDER section describes. A wrong sh_link (they
/// exist) gives none, and no error.
SectionId linkedTo(const Program &program, SectionId id);

} // namespace xlink
#endif
