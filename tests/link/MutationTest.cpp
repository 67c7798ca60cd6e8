//===- MutationTest.cpp - damaged inputs never break the linker -----------===//
//
// Whatever the bytes of its inputs, a link ends with status 0 and an output, or
// with status 1, a message and no output; it takes less than a second and 256
// MB. The mutants are the same on every run; a failure names its number.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "driver/Driver.h"
#include "link/Mutants.h"
#include "link/ToolProcess.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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

constexpr unsigned kToolMutants = 100;
/// In-process mutants of each machine; the environment may ask for more.
unsigned mutantCount() {
  const char *text = getenv("XLINK_MUTANTS");
  unsigned count = text ? unsigned(strtoul(text, nullptr, 10)) : 0;
  return count ? count : 2000;
}

/// What is being linked, for the message of a process that dies.
char current[64];

/// XLINK_WRITE_MUTANT="xs1 12" leaves the files of that mutant in the current
/// directory and prints the options and files of its link.
void writeIfWanted(const Specimen &mutant) {
  const char *wanted = getenv("XLINK_WRITE_MUTANT");
  if (!wanted || strcmp(wanted, current) != 0)
    return;
  for (const auto &[path, bytes] : mutant.files)
    if (FILE *f = fopen(path.c_str(), "wb")) {
      fwrite(bytes.data(), 1, bytes.size(), f);
      fclose(f);
    }
  for (const std::string &argument : mutant.arguments)
    printf("%s ", argument.c_str());
  printf("\n");
}
constexpr double kMostSeconds = kSanitized ? 20 : 1;
constexpr uint64_t kMostBytes = uint64_t(256) << 20;

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

class Mutation : public testing::TestWithParam<const Target *> {};

TEST_P(Mutation, InProcess) {
  const char *machine = GetParam()->name;
  std::vector<Specimen> specimens = specimensOf(machine);
  ASSERT_FALSE(HasFailure());
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
    if (!kSanitized || signal == SIGALRM)
      ::signal(signal, onSignal);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(sayWhich);

  const unsigned count = mutantCount();
  unsigned failed = 0;
  for (unsigned i = 0; i < count && !HasFailure(); ++i) {
    snprintf(current, sizeof current, "%s %u", machine, i);
    SCOPED_TRACE(current);
    Specimen s = mutantOf(specimens, machine, i);
    writeIfWanted(s);
    vfs::InMemoryFileSystem fs;
    fs.setCurrentWorkingDirectory("/");
    for (auto &[path, bytes] : s.files)
      fs.addFile(path, 0,
                 MemoryBuffer::getMemBufferCopy(
                     StringRef(reinterpret_cast<const char *>(bytes.data()),
                               bytes.size()),
                     path));
    CheckingSink sink;
    LinkRequest request;
    request.arguments = {"-o", "out"};
    request.arguments.insert(request.arguments.end(), s.arguments.begin(),
                             s.arguments.end());
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
    if (!kSanitized && peakBytes() > peak)
      EXPECT_LE(peakBytes() - std::min(before, peakBytes()), kMostBytes);

    unsigned errors = 0;
    for (const Diagnostic &d : result.diagnostics) {
      errors += d.severity == Severity::Error;
      EXPECT_FALSE(d.text.empty());
    }
    EXPECT_EQ(result.status, errors ? 1 : 0);
    EXPECT_EQ(sink.committed, result.status == 0);
    EXPECT_FALSE(sink.outside);
    failed += result.status;
  }
  // Mutants that all fail alike, or all pass, test nothing.
  EXPECT_GT(failed, count / 4);
  EXPECT_LT(failed, count / 10 * 9);
}

TEST_P(Mutation, ThroughTheTool) {
  const char *machine = GetParam()->name;
  std::vector<Specimen> specimens = specimensOf(machine);
  ASSERT_FALSE(HasFailure());
  ToolLimits limits;
  limits.seconds = 20;
  if (!kSanitized)
    limits.addressSpace = uint64_t(1) << 30;
  for (unsigned i = 0; i < kToolMutants && !HasFailure(); ++i) {
    SCOPED_TRACE(std::string(machine) + " " + std::to_string(i));
    Specimen s = mutantOf(specimens, machine, i);
    TemporaryDirectory directory;
    std::vector<std::string> files;
    for (auto &[path, bytes] : s.files) {
      directory.write(path, bytes);
      files.push_back(path);
    }
    std::vector<std::string> arguments = {"-o", "out"};
    arguments.insert(arguments.end(), s.arguments.begin(), s.arguments.end());
    ToolRun run = runTool(directory, arguments, limits);
    EXPECT_TRUE(run.status == 0 || run.status == 1)
        << run.status << ": " << run.messages;
    EXPECT_LT(run.seconds, kMostSeconds);
    if (run.observed && !kSanitized)
      EXPECT_LE(run.peakBytes, kMostBytes);
    EXPECT_EQ(run.messages.find("xlink: error: ") != std::string::npos,
              run.status == 1)
        << run.messages;
    // No output, and nothing half written either.
    if (run.status == 0)
      files.push_back("out");
    std::sort(files.begin(), files.end());
    std::string expected;
    for (const std::string &file : files)
      expected += (expected.empty() ? "" : " ") + file;
    EXPECT_EQ(directory.list(), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryMachine, Mutation,
                         testing::ValuesIn(allTargets().begin(),
                                           allTargets().end()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

} // namespace
} // namespace xlink::test
