//===- OrphanMessages.h - what is said of sections without a pattern ------===//
#ifndef XLINK_LAYOUT_ORPHANMESSAGES_H
#define XLINK_LAYOUT_ORPHANMESSAGES_H

#include "base/Diagnostics.h"
#include "model/Contents.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace xlink {

/// ".ctors" of ".ctors.1": which table of functions a section belongs to.
std::optional<llvm::StringRef> tableFamily(llvm::StringRef name);

/// Start-up code walks the arrays that the machine's script gives a place; what
/// stands elsewhere is never called. `reported`: the tables that have been.
void reportUncalled(const Program &program, SectionId id,
                    llvm::StringSet<> &reported, Diagnostics &diag);

/// A pattern that matches nothing is usual in scripts for many programs, unless
/// some section that no pattern took, dropped or not, is named almost like it:
/// one of `withoutPattern`, by name.
void reportUnmatched(const Program &program, const Placement &placement,
                     const Liveness &liveness,
                     const llvm::StringMap<SectionId> &withoutPattern,
                     Diagnostics &diag);

} // namespace xlink
#endif
