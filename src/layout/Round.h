//===- Round.h - one round of address assignment --------------------------===//
#ifndef XLINK_LAYOUT_ROUND_H
#define XLINK_LAYOUT_ROUND_H

#include "base/Diagnostics.h"
#include "layout/UndefinedNames.h"
#include "model/Link.h"
#include "resolve/Expressions.h"
#include <optional>

namespace xlink {

/// What a round may do beside finding addresses.
struct RoundOptions {
  /// Every output section counts, whether it goes into the output or not: finds
  /// out which hold something.
  bool everySection = false;
  /// Sections that no input puts into memory, but in which dot makes room: it
  /// is memory like any other. Null: none.
  const IdSet<OutputId> *makeRoom = nullptr;
  /// Problems go here; null: nowhere.
  Diagnostics *diag = nullptr;
  /// Names without a value go here; null: nowhere.
  UndefinedNames *undefined = nullptr;
  /// --enable-non-contiguous-regions: sections that a region has no room for
  /// move on. Else what has no room overflows.
  bool spill = false;
};

/// What a round finds, from what the round before has found. A function: equal
/// arguments, equal results.
struct RoundResult {
  Geometry geometry;
  /// Sections moved on to other places: this is the placement then.
  std::optional<Placement> moved;
  /// How many statements, sections, regions and names were looked at: a measure
  /// of the work for tests.
  uint64_t steps = 0;
};
RoundResult runRound(const Parts &parts, const Facts &facts,
                     Expressions &expressions, const Geometry &before,
                     const RoundOptions &options);

} // namespace xlink
#endif
