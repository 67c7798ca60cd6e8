//===- SymbolPrecedence.h - which of several definitions counts
//------------===//
#ifndef XLINK_RESOLVE_SYMBOLPRECEDENCE_H
#define XLINK_RESOLVE_SYMBOLPRECEDENCE_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xlink {

/// How a definition contradicts the one that its name had before.
enum class DuplicateKind : uint8_t {
  Strong,            ///< two strong definitions
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

/// Resolves a name with the symbol of a further file. Changes nothing but
/// `symbol`; `report` is called before that.
void resolveSymbol(const Program &program, Symbol &symbol, FileId file,
                   uint32_t index,
                   llvm::function_ref<void(DuplicateKind)> report);

/// A further definition of a name.
struct DuplicateDefinition {
  DuplicateKind kind;
  Symbol old; ///< the name's symbol before
  FileId file;
  uint32_t index; ///< of the further definition in the file's symbols
};

void reportDuplicate(const Program &program, Diagnostics &diagnostics,
                     const DuplicateDefinition &duplicate);

} // namespace xlink
#endif
