//===- OutputFileTest.cpp -------------------------------------------------===//
#include "output/OutputFile.h"
#include "support/Sanitized.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace xlink;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

using xlink::test::kSanitized;

namespace {

class DiskSinkTest : public testing::Test {
protected:
  void SetUp() override {
    // Not in TMPDIR, which other users may not enter.
    std::string pattern = "/tmp/xlink-output-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir = pattern;
  }
  void TearDown() override {
    std::string command = "chmod -R u+w '" + dir + "'; rm -rf '" + dir + "'";
    ASSERT_EQ(system(command.c_str()), 0);
  }

  std::string path(const std::string &name) { return dir + "/" + name; }
  void put(const std::string &name, const std::string &bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string get(const std::string &name) {
    std::stringstream s;
    s << std::ifstream(path(name), std::ios::binary).rdbuf();
    return s.str();
  }
  /// All names in the directory: nothing temporary may be left.
  std::vector<std::string> names() {
    std::vector<std::string> list;
    DIR *d = opendir(dir.c_str());
    while (dirent *entry = readdir(d))
      if (std::string name = entry->d_name; name != "." && name != "..")
        list.push_back(name);
    closedir(d);
    return list;
  }
  /// Writes an output in one go; "" or the reason.
  std::string link(const std::string &target, const std::string &bytes,
                   bool executable = false) {
    std::string error;
    auto file = DiskSink().open(target, bytes.size(), executable, error);
    if (!file)
      return "open: " + error;
    error = file->writeAt(0, data(bytes));
    if (!error.empty())
      return "write: " + error;
    error = file->commit();
    return error.empty() ? "" : "commit: " + error;
  }
  static llvm::ArrayRef<uint8_t> data(llvm::StringRef s) {
    return {s.bytes_begin(), s.size()};
  }
  std::string dir;
};

TEST_F(DiskSinkTest, CreatesAndReplaces) {
  EXPECT_EQ(link(path("out"), "first"), "");
  EXPECT_EQ(get("out"), "first");
  EXPECT_EQ(link(path("out"), "2nd"), "");
  EXPECT_EQ(get("out"), "2nd");
  EXPECT_EQ(link(path("out"), ""), "");
  EXPECT_EQ(get("out"), "");
  EXPECT_THAT(names(), ElementsAre("out"));
}

TEST_F(DiskSinkTest, NothingHappensBeforeCommit) {
  put("out", "old");
  {
    std::string error;
    auto file = DiskSink().open(path("out"), 3, false, error);
    ASSERT_NE(file, nullptr) << error;
    EXPECT_EQ(file->writeAt(0, data("new")), "");
    EXPECT_EQ(get("out"), "old");
  }
  EXPECT_EQ(get("out"), "old");
  EXPECT_THAT(names(), ElementsAre("out"));
}

TEST_F(DiskSinkTest, WritesInAnyOrderFromThreads) {
  std::string error;
  constexpr size_t block = 100000, count = 16;
  auto file = DiskSink().open(path("out"), block * count + 7, false, error);
  ASSERT_NE(file, nullptr) << error;
  std::vector<std::thread> threads;
  for (size_t i = count; i-- != 1;) // block 0 and the tail stay unwritten
    threads.emplace_back([&, i] {
      std::string bytes(block, char('a' + i));
      EXPECT_EQ(file->writeAt(i * block, data(bytes)), "");
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(file->commit(), "");
  std::string result = get("out");
  ASSERT_EQ(result.size(), block * count + 7);
  EXPECT_EQ(result.substr(0, block), std::string(block, '\0'));
  for (size_t i = 1; i != count; ++i)
    EXPECT_EQ(result.substr(i * block, block),
              std::string(block, char('a' + i)));
  EXPECT_EQ(result.substr(block * count), std::string(7, '\0'));
}

// A file whose size nobody knew ends where the last byte was written.
TEST_F(DiskSinkTest, EndsBehindTheLastByteWhereNoSizeIsGiven) {
  std::string error;
  constexpr size_t block = 100000, count = 8;
  put("old", std::string(block * count * 2, 'x'));
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = get("pipe"); });
  MemorySink memory;
  std::string expected(block * count, '\0');
  for (size_t i = 1; i != count; ++i)
    std::fill_n(expected.begin() + i * block, block, char('a' + i));
  auto write = [&](OutputSink &sink, const std::string &name) {
    auto file = sink.open(name, std::nullopt, false, error);
    ASSERT_NE(file, nullptr) << error;
    std::vector<std::thread> threads;
    for (size_t i = count; i-- != 1;) // block 0 stays unwritten
      threads.emplace_back([&, i] {
        EXPECT_EQ(
            file->writeAt(i * block, data(expected.substr(i * block, block))),
            "");
      });
    for (std::thread &t : threads)
      t.join();
    EXPECT_EQ(file->commit(), "");
  };
  DiskSink disk;
  write(disk, path("new"));
  write(disk, path("old"));
  write(disk, path("pipe"));
  write(memory, "m");
  reader.join();
  EXPECT_TRUE(get("new") == expected);
  EXPECT_TRUE(get("old") == expected);
  EXPECT_TRUE(received == expected);
  const std::vector<uint8_t> &kept = memory.files.at("m");
  EXPECT_TRUE(std::string(kept.begin(), kept.end()) == expected);

  auto file = disk.open(path("empty"), std::nullopt, false, error);
  ASSERT_NE(file, nullptr) << error;
  EXPECT_EQ(file->writeAt(~uint64_t(0), data("a")), "File too large");
  EXPECT_EQ(file->commit(), "");
  EXPECT_EQ(get("empty"), "");
  file = memory.open("n", std::nullopt, false, error);
  EXPECT_EQ(file->writeAt(~uint64_t(0), data("a")), "File too large");
}

TEST_F(DiskSinkTest, RefusesBytesBeyondTheEnd) {
  std::string error;
  auto file = DiskSink().open(path("out"), 4, false, error);
  ASSERT_NE(file, nullptr) << error;
  EXPECT_EQ(file->writeAt(2, data("abc")), "File too large");
  EXPECT_EQ(file->writeAt(~uint64_t(0), data("a")), "File too large");
  EXPECT_EQ(file->writeAt(4, {}), "");
}

TEST_F(DiskSinkTest, TheModeFollowsTheUmask) {
  mode_t old = umask(027);
  EXPECT_EQ(link(path("run"), "x", true), "");
  EXPECT_EQ(link(path("data"), "x", false), "");
  umask(old);
  struct stat st;
  ASSERT_EQ(stat(path("run").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0750u);
  ASSERT_EQ(stat(path("data").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0640u);
}

TEST_F(DiskSinkTest, AReaderKeepsTheOldFile) {
  put("out", "old");
  int fd = open(path("out").c_str(), O_RDONLY);
  EXPECT_EQ(link(path("out"), "new"), "");
  char bytes[8] = {};
  EXPECT_EQ(read(fd, bytes, sizeof bytes), 3);
  EXPECT_STREQ(bytes, "old");
  close(fd);
}

TEST_F(DiskSinkTest, HardLinksKeepTheOldBytes) {
  put("out", "old");
  ASSERT_EQ(::link(path("out").c_str(), path("other").c_str()), 0);
  EXPECT_EQ(link(path("out"), "new"), "");
  EXPECT_EQ(get("out"), "new");
  EXPECT_EQ(get("other"), "old");
}

TEST_F(DiskSinkTest, ALinkToAFileIsReplaced) {
  put("file", "old");
  ASSERT_EQ(symlink("file", path("link").c_str()), 0);
  ASSERT_EQ(symlink("nowhere", path("dangling").c_str()), 0);
  EXPECT_EQ(link(path("link"), "new"), "");
  EXPECT_EQ(link(path("dangling"), "new"), "");
  EXPECT_EQ(get("file"), "old");
  EXPECT_EQ(get("link"), "new");
  struct stat st;
  ASSERT_EQ(lstat(path("link").c_str(), &st), 0);
  EXPECT_TRUE(S_ISREG(st.st_mode));
  EXPECT_THAT(names(), UnorderedElementsAre("file", "link", "dangling"));
}

// /dev/stdout is such a link; where it leads is what a shell has opened.
TEST_F(DiskSinkTest, LinksToDescriptorsAreFollowed) {
  put("log", "a longer old text");
  const int fd = open(path("log").c_str(), O_WRONLY);
  ASSERT_GE(fd, 0);
  const std::string descriptor = "/proc/self/fd/" + std::to_string(fd);
  ASSERT_EQ(symlink(descriptor.c_str(), path("stdout").c_str()), 0);
  ASSERT_EQ(symlink("stdout", path("twice").c_str()), 0);
  EXPECT_EQ(link(path("stdout"), "new"), "");
  EXPECT_EQ(get("log"), "new");
  EXPECT_EQ(link(path("twice"), "newer"), "");
  EXPECT_EQ(get("log"), "newer");
  EXPECT_EQ(link(descriptor, "last"), "");
  EXPECT_EQ(get("log"), "last");
  struct stat st;
  ASSERT_EQ(lstat(path("stdout").c_str(), &st), 0);
  EXPECT_TRUE(S_ISLNK(st.st_mode));
  EXPECT_THAT(names(), UnorderedElementsAre("log", "stdout", "twice"));
  close(fd);
}

TEST_F(DiskSinkTest, DevicesStayDevices) {
  EXPECT_EQ(link("/dev/null", std::string(100000, 'x'), true), "");
  struct stat st;
  ASSERT_EQ(stat("/dev/null", &st), 0);
  EXPECT_TRUE(S_ISCHR(st.st_mode));

  ASSERT_EQ(symlink("/dev/null", path("link").c_str()), 0);
  EXPECT_EQ(link(path("link"), "x"), "");
  ASSERT_EQ(lstat(path("link").c_str(), &st), 0);
  EXPECT_TRUE(S_ISLNK(st.st_mode));
}

TEST_F(DiskSinkTest, AFullDeviceIsAnError) {
  EXPECT_EQ(link("/dev/full", "x"), "commit: No space left on device");
}

TEST_F(DiskSinkTest, APipeReceivesTheBytesInOrder) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = get("pipe"); });
  std::string error;
  auto file = DiskSink().open(path("pipe"), 200005, true, error);
  ASSERT_NE(file, nullptr) << error;
  std::string tail(200000, 't');
  EXPECT_EQ(file->writeAt(5, data(tail)), "");
  EXPECT_EQ(file->writeAt(0, data("head ")), "");
  EXPECT_EQ(file->commit(), "");
  reader.join();
  EXPECT_EQ(received, "head " + tail);
}

TEST_F(DiskSinkTest, NamesTheReason) {
  EXPECT_EQ(link(dir, "x"), "open: Is a directory");
  EXPECT_EQ(link(path("none/"), "x"), "open: Is a directory");
  EXPECT_EQ(link(path("none/out"), "x"), "open: No such file or directory");
  EXPECT_EQ(link("", "x"), "open: No such file or directory");
  put("file", "x");
  EXPECT_EQ(link(path("file/out"), "x"), "open: Not a directory");
  std::string error;
  EXPECT_EQ(DiskSink().open(path("out"), ~uint64_t(0), false, error), nullptr);
  EXPECT_EQ(error, "File too large");
  EXPECT_EQ(DiskSink().open("/dev/null", ~uint64_t(0), false, error), nullptr);
  EXPECT_EQ(error, "Cannot allocate memory");
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(DiskSinkTest, TheLongestNameWorks) {
  std::string name(255, 'n');
  EXPECT_EQ(link(path(name), "x"), "");
  EXPECT_EQ(link(path(name), "y"), "");
  EXPECT_EQ(get(name), "y");
}

TEST_F(DiskSinkTest, AFileInAReadOnlyDirectoryIsWrittenInPlace) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  put("out", "old and longer");
  chmod(dir.c_str(), 0555);
  EXPECT_EQ(link(path("out"), "new"), "");
  EXPECT_EQ(get("out"), "new");
  EXPECT_EQ(link(path("other"), "new"), "open: Permission denied");
}

// The tests below run in a child process: they change what signals do.

/// Signals that end a link, from outside or by a fault, which a sanitizer wants
/// to see itself.
std::vector<int> endings() {
  std::vector<int> all = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
  if (!kSanitized)
    all.insert(all.end(), {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS});
  return all;
}

/// Whether a sanitizer keeps the handlers of faults, as GCC's does here.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSeesFaults = true;
#else
constexpr bool kSeesFaults = false;
#endif

/// Runs fn in a child; returns its wait status.
template <typename Fn> int inChild(Fn fn) {
  pid_t pid = fork();
  if (pid == 0) {
    // nohup and background jobs of a shell ignore some; children inherit that.
    for (int signal : endings())
      std::signal(signal, SIG_DFL);
    struct rlimit noCore = {0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    fn();
    _exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

TEST_F(DiskSinkTest, SignalsLeaveNothing) {
  put("out", "old");
  for (int signal : endings()) {
    int status = inChild([&] {
      handleSignalsOfOutput();
      std::string error;
      auto file = DiskSink().open(path("out"), 3, false, error);
      file->writeAt(0, data("new"));
      raise(signal);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(get("out"), "old");
    EXPECT_THAT(names(), ElementsAre("out"));
  }
}

// Also with the longest path that a system call takes.
TEST_F(DiskSinkTest, SignalsLeaveNothingInDeepDirectories) {
  std::string deep = dir;
  while (deep.size() + 201 < 4000)
    ASSERT_EQ(mkdir((deep += "/" + std::string(200, 'd')).c_str(), 0777), 0);
  int status = inChild([&] {
    handleSignalsOfOutput();
    std::string error;
    auto file = DiskSink().open(deep + "/out", 3, false, error);
    if (!file)
      _exit(1);
    raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(rmdir(deep.c_str()), 0) << "something is left in it";
}

// A mapped input that another process truncates.
TEST_F(DiskSinkTest, ATruncatedInputIsAnError) {
  if (kSeesFaults)
    GTEST_SKIP() << "the sanitizer wants to see the fault";
  put("out", "old");
  put("in", std::string(1 << 16, 'x'));
  int messages[2];
  ASSERT_EQ(pipe(messages), 0);
  int status = inChild([&] {
    dup2(messages[1], STDERR_FILENO);
    handleSignalsOfOutput();
    int fd = open(path("in").c_str(), O_RDONLY);
    auto *bytes = static_cast<volatile char *>(
        mmap(nullptr, 1 << 16, PROT_READ, MAP_PRIVATE, fd, 0));
    std::string error;
    auto file = DiskSink().open(path("out"), 3, false, error);
    if (truncate(path("in").c_str(), 0) != 0)
      _exit(2);
    _exit(bytes[1 << 15] + 3);
  });
  close(messages[1]);
  char text[200] = "";
  EXPECT_GT(read(messages[0], text, sizeof text - 1), 0);
  close(messages[0]);
  EXPECT_STREQ(text, "xlink: error: an input file shrank, or could not be "
                     "read, while it was linked\n");
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(get("out"), "old");
  EXPECT_THAT(names(), UnorderedElementsAre("in", "out"));
}

/// Runs fn on two threads at once, in a child that has as many temporary files
/// as a signal can remove: their removal takes longer than the second thread
/// takes to come.
template <typename Fn> int onTwoThreads(const std::string &dir, Fn fn) {
  return inChild([&] {
    handleSignalsOfOutput();
    std::vector<std::unique_ptr<OutputFile>> files;
    std::string error;
    for (int i = 0; i < 16; ++i)
      files.push_back(
          DiskSink().open(dir + "/" + std::to_string(i), 3, false, error));
    std::atomic<int> ready = 0;
    const auto run = [&] {
      for (++ready; ready != 2;)
        ;
      fn();
    };
    std::thread other(run);
    run();
    other.join();
  });
}

TEST_F(DiskSinkTest, SignalsOfTwoThreadsLeaveNothing) {
  for (int i = 0; i < 20; ++i) {
    const int status = onTwoThreads(dir, [] { raise(SIGTERM); });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    EXPECT_THAT(names(), ElementsAre());
  }
}

TEST_F(DiskSinkTest, ATruncatedInputOfTwoThreadsIsOneError) {
  if (kSeesFaults)
    GTEST_SKIP() << "the sanitizer wants to see the fault";
  for (int i = 0; i < 20; ++i) {
    int messages[2];
    ASSERT_EQ(pipe(messages), 0);
    put("in", std::string(1 << 16, 'x'));
    const int fd = open(path("in").c_str(), O_RDONLY);
    auto *bytes = static_cast<volatile char *>(
        mmap(nullptr, 1 << 16, PROT_READ, MAP_PRIVATE, fd, 0));
    close(fd);
    ASSERT_EQ(truncate(path("in").c_str(), 0), 0);
    const int own = dup(STDERR_FILENO);
    dup2(messages[1], STDERR_FILENO);
    const int status = onTwoThreads(dir, [&] { (void)bytes[1 << 15]; });
    dup2(own, STDERR_FILENO);
    for (int end : {own, messages[1]})
      close(end);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_THAT(names(), ElementsAre("in"));
    char text[400] = "";
    EXPECT_GT(read(messages[0], text, sizeof text - 1), 0);
    EXPECT_STREQ(text, "xlink: error: an input file shrank, or could not be "
                       "read, while it was linked\n");
    close(messages[0]);
  }
}

// Another user's file in a directory with the sticky bit may be written by
// everybody and replaced by nobody.
TEST_F(DiskSinkTest, AFileThatCannotBeReplacedIsWritten) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs a second user";
  put("longer", "old and longer");
  put("mine", "old");
  chmod(dir.c_str(), 01777);
  chmod(path("longer").c_str(), 0666);
  chmod(path("mine").c_str(), 0644);
  int status = inChild([&] {
    if (setgid(65534) != 0 || setuid(65534) != 0)
      _exit(2);
    if (link(path("longer"), "new") != "")
      _exit(3);
    // What cannot be written either says why it could not be replaced.
    if (link(path("mine"), "new") != "commit: Operation not permitted")
      _exit(4);
    // Nothing is touched before all bytes are there.
    std::string error;
    auto file = DiskSink().open(path("longer"), 5, false, error);
    file->writeAt(0, data("other"));
    file.reset();
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(get("longer"), "new");
  EXPECT_EQ(get("mine"), "old");
  EXPECT_THAT(names(), UnorderedElementsAre("longer", "mine"));
}

// A file that is mounted at its name (containers do that) stays where it is.
TEST_F(DiskSinkTest, AMountPointIsWritten) {
  put("out", "old and longer");
  put("host", "old and longer");
  int status = inChild([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(path("host").c_str(), path("out").c_str(), nullptr, MS_BIND,
              nullptr) != 0)
      _exit(77);
    _exit(link(path("out"), "new") == "" ? 0 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "this system does not allow mounts";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(get("host"), "new");
  EXPECT_THAT(names(), UnorderedElementsAre("host", "out"));
}

TEST_F(DiskSinkTest, HeldOutputsAppearTogether) {
  put("first", "old");
  DiskSink disk;
  HeldSink held(disk);
  std::string error;
  for (const char *name : {"first", "second"}) {
    auto file = held.open(path(name), 3, false, error);
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->writeAt(0, data("new")), "");
    EXPECT_EQ(file->commit(), "");
  }
  EXPECT_EQ(get("first"), "old");
  EXPECT_EQ(held.commitAll(), "");
  EXPECT_EQ(get("first"), "new");
  EXPECT_EQ(get("second"), "new");
  EXPECT_THAT(names(), UnorderedElementsAre("first", "second"));
}

// The one written last becomes visible first; a failure leaves the others.
TEST_F(DiskSinkTest, HeldOutputsGoTogether) {
  put("first", "old");
  ASSERT_EQ(mkdir(path("d").c_str(), 0777), 0);
  DiskSink disk;
  HeldSink held(disk);
  std::string error;
  for (const char *name : {"first", "d/second"}) {
    auto file = held.open(path(name), 3, false, error);
    ASSERT_NE(file, nullptr);
    file->commit();
  }
  ASSERT_EQ(system(("rm -r '" + path("d") + "'").c_str()), 0);
  EXPECT_EQ(held.commitAll(),
            "cannot write " + path("d/second") + ": No such file or directory");
  held.held.clear();
  EXPECT_EQ(get("first"), "old");
  EXPECT_THAT(names(), ElementsAre("first"));
}

TEST_F(DiskSinkTest, IgnoredSignalsStayIgnored) {
  int status = inChild([&] {
    std::signal(SIGHUP, SIG_IGN);
    handleSignalsOfOutput();
    std::string error;
    auto file = DiskSink().open(path("out"), 3, false, error);
    file->writeAt(0, data("new"));
    raise(SIGHUP);
    file->commit();
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(get("out"), "new");
}

TEST_F(DiskSinkTest, ASignalAfterCommitKeepsTheOutput) {
  int status = inChild([&] {
    handleSignalsOfOutput();
    std::string error;
    auto file = DiskSink().open(path("out"), 3, false, error);
    file->writeAt(0, data("new"));
    file->commit();
    raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(get("out"), "new");
  EXPECT_THAT(names(), ElementsAre("out"));
}

TEST_F(DiskSinkTest, AClosedPipeIsAnError) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  int status = inChild([&] {
    handleSignalsOfOutput();
    std::thread reader([&] {
      int fd = open(path("pipe").c_str(), O_RDONLY);
      char byte;
      bool got = read(fd, &byte, 1) == 1;
      close(fd);
      if (!got)
        _exit(2);
    });
    std::string bytes(1 << 20, 'x');
    std::string error = link(path("pipe"), bytes);
    reader.join();
    _exit(error == "commit: Broken pipe" ? 0 : 1);
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(DiskSinkTest, ALimitOnFileSizesIsAnError) {
  int status = inChild([&] {
    handleSignalsOfOutput();
    struct rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(link(path("out"), std::string(2000, 'x')) == "open: File too large"
              ? 0
              : 1);
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(names().empty());
}

TEST(MemorySink, KeepsCommittedOutputs) {
  MemorySink sink;
  std::string error;
  auto file = sink.open("a", 4, true, error);
  ASSERT_NE(file, nullptr);
  uint8_t bytes[] = {1, 2};
  EXPECT_EQ(file->writeAt(1, bytes), "");
  EXPECT_EQ(file->writeAt(3, bytes), "File too large");
  EXPECT_TRUE(sink.files.empty());
  EXPECT_EQ(file->commit(), "");
  EXPECT_THAT(sink.files.at("a"), ElementsAre(0, 1, 2, 0));
  sink.open("b", 4, true, error).reset();
  EXPECT_EQ(sink.files.size(), 1u);
  EXPECT_EQ(sink.open("c", ~uint64_t(0), true, error), nullptr);
  EXPECT_EQ(error, "Cannot allocate memory");
}

} // namespace
