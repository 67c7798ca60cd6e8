//===- Relocatable.h - outputs that keep relocations: -r and -q -----------===//
#ifndef XLINK_OUTPUT_RELOCATABLE_H
#define XLINK_OUTPUT_RELOCATABLE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace xlink {

/// Reports options that do not go together with -r: formats without
/// relocations, those that need addresses, and --gc-sections without a root.
/// False: the link ends here.
bool checkRelocatable(const Program &program, Diagnostics &diag);

/// A section group that is in a relocatable output.
struct KeptGroup {
  FileId file;
  uint32_t group; ///< into ParsedObject::groups
};
/// All of them, in the order of the inputs; of an executable, none.
std::vector<KeptGroup> keptGroups(const Link &link);

/// The output section that `out` is a piece of, see
/// Target::pieceSectionType; kNone: it is an ordinary section.
OutputId pieceParent(const Link &link, const OutputView &out);

/// Calls fn(section, relocation) for the relocations of a file's sections in
/// the output.
void forEachRelocation(
    const Link &link, const InputFile &file,
    llvm::function_ref<void(SectionId, const Relocation &)> fn);

/// Calls fn(file, symbol index) for each symbol that must be in the symbol
/// table because relocations, groups and link-time expressions refer to its
/// index there. Some come more than once.
void forEachNeededSymbol(const Link &link,
                         llvm::function_ref<void(FileId, uint32_t)> fn);

} // namespace xlink
#endif
