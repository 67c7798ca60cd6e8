//===- Parallel.cpp - threads of one link ---------------------------------===//
//
// Problem: several threads share a phase of a link, and phases run beside each
// other. More threads than processors would suspend threads that others wait
// for.
//
// Method: a call of forEach is a job on the link's list; one atomic counter
// hands its items out. The caller works on it; idle threads join the oldest job
// that has items left. So two jobs side by side get a thread each, though both
// have jobs within, and the thread that ends first helps the other. A caller
// that waits for its last items joins newer jobs alone, which began within such
// items: an older one might take longer than its wait. Threads are started when
// a job first wants them, and sleep between jobs. A job wants one for each
// megabyte, up to the link's allowance.
//
// No thread waits for ever: each waits for items that began after its own, so
// in a circle of waiting threads each would have begun after itself.
//
// Of many items a thread takes several at once, against contention: a 32nd of a
// fair share of the rest. The last shares are small, so no thread is left with
// a long tail, even where the last items are the largest.
//
// Cost: to wake a thread takes some 10 microseconds, to start one 30.
//
// A system that has no more threads says so by an exception (this file is
// compiled with them); then fewer threads share the work.
//
//===----------------------------------------------------------------------===//

#include "base/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
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

} // namespace

/// The threads of a link besides the one that called.
class Parallel::Pool {
public:
  /// One call of forEach.
  struct Job {
    std::atomic<size_t> next{0};
    const size_t n, shares; ///< a thread takes one share of the rest
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

  Pool(unsigned most, ThreadStart start)
      : most(most), start(std::move(start)) {}
  ~Pool() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    changed.notify_all();
    for (std::thread &worker : workers)
      worker.join();
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
    if (start && workers.empty())
      start();
    for (size_t free = idle; free < wanted && workers.size() < most; ++free)
      try {
        workers.emplace_back([this] { work(); });
      } catch (const std::system_error &) {
        return;
      }
  }
  void work() {
    if (start)
      start();
    Lock lock(mutex);
    while (!ends)
      helpOrSleep(lock, 0);
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
  const ThreadStart start;
  std::mutex mutex;
  std::condition_variable changed; ///< jobs, their helpers, or `ends`
  std::vector<Job *> jobs;         ///< that are being done, the newest last
  std::vector<std::thread> workers;
  uint64_t newest = 0; ///< the number of the newest job
  size_t idle = 0;     ///< threads that sleep
  bool ends = false;
};

Parallel::Parallel(unsigned threads, ThreadStart start)
    : count(std::min(threads ? threads
                             : hardware_concurrency().compute_thread_count(),
                     mostThreads)) {
  if (count > 1)
    pool = std::make_shared<Pool>(count - 1, std::move(start));
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
  size_t next = 0;   // in order; changed by the thread for which `busy` is set
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
