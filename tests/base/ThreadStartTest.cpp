//===- ThreadStartTest.cpp - where threads begin -------------------------===//
#include "base/ThreadStart.h"
#include <gtest/gtest.h>
#include <thread>

using namespace xlink;

namespace {

cpu_set_t ownProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

void *noteProcessors(void *set) {
  *static_cast<cpu_set_t *>(set) = ownProcessors();
  return nullptr;
}

/// Where a thread may run when it begins.
cpu_set_t startedOn(const cpu_set_t &allowed) {
  cpu_set_t set;
  CPU_ZERO(&set);
  pthread_t thread;
  EXPECT_EQ(startElsewhere(thread, noteProcessors, &set, allowed), 0);
  pthread_join(thread, nullptr);
  return set;
}

TEST(ThreadStart, IsElsewhere) {
  const cpu_set_t own = ownProcessors();
  if (CPU_COUNT(&own) < 2)
    GTEST_SKIP() << "there is one processor";
  const cpu_set_t set = startedOn(own);
  cpu_set_t both;
  CPU_AND(&both, &set, &own);
  EXPECT_TRUE(CPU_EQUAL(&both, &set));
  EXPECT_EQ(CPU_COUNT(&set), CPU_COUNT(&own) - 1);
}

TEST(ThreadStart, IsHereWhereNothingElseIsAllowed) {
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(unsigned(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    const cpu_set_t set = startedOn(one);
    EXPECT_TRUE(CPU_EQUAL(&set, &one));
  }).join();
}

TEST(ThreadStart, IsAnywhereWhereNothingIsKnown) {
  cpu_set_t none;
  CPU_ZERO(&none);
  const cpu_set_t own = ownProcessors(), set = startedOn(none);
  EXPECT_TRUE(CPU_EQUAL(&set, &own));
}

// The system knows no such processor.
TEST(ThreadStart, IsAnywhereWhereTheSystemRefuses) {
  cpu_set_t wrong;
  CPU_ZERO(&wrong);
  CPU_SET(CPU_SETSIZE - 1, &wrong);
  const cpu_set_t own = ownProcessors(), set = startedOn(wrong);
  EXPECT_TRUE(CPU_EQUAL(&set, &own));
}

} // namespace
