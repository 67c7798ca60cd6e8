//===- BoundedLink.cpp ----------------------------------------------------===//
#include "link/BoundedLink.h"
#include "driver/Driver.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

extern "C" void __sanitizer_set_death_callback(void (*)(void))
    __attribute__((weak));

namespace xlink::test {

namespace {

/// What is being linked, for the message of a process that dies.
char current[128];

void sayWhich() {
  static const char text[] = "\nwhile linking mutant ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, current, strlen(current));
  (void)!write(2, "\n", 1);
}
void onSignal(int signal) {
  sayWhich();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

/// Takes the output's bytes and forgets them; checks that they lie inside.
class CheckingSink : public OutputSink {
public:
  bool committed = false, opened = false;
  std::atomic<bool> outside{false};

  std::unique_ptr<OutputFile> open(StringRef, uint64_t size, bool,
                                   std::string &) override {
    opened = true;
    struct File : OutputFile {
      CheckingSink &sink;
      uint64_t size;
      File(CheckingSink &sink, uint64_t size) : sink(sink), size(size) {}
      std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
        if (offset > size || bytes.size() > size - offset)
          sink.outside = true;
        return "";
      }
      std::string commit() override {
        sink.committed = true;
        return "";
      }
    };
    return std::make_unique<File>(*this, size);
  }
};

double processorSeconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}
uint64_t peakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) << 10;
}
/// Memory in use now.
uint64_t residentBytes() {
  unsigned long total = 0, resident = 0;
  if (FILE *f = fopen("/proc/self/statm", "r")) {
    if (fscanf(f, "%lu %lu", &total, &resident) != 2)
      resident = 0;
    fclose(f);
  }
  return uint64_t(resident) * uint64_t(sysconf(_SC_PAGESIZE));
}

} // namespace

void watchLinks() {
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
    if (!kSanitized || signal == SIGALRM)
      ::signal(signal, onSignal);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(sayWhich);
}

int boundedLink(const std::string &name,
                const std::vector<std::pair<std::string, Bytes>> &files,
                const std::vector<std::string> &arguments) {
  snprintf(current, sizeof current, "%s", name.c_str());
  SCOPED_TRACE(current);
  vfs::InMemoryFileSystem fs;
  fs.setCurrentWorkingDirectory("/");
  for (const auto &[path, bytes] : files)
    fs.addFile(path, 0,
               MemoryBuffer::getMemBufferCopy(
                   StringRef(reinterpret_cast<const char *>(bytes.data()),
                             bytes.size()),
                   path));
  CheckingSink sink;
  LinkRequest request;
  request.arguments = {"-o", "out"};
  request.arguments.insert(request.arguments.end(), arguments.begin(),
                           arguments.end());
  request.fileSystem = &fs;
  request.sink = &sink;
  request.wantSymbols = true;

  uint64_t peak = peakBytes(), before = residentBytes();
  double start = processorSeconds();
  alarm(120);
  LinkResult result = link(request);
  alarm(0);
  EXPECT_LT(processorSeconds() - start, kMostSeconds);
  // A new peak is this link's doing.
  if (!kSanitized && peakBytes() > peak) {
    EXPECT_LE(peakBytes() - std::min(before, peakBytes()), kMostBytes);
  }

  unsigned errors = 0;
  for (const Diagnostic &d : result.diagnostics) {
    errors += d.severity == Severity::Error;
    EXPECT_FALSE(d.text.empty());
  }
  EXPECT_EQ(result.status, errors ? 1 : 0);
  EXPECT_EQ(sink.committed, result.status == 0);
  EXPECT_FALSE(sink.outside);
  return result.status;
}

} // namespace xlink::test
