//===- FileMap.h - the map of an ELF file ---------------------------------===//
#ifndef XLINK_INSPECT_FILEMAP_H
#define XLINK_INSPECT_FILEMAP_H

#include "inspect/LinkedFile.h"
#include "map/LinkMap.h"

namespace xlink {

/// The map of an ELF file. `stated`: of readTextMap, the map that the linker
/// wrote beside the file; null: nothing. An error, and no result, if that is
/// about another file. `bySource`: the files are compiled ones, as far as DWARF
/// says so. All must outlive the result.
std::optional<LinkMap> mapOfElf(const LinkedFile &file, const LinkMap *stated,
                                bool bySource, Diagnostics &diag);

} // namespace xlink
#endif
