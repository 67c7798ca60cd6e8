//===- ScriptSymbols.h - names that scripts assign and read ---------------===//
#ifndef XLINK_RESOLVE_SCRIPTSYMBOLS_H
#define XLINK_RESOLVE_SCRIPTSYMBOLS_H

#include "model/Link.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace xlink {

/// Marks every name that the script or --defsym assigns: it counts as defined,
/// so it pulls no archive member and overrides an object's definition. PROVIDE
/// is different: it steps back for any definition.
void declareScriptSymbols(Link &link);

/// Names to which the script or --defsym assigns a value that does not depend
/// on the name's own: no definition of an input is needed for it.
llvm::StringSet<> namesReplacedByScript(const Link &link);

/// The names that effective script expressions read, with repetitions.
std::vector<llvm::StringRef> symbolsReadByScript(const Link &link);

/// Parses the machine's built-in script, its variables replaced from
/// link.state, into link.script.
void loadBuiltinScript(Link &link);

} // namespace xlink
#endif
