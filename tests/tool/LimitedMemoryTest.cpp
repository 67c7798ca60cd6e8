//===- LimitedMemoryTest.cpp - links under a limit on memory --------------===//
#include "support/ToolProcess.h"
#include <gtest/gtest.h>

namespace xlink::test {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

/// An object of so many different strings, which threads merge.
Bytes strings(unsigned object, unsigned count) {
  std::string hex;
  for (unsigned i = 0; i < count; ++i) {
    const std::string text =
        "string " + std::to_string(object) + "." + std::to_string(i);
    for (const char c : text) {
      hex += "0123456789abcdef"[c >> 4];
      hex += "0123456789abcdef"[c & 15];
    }
    hex += "00";
  }
  return machineObject("nyuzi", R"(
Sections:
  - { Name: .debug_str, Type: SHT_PROGBITS, Flags: [ SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: ')" +
                                    hex + R"(' }
Symbols: []
)");
}

// Each thread takes a stack and a heap. Where one thread has room, a link that
// is asked to use more makes the same.
TEST(LimitedMemory, BeginsAgainWithOneThread) {
  TemporaryDirectory directory;
  std::vector<std::string> words = {"--no-warn-entry", "-o", "out"};
  for (unsigned i = 0; i < 16; ++i) {
    const std::string name = std::to_string(i) + ".o";
    directory.write(name, strings(i, 20000));
    words.push_back(name);
  }
  const auto run = [&](const char *threads, uint64_t megabytes) {
    std::vector<std::string> all = words;
    all.push_back(threads);
    return runTool(directory, all, {.addressSpace = megabytes * kMegabyte});
  };
  uint64_t fails = 8, works = 1024; // megabytes, with one thread
  while (works - fails > 1)
    (run("--threads=1", (fails + works) / 2).status == 0 ? works : fails) =
        (fails + works) / 2;
  ASSERT_EQ(run("--threads=1", works).status, 0);
  const std::string expected = directory.read("out");
  for (const char *threads : {"--threads=2", "--threads=4", "--threads=16"})
    for (uint64_t more : {1, 16, 64}) {
      const ToolRun limited = run(threads, works + more);
      EXPECT_EQ(limited.status, 0) << threads << ' ' << works + more;
      EXPECT_EQ(limited.messages, "");
      EXPECT_TRUE(directory.read("out") == expected);
    }
}

// Where one thread has no room either, it says so once.
TEST(LimitedMemory, OutOfMemoryIsOneError) {
  TemporaryDirectory directory;
  std::vector<std::string> words = {"--no-warn-entry", "--threads=4", "-o",
                                    "out"};
  for (unsigned i = 0; i < 4; ++i) {
    const std::string name = std::to_string(i) + ".o";
    directory.write(name, strings(i, 100000));
    words.push_back(name);
  }
  const ToolRun run =
      runTool(directory, words, {.addressSpace = 24 * kMegabyte});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "xlink: error: out of memory\n");
  EXPECT_EQ(directory.list(), "0.o 1.o 2.o 3.o");
}

} // namespace
} // namespace xlink::test
