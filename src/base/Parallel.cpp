//===- Parallel.cpp - threads of one link ---------------------------------===//
//
// forEach starts threads for one call and joins them: starting one costs about
// 30 microseconds, which a pool would save a handful of times per link, and a
// pool is state that two links would have to share or each keep alive. Whether
// threads are worth it is decided by the bytes of work, and so is their number:
// one for each megabyte, up to the link's allowance.
//
// Work is handed out through one atomic counter. Where there are many more
// items than threads, a thread takes several at once, so that a million small
// sections do not mean a million contended increments; the pieces are still
// small enough (a 32nd of a fair share) that no thread is left with a long
// tail.
//
// Threads are started by pthread_create rather than std::thread because the
// latter reports "no more threads" by an exception; here it just means that
// fewer threads share the work.
//
//===----------------------------------------------------------------------===//

#include "base/Parallel.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <sched.h>
#include <vector>

using namespace llvm;

namespace xlink {
namespace {

/// Below this much work one thread is done before others have started.
constexpr size_t worthThreads = size_t(2) << 20;
/// Work for each thread beyond the first.
constexpr size_t bytesPerThread = size_t(1) << 20;
/// More threads than this only get into each other's way here.
constexpr unsigned mostThreads = 64;

/// Processors this process may run on. sched_getaffinity is one cheap system
/// call; std::thread::hardware_concurrency may read files of /sys.
unsigned availableProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  return std::clamp<unsigned>(unsigned(CPU_COUNT(&set)), 1, mostThreads);
}

struct Job {
  std::atomic<size_t> next{0};
  size_t n;
  size_t step;
  function_ref<void(size_t)> fn;

  void run() {
    for (;;) {
      size_t begin = next.fetch_add(step, std::memory_order_relaxed);
      if (begin >= n)
        return;
      for (size_t i = begin, end = std::min(n, begin + step); i != end; ++i)
        fn(i);
    }
  }
};

void *runJob(void *job) {
  static_cast<Job *>(job)->run();
  return nullptr;
}

} // namespace

Parallel::Parallel(unsigned threads)
    : count(threads ? std::min(threads, mostThreads) : availableProcessors()) {}

void Parallel::forEach(size_t n, size_t bytes,
                       function_ref<void(size_t)> fn) const {
  size_t wanted = 1;
  if (count > 1 && n > 1 && bytes >= worthThreads)
    wanted = std::min({size_t(count), n, bytes / bytesPerThread});
  if (wanted < 2) {
    for (size_t i = 0; i != n; ++i)
      fn(i);
    return;
  }

  Job job{{}, n, std::max<size_t>(1, n / (wanted * 32)), fn};
  std::vector<pthread_t> helpers;
  helpers.reserve(wanted - 1);
  for (size_t i = 1; i != wanted; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, runJob, &job) != 0)
      break;
    helpers.push_back(thread);
  }
  job.run();
  for (pthread_t thread : helpers)
    pthread_join(thread, nullptr);
}

} // namespace xlink
