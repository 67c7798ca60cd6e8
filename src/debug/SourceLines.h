//===- SourceLines.h - which line a byte was made of ----------------------===//
#ifndef XLINK_DEBUG_SOURCELINES_H
#define XLINK_DEBUG_SOURCELINES_H

#include "model/Program.h"
#include <memory>

namespace xlink {

/// Finds source lines in the DWARF of a program's objects. Reads each object
/// once, on demand; an unreadable one has no lines.
std::unique_ptr<LineFinder> makeSourceLines(const Program &program);

} // namespace xlink
#endif
