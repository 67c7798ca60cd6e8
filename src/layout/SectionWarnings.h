//===- SectionWarnings.h - warnings that inputs carry ---------------------===//
#ifndef XLINK_LAYOUT_SECTIONWARNINGS_H
#define XLINK_LAYOUT_SECTIONWARNINGS_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace xlink {

/// Whether a section is a warning of its file (.gnu.warning) or of a symbol
/// (.gnu.warning.SYMBOL).
bool isWarningSection(llvm::StringRef name);

/// Reports the warnings in sections of the inputs, each once, and drops those
/// sections; with -r the ones about symbols stay for the next link.
void giveSectionWarnings(Program &program, Diagnostics &diag);

} // namespace xlink
#endif
