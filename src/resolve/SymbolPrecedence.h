//===- SymbolPrecedence.h - which of several definitions counts -----------===//
#ifndef XLINK_RESOLVE_SYMBOLPRECEDENCE_H
#define XLINK_RESOLVE_SYMBOLPRECEDENCE_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace xlink {

/// Whether a symbol of a file refers to a name: it is undefined, or its section
/// lost its COMDAT group or never enters the output, so that the definition
/// that did is meant.
bool refers(const Program &program, FileId file, const ParsedSymbol &symbol);

/// Resolves a name with the symbol of a further file: changes `symbol` alone.
/// Reports a second strong definition, and what --warn-common asks for.
void resolveSymbol(const Program &program, Symbol &symbol, FileId file,
                   uint32_t index, Diagnostics &diagnostics);

} // namespace xlink
#endif
