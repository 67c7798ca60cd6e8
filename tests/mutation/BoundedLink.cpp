//===- BoundedLink.cpp ----------------------------------------------------===//
#include "mutation/BoundedLink.h"
#include "driver/Driver.h"
#include "map/LinkMapReader.h"
#include "support/ImageCheck.h"
#include "support/LinkHarness.h"
#include "support/TestFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <gtest/gtest.h>
#include <map>
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

/// Holds what is written; checks that it lies inside and goes there once.
class HoldingSink : public OutputSink {
public:
  struct Held {
    bool committed = false;
    bool grows = false; ///< so links of mutants, which are small, have a thread
    std::atomic<bool> outside{false};
    uint64_t size = 0;
    Bytes bytes;
  };
  std::map<std::string, Held> files; ///< by path

  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool, std::string &) override {
    Held &held = files[path.str()];
    held.grows = !size;
    held.size = size.value_or(0);
    held.bytes.resize(std::min(held.size, kMostOutput));
    struct File : OutputFile {
      Held &held;
      explicit File(Held &held) : held(held) {}
      std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
        if (held.grows && offset + bytes.size() <= kMostOutput) {
          held.size = std::max(held.size, offset + bytes.size());
          held.bytes.resize(held.size);
        }
        if (offset > held.size || bytes.size() > held.size - offset)
          held.outside = true;
        else if (held.size == held.bytes.size())
          std::copy(bytes.begin(), bytes.end(), held.bytes.begin() + offset);
        return "";
      }
      std::string commit() override {
        held.committed = true;
        return "";
      }
    };
    return std::make_unique<File>(held);
  }
};

StringRef textOf(const Bytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

bool mentions(const std::vector<std::pair<std::string, Bytes>> &files,
              StringRef word) {
  return std::any_of(files.begin(), files.end(), [&](const auto &file) {
    return textOf(file.second).contains(word);
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
void checkOutput(const HoldingSink::Held &output,
                 const std::vector<std::pair<std::string, Bytes>> &files,
                 const std::vector<std::string> &arguments) {
  EXPECT_LE(output.size, kMostOutput) << "bytes of output";
  if (output.size > kMostOutput)
    return;
  // TestFiles overwrites what is given back with these.
  const std::string rubbish(8, '\xdb');
  if (textOf(output.bytes).take_front(1 << 20).contains(rubbish) &&
      !mentions(files, rubbish))
    ADD_FAILURE() << "the output has bytes of an input that was given back";
  ImageRules rules;
  // PHDRS may leave sections out of all segments, or put them into one that no
  // loader copies.
  rules.covered = !mentions(files, "PHDRS");
  bool binary = mentions(files, "binary");
  if (is_contained(arguments, "-r"))
    return checkRelocatable(output.bytes);
  for (StringRef argument : arguments) {
    // A memory image may begin as a damaged input does, with its ELF header.
    if (argument == "--oformat=binary")
      return;
    binary |= argument.contains("oformat");
    rules.apart &= argument != "--no-check-sections";
  }
  if (binary && !textOf(output.bytes)
                     .starts_with("\x7f"
                                  "ELF"))
    return;
  for (const std::string &flaw : flawsOf(output.bytes, rules))
    ADD_FAILURE() << "the output is broken: " << flaw;
}

/// In a tree of sizes each line is the sum of those below it.
void checkSums(const json::Object &line) {
  const json::Array *below = line.getArray("children");
  if (!below || below->empty())
    return;
  uint64_t sum = 0;
  for (const json::Value &child : *below) {
    const json::Object *o = child.getAsObject();
    ASSERT_TRUE(o);
    const json::Value *bytes = o->get("bytes");
    ASSERT_TRUE(bytes && bytes->getAsUINT64());
    sum += *bytes->getAsUINT64();
    checkSums(*o);
  }
  EXPECT_EQ(line.get("bytes")->getAsUINT64(), sum)
      << line.getString("name").value_or("").str();
}

void checkJson(StringRef path, StringRef text, bool linked) {
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    ADD_FAILURE() << path.str() << ": " << toString(value.takeError());
    return;
  }
  const json::Object *o = value->getAsObject();
  ASSERT_TRUE(o);
  if (const json::Object *tree = o->getObject("sizeAttribution"))
    checkSums(*tree);
  // That of a link that failed may tell of sections beyond the address space.
  if (!linked || o->getString("format") != "xlink map")
    return;
  Diagnostics diag;
  EXPECT_TRUE(readLinkMap(path, text, diag)) << diag.all()[0].text;
}

/// No name gets out of the blocks that hold the page's data.
void checkPage(StringRef text, bool linked) {
  EXPECT_EQ(text.count("<script"), 4u);
  EXPECT_EQ(text.count("</script"), 4u);
  for (const char *id : {"map", "baseline", "names"}) {
    const std::string head =
        "<script type=\"application/json\" id=\"" + std::string(id) + "\">";
    const auto [before, behind] = text.split(head);
    const StringRef block = behind.split("</script>").first;
    EXPECT_FALSE(block.contains('<'));
    if (!block.empty())
      checkJson(id, block, linked);
  }
}

/// Reports of a link that failed are well formed too.
void checkReport(StringRef path, StringRef text, bool linked) {
  if (path.ends_with(".json"))
    checkJson(path, text, linked);
  else if (path.ends_with(".html"))
    checkPage(text, linked);
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

uint64_t numberFrom(const char *variable, uint64_t byDefault) {
  const char *text = getenv(variable);
  return text ? strtoull(text, nullptr, 10) : byDefault;
}

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
  EXPECT_EQ(sink.files["out"].committed, result.status == 0);
  for (const auto &[path, held] : sink.files) {
    EXPECT_FALSE(held.outside) << path;
    if (!held.committed)
      continue;
    if (path == "out")
      checkOutput(held, files, arguments);
    else
      checkReport(path, textOf(held.bytes), result.status == 0);
  }
  return result.status;
}

} // namespace xlink::test
