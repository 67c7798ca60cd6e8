//===- Resolver.h - symbols, archives, COMDAT groups ----------------------===//
#ifndef XLINK_RESOLVE_RESOLVER_H
#define XLINK_RESOLVE_RESOLVER_H

#include "model/Program.h"
#include "resolve/InputLoader.h"
#include <memory>

namespace xlink {

/// Decides which definition each name has and which archive members take part;
/// the order of the inputs alone decides. Fills program.files,
/// program.sections, program.symbols and program.symbolIds.
class SymbolResolver : public InputConsumer {
public:
  /// After the last input. Reports the problems that were found.
  virtual void finish() = 0;
};
/// `loader` parses extracted members.
std::unique_ptr<SymbolResolver>
makeResolver(Program &program, InputLoader &loader, Diagnostics &diagnostics);

/// Gives every COMMON symbol a section of its own named COMMON, those of a file
/// in the order of --sort-common.
void allocateCommon(Program &program, Diagnostics &diag);

/// Whether a symbol of a file refers to a name: it is undefined, or its section
/// lost its COMDAT group or never enters the output, so that the definition
/// that did is meant.
bool refers(const Program &program, FileId file, const ParsedSymbol &symbol);

/// Of several definitions one counts (SymbolPrecedence.cpp): resolves a name
/// with the symbol of a further file: changes `symbol` alone. Reports a second
/// strong definition, and the cases of --warn-common.
void resolveSymbol(const Program &program, Symbol &symbol, FileId file,
                   uint32_t index, Diagnostics &diagnostics);

/// Makes a file's symbol, in a section or absolute, the definition of a name.
void define(const Program &program, Symbol &symbol, FileId file,
            uint32_t index);

/// Reports names that are thread-local in one file and not in another, as GNU
/// ld does: their values count from different places. Each name once.
void checkThreadLocals(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
