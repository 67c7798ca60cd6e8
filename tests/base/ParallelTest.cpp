//===- ParallelTest.cpp ---------------------------------------------------===//
#include "base/Parallel.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <gtest/gtest.h>
#include <mutex>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

using namespace xlink;

namespace {

constexpr size_t huge = size_t(1) << 30;

/// The threads that make n calls. The first `expected` calls wait for each
/// other (not for ever), so that no thread can do the work of all.
std::set<std::thread::id> threadsUsed(const Parallel &parallel, size_t n,
                                      size_t bytes, size_t expected) {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::thread::id> ids;
  parallel.forEach(n, bytes, [&](size_t) {
    std::unique_lock<std::mutex> lock(mutex);
    ids.insert(std::this_thread::get_id());
    changed.notify_all();
    changed.wait_for(lock, std::chrono::seconds(20),
                     [&] { return ids.size() >= expected; });
  });
  return ids;
}

TEST(Parallel, VisitsEachIndexOnce) {
  for (unsigned threads : {1u, 2u, 3u, 8u})
    for (size_t n : {0, 1, 2, 7, 64, 1000, 100001}) {
      std::vector<std::atomic<int>> seen(n);
      Parallel(threads).forEach(n, huge, [&](size_t i) { ++seen[i]; });
      for (size_t i = 0; i != n; ++i)
        ASSERT_EQ(seen[i], 1) << "index " << i << " of " << n;
    }
}

TEST(Parallel, StartsThreadsForLargeWork) {
  EXPECT_EQ(threadsUsed(Parallel(4), 64, huge, 4).size(), 4u);
  EXPECT_EQ(threadsUsed(Parallel(8), 3, huge, 3).size(), 3u);
}

// Of two large items at the end each thread has one: the first waits until the
// other has begun, though not for ever.
TEST(Parallel, WhatIsTakenLastIsLittle) {
  for (size_t n : {2, 63, 64, 1000, 100'000}) {
    std::mutex mutex;
    std::condition_variable changed;
    bool begun = false, waited = false;
    Parallel(2).forEach(n, huge, [&](size_t i) {
      std::unique_lock<std::mutex> lock(mutex);
      if (i == n - 1) {
        begun = true;
        changed.notify_all();
      } else if (i == n - 2) {
        waited = changed.wait_for(lock, std::chrono::seconds(20),
                                  [&] { return begun; });
      }
    });
    EXPECT_TRUE(waited) << n;
  }
}

TEST(Parallel, SmallWorkStaysHere) {
  std::set<std::thread::id> here{std::this_thread::get_id()};
  EXPECT_EQ(threadsUsed(Parallel(4), 16, 100 << 10, 1), here);
  EXPECT_EQ(threadsUsed(Parallel(1), 16, huge, 1), here);
  EXPECT_EQ(threadsUsed(Parallel(4), 1, huge, 1), here);
}

TEST(Parallel, SmallWorkIsInOrder) {
  std::vector<size_t> order;
  Parallel(8).forEach(100, 1000, [&](size_t i) { order.push_back(i); });
  for (size_t i = 0; i != 100; ++i)
    EXPECT_EQ(order[i], i);
}

TEST(Parallel, InOrderBehindWork) {
  for (unsigned threads : {1, 2, 5}) {
    constexpr size_t n = 2000;
    std::vector<std::atomic<unsigned>> worked(n);
    std::vector<size_t> order;
    std::atomic<unsigned> busy{0};
    Parallel(threads).forEachInOrder(
        n, huge, [&](size_t i) { ++worked[i]; },
        [&](size_t i) {
          EXPECT_EQ(++busy, 1u) << "one at a time";
          EXPECT_EQ(worked[i], 1u);
          order.push_back(i);
          --busy;
        });
    ASSERT_EQ(order.size(), n);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(order[i], i);
  }
}

TEST(Parallel, CountsThreads) {
  EXPECT_EQ(Parallel(3).threads(), 3u);
  EXPECT_GE(Parallel(0).threads(), 1u);
}

TEST(Parallel, CallsMayNest) {
  std::atomic<size_t> sum{0};
  Parallel parallel(3);
  parallel.forEach(10, huge, [&](size_t i) {
    parallel.forEach(10, huge, [&](size_t j) { sum += i * 10 + j; });
  });
  EXPECT_EQ(sum, 99u * 100 / 2);
}

// However deep calls nest, there are no more threads than were allowed.
TEST(Parallel, NestedCallsShareThreads) {
  const Parallel parallel(3);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  std::atomic<int> running{0}, most{0};
  for (int round = 0; round != 20; ++round)
    parallel.forEach(4, huge, [&](size_t) {
      parallel.forEach(8, huge, [&](size_t) {
        parallel.forEach(4, huge, [&](size_t) {
          const int now = ++running;
          for (int seen = most; now > seen;)
            if (most.compare_exchange_weak(seen, now))
              break;
          const std::lock_guard<std::mutex> lock(mutex);
          ids.insert(std::this_thread::get_id());
          --running;
        });
      });
    });
  EXPECT_LE(most, 3);
  EXPECT_LE(ids.size(), 3u);
}

// Who has nothing left to do takes over from the other: of two jobs side by
// side, each on a thread, the second one's items wait for both threads.
TEST(Parallel, WhoEndsFirstHelpsTheOther) {
  const Parallel parallel(2);
  std::set<std::thread::id> ids;
  parallel.forEach(2, huge, [&](size_t i) {
    if (i == 1)
      ids = threadsUsed(parallel, 16, huge, 2);
  });
  EXPECT_EQ(ids.size(), 2u);
}

// Threads stay for the next call, and end with the last copy.
TEST(Parallel, ThreadsAreUsedAgain) {
  std::set<std::thread::id> all;
  {
    const Parallel parallel(3), copy = parallel;
    for (int round = 0; round != 10; ++round)
      all.merge(threadsUsed(round % 2 ? copy : parallel, 3, huge, 3));
  }
  EXPECT_EQ(all.size(), 3u);
}

TEST(Parallel, LinksDoNotShareThreads) {
  std::atomic<size_t> sum{0};
  std::vector<std::thread> links;
  for (int i = 0; i != 4; ++i)
    links.emplace_back(
        [&] { Parallel(2).forEach(1000, huge, [&](size_t) { ++sum; }); });
  for (std::thread &t : links)
    t.join();
  EXPECT_EQ(sum, 4000u);
}

// What a process may use counts, not what the machine has.
TEST(Parallel, OneProcessorIsOneThread) {
  unsigned threads = 0;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(unsigned(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    threads = Parallel(0).threads();
  }).join();
  EXPECT_EQ(threads, 1u);
}

} // namespace
