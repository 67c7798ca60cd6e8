//===- LeftMemoryTest.cpp - the process that keeps another one's memory ---===//
#include "driver/LeftMemory.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace xlink::test {
namespace {

constexpr int kSeconds = 30; ///< that something may take which takes none

/// A process that leaves its memory behind, but ends when it is told to.
class Leaving : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    ASSERT_EQ(pipe(output), 0);
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(order), 0);
    // A private page: each of two processes would have one of its own.
    value = static_cast<volatile int *>(
        mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(value, MAP_FAILED);
  }
  /// Also after a failure nothing is left that the next test would wait for.
  void TearDown() override {
    for (int fd : {output[0], ready[0], order[1], input[0], input[1]})
      if (fd >= 0)
        close(fd);
    while (waitpid(-1, nullptr, __WALL) > 0)
      ;
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  }

  /// Starts it; `prepare` is called in it first.
  void start(llvm::function_ref<void()> prepare = [] {}) {
    first = fork();
    if (first == 0) {
      dup2(output[1], STDOUT_FILENO);
      for (int fd : {output[0], output[1], ready[0], order[1]})
        close(fd);
      prepare();
      leaveMemoryBehind();
      close(STDOUT_FILENO);
      *value = 42;
      char byte = 'r';
      (void)!write(ready[1], &byte, 1);
      (void)!read(order[0], &byte, 1);
      _exit(7);
    }
    for (int fd : {output[1], ready[1], order[0]})
      close(fd);
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    std::ifstream children("/proc/" + std::to_string(first) + "/task/" +
                           std::to_string(first) + "/children");
    children >> second;
  }
  /// Ends it. What it has left ends too.
  void end() {
    close(std::exchange(order[1], -1));
    int status;
    ASSERT_EQ(waitpid(first, &status, 0), first);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    const pid_t left = waitpid(-1, &status, __WALL);
    EXPECT_GT(left, 0);
    if (second) {
      EXPECT_EQ(left, second);
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(waitpid(-1, &status, __WALL), -1);
    EXPECT_EQ(errno, ECHILD);
  }
  /// Waits for the end of the output, which is there when nobody holds the
  /// other end of the pipe.
  bool outputEnds() const {
    pollfd what = {output[0], POLLIN, 0};
    return poll(&what, 1, kSeconds * 1000) == 1 && (what.revents & POLLHUP);
  }
  std::string proc(const char *name) const {
    return "/proc/" + std::to_string(second) + "/" + name;
  }

  /// Of these pipes the test keeps one end, but both of the last.
  int output[2] = {-1, -1}, ready[2] = {-1, -1}, order[2] = {-1, -1},
      input[2] = {-1, -1};
  volatile int *value = nullptr;
  pid_t first = 0, second = 0; ///< second 0: this system does not say
};

// While it gives back memory somebody waits for the first one's end.
TEST_F(Leaving, TakesNoProcessorAwayWhenItWakes) {
  start();
  EXPECT_TRUE(outputEnds());
  if (second) {
    EXPECT_EQ(sched_getscheduler(second), SCHED_BATCH);
  }
  end();
}

// Who is to run when nobody else does shall stay so.
TEST_F(Leaving, KeepsAnotherPolicy) {
  start([] {
    const sched_param none = {};
    sched_setscheduler(0, SCHED_IDLE, &none);
  });
  EXPECT_TRUE(outputEnds());
  if (sched_getscheduler(first) != SCHED_IDLE)
    GTEST_SKIP() << "the system lets nobody choose";
  if (second) {
    EXPECT_EQ(sched_getscheduler(second), SCHED_IDLE);
  }
  end();
}

TEST_F(Leaving, HoldsNoOutput) {
  start();
  EXPECT_TRUE(outputEnds());
  end();
}

TEST_F(Leaving, HoldsTheMemoryAndNothingElse) {
  // It closes things one after the other, and leaves the directory last.
  start([] { (void)!chdir("/proc"); });
  ASSERT_TRUE(outputEnds());
  if (!second)
    GTEST_SKIP() << "/proc does not tell children";
  std::string directory;
  for (int i = 0; i < kSeconds * 1000 && directory != "/"; ++i) {
    usleep(1000);
    char name[4096];
    const ssize_t size = readlink(proc("cwd").c_str(), name, sizeof name);
    ASSERT_GT(size, 0);
    directory.assign(name, size_t(size));
  }
  EXPECT_EQ(directory, "/");
  unsigned open = 0;
  DIR *const list = opendir(proc("fd").c_str());
  ASSERT_NE(list, nullptr);
  while (const dirent *entry = readdir(list))
    open += entry->d_name[0] != '.';
  closedir(list);
  if (syscall(SYS_close_range, ~0U, ~0U, 0) == 0) {
    EXPECT_EQ(open, 1u) << "the pipe";
  }
  int seen = 0;
  iovec here = {&seen, sizeof seen},
        there = {const_cast<int *>(value), sizeof seen};
  if (process_vm_readv(second, &here, 1, &there, 1, 0) > 0) {
    EXPECT_EQ(seen, 42) << "written behind its start";
  }
  end();
}

TEST_F(Leaving, WorksWithStandardStreamsClosed) {
  start([] {
    close(STDIN_FILENO);
    close(STDERR_FILENO);
  });
  EXPECT_TRUE(outputEnds());
  end();
}

// Were it to read what it has as standard input, it would wait for this test.
TEST_F(Leaving, DoesNotWaitForInput) {
  ASSERT_EQ(pipe(input), 0);
  start([&] {
    dup2(input[0], STDIN_FILENO);
    close(input[1]);
  });
  EXPECT_TRUE(outputEnds());
  alarm(kSeconds);
  end();
  alarm(0);
}

} // namespace
} // namespace xlink::test
