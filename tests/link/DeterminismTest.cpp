//===- DeterminismTest.cpp - same inputs, same bytes ----------------------===//
//
// The result of a link depends on the order of its inputs alone: not on
// threads, not on the run, not on other links in the process. The input here is
// large enough for threads to start in every parallel pass.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <algorithm>
#include <set>
#include <thread>

using namespace llvm;

namespace xlink::test {
namespace {

constexpr unsigned kObjects = 40;

/// 256 KiB of data with 800 relocations against symbols of its own and of the
/// next file, and strings, some its own, some everybody's.
Bytes largeObject(unsigned number, bool wrong) {
  static std::string relocations = [] {
    std::string text;
    for (unsigned i = 0; i < 800; ++i)
      text += "      - { Offset: " + std::to_string(i * 320) + ", Symbol: " +
              (i % 3 == 0   ? "inside"
               : i % 3 == 1 ? "next"
                            : ".rodata.str") +
              ", Type: 1, Addend: " + std::to_string(i % 3 == 2 ? 4 : i) +
              " }\n";
    return text;
  }();
  auto name = [](unsigned i) { return "data" + std::to_string(i % kObjects); };
  std::string digits = std::to_string(100 + number);
  std::string unique = "3" + digits.substr(0, 1) + "3" + digits.substr(1, 1) +
                       "3" + digits.substr(2, 1) + "00";
  std::string text = R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 16, Size: 0x40000 }
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], AddressAlign: 1, EntSize: 1, Content: ')" +
                     unique + "666f6f62617200" + R"(' }
  - Name: .rela.data
    Type: SHT_RELA
    Info: .data
    Relocations:
)" + relocations;
  std::string result = text + R"(Symbols:
  - { Name: .rodata.str, Type: STT_SECTION, Section: .rodata.str }
  - { Name: inside, Section: .data, Value: 64 }
  - { Name: )" + name(number) +
                       ", Section: .data, Binding: STB_GLOBAL }\n  - { Name: " +
                       name(number + 1) + ", Binding: STB_GLOBAL }\n";
  // "next" in the relocations is the next file's symbol.
  std::string target = wrong ? "nowhere" : name(number + 1);
  for (size_t at = 0;
       (at = result.find("Symbol: next", at)) != std::string::npos;)
    result.replace(at, 12, "Symbol: " + target);
  if (wrong)
    result += "  - { Name: nowhere, Binding: STB_GLOBAL }\n";
  return nyuzi(result);
}

struct Inputs {
  LinkHarness links;
  std::vector<std::pair<std::string, Bytes>> files;
  std::vector<std::string> names;
  size_t bytes = 0;
  explicit Inputs(bool wrong = false) {
    for (unsigned i = 0; i < kObjects; ++i) {
      names.push_back("o" + std::to_string(i) + ".o");
      Bytes object = largeObject(i, wrong && i % 7 == 3);
      bytes += object.size();
      links.file(names.back(), object);
      files.push_back({names.back(), std::move(object)});
    }
  }
  Linked link(std::vector<std::string> options) const {
    options.insert(options.end(), {"-e", "0"});
    options.insert(options.end(), names.begin(), names.end());
    return links.link(options);
  }
};

TEST(Determinism, Threads) {
  Inputs inputs;
  ASSERT_GT(inputs.bytes, size_t(8) << 20);
  Linked one = inputs.link({"--threads=1"});
  quiet(one);
  for (const char *threads : {"--threads=1", "--threads=2", "--threads=4"})
    for (int run = 0; run < 2; ++run)
      EXPECT_TRUE(inputs.link({threads}).image() == one.image()) << threads;
}

// Messages too, with an error in several files and a limit in between.
TEST(Determinism, Messages) {
  Inputs inputs(/*wrong=*/true);
  for (const char *limit : {"--error-limit=0", "--error-limit=3"}) {
    Linked one =
        inputs.link({"--threads=1", limit, "-Ttext-segment=0xfff00000"});
    EXPECT_EQ(one.status, 1);
    EXPECT_NE(one.errors.find("undefined symbol: nowhere"), std::string::npos);
    for (const char *threads : {"--threads=2", "--threads=4"})
      EXPECT_EQ(
          inputs.link({threads, limit, "-Ttext-segment=0xfff00000"}).errors,
          one.errors);
  }
}

// Merged strings stand in the order of the inputs, the same ones in any.
TEST(Determinism, MergedStringsInAnyOrder) {
  Inputs inputs;
  auto strings = [&] {
    const OutFile out = quiet(inputs.link({}));
    std::string text = textOf(out, ".rodata");
    EXPECT_EQ(text.size(), kObjects * 4 + 7);
    std::multiset<std::string> set;
    for (size_t at = 0; at < text.size(); at = text.find('\0', at) + 1)
      set.insert(text.substr(at, text.find('\0', at) - at));
    return set;
  };
  std::multiset<std::string> forward = strings();
  std::reverse(inputs.names.begin(), inputs.names.end());
  EXPECT_EQ(strings(), forward);
}

/// One link as a library user makes it, with a sink of its own.
Bytes linkWith(vfs::FileSystem &fs, std::vector<std::string> arguments,
               ObjectCache *cache, std::string &errors) {
  MemorySink sink;
  LinkRequest request;
  request.arguments = std::move(arguments);
  request.fileSystem = &fs;
  request.sink = &sink;
  request.cache = cache;
  LinkResult result = link(request);
  for (const Diagnostic &d : result.diagnostics)
    errors += Diagnostics::format(d, false);
  return sink.files["out"];
}

// Several links at once share the files and one cache of parsed objects.
TEST(Determinism, ManyLinksAtOnce) {
  Inputs inputs;
  vfs::InMemoryFileSystem fs;
  fs.setCurrentWorkingDirectory("/");
  for (auto &[path, bytes] : inputs.files)
    fs.addFile(path, 0,
               MemoryBuffer::getMemBufferCopy(
                   StringRef(reinterpret_cast<const char *>(bytes.data()),
                             bytes.size()),
                   path));
  std::vector<std::vector<std::string>> jobs;
  for (unsigned k = 0; k < 3; ++k) {
    std::vector<std::string> arguments = {"-o", "out", "-e", "0"};
    arguments.push_back("--threads=" + std::to_string(k + 1));
    arguments.push_back("--image-base=" + std::to_string(0x100000 * k));
    // Each job in an order of its own.
    std::rotate(inputs.names.begin(), inputs.names.begin() + k,
                inputs.names.end());
    arguments.insert(arguments.end(), inputs.names.begin(), inputs.names.end());
    jobs.push_back(std::move(arguments));
  }
  std::vector<Bytes> expected;
  for (const auto &job : jobs) {
    std::string errors;
    expected.push_back(linkWith(fs, job, nullptr, errors));
    ASSERT_EQ(errors, "");
    ASSERT_FALSE(expected.back().empty());
  }
  EXPECT_TRUE(expected[0] != expected[1]);

  ObjectCache cache;
  constexpr unsigned kThreads = 4, kRounds = 3;
  std::vector<std::string> faults(kThreads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (unsigned round = 0; round < kRounds; ++round) {
        size_t job = (t + round) % jobs.size();
        Bytes bytes = linkWith(fs, jobs[job], &cache, faults[t]);
        if (bytes != expected[job])
          faults[t] += "job " + std::to_string(job) + " differs\n";
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &fault : faults)
    EXPECT_EQ(fault, "");
}

} // namespace
} // namespace xlink::test
