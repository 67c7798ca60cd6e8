//===- OrphanMessages.h - messages about orphans --------------------------===//
#ifndef XLINK_LAYOUT_ORPHANMESSAGES_H
#define XLINK_LAYOUT_ORPHANMESSAGES_H

#include "base/Diagnostics.h"
#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace xlink {

/// ".ctors" of ".ctors.1": the table of functions of a section.
std::optional<llvm::StringRef> tableFamily(llvm::StringRef name);

/// Start-up code calls only the arrays that the machine's script places.
/// `reported`: the tables already reported.
void reportUncalled(const Program &program, SectionId id,
                    llvm::StringSet<> &reported, Diagnostics &diag);

/// Reports a pattern that matches nothing if a section that no pattern took,
/// dropped or not, has a similar name: one of `withoutPattern`, by name. Else
/// such a pattern is usual in scripts for many programs.
void reportUnmatched(const Program &program, const Placement &placement,
                     const Liveness &liveness,
                     const llvm::StringMap<SectionId> &withoutPattern,
                     Diagnostics &diag);

} // namespace xlink
#endif
