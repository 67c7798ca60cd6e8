//===- SymbolValues.h - one array of values -------------------------------===//
#ifndef XLINK_LAYOUT_SYMBOLVALUES_H
#define XLINK_LAYOUT_SYMBOLVALUES_H

#include "model/Link.h"

namespace xlink {

/// Fills link.globalAddress, link.valueAddress and link.valueKind: what each
/// relocation finds at its symbol. Addresses are fixed from here on.
void computeSymbolValues(Link &link);

/// Reports undefined symbols that relocations of live sections need: each with
/// up to three references, their number, and a near spelling.
void reportUndefined(Link &link);

/// NOCROSSREFS and NOCROSSREFS_TO, also those of overlays: relocations from one
/// of the listed output sections to another are errors.
void checkCrossReferences(Link &link);

} // namespace xlink
#endif
