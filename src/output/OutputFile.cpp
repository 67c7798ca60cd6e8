//===- OutputFile.cpp - where the finished bytes go -----------------------===//
//
// Three ways lead to an output:
//
// Beside (the rule): a temporary file in the target's directory receives the
// bytes by pwrite, from several threads, and takes the target's name in the
// end. Where a target exists the two names are exchanged and the old file
// unlinked under the temporary name. A plain rename would do the same in one
// call, but ext4, for one, answers a rename over a file by writing the data
// out, which costs more than a small link. pwrite rather than a mapping: as
// fast, and a full disk is an error instead of a SIGBUS.
//
// Streamed: a target that is no regular file (/dev/null, a FIFO, a device) is
// opened when all bytes are there and receives them from first to last. So is a
// file in a directory that admits no temporary one, and a file whose name
// cannot be given to another (another user's in a directory with the sticky
// bit, a mount point): there the whole temporary is copied. These are the cases
// in which a failure, of the disk then, can damage the target. It is cut to its
// new length behind the last byte, never before the first.
//
// In memory, for tests and library callers.
//
//===----------------------------------------------------------------------===//

#include "output/OutputFile.h"
#include "base/MappedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <mutex>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace xlink {
namespace {

//===----------------------------------------------------------------------===//
// Temporary files that a signal has to remove
//===----------------------------------------------------------------------===//

/// A place for one name. Names are copied into fixed storage because the
/// handler may run at any moment, also while their owner is freed.
struct SignalSlot {
  enum State { Free, Busy, Set };
  std::atomic<int> state{Free};
  char path[4096] = {}; ///< PATH_MAX: a longer name cannot be opened
};
/// Zeros from the start: a constructor would touch a page for each slot.
constinit SignalSlot signalSlots[16];
std::atomic<bool> signalsHandled{false};

SignalSlot *registerTemporary(const std::string &path) {
  if (!signalsHandled.load(std::memory_order_relaxed) ||
      path.size() >= sizeof SignalSlot::path)
    return nullptr;
  for (SignalSlot &slot : signalSlots) {
    int expected = SignalSlot::Free;
    if (!slot.state.compare_exchange_strong(expected, SignalSlot::Busy))
      continue;
    memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.state.store(SignalSlot::Set);
    return &slot;
  }
  return nullptr;
}

/// Whether a thread has begun to end the process.
std::atomic<bool> ending{false};

void removeAndDie(int signal, siginfo_t *info, void * /*context*/) {
  removeUnfinishedOutputs();
  // A page of a mapping that has no file behind it any more.
  if (signal == SIGBUS && info && info->si_code == BUS_ADRERR) {
    static const char text[] =
        "xlink: error: an input file shrank, or could not be read, while it "
        "was linked\n";
    (void)!::write(STDERR_FILENO, text, sizeof text - 1);
    ::_exit(1);
  }
  // It is pending until this returns.
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

std::string reason(int error) { return strerror(error); }

int openRetrying(const char *path, int flags, mode_t mode = 0) {
  return sys::RetryAfterSignal(-1, ::open, path, flags | O_CLOEXEC, mode);
}

/// Closes and reports: some file systems say only then that a write failed.
/// After EINTR the descriptor is closed all the same on Linux.
std::string closeReporting(int fd) {
  return ::close(fd) == 0 || errno == EINTR ? "" : reason(errno);
}

/// Replaces the bytes of an existing target. `regular`: it is a file, which may
/// have been longer. `why`: reported instead of the reason why it cannot be
/// opened.
std::string writeOver(const std::string &target, ArrayRef<uint8_t> bytes,
                      bool regular, int why = 0) {
  const int fd = openRetrying(target.c_str(), O_WRONLY);
  if (fd < 0)
    return reason(why ? why : errno);
  const int error = writeAll(fd, bytes);
  std::string text = error ? reason(error) : "";
  if (!error && regular && ::ftruncate(fd, off_t(bytes.size())) != 0)
    text = reason(errno);
  const std::string closing = closeReporting(fd);
  return text.empty() ? closing : text;
}

//===----------------------------------------------------------------------===//
// Beside the target
//===----------------------------------------------------------------------===//

class BesideFile : public OutputFile {
public:
  BesideFile(int fd, std::string temporary, std::string target,
             std::optional<uint64_t> size)
      : fd(fd), most(size.value_or(uint64_t(INT64_MAX))),
        temporary(std::move(temporary)), target(std::move(target)),
        slot(registerTemporary(this->temporary)) {}

  ~BesideFile() override {
    if (fd >= 0)
      ::close(fd);
    if (!temporary.empty())
      ::unlink(temporary.c_str());
    forget();
  }

  std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
    if (offset > most || bytes.size() > most - offset)
      return reason(EFBIG);
    while (!bytes.empty()) {
      ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), off_t(offset));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return reason(n < 0 ? errno : EIO);
      bytes = bytes.drop_front(size_t(n));
      offset += uint64_t(n);
    }
    return "";
  }

  std::string commit() override {
    std::string error = closeReporting(fd);
    fd = -1;
    if (!error.empty())
      return error;
    const char *from = temporary.c_str(), *to = target.c_str();
    if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0)
      ::unlink(from); // the old file
    // No target yet, or a file system without exchange.
    else if (::rename(from, to) != 0)
      return copyOver(errno); // the destructor removes the temporary
    temporary.clear();
    forget();
    return "";
  }

private:
  /// The last resort when the temporary, which is whole, cannot take the
  /// target's name because of `why`: the target's bytes are replaced, as GNU ld
  /// and lld do.
  std::string copyOver(int why) {
    struct stat st;
    bool refused = why == EPERM || why == EACCES || why == EBUSY ||
                   why == EXDEV || why == EROFS || why == EINVAL;
    if (!refused || ::stat(target.c_str(), &st) != 0 || !S_ISREG(st.st_mode))
      return reason(why);
    std::string error;
    const auto bytes = openFile(/*fs=*/nullptr, temporary, error);
    return bytes ? writeOver(target, arrayRefFromStringRef(bytes->getBuffer()),
                             /*regular=*/true, why)
                 : error;
  }

  void forget() {
    if (slot)
      slot->state.store(SignalSlot::Free);
    slot = nullptr;
  }

  int fd;
  uint64_t most;         ///< where it ends at the latest
  std::string temporary; ///< empty once it is the target
  std::string target;
  SignalSlot *slot;
};

/// Creates a file with a name of its own in `directory` ("" or ending in '/').
/// The name does not contain the target's, which may be as long as names can
/// be.
int createTemporary(const std::string &directory, mode_t mode,
                    std::string &path) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt != 100; ++attempt) {
    struct timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    char name[64];
    snprintf(name, sizeof name, ".xlink-%lx-%x-%lx.tmp", long(::getpid()),
             counter.fetch_add(1, std::memory_order_relaxed),
             (unsigned long)now.tv_nsec);
    path = directory + name;
    int fd = openRetrying(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// In memory until commit()
//===----------------------------------------------------------------------===//

/// Holds all bytes in memory until they are committed.
class BufferedFile : public OutputFile {
public:
  using Commit = std::function<std::string(std::vector<uint8_t>)>;

  /// Null, with `error` set, for more bytes than memory can have.
  static std::unique_ptr<OutputFile> open(std::optional<uint64_t> size,
                                          Commit commit, std::string &error) {
    if (size.value_or(0) <= uint64_t(PTRDIFF_MAX))
      return std::make_unique<BufferedFile>(size, std::move(commit));
    error = reason(ENOMEM);
    return nullptr;
  }
  BufferedFile(std::optional<uint64_t> size, Commit commitBytes)
      : most(size.value_or(SIZE_MAX / 4)), commitBytes(std::move(commitBytes)),
        bytes(size.value_or(0)) {}

  /// One thread at a time: the bytes may move.
  std::string writeAt(uint64_t offset, ArrayRef<uint8_t> from) override {
    if (offset > most || from.size() > most - offset)
      return reason(EFBIG);
    const std::lock_guard<std::mutex> lock(mutex);
    if (offset + from.size() > bytes.size())
      bytes.resize(offset + from.size());
    std::copy(from.begin(), from.end(), bytes.begin() + ptrdiff_t(offset));
    return "";
  }

  std::string commit() override { return commitBytes(std::move(bytes)); }

private:
  const uint64_t most; ///< where it ends at the latest
  const Commit commitBytes;
  std::vector<uint8_t> bytes;
  std::mutex mutex;
};

/// A target that receives its bytes from first to last.
std::unique_ptr<OutputFile> openStreamed(const std::string &path,
                                         std::optional<uint64_t> size,
                                         bool regular, std::string &error) {
  return BufferedFile::open(
      size,
      [=](ArrayRef<uint8_t> bytes) { return writeOver(path, bytes, regular); },
      error);
}

} // namespace

int writeAll(int fd, ArrayRef<uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n > 0) {
      bytes = bytes.drop_front(size_t(n));
      continue;
    }
    const int error = n < 0 ? errno : EIO;
    if (error == EAGAIN) {
      pollfd room = {fd, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (error != EINTR) {
      return error;
    }
  }
  return 0;
}

sigset_t removeUnfinishedOutputs() {
  // A handler on this thread would wait for the thread that it interrupts.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  while (ending.exchange(true))
    ::pause();
  for (SignalSlot &slot : signalSlots)
    if (slot.state.load() == SignalSlot::Set)
      ::unlink(slot.path);
  return before;
}

void handleSignalsOfOutput() {
  struct sigaction action = {};
  action.sa_sigaction = removeAndDie;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  // A stack that ran out cannot run a handler.
  alignas(16) static char stack[16 << 10];
  stack_t other = {};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    // A signal that the parent ignores for us (nohup) stays ignored.
    struct sigaction old;
    if (::sigaction(signal, &action, &old) == 0 && old.sa_handler == SIG_IGN)
      ::sigaction(signal, &old, nullptr);
  }
  // Faults, ours or the machine's; a sanitizer wants to see them itself.
#ifndef __SANITIZE_ADDRESS__
  for (int signal : {SIGBUS, SIGSEGV, SIGABRT, SIGILL, SIGFPE})
    ::sigaction(signal, &action, nullptr);
#endif
  action = {};
  action.sa_handler = SIG_IGN;
  for (int signal : {SIGPIPE, SIGXFSZ})
    ::sigaction(signal, &action, nullptr);
  signalsHandled = true;
}

/// Whether a name leads through /proc to an open descriptor: /dev/stdout,
/// /dev/fd/3. Such a link is no file's name, and must not be replaced.
static bool namesDescriptor(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; links < 40; ++links) {
    const std::filesystem::path target =
        std::filesystem::read_symlink(path, error);
    if (error)
      return false;
    const std::filesystem::path directory = path.parent_path();
    if (std::filesystem::canonical(directory.empty() ? "." : directory, error)
            .native()
            .starts_with("/proc/"))
      return true;
    path = directory / target;
  }
  return false;
}

std::unique_ptr<OutputFile> DiskSink::open(StringRef path,
                                           std::optional<uint64_t> size,
                                           bool executable,
                                           std::string &error) {
  const auto fail = [&](int why) {
    error = reason(why);
    return nullptr;
  };
  error.clear();
  std::string target = path.str();
  if (target.empty())
    return fail(ENOENT);
  struct stat st;
  const bool exists = ::stat(target.c_str(), &st) == 0;
  if ((exists && S_ISDIR(st.st_mode)) || target.back() == '/')
    return fail(EISDIR);
  const bool regular = exists && S_ISREG(st.st_mode);
  if (exists && (!regular || namesDescriptor(target)))
    return openStreamed(target, size, regular, error);
  if (size.value_or(0) > uint64_t(INT64_MAX))
    return fail(EFBIG);

  std::string temporary;
  std::string directory = target.substr(0, target.rfind('/') + 1);
  int fd = createTemporary(directory, executable ? 0777 : 0666, temporary);
  if (fd < 0) {
    const int why = errno;
    // A file may be writable where its directory is not.
    if (exists &&
        (why == EACCES || why == EPERM || why == EROFS ||
         why == ENAMETOOLONG) &&
        ::access(target.c_str(), W_OK) == 0)
      return openStreamed(target, size, regular, error);
    return fail(why);
  }
  // From here on the object owns the file and removes it when it fails.
  auto file = std::make_unique<BesideFile>(fd, std::move(temporary),
                                           std::move(target), size);
  // All zero from the start, and without blocks on the disk where it stays so.
  if (size.value_or(0) && ::ftruncate(fd, off_t(*size)) != 0)
    return fail(errno);
  return file;
}

namespace {
/// A file with a commit() that only says that it is complete.
class HeldFile : public OutputFile {
public:
  HeldFile(HeldSink &sink, std::string path, std::unique_ptr<OutputFile> file)
      : sink(sink), path(std::move(path)), file(std::move(file)) {}
  std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
    return file->writeAt(offset, bytes);
  }
  std::string commit() override {
    sink.held.push_back({path, std::move(file)});
    return "";
  }

private:
  HeldSink &sink;
  std::string path;
  std::unique_ptr<OutputFile> file;
};
} // namespace

std::unique_ptr<OutputFile> HeldSink::open(StringRef path,
                                           std::optional<uint64_t> size,
                                           bool executable,
                                           std::string &error) {
  auto file = sink.open(path, size, executable, error);
  if (!file)
    return nullptr;
  return std::make_unique<HeldFile>(*this, path.str(), std::move(file));
}

std::string HeldSink::commitAll() {
  while (!held.empty()) {
    if (std::string error = held.back().file->commit(); !error.empty())
      return "cannot write " + held.back().path + ": " + error;
    held.pop_back();
  }
  return "";
}

std::unique_ptr<OutputFile> MemorySink::open(StringRef path,
                                             std::optional<uint64_t> size,
                                             bool /*executable*/,
                                             std::string &error) {
  error.clear();
  const auto commit = [this, name = path.str()](std::vector<uint8_t> bytes) {
    files[name] = std::move(bytes);
    return std::string();
  };
  return BufferedFile::open(size, commit, error);
}

} // namespace xlink
