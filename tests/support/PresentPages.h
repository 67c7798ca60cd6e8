//===- PresentPages.h - which memory the system has handed out ------------===//
#ifndef XLINK_TESTS_SUPPORT_PRESENTPAGES_H
#define XLINK_TESTS_SUPPORT_PRESENTPAGES_H

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace xlink::test {

/// Whether the page of a byte is there, though nobody need have written to it.
inline bool isPresent(const unsigned char *at) {
  const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
  unsigned char present = 0;
  mincore(reinterpret_cast<void *>(uintptr_t(at) & ~(page - 1)), 1, &present);
  return present & 1;
}

/// Whether the system can bring in pages of its own accord (Linux 5.14).
inline bool canBringInPages() {
#ifdef MADV_POPULATE_WRITE
  return madvise(nullptr, 0, MADV_POPULATE_WRITE) == 0;
#else
  return false;
#endif
}

} // namespace xlink::test
#endif
