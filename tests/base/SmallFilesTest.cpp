//===- SmallFilesTest.cpp - many small files at once ----------------------===//
#include "base/SmallFiles.h"
#include "base/MappedFile.h"
#include "support/ToolProcess.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <liburing.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// What a reader takes for an object of such a size: no section headers stand
/// at its end. Smaller than a header, it only has the mark.
template <class ELFT = object::ELF32LE>
std::string object(size_t size, char letter = 'x') {
  std::string bytes(std::max(size, sizeof(typename ELFT::Ehdr)), letter);
  typename ELFT::Ehdr header = {};
  memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] =
      ELFT::Is64Bits ? ELF::ELFCLASS64 : ELF::ELFCLASS32;
  header.e_shoff = size;
  header.e_shentsize = sizeof(typename ELFT::Shdr);
  memcpy(bytes.data(), &header, sizeof header);
  return bytes.substr(0, size);
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

/// Whether this system has such rings at all.
bool hasRings() {
  io_uring ring;
  if (io_uring_queue_init(1, &ring, 0) != 0)
    return false;
  const int status = io_uring_register_files_sparse(&ring, 1);
  io_uring_queue_exit(&ring);
  return status == 0;
}

/// How many descriptors this process has.
size_t descriptors() {
  size_t count = 0;
  for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
    count += !entry.path().empty();
  return count;
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
  std::vector<std::string> paths, expected;
  const auto add = [&](const std::string &bytes) {
    const std::string name = std::to_string(paths.size()) + ".o";
    expected.push_back(bytes);
    directory.write(name, bytes);
    paths.push_back(directory.path(name));
  };
  for (size_t size : {52, 53, 64, 1000, 4094, 4095})
    add(object(size, char('a' + size % 26)));
  for (size_t size : {64, 65, 4095})
    add(object<object::ELF64LE>(size, char('a' + size % 26)));
  EXPECT_EQ(read(reader, paths), expected);
}

// A read may return less than there is, and says nothing of that.
TEST_F(SmallFilesTest, LeavesWhatDoesNotEndWithItsHeaders) {
  const auto with = [](uint64_t end, uint16_t headers) {
    std::string bytes = object(200);
    object::ELF32LE::Ehdr header;
    memcpy(&header, bytes.data(), sizeof header);
    header.e_shoff = uint32_t(end);
    header.e_shnum = headers;
    memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  };
  const std::vector<std::string> all = {
      with(200, 0),        with(160, 1), with(120, 2), with(199, 0),
      with(201, 0),        with(200, 1), with(120, 1), with(0, 0),
      with(0xffffffff, 1), with(0, 5)};
  std::vector<std::string> paths, expected;
  for (size_t i = 0; i < all.size(); ++i) {
    directory.write(std::to_string(i), all[i]);
    paths.push_back(directory.path(std::to_string(i)));
    // Those whose headers of 40 bytes end where the file does.
    expected.push_back(i < 3 || i == 9 ? all[i] : "-");
  }
  EXPECT_EQ(read(reader, paths), expected);
}

// The reader of objects takes words from them.
TEST_F(SmallFilesTest, BytesAreAligned) {
  std::vector<std::string> paths;
  for (size_t size : {61, 57, 100}) {
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
  directory.write("mark", object(4));
  directory.write("short", object(51));
  directory.write("short64", object<object::ELF64LE>(63));
  directory.write("empty", std::string());
  ASSERT_EQ(mkdir(directory.path("dir").c_str(), 0700), 0);
  directory.write("last.o", object(52));
  std::vector<std::string> paths, expected;
  for (const char *name :
       {"page.o", "large.o", "text.ld", "lib.a", "three", "mark", "short",
        "short64", "empty", "dir", "missing.o", "no/dir/a.o"}) {
    paths.push_back(directory.path(name));
    expected.push_back("-");
  }
  // What was left says nothing of others.
  paths.push_back(directory.path("last.o"));
  expected.push_back(object(52));
  EXPECT_EQ(read(reader, paths), expected);
}

// Another directory in each call, and several in one; relative paths too.
TEST_F(SmallFilesTest, Directories) {
  for (const char *name : {"a/1.o", "a/2.o", "b/1.o", "b/c/1.o", "1.o"})
    directory.write(name, object(60, name[0]));
  const std::vector<std::string> paths = {
      directory.path("a/1.o"), directory.path("b/1.o"), directory.path("1.o"),
      directory.path("b/c/1.o"), directory.path("a/2.o")};
  const std::vector<std::string> expected = {object(60, 'a'), object(60, 'b'),
                                             object(60, '1'), object(60, 'b'),
                                             object(60, 'a')};
  EXPECT_EQ(read(reader, paths), expected);
  for (size_t i = 0; i < paths.size(); ++i)
    EXPECT_EQ(read(reader, {paths[i]})[0], expected[i]);
  EXPECT_EQ(read(reader, {directory.path("x/1.o"), paths[0]}),
            (std::vector<std::string>{"-", expected[0]}));

  char before[4096];
  ASSERT_NE(getcwd(before, sizeof before), nullptr);
  ASSERT_EQ(chdir(directory.name().c_str()), 0);
  EXPECT_EQ(read(reader, {"1.o", "a/1.o", "./b/1.o"}),
            (std::vector<std::string>{object(60, '1'), object(60, 'a'),
                                      object(60, 'b')}));
  EXPECT_EQ(read(reader, {"a/2.o", "1.o"}),
            (std::vector<std::string>{object(60, 'a'), object(60, '1')}));
  ASSERT_EQ(chdir(before), 0);
}

// What is read from a pipe is gone for whoever opens it again.
TEST_F(SmallFilesTest, LeavesPipesWithoutANameAlone) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  const std::string bytes = object(100);
  ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), ssize_t(bytes.size()));
  const std::string number = std::to_string(ends[0]);
  ASSERT_EQ(
      symlink(("/dev/fd/" + number).c_str(), directory.path("link.o").c_str()),
      0);
  EXPECT_EQ(read(reader, {"/dev/fd/" + number, "/proc/self/fd/" + number,
                          directory.path("link.o")}),
            (std::vector<std::string>{"-", "-", "-"}));
  std::string left(200, 0);
  EXPECT_EQ(::read(ends[0], left.data(), left.size()), ssize_t(bytes.size()));
  close(ends[0]);
  close(ends[1]);
}

// A pipe's writer waits until somebody reads, and must not be told that nobody
// does any more before others have opened it.
TEST_F(SmallFilesTest, PipesWithANameKeepTheirWriters) {
  const std::string path = directory.path("pipe.o");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  directory.write("a.o", object(100));
  const std::string sent = object(70'000);
  bool wrote = false;
  std::thread writer([&] {
    // Without a signal, which would end the tests.
    signal(SIGPIPE, SIG_IGN);
    const int fd = open(path.c_str(), O_WRONLY);
    size_t done = 0;
    for (ssize_t n; done < sent.size() && (n = write(fd, sent.data() + done,
                                                     sent.size() - done)) > 0;)
      done += size_t(n);
    close(fd);
    wrote = done == sent.size();
  });
  EXPECT_EQ(read(reader, {path, directory.path("a.o")}),
            (std::vector<std::string>{"-", object(100)}));
  EXPECT_EQ(read(reader, {directory.path("a.o")})[0], object(100));
  std::string error;
  const auto buffer = openFile(nullptr, path, error);
  writer.join();
  ASSERT_NE(buffer, nullptr) << error;
  EXPECT_TRUE(buffer->getBuffer() == sent);
  EXPECT_TRUE(wrote);
}

TEST_F(SmallFilesTest, NothingStaysOpen) {
  directory.write("a/1.o", object(100));
  directory.write("b/1.o", object(100));
  ASSERT_EQ(mkfifo(directory.path("pipe").c_str(), 0600), 0);
  const size_t before = descriptors();
  {
    SmallFiles one;
    read(one, {directory.path("a/1.o"), directory.path("a/none.o")});
    read(one, {directory.path("b/1.o"), directory.path("pipe")});
    read(one, {directory.path("a/1.o")});
  }
  EXPECT_EQ(descriptors(), before);
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
  const int result = inOwnProcess([&] {
    if (!refuseRings())
      return 2;
    SmallFiles reader;
    const std::vector<std::string> nothing = {"-"};
    return read(reader, {directory.path("a.o")}) == nothing &&
                   read(reader, {directory.path("a.o")}) == nothing
               ? 0
               : 1;
  });
  if (result == 2)
    GTEST_SKIP() << "this system has no filters of system calls";
  EXPECT_EQ(result, 0);
}

} // namespace
} // namespace xlink::test
