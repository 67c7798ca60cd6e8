//===- ReferenceChecks.h - references that are errors ---------------------===//
#ifndef XLINK_LAYOUT_REFERENCECHECKS_H
#define XLINK_LAYOUT_REFERENCECHECKS_H

#include "base/Diagnostics.h"
#include "layout/AddressAssignment.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// Reports undefined symbols that the script or relocations of live sections
/// need: each with up to three references, their number, and a near spelling.
/// Nothing if an input could not be read: it may define them.
void reportUndefined(const Link &link, const SymbolValues &values,
                     const UndefinedNames &readByScript, Diagnostics &diag);

/// NOCROSSREFS and NOCROSSREFS_TO, also those of overlays: relocations from one
/// of the listed output sections to another are errors.
void checkCrossReferences(const Link &link, Diagnostics &diag);

/// Whether a section is a warning of its file (.gnu.warning) or of a symbol
/// (.gnu.warning.SYMBOL).
bool isWarningSection(llvm::StringRef name);

/// Reports the warnings in sections of the inputs, each once, and drops those
/// sections; with -r the ones about symbols stay for the next link.
void giveSectionWarnings(Program &program, Diagnostics &diag);

} // namespace xlink
#endif
