//===- MappedFile.cpp - reading files -------------------------------------===//
//
// A link of two small objects opens a handful of files, and each system call is
// a measurable part of it: open, fstat, read, close is all a small file costs.
// Above some pages a mapping is cheaper than a copy: fresh memory has to be
// cleared and filled page by page, while the pages of a file that was written a
// moment ago are there already, and the kernel maps sixteen of them at once.
//
// A process has room for some 65,000 mappings, and without any left it gets no
// memory either. So of very many files those behind the first are read.
//
// A mapped file that another process truncates during the link would kill us by
// SIGBUS; that is the usual bargain of linkers, and small files do not take
// part in it.
//
//===----------------------------------------------------------------------===//

#include "base/MappedFile.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace xlink {
namespace {

/// From here on mapping costs less than reading: 17 us for a file of 16 KB, one
/// thread opening and looking through a thousand of them, beside 23.
constexpr uint64_t mapFrom = uint64_t(16) << 10;
/// Half of what Linux grants where nobody asked for more (vm.max_map_count).
constexpr unsigned maxMappings = 1 << 15;
/// How many files are mapped, or some more: threads may look at it at once.
std::atomic<unsigned> mappings = 0;
/// No object comes through a pipe at this size; /dev/zero does.
constexpr uint64_t maxStream = uint64_t(256) << 20;

std::atomic<bool> streamRead = false;

/// A file's bytes in pages of the kernel's.
class Mapping : public MemoryBuffer {
public:
  Mapping(const char *data, size_t size, std::string name)
      : name(std::move(name)) {
    init(data, data + size, /*RequiresNullTerminator=*/false);
    ++mappings;
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() override {
    --mappings;
    munmap(const_cast<char *>(getBufferStart()), getBufferSize());
  }
  BufferKind getBufferKind() const override { return MemoryBuffer_MMap; }
  StringRef getBufferIdentifier() const override { return name; }

private:
  std::string name;
};

/// Closes a descriptor at the end of a scope.
struct Descriptor {
  int fd;
  ~Descriptor() { ::close(fd); }
};

/// Reads up to `size` bytes; fewer at the end of the file, -1 on an error.
ssize_t readFully(int fd, char *to, size_t size) {
  size_t done = 0;
  while (done != size) {
    ssize_t n = ::read(fd, to + done, size - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    done += size_t(n);
  }
  return ssize_t(done);
}

/// Reads what has no size: a pipe, a terminal, a file of /proc.
std::unique_ptr<MemoryBuffer> readStream(int fd, StringRef path,
                                         std::string &error) {
  std::string bytes;
  for (size_t room = 64 << 10;; room *= 2) {
    size_t before = bytes.size();
    if (before >= maxStream) {
      error = strerror(EFBIG);
      return nullptr;
    }
    bytes.resize(before + room);
    ssize_t n = readFully(fd, bytes.data() + before, room);
    if (n < 0) {
      error = strerror(errno);
      return nullptr;
    }
    bytes.resize(before + size_t(n));
    if (size_t(n) < room)
      return MemoryBuffer::getMemBufferCopy(bytes, path);
  }
}

std::unique_ptr<MemoryBuffer> openOnDisk(StringRef path, std::string &error,
                                         FileNumber *number) {
  std::string name = path.str();
  int fd;
  do
    fd = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    error = strerror(errno);
    return nullptr;
  }
  Descriptor closer{fd};
  struct stat st;
  if (::fstat(fd, &st) != 0) {
    error = strerror(errno);
    return nullptr;
  }
  if (S_ISDIR(st.st_mode)) {
    error = strerror(EISDIR);
    return nullptr;
  }
  if (number && S_ISREG(st.st_mode))
    *number = {st.st_dev, st.st_ino};
  if (!S_ISREG(st.st_mode) || st.st_size == 0) {
    streamRead = streamRead || !S_ISREG(st.st_mode);
    return readStream(fd, path, error);
  }

  uint64_t size = uint64_t(st.st_size);
  if (size > SIZE_MAX / 2) {
    error = strerror(EFBIG);
    return nullptr;
  }
  if (size >= mapFrom && mappings < maxMappings) {
    void *p = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED)
      return std::make_unique<Mapping>(static_cast<const char *>(p), size,
                                       std::move(name));
    // Some file systems cannot map; reading still works there.
  }
  auto buffer = WritableMemoryBuffer::getNewUninitMemBuffer(size, path);
  if (!buffer) {
    error = strerror(ENOMEM);
    return nullptr;
  }
  ssize_t n = readFully(fd, buffer->getBufferStart(), size);
  if (n < 0) {
    error = strerror(errno);
    return nullptr;
  }
  if (uint64_t(n) == size)
    return buffer;
  // The file shrank since fstat: what is left of it is the file.
  return MemoryBuffer::getMemBufferCopy(
      StringRef(buffer->getBufferStart(), size_t(n)), path);
}

// Only virtual functions and inline accessors of the file system are used: the
// convenience calls (getBufferForFile, Status::isDirectory) would pull LLVM's
// overlay and YAML file systems into the executable.
std::unique_ptr<MemoryBuffer> openVirtual(vfs::FileSystem &fs, StringRef path,
                                          std::string &error,
                                          FileNumber *number) {
  ErrorOr<std::unique_ptr<vfs::File>> file = fs.openFileForRead(path);
  if (!file) {
    // In-memory file systems refuse to open a directory with other words.
    ErrorOr<vfs::Status> status = fs.status(path);
    if (status && status->getType() == sys::fs::file_type::directory_file)
      error = strerror(EISDIR);
    else
      error = file.getError().message();
    return nullptr;
  }
  ErrorOr<vfs::Status> status = (*file)->status();
  int64_t size = -1;
  if (status) {
    if (status->getType() == sys::fs::file_type::directory_file) {
      error = strerror(EISDIR);
      return nullptr;
    }
    if (status->getType() == sys::fs::file_type::regular_file) {
      size = int64_t(status->getSize());
      if (number)
        *number = {status->getUniqueID().getDevice(),
                   status->getUniqueID().getFile()};
    }
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = (*file)->getBuffer(
      path, size, /*RequiresNullTerminator=*/false, /*IsVolatile=*/false);
  if (!buffer) {
    error = buffer.getError().message();
    return nullptr;
  }
  return std::move(*buffer);
}

} // namespace

std::unique_ptr<MemoryBuffer> openFile(vfs::FileSystem *fs, StringRef path,
                                       std::string &error, FileNumber *number) {
  error.clear();
  return fs ? openVirtual(*fs, path, error, number)
            : openOnDisk(path, error, number);
}

bool hasReadStream() { return streamRead; }

void leavePages(const MemoryBuffer &file, uint64_t begin) {
  // What was read into memory has no other copy.
  if (file.getBufferKind() != MemoryBuffer::MemoryBuffer_MMap)
    return;
  const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  const uint64_t first = alignTo(begin, page);
  // No harm if the system would rather not.
  if (first < file.getBufferSize())
    ::madvise(const_cast<char *>(file.getBufferStart()) + first,
              file.getBufferSize() - first, MADV_DONTNEED);
}

FileIdentity identityOf(vfs::FileSystem *fs, StringRef path) {
  // Device, number and whether it is a regular file or something else.
  struct Found {
    uint64_t device, file;
    bool regular;
  };
  auto find = [&](const std::string &name) -> std::optional<Found> {
    if (fs) {
      if (ErrorOr<vfs::Status> status = fs->status(name))
        return Found{status->getUniqueID().getDevice(),
                     status->getUniqueID().getFile(),
                     status->getType() == sys::fs::file_type::regular_file};
      return std::nullopt;
    }
    struct stat st;
    if (::stat(name.c_str(), &st) != 0)
      return std::nullopt;
    return Found{st.st_dev, st.st_ino, S_ISREG(st.st_mode)};
  };
  if (std::optional<Found> found = find(path.str()))
    return found->regular ? FileIdentity{{found->device, found->file}, ""}
                          : FileIdentity{};
  size_t slash = path.rfind('/');
  StringRef name = slash == StringRef::npos ? path : path.drop_front(slash + 1);
  std::string directory = slash == StringRef::npos ? "."
                          : slash == 0             ? "/"
                                       : path.take_front(slash).str();
  if (std::optional<Found> found = find(directory))
    return {{found->device, found->file}, name.str()};
  return {{}, path.str()};
}

bool fileExists(vfs::FileSystem *fs, StringRef path) {
  if (fs) {
    ErrorOr<vfs::Status> status = fs->status(path);
    return status && status->getType() == sys::fs::file_type::regular_file;
  }
  struct stat st;
  return ::stat(path.str().c_str(), &st) == 0 && S_ISREG(st.st_mode);
}

} // namespace xlink
