//===- SymbolValues.h - one array of values -------------------------------===//
#ifndef XLINK_LAYOUT_SYMBOLVALUES_H
#define XLINK_LAYOUT_SYMBOLVALUES_H

#include "base/Diagnostics.h"
#include "layout/UndefinedNames.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// What each relocation finds at its symbol.
SymbolValues computeSymbolValues(const Link &link);

/// Reports undefined symbols that the script or relocations of live sections
/// need: each with up to three references, their number, and a near spelling.
/// Nothing when an input could not be read: it may be what defines them.
void reportUndefined(const Link &link, const SymbolValues &values,
                     const UndefinedNames &readByScript, Diagnostics &diag);

/// NOCROSSREFS and NOCROSSREFS_TO, also those of overlays: relocations from one
/// of the listed output sections to another are errors.
void checkCrossReferences(const Link &link, Diagnostics &diag);

} // namespace xlink
#endif
