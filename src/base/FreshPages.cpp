//===- FreshPages.cpp -----------------------------------------------------===//
//
// Problem: fresh memory comes page by page, each by a fault of the processor
// when it is written first, and large arrays of a link are all fresh memory.
// Heaps are looked after elsewhere (driver/HeapPages), but only whoever fills a
// large array knows how much of it will be filled, and by how many threads.
//
// Method: MADV_POPULATE_WRITE (Linux 5.14) brings in many pages by one call.
//
// Cost: two thirds of what as many faults cost; of pages that are there
// already, a fortieth of it.
//
//===----------------------------------------------------------------------===//
#include "base/FreshPages.h"
#include "base/PageSteps.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <sys/mman.h>

using namespace llvm;

namespace xlink {

/// To get a byte from the system takes as long as to read four.
static constexpr uintptr_t kWorkOfByte = 4;

/// The smallest pages that there are; with larger ones the system says no.
static constexpr uintptr_t kPage = 4096;

/// Brings in the pages from `begin` to `end`, each the beginning of one.
static void handOut([[maybe_unused]] uintptr_t begin,
                    [[maybe_unused]] uintptr_t end) {
#ifdef MADV_POPULATE_WRITE
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_POPULATE_WRITE);
#endif
}

void bringIn(const Parallel &parallel, void *begin, size_t bytes) {
  if (bytes < kSharedBlock)
    return;
  const uintptr_t first = alignTo(uintptr_t(begin), kPage);
  const uintptr_t end = alignDown(uintptr_t(begin) + bytes, kPage);
  parallel.forEach(divideCeil(end - first, kPagesAtATime), bytes * kWorkOfByte,
                   [&](size_t i) {
                     const uintptr_t from = first + i * kPagesAtATime;
                     handOut(from, std::min(from + kPagesAtATime, end));
                   });
}

void PagesAhead::fill(uintptr_t first, uintptr_t used, uintptr_t end,
                      uintptr_t limit) {
  const bool isMoved = filled < used || filled > limit;
  const uintptr_t from = alignTo(isMoved ? used : filled, kPage);
  filled = std::min(std::max(from + kPagesAtATime, alignTo(end, kPage)), limit);
  if (limit - first >= kSharedBlock)
    handOut(from, alignDown(filled, kPage));
}

} // namespace xlink
