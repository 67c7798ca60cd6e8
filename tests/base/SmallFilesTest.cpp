//===- SmallFilesTest.cpp - many small files at once ----------------------===//
#include "base/SmallFiles.h"
#include "support/ToolProcess.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// What has the mark of an object, and such a size.
std::string object(size_t size, char letter = 'x') {
  return (ELF::ElfMagic + std::string(size, letter)).substr(0, size);
}

/// What is read of each file: its bytes, or "-".
std::vector<std::string> read(SmallFiles &reader,
                              const std::vector<std::string> &paths) {
  std::vector<SmallFile> files;
  for (const std::string &path : paths)
    files.push_back({&path, nullptr});
  reader.read(files);
  std::vector<std::string> all;
  for (const SmallFile &file : files)
    all.push_back(file.contents ? file.contents->getBuffer().str() : "-");
  return all;
}

/// Whether this system has rings at all.
bool hasRings() {
  const TemporaryDirectory directory;
  directory.write("a.o", object(100));
  SmallFiles reader;
  return read(reader, {directory.path("a.o")})[0] != "-";
}

class SmallFilesTest : public testing::Test {
protected:
  void SetUp() override {
    if (!hasRings())
      GTEST_SKIP() << "this system refuses io_uring";
  }
  TemporaryDirectory directory;
  SmallFiles reader;
};

TEST_F(SmallFilesTest, ReadsObjectsOfLessThanAPage) {
  const std::vector<size_t> sizes = {4, 5, 16, 1000, 4094, 4095};
  std::vector<std::string> paths, expected;
  for (size_t size : sizes) {
    const std::string name = std::to_string(size) + ".o";
    expected.push_back(object(size, char('a' + size % 26)));
    directory.write(name, expected.back());
    paths.push_back(directory.path(name));
  }
  EXPECT_EQ(read(reader, paths), expected);
}

// The reader of objects takes words from them.
TEST_F(SmallFilesTest, BytesAreAligned) {
  std::vector<std::string> paths;
  for (size_t size : {61, 7, 100}) {
    directory.write(std::to_string(size), object(size));
    paths.push_back(directory.path(std::to_string(size)));
  }
  std::vector<SmallFile> files;
  for (const std::string &path : paths)
    files.push_back({&path, nullptr});
  reader.read(files);
  for (const SmallFile &file : files)
    EXPECT_EQ(uintptr_t(file.contents->getBufferStart()) % 16, 0u);
}

TEST_F(SmallFilesTest, LeavesWhatIsNoSmallObject) {
  directory.write("page.o", object(4096));
  directory.write("large.o", object(100'000));
  directory.write("text.ld", std::string("SECTIONS {}"));
  directory.write("lib.a", std::string("!<arch>\n"));
  directory.write("three", object(3));
  directory.write("empty", std::string());
  ASSERT_EQ(mkdir(directory.path("dir").c_str(), 0700), 0);
  directory.write("last.o", object(50));
  std::vector<std::string> paths, expected;
  for (const char *name : {"page.o", "large.o", "text.ld", "lib.a", "three",
                           "empty", "dir", "missing.o", "no/dir/a.o"}) {
    paths.push_back(directory.path(name));
    expected.push_back("-");
  }
  // What was left says nothing of others.
  paths.push_back(directory.path("last.o"));
  expected.push_back(object(50));
  EXPECT_EQ(read(reader, paths), expected);
}

// Another directory in each call, and several in one; relative paths too.
TEST_F(SmallFilesTest, Directories) {
  for (const char *name : {"a/1.o", "a/2.o", "b/1.o", "b/c/1.o", "1.o"})
    directory.write(name, object(40, name[0]));
  const std::vector<std::string> paths = {
      directory.path("a/1.o"), directory.path("b/1.o"), directory.path("1.o"),
      directory.path("b/c/1.o"), directory.path("a/2.o")};
  const std::vector<std::string> expected = {object(40, 'a'), object(40, 'b'),
                                             object(40, '1'), object(40, 'b'),
                                             object(40, 'a')};
  EXPECT_EQ(read(reader, paths), expected);
  for (size_t i = 0; i < paths.size(); ++i)
    EXPECT_EQ(read(reader, {paths[i]})[0], expected[i]);
  EXPECT_EQ(read(reader, {directory.path("x/1.o"), paths[0]}),
            (std::vector<std::string>{"-", expected[0]}));

  char before[4096];
  ASSERT_NE(getcwd(before, sizeof before), nullptr);
  ASSERT_EQ(chdir(directory.name().c_str()), 0);
  EXPECT_EQ(read(reader, {"1.o", "a/1.o", "./b/1.o"}),
            (std::vector<std::string>{object(40, '1'), object(40, 'a'),
                                      object(40, 'b')}));
  EXPECT_EQ(read(reader, {"a/2.o", "1.o"}),
            (std::vector<std::string>{object(40, 'a'), object(40, '1')}));
  ASSERT_EQ(chdir(before), 0);
}

// What is read from a pipe is gone for whoever opens it again.
TEST_F(SmallFilesTest, LeavesPipesWithoutANameAlone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string bytes = object(100);
  ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), ssize_t(bytes.size()));
  const std::string number = std::to_string(ends[0]);
  EXPECT_EQ(read(reader, {"/dev/fd/" + number, "/proc/self/fd/" + number}),
            (std::vector<std::string>{"-", "-"}));
  std::string left(200, 0);
  EXPECT_EQ(::read(ends[0], left.data(), left.size()), ssize_t(bytes.size()));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(SmallFilesTest, NothingStaysOpen) {
  directory.write("a.o", object(100));
  const int before = dup(0);
  close(before);
  {
    SmallFiles one;
    read(one, {directory.path("a.o"), directory.path("b.o")});
  }
  const int after = dup(0);
  close(after);
  EXPECT_EQ(after, before);
}

TEST_F(SmallFilesTest, ContentsOutliveTheReader) {
  directory.write("a.o", object(100));
  const std::string path = directory.path("a.o");
  SmallFile file{&path, nullptr};
  {
    SmallFiles one;
    one.read(file);
  }
  ASSERT_NE(file.contents, nullptr);
  EXPECT_EQ(file.contents->getBuffer(), object(100));
}

TEST_F(SmallFilesTest, ManyThreads) {
  std::vector<std::string> paths, expected;
  for (size_t i = 0; i < SmallFiles::most; ++i) {
    const std::string name = std::to_string(i) + ".o";
    expected.push_back(object(100 + i, char('a' + i % 26)));
    directory.write(name, expected.back());
    paths.push_back(directory.path(name));
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        EXPECT_EQ(read(reader, paths), expected);
    });
  for (std::thread &thread : threads)
    thread.join();
}

// In another process, which cannot take that back.
TEST(SmallFilesRefused, ReadsNothing) {
  const TemporaryDirectory directory;
  directory.write("a.o", object(100));
  const pid_t child = fork();
  if (child == 0) {
    if (!refuseRings())
      _exit(2);
    SmallFiles reader;
    const std::vector<std::string> nothing = {"-"};
    _exit(read(reader, {directory.path("a.o")}) == nothing &&
                  read(reader, {directory.path("a.o")}) == nothing
              ? 0
              : 1);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2)
    GTEST_SKIP() << "this system has no filters of system calls";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace xlink::test
