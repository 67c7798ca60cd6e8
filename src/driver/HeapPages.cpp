//===- HeapPages.cpp ------------------------------------------------------===//
//
// Problem: fresh memory comes in pages of 4 KB, each by a fault, and a link of
// 200,000 functions spends a sixth of its processor time on them. To have some
// brought in by one call costs a fifth less. A page of 2 MB costs a quarter of
// what 512 small ones do; but where the system has none at hand (a virtual
// machine has given its free memory back, or what is free is in pieces) one
// costs ten times what they do. malloc can be told to ask for large ones by the
// environment alone (GLIBC_TUNABLES), and never stops.
//
// Method: operator new sees where blocks come to stand, and when those of its
// thread come near the end of what has been brought in, it brings in the next
// pages. For large ones malloc's heaps are marked as ranges that want them, and
// the time is taken. The first one that is late ends that for all threads, each
// of which then marks the rest of its heap as one that wants small ones. No
// byte is written by all this, so it does not matter whose a page is.
//
// Where heaps are is told by the word in front of a block, in which glibc keeps
// the block's length and, in its lowest bits, whether it is a mapping of its
// own and whether it is of a thread's heap (malloc/malloc.c, "chunks"). A
// thread's heap begins at a multiple of the greatest length of heaps
// (malloc/arena.c).
//
// Cost: two additions and a comparison for an allocation. What a block has that
// nobody writes to may be brought in, and up to 256 KB behind the last one of
// each thread, or 2 MB. A late page is one of 5 ms.
//
//===----------------------------------------------------------------------===//
#include "driver/HeapPages.h"
#include "base/PageSteps.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

// XLINK_HEAP_PAGES: malloc is the C library's. MADV_POPULATE_WRITE: Linux 5.14.
#if defined(XLINK_HEAP_PAGES) && defined(__GLIBC__) && defined(__LP64__) &&    \
    defined(MADV_POPULATE_WRITE)

namespace {

using xlink::PageSize;

constexpr uintptr_t kLargePage = 2 << 20;
constexpr uintptr_t kLongestHeap = 64 << 20; ///< glibc's HEAP_MAX_SIZE

/// So many blocks of another heap say that the thread allocates from that now.
constexpr unsigned kStrangers = 64;

std::atomic<bool> isAsked = false;
std::atomic<PageSize> wanted = PageSize::Small;
std::chrono::nanoseconds allowed; ///< for a large page

/// What a thread knows of the heap that it allocates from.
struct Heap {
  /// Blocks that end in the `known` bytes from here on need nothing. A thread
  /// begins with none.
  uintptr_t begin = 0, known = 0;
  uintptr_t filled = 0; ///< up to here pages are there
  uintptr_t limit = 0;  ///< and up to here they may come, as far as is known
  PageSize size = PageSize::Small;
  unsigned strangers = 0; ///< blocks of other heaps, one behind the other

  void follow(uintptr_t block, size_t bytes);

private:
  /// What is brought in at a time.
  uintptr_t step() const {
    return size == PageSize::Large ? kLargePage : xlink::kPagesAtATime;
  }
  /// How far in front of the last block: malloc writes behind the blocks that
  /// it hands out, and some it hands out to others.
  uintptr_t ahead() const { return step() / 4; }
  uintptr_t roundUp(uintptr_t at) const { return (at + step() - 1) & -step(); }
  bool locate(uintptr_t block);
  void extend(uintptr_t to);
  void settleSize();
  bool fillStep();
};

constinit thread_local Heap heap;

/// What this thread has used the processor for.
std::chrono::nanoseconds threadTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) +
         std::chrono::nanoseconds(now.tv_nsec);
}

/// The heap reaches to that place, or will.
void Heap::extend(uintptr_t to) {
  if (to > limit && size == PageSize::Large)
    madvise(reinterpret_cast<void *>(limit), to - limit, MADV_HUGEPAGE);
  limit = std::max(limit, to);
}

/// Nobody wants large pages any longer.
void Heap::settleSize() {
  if (size == wanted.load(std::memory_order_relaxed))
    return;
  if (limit > filled)
    madvise(reinterpret_cast<void *>(filled), limit - filled, MADV_NOHUGEPAGE);
  size = PageSize::Small;
}

/// Whether the block is one of the heap that this thread allocates from. Those
/// of others come here too: who frees a block may be the next to get it.
bool Heap::locate(uintptr_t block) {
  const size_t word = reinterpret_cast<const size_t *>(block)[-1];
  const bool isMapped = word & 2, isOfThread = word & 4;
  // The main heap grows at its end, and everything in front of that is known.
  const uintptr_t first = isOfThread ? block & -kLongestHeap : 0;
  const uintptr_t end =
      isOfThread ? first + kLongestHeap : uintptr_t(sbrk(0)) & -step();
  if (isMapped || block >= end)
    return false;
  const bool isOther = filled == 0 || first != begin;
  if (isOther && filled != 0 && ++strangers < kStrangers)
    return false;
  strangers = 0;
  if (isOther) {
    begin = first;
    limit = filled = roundUp(block);
  }
  extend(end);
  return true;
}

/// False: the heap must grow first.
bool Heap::fillStep() {
  const bool isTimed = size == PageSize::Large;
  const std::chrono::nanoseconds before =
      isTimed ? threadTime() : std::chrono::nanoseconds::zero();
  if (madvise(reinterpret_cast<void *>(filled), step(), MADV_POPULATE_WRITE))
    return false;
  filled += step();
  if (isTimed && threadTime() - before > allowed)
    wanted.store(PageSize::Small, std::memory_order_relaxed);
  settleSize();
  return true;
}

/// A block has been allocated of which the heap knows nothing.
[[gnu::noinline, gnu::cold]] void Heap::follow(uintptr_t block, size_t bytes) {
  // In front of a block of tagged memory nobody may read.
  const bool isTagged = block >> 56;
  if (isTagged || !isAsked.load(std::memory_order_relaxed)) {
    known = UINTPTR_MAX;
    return;
  }
  if (filled == 0)
    size = wanted.load(std::memory_order_relaxed);
  else
    settleSize();
  if (!locate(block))
    return;
  const uintptr_t end = block + bytes;
  filled = std::max(filled, roundUp(block));
  // Small pages of a large block are left to the threads that will share it.
  if (size == PageSize::Small && bytes >= xlink::kSharedBlock)
    filled = std::max(filled, roundUp(end));
  while (filled < end + ahead() && filled + step() <= limit && fillStep())
    ;
  // Where the heap must grow first, a block a little further on asks again.
  const bool isAhead = filled >= end + ahead();
  known = (isAhead ? filled - ahead() : end + ahead()) - begin;
}

} // namespace

void *operator new(size_t size) {
  for (;;) {
    if (void *block = malloc(std::max<size_t>(size, 1))) {
      const uintptr_t at = reinterpret_cast<uintptr_t>(block);
      if (at + size - heap.begin > heap.known) [[unlikely]]
        heap.follow(at, size);
      return block;
    }
    std::new_handler handler = std::get_new_handler();
    if (!handler)
      abort();
    handler();
  }
}

void operator delete(void *block) noexcept { free(block); }
void operator delete(void *block, size_t) noexcept { free(block); }

namespace xlink {

void bringInHeapPages(PageSize size, std::chrono::nanoseconds patience) {
  if (madvise(nullptr, 0, MADV_POPULATE_WRITE) != 0)
    return; // an older system
  allowed = patience;
  wanted = size;
  isAsked = true;
  heap = {};
}

} // namespace xlink

#else

namespace xlink {

void bringInHeapPages(PageSize, std::chrono::nanoseconds) {}

} // namespace xlink

#endif

bool xlink::givesFreeMemoryBack(const char *order) {
  const int file = open(order, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  char text[16] = {};
  (void)!read(file, text, sizeof text - 1);
  close(file);
  // Without anybody below who wants to know it is -1, as 64 bits or as 32.
  constexpr long most = 63;
  char *end = text;
  const long value = strtol(text, &end, 10);
  return end != text && value >= 0 && value <= most;
}
