//===- MappedFileTest.cpp -------------------------------------------------===//
#include "base/MappedFile.h"
#include "support/Sanitized.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace xlink;
using xlink::test::kSanitized;

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

// A process that has all the mappings it may have gets no memory any more.
TEST_F(MappedFileTest, LeavesRoomForOtherMappings) {
  if (kSanitized)
    GTEST_SKIP() << "sanitizers keep memory of their own for each mapping";
  unsigned most = 0;
  if (!(std::ifstream("/proc/sys/vm/max_map_count") >> most) || most < 40'000)
    GTEST_SKIP() << "this system grants " << most << " mappings";
  const std::string bytes(20'000, 'm');
  const std::string path = write("many", bytes);
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> all;
  size_t mapped = 0;
  for (int i = 0; i < 33'000; ++i) {
    all.push_back(openFile(nullptr, path, error));
    ASSERT_NE(all.back(), nullptr) << error;
    ASSERT_EQ(all.back()->getBufferSize(), bytes.size());
    mapped +=
        all.back()->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap;
  }
  EXPECT_EQ(mapped, 32'768u);
  EXPECT_TRUE(all.front()->getBuffer() == bytes);
  EXPECT_TRUE(all.back()->getBuffer() == bytes);
  // One that is closed makes room for another.
  all.front() = nullptr;
  EXPECT_EQ(openFile(nullptr, path, error)->getBufferKind(),
            llvm::MemoryBuffer::MemoryBuffer_MMap);
}

/// Whether this process has the page of a byte (/proc/pid/pagemap).
bool isPresent(const char *byte) {
  const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  const uint64_t number = reinterpret_cast<uintptr_t>(byte) / page;
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  uint64_t entry = 0;
  EXPECT_EQ(pread(file, &entry, sizeof entry, off_t(number * sizeof entry)),
            ssize_t(sizeof entry));
  close(file);
  return entry >> 63;
}

TEST_F(MappedFileTest, PagesComeBack) {
  std::string bytes(1 << 20, 'x');
  for (size_t i = 0; i < bytes.size(); i += 1000)
    bytes[i] = char(i);
  auto buffer = openFile(nullptr, write("big", bytes), error);
  ASSERT_NE(buffer, nullptr) << error;
  const char *data = buffer->getBufferStart();
  EXPECT_TRUE(buffer->getBuffer() == bytes);
  ASSERT_TRUE(isPresent(data));
  ASSERT_TRUE(isPresent(data + 600'000));
  leavePages(*buffer, 1);
  EXPECT_TRUE(isPresent(data)) << "a byte of it is in front";
  EXPECT_FALSE(isPresent(data + 600'000));
  EXPECT_TRUE(buffer->getBuffer() == bytes);
  for (uint64_t begin : {uint64_t(0), uint64_t(1) << 20, ~uint64_t(0) >> 1}) {
    leavePages(*buffer, begin);
    EXPECT_TRUE(buffer->getBuffer() == bytes);
  }
}

/// Whole pages of memory that hold the only copy of what is in them.
class PagesInMemory : public llvm::MemoryBuffer {
public:
  PagesInMemory(size_t size, char with)
      : memory(static_cast<char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    std::fill_n(memory, size, with);
    init(memory, memory + size, /*RequiresNullTerminator=*/false);
  }
  ~PagesInMemory() override { munmap(memory, getBufferSize()); }
  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }

private:
  char *memory;
};

TEST_F(MappedFileTest, NothingElseIsLeft) {
  const size_t size = 1 << 20;
  PagesInMemory pages(size, 'm');
  leavePages(pages, 0);
  EXPECT_TRUE(pages.getBuffer() == std::string(size, 'm'));
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

TEST_F(MappedFileTest, ReadsFilesWithoutSize) {
  EXPECT_NE(contents("/proc/self/status").find("Name:"), std::string::npos);
  EXPECT_EQ(contents("/dev/null"), "");
}

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
