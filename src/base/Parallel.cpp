//===- Parallel.cpp - threads of one link ---------------------------------===//
//
// Problem: phases of a link that several threads share, and some of which run
// beside each other. More threads than processors take those away from each
// other, and what one that was put aside had begun keeps the others waiting.
//
// Method: a call of forEach is a job on the link's list, whose items are handed
// out through one atomic counter. The caller works on it; threads that have
// nothing to do join the oldest job that has items left. So two jobs side by
// side get a thread each, though both have jobs within, and who ends first
// helps the other. A caller whose last items others still run joins newer jobs
// alone, which began within such items: in an older one it might find much more
// to do than it waits for. Threads are started when a job first wants them, and
// sleep between jobs. How many a job wants is decided by its bytes: one for
// each megabyte, up to the link's allowance.
//
// Nobody waits for ever: whoever waits does so for items that began after its
// own, so in a circle of waiting threads each would have begun after itself.
//
// Where there are many more items than threads, a thread takes several at once,
// so that a million small sections do not mean a million contended increments:
// a 32nd of a fair share of those that are left. So what is taken last is
// little, and no thread is left with a long tail, even where the last items are
// the largest.
//
// Cost: to wake a thread takes some 10 microseconds, to start one 30.
//
// Threads are started by pthread_create rather than std::thread because the
// latter reports "no more threads" by an exception; here it just means that
// fewer threads share the work.
//
//===----------------------------------------------------------------------===//

#include "base/Parallel.h"
#include "base/ThreadStart.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <utility>
#include <vector>

using namespace llvm;

namespace xlink {
namespace {

/// Below this much work one thread is done before others are awake.
constexpr size_t worthThreads = size_t(2) << 20;
/// Work for each thread beyond the first.
constexpr size_t bytesPerThread = size_t(1) << 20;
/// More threads than this only get into each other's way here.
constexpr unsigned mostThreads = 64;

/// Processors this thread may run on; none where the system will not say.
/// sched_getaffinity is one cheap system call;
/// std::thread::hardware_concurrency may read files of /sys.
cpu_set_t allowedProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    CPU_ZERO(&set);
  return set;
}

unsigned availableProcessors() {
  const cpu_set_t set = allowedProcessors();
  return std::clamp<unsigned>(unsigned(CPU_COUNT(&set)), 1, mostThreads);
}

} // namespace

/// The threads of a link besides the one that called.
class Parallel::Pool {
public:
  /// One call of forEach.
  struct Job {
    std::atomic<size_t> next{0};
    const size_t n, shares; ///< a thread takes one share of what is left
    const function_ref<void(size_t)> fn;
    size_t wanted;       ///< threads that may still join
    size_t helpers = 0;  ///< that have joined and are at work
    uint64_t number = 0; ///< a newer job's is larger

    bool isOpen() const {
      return wanted && next.load(std::memory_order_relaxed) < n;
    }
    void run() {
      const auto seen = [&] { return next.load(std::memory_order_relaxed); };
      for (size_t begin = seen(); begin < n; begin = seen()) {
        const size_t step = std::max<size_t>(1, (n - begin) / shares);
        if (!next.compare_exchange_weak(begin, begin + step,
                                        std::memory_order_relaxed))
          continue;
        for (size_t i = begin, end = std::min(n, begin + step); i != end; ++i)
          fn(i);
      }
    }
  };

  Pool(unsigned most, BeforeThreads before)
      : most(most), before(std::move(before)) {}
  ~Pool() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    changed.notify_all();
    for (pthread_t worker : workers)
      pthread_join(worker, nullptr);
  }

  /// Returns when all items are done.
  void run(Job &job) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      job.number = ++newest;
      jobs.push_back(&job);
      startWorkers(job.wanted);
    }
    changed.notify_all();
    job.run();
    std::unique_lock<std::mutex> lock(mutex);
    jobs.erase(llvm::find(jobs, &job));
    while (job.helpers)
      helpOrSleep(lock, job.number);
  }

private:
  using Lock = std::unique_lock<std::mutex>;

  void startWorkers(size_t wanted) {
    if (const BeforeThreads tell = std::exchange(before, nullptr))
      tell(unsigned(most) + 1);
    if (workers.empty())
      allowed = allowedProcessors();
    for (size_t free = idle; free < wanted && workers.size() < most; ++free) {
      pthread_t thread;
      if (startElsewhere(thread, work, this, allowed) != 0)
        return;
      workers.push_back(thread);
    }
  }
  static void *work(void *pool) {
    Pool &self = *static_cast<Pool *>(pool);
    Lock lock(self.mutex);
    const cpu_set_t allowed = self.allowed;
    lock.unlock();
    // Now that it has begun it may be moved anywhere again.
    if (CPU_COUNT(&allowed))
      sched_setaffinity(0, sizeof allowed, &allowed);
    lock.lock();
    while (!self.ends)
      self.helpOrSleep(lock, 0);
    return nullptr;
  }
  /// Joins a job that is newer than that number until nothing of it is left to
  /// begin, or sleeps until something may have changed.
  void helpOrSleep(Lock &lock, uint64_t number) {
    const auto open = find_if(
        jobs, [&](Job *j) { return j->number > number && j->isOpen(); });
    if (open == jobs.end()) {
      ++idle;
      changed.wait(lock);
      --idle;
      return;
    }
    Job &job = **open;
    --job.wanted;
    ++job.helpers;
    lock.unlock();
    job.run();
    lock.lock();
    if (!--job.helpers)
      changed.notify_all();
  }

  const size_t most;
  BeforeThreads before; ///< null: it has been told
  std::mutex mutex;
  std::condition_variable changed; ///< jobs, their helpers, or `ends`
  std::vector<Job *> jobs;         ///< that are being done, the newest last
  std::vector<pthread_t> workers;
  uint64_t newest = 0; ///< the number of the newest job
  cpu_set_t allowed{}; ///< where threads may run
  size_t idle = 0;     ///< threads that sleep
  bool ends = false;
};

Parallel::Parallel(unsigned threads, BeforeThreads before)
    : count(threads ? std::min(threads, mostThreads) : availableProcessors()) {
  if (count > 1)
    pool = std::make_shared<Pool>(count - 1, std::move(before));
}

void Parallel::forEach(size_t n, size_t bytes,
                       function_ref<void(size_t)> fn) const {
  size_t wanted = 1;
  if (pool && n > 1 && bytes >= worthThreads)
    wanted = std::min({size_t(count), n, bytes / bytesPerThread});
  if (wanted < 2) {
    for (size_t i = 0; i != n; ++i)
      fn(i);
    return;
  }
  Pool::Job job{{}, n, wanted * 32, fn, wanted - 1};
  pool->run(job);
}

void Parallel::forEachInOrder(size_t n, size_t bytes,
                              function_ref<void(size_t)> work,
                              function_ref<void(size_t)> then) const {
  std::mutex mutex;
  std::vector<bool> done(n);
  size_t next = 0;   // in order; changed by the thread that `busy` tells of
  bool busy = false; // a thread calls then()
  forEach(n, bytes, [&](size_t i) {
    work(i);
    std::unique_lock<std::mutex> lock(mutex);
    done[i] = true;
    if (std::exchange(busy, true))
      return;
    for (; next < n && done[next]; ++next) {
      lock.unlock();
      then(next);
      lock.lock();
    }
    busy = false;
  });
}

} // namespace xlink
