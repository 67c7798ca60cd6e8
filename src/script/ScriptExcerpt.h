//===- ScriptExcerpt.h - the line of a script in a message ----------------===//
#ifndef XLINK_SCRIPT_SCRIPTEXCERPT_H
#define XLINK_SCRIPT_SCRIPTEXCERPT_H

#include "base/Diagnostics.h"
#include "model/ScriptTree.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xlink {

/// The line, shortened around `column` if very long, and a second one with a
/// caret below the byte at `column` (from 0); nothing for a blank line.
std::vector<std::string> scriptExcerpt(llvm::StringRef line, size_t column);

/// Adds the excerpt to messages that begin with FILE:LINE:COLUMN of a script: a
/// problem found after parsing has a location and no text.
void showScriptLines(const Script &script, std::vector<Diagnostic> &messages);

} // namespace xlink
#endif
