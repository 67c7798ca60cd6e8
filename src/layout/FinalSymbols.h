//===- FinalSymbols.h - values between sections that stand ----------------===//
#ifndef XLINK_LAYOUT_FINALSYMBOLS_H
#define XLINK_LAYOUT_FINALSYMBOLS_H

#include "base/Diagnostics.h"
#include "layout/UndefinedNames.h"
#include "model/Link.h"
#include "resolve/Expressions.h"

namespace xlink {

/// Symbols and assertions once more, with dot as the sections that exist leave
/// it; then the data that scripts compute from them, and the messages of
/// link-time expressions. Names without a value go to `undefined`.
void finishSymbols(const Parts &parts, const Facts &facts,
                   Expressions &expressions, Geometry &now, Diagnostics &diag,
                   UndefinedNames &undefined);

} // namespace xlink
#endif
