//===- Round.h - one round of address assignment --------------------------===//
#ifndef XLINK_LAYOUT_ROUND_H
#define XLINK_LAYOUT_ROUND_H

#include "base/Diagnostics.h"
#include "layout/UndefinedNames.h"
#include "model/Link.h"
#include "resolve/Expressions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace xlink {

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

} // namespace xlink
#endif
