//===- LeftMemory.h - memory that nobody waits for ------------------------===//
#ifndef XLINK_DRIVER_LEFTMEMORY_H
#define XLINK_DRIVER_LEFTMEMORY_H

namespace xlink {

/// To be called by a process right before it ends, from its only running
/// thread: who waits for it does not wait until the system has taken its memory
/// back. Where the system refuses that, nothing happens. (valgrind ends a
/// process that asks.)
void leaveMemoryBehind();

} // namespace xlink
#endif
