//===- SmallFiles.cpp -----------------------------------------------------===//
//
// Problem: a link of twenty thousand small objects spends a third of its time
// on opening, reading and closing them, much of that on getting into the kernel
// and out again, on the table of descriptors that all threads share, and on
// walking down the same directories.
//
// Method: io_uring takes the requests for some dozens of files at once. They
// are opened into a table of the ring's own, below a directory that stays open,
// then read, then closed. A read that returns less than was asked for says that
// this is all; so nobody asks for the size, and of a larger file only a page is
// read in vain. Only objects are accepted that end with their section headers,
// as all assemblers write them: of another file, and where a file system
// returns less than there is, somebody else finds the end.
//
// What is read from a pipe is gone. So each file is first given advice that
// changes nothing, which a pipe refuses; and that stays open until others have
// opened it too, since its writer would otherwise be told that nobody reads.
// Devices and /proc are left out by their names.
//
// Cost: four system calls for all of them; 2.8 us a file, where open, fstat,
// read and close take 4. A ring takes 0.1 ms, and 256 KB, which it uses again.
//
//===----------------------------------------------------------------------===//
#include "base/SmallFiles.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <liburing.h>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace xlink {

/// What is read of a file. One that has as much may have more.
static constexpr size_t kRead = 4 << 10;
/// Readers of objects take words from them.
static constexpr size_t kAlign = 16;

namespace {

/// One file's part of a block.
class PartBuffer : public MemoryBuffer {
public:
  void set(const char *begin, size_t size) {
    init(begin, begin + size, /*RequiresNullTerminator=*/false);
  }
  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }
  StringRef getBufferIdentifier() const override { return ""; }
};

/// The contents of the files of one call.
struct Block {
  std::unique_ptr<char[]> bytes;
  std::array<PartBuffer, SmallFiles::most> parts;
};

} // namespace

/// For one call at a time.
class SmallFiles::Ring {
public:
  /// By file: what the system call would return, or a negative errno.
  using Results = std::array<int, most>;

  /// Null: the system would not have it.
  static std::unique_ptr<Ring> make() {
    auto made = std::make_unique_for_overwrite<Ring>();
    // A file has one request at a time.
    if (io_uring_queue_init(most, &made->ring, 0) != 0)
      return nullptr;
    made->exists = true;
    if (io_uring_register_files_sparse(&made->ring, most) != 0)
      return nullptr;
    return made;
  }
  Ring() = default;
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;
  ~Ring() {
    if (exists)
      io_uring_queue_exit(&ring);
    if (directory >= 0)
      ::close(directory);
  }

  /// False: requests may still be under way, so this must stay.
  bool read(MutableArrayRef<SmallFile> files);
  /// Whether a pipe was among the files. It is open as long as this is not used
  /// again.
  bool hasPipe() const { return pipeOpen; }

private:
  void enter(StringRef wanted);
  void keep(MutableArrayRef<SmallFile> files, const Results &sizes);
  template <class Prepare>
  bool forEach(size_t count, const Results &before, Results &results,
               Prepare prepare);

  io_uring ring;
  bool exists = false, pipeOpen = false;
  int directory = -1;        ///< that is open
  std::string directoryPath; ///< with the slash at its end
  std::array<char, most * kRead> scratch;
};

/// Makes a request for each file that the last step has not refused, and waits
/// for all.
template <class Prepare>
bool SmallFiles::Ring::forEach(size_t count, const Results &before,
                               Results &results, Prepare prepare) {
  size_t asked = 0;
  results.fill(-ECANCELED);
  for (size_t i = 0; i < count; ++i) {
    if (before[i] < 0)
      continue;
    io_uring_sqe *request = io_uring_get_sqe(&ring);
    prepare(request, i);
    io_uring_sqe_set_data64(request, i);
    ++asked;
  }
  for (size_t done = 0; done != asked;) {
    const int status = io_uring_submit_and_wait(&ring, unsigned(asked - done));
    if (status < 0 && status != -EINTR)
      return false;
    io_uring_cqe *result;
    unsigned head, seen = 0;
    io_uring_for_each_cqe(&ring, head, result) {
      results[io_uring_cqe_get_data64(result)] = result->res;
      ++seen;
    }
    io_uring_cq_advance(&ring, seen);
    done += seen;
  }
  return true;
}

static StringRef directoryOf(StringRef path) {
  return path.take_front(path.rfind('/') + 1); // nothing: of the current one
}

/// Opens a directory, unless it is the one that is open.
void SmallFiles::Ring::enter(StringRef wanted) {
  if (wanted == directoryPath)
    return;
  if (directory >= 0)
    ::close(directory);
  directoryPath = wanted.str();
  directory = ::open(directoryPath.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

bool SmallFiles::Ring::read(MutableArrayRef<SmallFile> files) {
  Results wanted, opened, advised, sizes, closed;
  for (size_t i = 0; i < files.size(); ++i) {
    const StringRef path = *files[i].path;
    wanted[i] =
        path.starts_with("/dev/") || path.starts_with("/proc/") ? -1 : 0;
  }
  enter(directoryOf(*files.front().path));
  const auto open = [&](io_uring_sqe *request, size_t i) {
    const char *path = files[i].path->c_str();
    int from = AT_FDCWD;
    if (directory >= 0 && directoryOf(*files[i].path) == directoryPath) {
      path += directoryPath.size();
      from = directory;
    }
    io_uring_prep_openat_direct(request, from, path, O_RDONLY, 0, unsigned(i));
  };
  const auto advise = [](io_uring_sqe *request, size_t i) {
    io_uring_prep_fadvise(request, int(i), 0, 0, POSIX_FADV_NORMAL);
    request->flags |= IOSQE_FIXED_FILE;
  };
  const auto readPage = [&](io_uring_sqe *request, size_t i) {
    io_uring_prep_read(request, int(i), &scratch[i * kRead], kRead, 0);
    request->flags |= IOSQE_FIXED_FILE;
  };
  const auto close = [](io_uring_sqe *request, size_t i) {
    io_uring_prep_close_direct(request, unsigned(i));
  };
  if (!forEach(files.size(), wanted, opened, open) ||
      !forEach(files.size(), opened, advised, advise) ||
      !forEach(files.size(), advised, sizes, readPage))
    return false;
  for (size_t i = 0; i < files.size(); ++i)
    pipeOpen |= opened[i] >= 0 && advised[i] < 0;
  if (!pipeOpen && !forEach(files.size(), opened, closed, close))
    return false;
  keep(files, sizes);
  return true;
}

/// Whether bytes are an object that ends with its section headers.
template <class ELFT> static bool endsWithHeaders(StringRef bytes) {
  typename ELFT::Ehdr header;
  if (bytes.size() < sizeof header)
    return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.e_shoff <= bytes.size() &&
         bytes.size() - header.e_shoff ==
             uint64_t(header.e_shnum) * header.e_shentsize;
}

static bool isWholeObject(StringRef bytes) {
  using namespace llvm::object;
  if (!bytes.starts_with(ELF::ElfMagic) || bytes.size() <= ELF::EI_CLASS)
    return false;
  return bytes[ELF::EI_CLASS] == ELF::ELFCLASS64
             ? endsWithHeaders<ELF64LE>(bytes)
             : endsWithHeaders<ELF32LE>(bytes);
}

/// Copies those that are small objects.
void SmallFiles::Ring::keep(MutableArrayRef<SmallFile> files,
                            const Results &sizes) {
  const auto contents = [&](size_t i) {
    return StringRef(&scratch[i * kRead], size_t(std::max(sizes[i], 0)));
  };
  const auto isSmallObject = [&](size_t i) {
    return contents(i).size() < kRead && isWholeObject(contents(i));
  };
  size_t bytes = 0;
  for (size_t i = 0; i < files.size(); ++i)
    if (isSmallObject(i))
      bytes += alignTo(contents(i).size(), kAlign);
  if (bytes == 0)
    return;
  const auto block = std::make_shared<Block>();
  block->bytes = std::make_unique_for_overwrite<char[]>(bytes);
  char *to = block->bytes.get();
  for (size_t i = 0; i < files.size(); ++i) {
    if (!isSmallObject(i))
      continue;
    const StringRef from = contents(i);
    std::memcpy(to, from.data(), from.size());
    block->parts[i].set(to, from.size());
    files[i].contents = {block, &block->parts[i]};
    to += alignTo(from.size(), kAlign);
  }
}

SmallFiles::SmallFiles() = default;
SmallFiles::~SmallFiles() = default;

void SmallFiles::read(MutableArrayRef<SmallFile> files) {
  std::unique_ptr<Ring> ring;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (files.empty() || refused)
      return;
    if (!idle.empty()) {
      ring = std::move(idle.back());
      idle.pop_back();
    }
  }
  if (!ring)
    ring = Ring::make();
  const bool works = ring && ring->read(files);
  const std::lock_guard<std::mutex> lock(mutex);
  if (works) {
    (ring->hasPipe() ? withPipes : idle).push_back(std::move(ring));
    return;
  }
  refused = true;
  // What is under way may still write into it.
  (void)ring.release();
}

} // namespace xlink
