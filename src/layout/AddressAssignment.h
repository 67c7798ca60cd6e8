//===- AddressAssignment.h - orphans, rounds, values of symbols -----------===//
#ifndef XLINK_LAYOUT_ADDRESSASSIGNMENT_H
#define XLINK_LAYOUT_ADDRESSASSIGNMENT_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/ScriptTree.h"
#include "model/SymbolValues.h"
#include "placement/Placement.h"
#include "resolve/Expressions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace xlink {

/// Names without a value that expressions read, in the order of their first
/// use. One missing --defsym may be read in fifty places: it is one error.
class UndefinedNames {
public:
  struct Use {
    ScriptLocation first; ///< the topmost one, of those in its file
    uint64_t places;
  };
  /// A place that reads such a name; a second call has no effect.
  void add(const Expr &name) {
    if (!seen.insert(&name).second)
      return;
    Use &use = names.insert({name.name, {name.where, 0}}).first->second;
    ++use.places;
    // Statements do not run in the order of the script.
    if (use.first.file == name.where.file && name.where.line < use.first.line)
      use.first = name.where;
  }
  const llvm::MapVector<llvm::StringRef, Use> &all() const { return names; }

private:
  llvm::DenseSet<const Expr *> seen;
  llvm::MapVector<llvm::StringRef, Use> names;
};

/// Options of a round.
struct RoundOptions {
  /// Every output section counts, whether it goes into the output or not: to
  /// find those with inputs.
  bool everySection = false;
  /// Sections that no input puts into memory, but in which dot makes room,
  /// which is memory. Null: none.
  const IdSet<OutputId> *makeRoom = nullptr;
  /// Problems go here; null: nowhere.
  Diagnostics *diag = nullptr;
  /// Names without a value go here; null: nowhere.
  UndefinedNames *undefined = nullptr;
  /// --enable-non-contiguous-regions: sections without room in a region move
  /// on. Else they overflow.
  bool spill = false;
};

/// The result of a round, a function of the result of the round before: equal
/// arguments, equal results.
struct RoundResult {
  Addresses addresses;
  /// Sections moved on to other places: this is the placement then.
  std::optional<Placement> moved;
};
RoundResult runRound(const PartialLink &partial, const OutputInfo &info,
                     Expressions &expressions, const Addresses &before,
                     const RoundOptions &options);

/// With the final addresses of sections: assigns symbols and checks assertions
/// once more, with the dot of existing sections; then computes the scripts'
/// data from them, and reports messages of link-time expressions. Names without
/// a value go to `undefined`.
void finishSymbols(const PartialLink &partial, const OutputInfo &info,
                   Expressions &expressions, Addresses &now, Diagnostics &diag,
                   UndefinedNames &undefined);

/// Whether a section has another place behind its current one.
bool canMoveOn(const Placement &placement, SectionId id);

/// Moves sections of one output section to their next places. `changed` is
/// called with each output section whose members changed.
void moveOn(const Program &program, Placement &placement, OutputId from,
            llvm::ArrayRef<SectionId> sections,
            llvm::function_ref<void(OutputId)> changed);

/// The final layout. The placement is the given one, except for sections that
/// moved on (--enable-non-contiguous-regions).
struct Layout {
  Placement placement;
  OutputInfo info;
  Addresses addresses;
  UndefinedNames undefined; ///< that the script reads
};

/// The state before the first round: room for the results of rounds, the names
/// that are defined in any case, addresses that options give, and the facts of
/// the placement.
std::pair<OutputInfo, Addresses> startLayout(const PartialLink &partial,
                                             Diagnostics &diag);

/// Runs the script until no address, size, symbol or expression result changes
/// any more, then once more to report problems. An evaluation that does not
/// settle is an error that names a moving value.
Layout assignAddresses(const Program &program, Placement placement,
                       const Contributions &contributions,
                       Expressions &expressions, Diagnostics &diag);

/// Gives every live section that no pattern matched an output section: one of
/// its own name, where GNU ld would put it. Then settles the order of members
/// (SHF_LINK_ORDER): the placement is complete.
Placement placeOrphans(const Program &program, Placement placement,
                       const Liveness &liveness, Diagnostics &diag);

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

/// Evaluates MEMORY into `now`, which has the values of symbols. False, and
/// errors, if a region's place means nothing.
bool evaluateRegions(const Link &link, Addresses &now, Diagnostics &diag);

/// The values of all symbols for relocations.
SymbolValues computeSymbolValues(const Link &link);

} // namespace xlink
#endif
