//===- ManyNames.h - symbols of many files at once ------------------------===//
#ifndef XLINK_RESOLVE_MANYNAMES_H
#define XLINK_RESOLVE_MANYNAMES_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace xlink {

/// Whether symbols are entered all at once, if they are many.
bool mayEnterAtOnce(const Program &program);

/// Whether the symbols of files, as many as `symbols`, are better entered all
/// at once than one by one.
bool worthEnteringAtOnce(const Program &program, size_t symbols);

/// Enters the symbols of the files from `first` on, while no archive has
/// offered any: as if one after the other, messages included. Sections that
/// lost their COMDAT group are known. Returns how many of the names no file had
/// mentioned before, which is what their ranks (Symbol::order) begin behind.
uint32_t enterAtOnce(Program &program, Diagnostics &diagnostics, FileId first);

} // namespace xlink
#endif
