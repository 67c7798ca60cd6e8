//===- BoundedLink.cpp ----------------------------------------------------===//
#include "mutation/BoundedLink.h"
#include "driver/Driver.h"
#include "support/ImageCheck.h"
#include "support/LinkHarness.h"
#include "support/TestFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
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

/// No mutant has a reason for a larger output.
constexpr uint64_t kMostOutput = uint64_t(160) << 20;

/// Holds the output's bytes; checks that they lie inside and go there once.
class HoldingSink : public OutputSink {
public:
  bool committed = false;
  std::atomic<bool> outside{false};
  uint64_t size = 0;
  Bytes image;

  std::unique_ptr<OutputFile> open(StringRef, uint64_t bytes, bool,
                                   std::string &) override {
    size = bytes;
    image.resize(std::min(size, kMostOutput));
    struct File : OutputFile {
      HoldingSink &sink;
      explicit File(HoldingSink &sink) : sink(sink) {}
      std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
        if (offset > sink.size || bytes.size() > sink.size - offset)
          sink.outside = true;
        else if (sink.size == sink.image.size())
          std::copy(bytes.begin(), bytes.end(), sink.image.begin() + offset);
        return "";
      }
      std::string commit() override {
        sink.committed = true;
        return "";
      }
    };
    return std::make_unique<File>(*this);
  }
};

bool mentions(const std::vector<std::pair<std::string, Bytes>> &files,
              StringRef word) {
  return std::any_of(files.begin(), files.end(), [&](const auto &file) {
    return StringRef(reinterpret_cast<const char *>(file.second.data()),
                     file.second.size())
        .contains(word);
  });
}

/// An object that -r made is sound when -r reads it and makes one of it that no
/// further -r changes. Addresses that options gave to the first are gone then.
void checkRelocatable(const Bytes &object) {
  const Linked again = LinkHarness().file("r.o", object).link({"-r", "r.o"});
  EXPECT_EQ(again.status, 0) << "what -r made: " << again.errors;
  const Linked third =
      LinkHarness().file("r.o", again.image()).link({"-r", "r.o"});
  EXPECT_EQ(third.status, 0) << "what -r made of it: " << third.errors;
  EXPECT_TRUE(third.image() == again.image()) << "-r does not come to an end";
}

/// What is wrong with the output of a link that says it succeeded.
void checkOutput(const HoldingSink &sink,
                 const std::vector<std::pair<std::string, Bytes>> &files,
                 const std::vector<std::string> &arguments) {
  EXPECT_LE(sink.size, kMostOutput) << "bytes of output";
  if (sink.size > kMostOutput)
    return;
  // TestFiles overwrites what is given back with these.
  const std::string rubbish(8, '\xdb');
  if (StringRef(reinterpret_cast<const char *>(sink.image.data()),
                std::min<size_t>(sink.image.size(), 1 << 20))
          .contains(rubbish) &&
      !mentions(files, rubbish))
    ADD_FAILURE() << "the output has bytes of an input that was given back";
  ImageRules rules;
  // PHDRS may leave sections out of all segments, or put them into one that no
  // loader copies.
  rules.covered = !mentions(files, "PHDRS");
  bool binary = mentions(files, "binary");
  if (is_contained(arguments, "-r"))
    return checkRelocatable(sink.image);
  for (StringRef argument : arguments) {
    // A memory image may begin as a damaged input does, with its ELF header.
    if (argument == "--oformat=binary")
      return;
    binary |= argument.contains("oformat");
    rules.apart &= argument != "--no-check-sections";
  }
  if (binary && !StringRef(reinterpret_cast<const char *>(sink.image.data()),
                           sink.image.size())
                     .starts_with("\x7f"
                                  "ELF"))
    return;
  for (const std::string &flaw : flawsOf(sink.image, rules))
    ADD_FAILURE() << "the output is broken: " << flaw;
}

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
  TestFiles fs;
  for (const auto &[path, bytes] : files)
    fs.add(path, bytes);
  HoldingSink sink;
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
  if (sink.committed)
    checkOutput(sink, files, arguments);
  return result.status;
}

} // namespace xlink::test
