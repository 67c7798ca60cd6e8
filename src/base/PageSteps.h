//===- PageSteps.h - how many pages are brought in at a time --------------===//
#ifndef XLINK_BASE_PAGESTEPS_H
#define XLINK_BASE_PAGESTEPS_H

#include <cstdint>

namespace xlink {

/// Bytes of pages that one system call brings in: long enough to be worth it,
/// and no other thread's page fault waits for long.
inline constexpr uintptr_t kPagesAtATime = 256 << 10;
/// From here on pages of a block are not its heap's business (driver/HeapPages)
/// but that of the threads that share it (base/FreshPages).
inline constexpr uintptr_t kSharedBlock = 512 << 10;

} // namespace xlink
#endif
