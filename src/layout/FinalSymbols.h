//===- FinalSymbols.h - values between sections that stand ----------------===//
#ifndef XLINK_LAYOUT_FINALSYMBOLS_H
#define XLINK_LAYOUT_FINALSYMBOLS_H

#include "base/Diagnostics.h"
#include "layout/UndefinedNames.h"
#include "model/Link.h"
#include "resolve/Expressions.h"

namespace xlink {

/// Assigns symbols and checks assertions once more, with the dot of existing
/// sections; then computes the scripts' data from them, and reports messages of
/// link-time expressions. Names without a value go to `undefined`.
void finishSymbols(const PartialLink &partial, const OutputInfo &info,
                   Expressions &expressions, Addresses &now, Diagnostics &diag,
                   UndefinedNames &undefined);

} // namespace xlink
#endif
