//===- LeftMemoryTest.cpp - who gives a large link's memory back ----------===//
//
// Which links leave a process; what it does is in driver/LeftMemoryTest.cpp,
// and how long it saves others the benchmark's.
//
//===----------------------------------------------------------------------===//
#include "support/ToolProcess.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlink::test {
namespace {

struct Ended {
  int status = -1;
  unsigned orphans = 0; ///< processes that it left, and that have ended too
  bool allWell = true;  ///< these ended by themselves
};

/// Runs the tool, which the kernel shall give its orphans to this process.
Ended runAlone(const TemporaryDirectory &directory,
               std::vector<std::string> words) {
  words.insert(words.begin(), buildDirectory() + "/xlink");
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  Ended ended;
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
    ADD_FAILURE() << "this system has no subreapers";
    return ended;
  }
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (chdir(directory.name().c_str()) == 0)
      execv(argv[0], argv.data());
    _exit(127);
  }
  int status;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  while (waitpid(-1, &status, __WALL) > 0) {
    ++ended.orphans;
    ended.allWell &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  return ended;
}

/// A link whose input is as large as given.
std::vector<std::string> linkOf(const TemporaryDirectory &directory,
                                size_t bytes) {
  directory.write("data", std::string(bytes, 'x'));
  return {"-m", "dpu", "-r", "-b", "binary", "data", "-o", "out"};
}

constexpr size_t kLarge = 16 << 20;

TEST(LeftMemory, AnotherProcessEndsBehindALargeLink) {
  TemporaryDirectory directory;
  const Ended ended = runAlone(directory, linkOf(directory, kLarge));
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.orphans, 1u);
  EXPECT_TRUE(ended.allWell);
  EXPECT_GT(directory.read("out").size(), kLarge);
}

TEST(LeftMemory, NoneBehindASmallOne) {
  TemporaryDirectory directory;
  const Ended ended = runAlone(directory, linkOf(directory, kLarge - 1));
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.orphans, 0u);
}

TEST(LeftMemory, NoneBehindAnyWhereNobodyWantsOne) {
  TemporaryDirectory directory;
  std::vector<std::string> words = linkOf(directory, kLarge);
  words.push_back("--no-fork");
  const Ended ended = runAlone(directory, words);
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.orphans, 0u);
  words.push_back("--fork");
  EXPECT_EQ(runAlone(directory, words).orphans, 1u) << "the last one counts";
}

TEST(LeftMemory, AnErrorLeavesOneToo) {
  TemporaryDirectory directory;
  std::vector<std::string> words = linkOf(directory, kLarge);
  words.insert(words.end(), {"-o", "no/such/directory/out"});
  const Ended ended = runAlone(directory, words);
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.orphans, 1u);
}

} // namespace
} // namespace xlink::test
