//===- LargePages.cpp -----------------------------------------------------===//
//
// Problem: fresh memory comes in pages of 4 KB, each by a fault, and a link of
// 200,000 functions spends a sixth of its processor time on them. A page of 2
// MB costs a quarter of what 512 small ones do. But where the system has none
// at hand (a virtual machine has given its free memory back, or what is free is
// in pieces) one costs ten times what they do. malloc can be told to ask for
// large ones by the environment alone (GLIBC_TUNABLES), and never stops.
//
// Method: malloc's heaps are marked as ranges that want large pages. operator
// new sees where blocks come to stand, and when those of its thread come near
// the end of what has been brought in, it brings in the next page, and takes
// the time. The first one that is late ends that for all threads, each of which
// then marks the rest of its heap as one that wants small ones. Nothing is
// written by all this, so it does not matter whose a page is.
//
// Where heaps are is told by the word in front of a block, in which glibc keeps
// the block's length and, in its lowest bits, whether it is a mapping of its
// own and whether it is of a thread's heap (malloc/malloc.c, "chunks"). A
// thread's heap begins at a multiple of the greatest length of heaps
// (malloc/arena.c).
//
// Cost: two additions and a comparison for an allocation, 0.2 to 0.7 ms for a
// large page, and 5 ms once where it is late. Up to 2 MB of each thread may be
// memory that nobody uses.
//
//===----------------------------------------------------------------------===//
#include "driver/LargePages.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

// Sanitizers have a malloc of their own, and MADV_POPULATE_WRITE is Linux 5.14.
#if defined(__GLIBC__) && defined(__LP64__) && defined(MADV_POPULATE_WRITE) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr uintptr_t kPage = 2 << 20;
constexpr uintptr_t kLongestHeap = 64 << 20; ///< glibc's HEAP_MAX_SIZE

/// How far in front of the last block pages are brought in: malloc writes
/// behind the blocks that it hands out, and some it hands out to others.
constexpr uintptr_t kAhead = 256 << 10;

constexpr uintptr_t roundUp(uintptr_t at) {
  return (at + kPage - 1) & ~(kPage - 1);
}

std::atomic<bool> asking = false;
std::chrono::nanoseconds patience;

/// What a thread knows of the heap that it allocates from.
struct Heap {
  /// Blocks that end in the `known` bytes from here on need nothing. A thread
  /// begins with none.
  uintptr_t begin = 0, known = 0;
  uintptr_t marked = 0; ///< up to here the range wants large pages
  uintptr_t filled = 0; ///< and up to here they are there

  void follow(uintptr_t block, size_t size);
  void stop();

private:
  bool locate(uintptr_t block);
  void mark(uintptr_t from, uintptr_t to);
  bool fillOne();
  bool isMain() const { return begin == 0; }
};

constinit thread_local Heap heap;

/// What this thread has used the processor for.
std::chrono::nanoseconds threadTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) +
         std::chrono::nanoseconds(now.tv_nsec);
}

/// Nothing is to be done for any further block.
void Heap::stop() {
  if (marked > filled)
    madvise(reinterpret_cast<void *>(filled), marked - filled, MADV_NOHUGEPAGE);
  *this = {.begin = 0, .known = UINTPTR_MAX};
}

void Heap::mark(uintptr_t from, uintptr_t to) {
  if (from < to)
    madvise(reinterpret_cast<void *>(from), to - from, MADV_HUGEPAGE);
  marked = std::max(marked, to);
}

/// Whether the block is one of the heap that this thread allocates from. Those
/// of others come here too: who frees a block may be the next to get it.
bool Heap::locate(uintptr_t block) {
  const size_t word = reinterpret_cast<const size_t *>(block)[-1];
  const bool isMapped = word & 2, isOfThread = word & 4;
  if (isMapped)
    return false;
  if (!isOfThread) {
    // It grows at its end, and everything in front of that is known.
    const uintptr_t end = uintptr_t(sbrk(0));
    if (!isMain() || block >= end)
      return false;
    if (filled == 0)
      marked = filled = roundUp(block);
    mark(marked, end & ~(kPage - 1));
    return true;
  }
  const uintptr_t first = block & ~(kLongestHeap - 1);
  if (begin == first)
    return true;
  const bool isFull = filled + kPage >= begin + kLongestHeap;
  if (filled != 0 && (isMain() || !isFull))
    return false;
  *this = {.begin = first, .filled = roundUp(block)};
  mark(filled, first + kLongestHeap);
  return true;
}

/// False: there is nothing behind what is filled, or no reason to go on.
bool Heap::fillOne() {
  const std::chrono::nanoseconds before = threadTime();
  if (madvise(reinterpret_cast<void *>(filled), kPage, MADV_POPULATE_WRITE))
    return false;
  filled += kPage;
  if (threadTime() - before > patience)
    asking.store(false, std::memory_order_relaxed);
  return asking.load(std::memory_order_relaxed);
}

/// A block has been allocated of which the heap knows nothing.
[[gnu::noinline, gnu::cold]] void Heap::follow(uintptr_t block, size_t size) {
  if (!asking.load(std::memory_order_relaxed))
    return stop();
  if (!locate(block))
    return;
  const uintptr_t end = block + size;
  filled = std::max(filled, roundUp(block));
  while (filled < end + kAhead && filled + kPage <= marked && fillOne())
    ;
  // Where the heap must grow first, a block a little further on asks again.
  const bool isAhead = filled >= end + kAhead;
  known = (isAhead ? filled - kAhead : end + kAhead) - begin;
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

namespace xlink {

void askForLargePages(std::chrono::nanoseconds limit) {
  patience = limit;
  asking = true;
  heap = {};
}

} // namespace xlink

#else

namespace xlink {

void askForLargePages(std::chrono::nanoseconds) {}

} // namespace xlink

#endif

bool xlink::givesFreeMemoryBack(const char *order) {
  const int file = open(order, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  char text[16] = {};
  const bool isRead = read(file, text, sizeof text - 1) > 0;
  close(file);
  // Without anybody below who wants to know it is -1, as 64 bits or as 32.
  constexpr long most = 63;
  char *end = text;
  const long value = strtol(text, &end, 10);
  return isRead && end != text && value >= 0 && value <= most;
}
