//===- Relocatable.h - what -r and -q keep for a further link -------------===//
#ifndef XLINK_OUTPUT_RELOCATABLE_H
#define XLINK_OUTPUT_RELOCATABLE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace xlink {

/// Reports what does not go together with -r: formats without relocations, what
/// wants addresses, and --gc-sections where nothing says what to keep. False:
/// the link ends here.
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

/// Calls fn(file, symbol index) for each symbol that must be in the symbol
/// table for what refers to it by its index there: relocations, groups and
/// link-time expressions. Some come more than once.
void forEachNeededSymbol(const Link &link,
                         llvm::function_ref<void(FileId, uint32_t)> fn);

} // namespace xlink
#endif
