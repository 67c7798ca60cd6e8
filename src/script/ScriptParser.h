//===- ScriptParser.h - text to tree --------------------------------------===//
#ifndef XLINK_SCRIPT_SCRIPTPARSER_H
#define XLINK_SCRIPT_SCRIPTPARSER_H

#include "base/Diagnostics.h"
#include "model/ScriptTree.h"

namespace xlink {

/// Finds and reads the file of an INCLUDE: `name` as written -> its text and
/// the name that messages use, or nothing when there is no such file.
struct IncludedText {
  std::string path, text;
};
using IncludeReader =
    llvm::function_ref<std::optional<IncludedText>(llvm::StringRef name)>;

/// Parses `text` (called `file` in messages) and adds it to `script`. Errors go
/// to `diag` with file:line:column, the line and a caret; returns false then.
bool parseScript(llvm::StringRef file, std::string text, IncludeReader include,
                 Script &script, Diagnostics &diag);

/// Parses a file of --section-ordering-file: output sections with statements
/// only, assignments and ASSERTs. Adds them to Script::ordering.
bool parseSectionOrdering(llvm::StringRef file, std::string text,
                          IncludeReader include, Script &script,
                          Diagnostics &diag);

/// Parses one `NAME=EXPRESSION` of --defsym into an assignment without a
/// location; the tree's text is kept alive by `script`.
std::unique_ptr<AssignmentCommand>
parseDefsym(llvm::StringRef text, Script &script, Diagnostics &diag);
/// Parses an address of an option, --section-start and its like: an expression
/// whose numbers without 0x are hexadecimal. Null after an error.
ExprPtr parseAddress(llvm::StringRef option, llvm::StringRef text,
                     Script &script, Diagnostics &diag);

/// The word of an operator or a function in scripts; "" without one (numbers,
/// symbols, dot, the conditional).
llvm::StringRef expressionWord(ExprKind kind);

/// A section flag of INPUT_SECTION_FLAGS: a number, or a name that all machines
/// share.
std::optional<uint64_t> sectionFlag(llvm::StringRef word);

/// Adds the excerpt to messages that begin with FILE:LINE:COLUMN of a script: a
/// problem found after parsing has a location and no text.
void showScriptLines(const Script &script, std::vector<Diagnostic> &messages);

/// Whether the text matches: *, ?, [a-z], [!a-z], backslash (GNU ld: fnmatch).
bool globMatch(const GlobPattern &pattern, llvm::StringRef text);

/// The common beginning of all texts that a pattern with wildcards matches.
llvm::StringRef plainPrefix(llvm::StringRef pattern);

} // namespace xlink
#endif
