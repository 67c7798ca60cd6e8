//===- ExecutableMemory.h - where code may stand --------------------------===//
#ifndef XLINK_LAYOUT_EXECUTABLEMEMORY_H
#define XLINK_LAYOUT_EXECUTABLEMEMORY_H

#include "base/Address.h"
#include "model/Program.h"
#include <optional>

namespace xlink {

/// A piece of executable memory without a hole, of one range of the machine or
/// of several that touch.
struct ExecutableRun {
  Address begin, end;
  Address codeEnd;  ///< `end`, less what the processor reads ahead
  std::string name; ///< of the first range
};

/// The run that holds an address; nothing where no code may stand, or where the
/// machine does not say.
std::optional<ExecutableRun> executableRun(const Program &program, Address at);

} // namespace xlink
#endif
