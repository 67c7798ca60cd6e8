//===- AddressAssignment.h - the fixed point of addresses -----------------===//
#ifndef XLINK_LAYOUT_ADDRESSASSIGNMENT_H
#define XLINK_LAYOUT_ADDRESSASSIGNMENT_H

#include "base/Diagnostics.h"
#include "layout/UndefinedNames.h"
#include "model/Link.h"
#include "resolve/Expressions.h"

namespace xlink {

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
struct LayoutStart {
  OutputInfo info;
  Addresses addresses;
};
LayoutStart startLayout(const PartialLink &partial, Diagnostics &diag);

/// Runs the script until no address, size, symbol or expression result changes
/// any more, then once more to report problems. An evaluation that does not
/// settle is an error that names a moving value.
Layout assignAddresses(const Program &program, Placement placement,
                       const Contributions &contributions,
                       Expressions &expressions, Diagnostics &diag);

} // namespace xlink
#endif
