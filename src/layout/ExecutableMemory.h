//===- ExecutableMemory.h - where code may stand --------------------------===//
#ifndef XLINK_LAYOUT_EXECUTABLEMEMORY_H
#define XLINK_LAYOUT_EXECUTABLEMEMORY_H

#include "base/Address.h"
#include "model/Program.h"
#include <optional>

namespace xlink {

/// Executable memory without a gap, of one range of the machine or of several
/// adjacent ones.
struct ExecutableRun {
  Address begin, end;
  Address codeEnd;  ///< `end`, less the prefetched bytes
  std::string name; ///< of the first range
};

/// The run that holds an address; nothing if no code may stand there, or the
/// machine declares no executable memory.
std::optional<ExecutableRun> executableRun(const Program &program, Address at);

} // namespace xlink
#endif
