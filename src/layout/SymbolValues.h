//===- SymbolValues.h - one array of values -------------------------------===//
#ifndef XLINK_LAYOUT_SYMBOLVALUES_H
#define XLINK_LAYOUT_SYMBOLVALUES_H

#include "base/Diagnostics.h"
#include "layout/AddressAssignment.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// The values of all symbols for relocations.
SymbolValues computeSymbolValues(const Link &link);

/// Reports undefined symbols that the script or relocations of live sections
/// need: each with up to three references, their number, and a near spelling.
/// Nothing if an input could not be read: it may define them.
void reportUndefined(const Link &link, const SymbolValues &values,
                     const UndefinedNames &readByScript, Diagnostics &diag);

/// NOCROSSREFS and NOCROSSREFS_TO, also those of overlays: relocations from one
/// of the listed output sections to another are errors.
void checkCrossReferences(const Link &link, Diagnostics &diag);

} // namespace xlink
#endif
