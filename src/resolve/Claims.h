//===- Claims.h - which of several definitions of a name counts -----------===//
#ifndef XLINK_RESOLVE_CLAIMS_H
#define XLINK_RESOLVE_CLAIMS_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xlink {

/// What there is to say of two inputs that define one name.
enum class Conflict : uint8_t {
  Duplicate,         ///< two strong definitions
  EqualCommons,      ///< --warn-common, as are all below
  LargerCommon,      ///< a COMMON symbol behind a smaller one
  SmallerCommon,     ///< behind a larger one
  CommonAfterStrong, ///< behind a definition
  StrongAfterCommon, ///< a definition behind a COMMON symbol
};

/// Whether a symbol of a file refers to a name: it is undefined, or its section
/// lost its COMDAT group or never enters the output, so that the definition
/// that did is meant.
bool refers(const Program &program, FileId file, const ParsedSymbol &symbol);

/// Takes a file's symbol into account, behind all that stand in front of it.
/// Touches nothing but `symbol`; `report` is called before it changes.
void claim(const Program &program, Symbol &symbol, FileId file, uint32_t index,
           llvm::function_ref<void(Conflict)> report);

/// A conflict of a file's symbol with what its name was before.
struct NotedConflict {
  Conflict conflict;
  Symbol old;
  FileId file;
  uint32_t index; ///< of the symbol
};

/// Reports a conflict.
void reportConflict(const Program &program, Diagnostics &diagnostics,
                    const NotedConflict &noted);

} // namespace xlink
#endif
