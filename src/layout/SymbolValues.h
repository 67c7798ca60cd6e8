//===- SymbolValues.h - one array of values -------------------------------===//
#ifndef XLINK_LAYOUT_SYMBOLVALUES_H
#define XLINK_LAYOUT_SYMBOLVALUES_H

#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// The values of all symbols for relocations.
SymbolValues computeSymbolValues(const Link &link);

} // namespace xlink
#endif
