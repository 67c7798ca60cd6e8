//===- ScriptSymbols.h - names that scripts assign and read ---------------===//
#ifndef XLINK_RESOLVE_SCRIPTSYMBOLS_H
#define XLINK_RESOLVE_SCRIPTSYMBOLS_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <vector>

namespace xlink {

/// Marks every name that the script or --defsym assigns: it counts as defined,
/// so it pulls no archive member and overrides an object's definition. PROVIDE
/// is different: it steps back for any definition.
void declareScriptSymbols(Program &program);

/// Names to which the script or --defsym assigns a value that does not depend
/// on the name's own: no definition of an input is needed for it.
llvm::StringSet<> namesReplacedByScript(const Program &program);

/// Whether a PROVIDE of the script defines a name that is referenced.
bool isProvided(const Program &program, llvm::StringRef name);

/// The names that a statement of a script reads.
struct ScriptReads {
  std::optional<llvm::StringRef> provides; ///< the name that it PROVIDEs
  std::vector<llvm::StringRef> names;

  /// Whether the statement is no PROVIDE, or one that is needed.
  bool takesPlace(const Program &program) const;
};
/// Statements that read names, in the order of the script.
std::vector<ScriptReads> readsOfScript(const Program &program);

/// The names that statements which take place read, with repetitions.
std::vector<llvm::StringRef> symbolsReadByScript(const Program &program);

/// For each pattern: calls fn for the symbols whose names match, in the order
/// of the table. Symbols that fn enters count from the next pattern on.
void forEachMatch(const SymbolTable &symbols,
                  llvm::ArrayRef<std::string> patterns,
                  llvm::function_ref<void(SymbolId)> fn);

/// The text of the machine's built-in script, its variables replaced from the
/// state.
std::string builtinScriptText(const Target &target, const TargetState &state);
/// Parses it into program.script.
void loadBuiltinScript(Program &program, Diagnostics &diag);

/// Puts the statements of --section-ordering-file in front of those of the
/// output sections that it names, and the rest of it behind the script.
void applySectionOrdering(Program &program, Diagnostics &diag);

/// Parses the addresses that options give.
void parseOptionAddresses(Program &program, Diagnostics &diag);

/// Enters every name that layout may give a value: those that scripts assign,
/// and the linker's own. From here on there are no new symbols.
void declareAssignedNames(Program &program);

} // namespace xlink
#endif
