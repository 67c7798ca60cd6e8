//===- Resolver.h - symbols, archives, COMDAT groups ----------------------===//
#ifndef XLINK_RESOLVE_RESOLVER_H
#define XLINK_RESOLVE_RESOLVER_H

#include "model/Program.h"
#include "resolve/InputLoader.h"
#include <vector>

namespace xlink {

/// Decides which definition each name has and which archive members take part;
/// the order of the inputs alone decides. Fills program.files,
/// program.sections, program.symbols and program.symbolIds. `loader` parses
/// extracted members.
void resolveSymbols(Program &program, std::vector<LoadedInput> inputs,
                    InputLoader &loader, Diagnostics &diag);

/// Gives every COMMON symbol a section of its own named COMMON, those of a file
/// in the order of --sort-common.
void allocateCommon(Program &program, Diagnostics &diag);

} // namespace xlink
#endif
