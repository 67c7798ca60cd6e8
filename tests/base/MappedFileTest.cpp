//===- MappedFileTest.cpp -------------------------------------------------===//
#include "base/MappedFile.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace xlink;

namespace {

class MappedFileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "xlink-mapped-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir = pattern;
  }
  void TearDown() override {
    std::string command = "rm -rf '" + dir + "'";
    ASSERT_EQ(system(command.c_str()), 0);
  }
  std::string write(const std::string &name, const std::string &bytes) {
    std::string path = dir + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string contents(const std::string &path) {
    auto buffer = openFile(nullptr, path, error);
    return buffer ? buffer->getBuffer().str() : "<" + error + ">";
  }
  std::string dir, error;
};

TEST_F(MappedFileTest, ReadsSmallFiles) {
  EXPECT_EQ(contents(write("a", "hello")), "hello");
  EXPECT_EQ(error, "");
  std::string binary("a\0b\n\xff", 5);
  EXPECT_EQ(contents(write("b", binary)), binary);
  EXPECT_EQ(contents(write("empty", "")), "");
  EXPECT_EQ(error, "");
}

TEST_F(MappedFileTest, MapsLargeFiles) {
  std::string bytes(3 << 20, 'x');
  bytes[12345] = 'y';
  bytes.back() = 'z';
  std::string path = write("big", bytes);
  auto buffer = openFile(nullptr, path, error);
  ASSERT_NE(buffer, nullptr) << error;
  EXPECT_EQ(buffer->getBufferKind(), llvm::MemoryBuffer::MemoryBuffer_MMap);
  EXPECT_EQ(buffer->getBufferIdentifier(), path);
  EXPECT_TRUE(buffer->getBuffer() == bytes);
  // Just at the border, and a size that is a multiple of the page size.
  for (size_t size : {(16 << 10) - 1, 16 << 10, (16 << 10) + 4096}) {
    buffer = openFile(nullptr, write("edge", std::string(size, 'q')), error);
    ASSERT_NE(buffer, nullptr) << error;
    EXPECT_EQ(buffer->getBuffer(), std::string(size, 'q'));
    EXPECT_EQ(buffer->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap,
              size >= 16 << 10);
  }
}

/// Whether this process has the page of a byte (/proc/pid/pagemap, bit 63).
bool isPresent(const char *byte) {
  const uint64_t page = uintptr_t(byte) / size_t(getpagesize());
  uint64_t entry = 0;
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(pread(map, &entry, sizeof entry, off_t(page * sizeof entry)),
            ssize_t(sizeof entry));
  close(map);
  return entry >> 63;
}

TEST_F(MappedFileTest, PagesLeaveAndComeBack) {
  // The middle one is read into memory, the last one was never in a file.
  llvm::vfs::InMemoryFileSystem fs;
  const std::string large(1 << 20, 'm'), small(1 << 13, 's');
  fs.addFile("/made", 0, llvm::MemoryBuffer::getMemBufferCopy(large));
  const auto mapped = openFile(nullptr, write("mapped", large), error),
             read = openFile(nullptr, write("read", small), error),
             made = openFile(&fs, "/made", error);
  ASSERT_TRUE(mapped && read && made) << error;
  EXPECT_TRUE(mapped->getBuffer() == large);
  for (const auto *file : {&mapped, &read, &made})
    leavePages(**file);
  for (size_t at = 0; at < large.size(); at += 4096)
    EXPECT_FALSE(isPresent(mapped->getBufferStart() + at)) << at;
  EXPECT_TRUE(mapped->getBuffer() == large);
  EXPECT_TRUE(read->getBuffer() == small);
  EXPECT_TRUE(made->getBuffer() == large);
}

TEST_F(MappedFileTest, NamesTheReason) {
  EXPECT_EQ(contents(dir + "/none"), "<No such file or directory>");
  EXPECT_EQ(contents(dir), "<Is a directory>");
  EXPECT_EQ(contents(write("f", "x") + "/g"), "<Not a directory>");
  EXPECT_EQ(contents(""), "<No such file or directory>");
  if (geteuid() != 0) {
    std::string path = write("secret", "x");
    chmod(path.c_str(), 0);
    EXPECT_EQ(contents(path), "<Permission denied>");
  }
}

TEST_F(MappedFileTest, ReadsPipes) {
  std::string path = dir + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string bytes(300000, 'p');
  std::thread writer([&] { std::ofstream(path) << bytes; });
  EXPECT_EQ(contents(path), bytes);
  writer.join();
}

TEST_F(MappedFileTest, ReadsDevices) { EXPECT_EQ(contents("/dev/null"), ""); }

TEST_F(MappedFileTest, LeavesNoDescriptorOpen) {
  std::string path = write("a", "x");
  int before = dup(0);
  close(before);
  for (int i = 0; i != 10; ++i) {
    contents(path);
    contents(dir);
  }
  int after = dup(0);
  close(after);
  EXPECT_EQ(before, after);
}

TEST_F(MappedFileTest, KnowsRegularFiles) {
  EXPECT_TRUE(fileExists(nullptr, write("a", "")));
  EXPECT_FALSE(fileExists(nullptr, dir));
  EXPECT_FALSE(fileExists(nullptr, dir + "/none"));
  EXPECT_FALSE(fileExists(nullptr, "/dev/null"));
}

TEST(VirtualFile, ReadsThroughTheFileSystem) {
  llvm::vfs::InMemoryFileSystem fs;
  fs.addFile("/dir/a.o", 0, llvm::MemoryBuffer::getMemBuffer("bytes"));
  std::string error;
  auto buffer = openFile(&fs, "/dir/a.o", error);
  ASSERT_NE(buffer, nullptr) << error;
  EXPECT_EQ(buffer->getBuffer(), "bytes");
  EXPECT_EQ(openFile(&fs, "/dir/b.o", error), nullptr);
  EXPECT_EQ(error, "No such file or directory");
  EXPECT_EQ(openFile(&fs, "/dir", error), nullptr);
  EXPECT_EQ(error, "Is a directory");
  EXPECT_TRUE(fileExists(&fs, "/dir/a.o"));
  EXPECT_FALSE(fileExists(&fs, "/dir"));
  EXPECT_FALSE(fileExists(&fs, "/dir/b.o"));
}

} // namespace
