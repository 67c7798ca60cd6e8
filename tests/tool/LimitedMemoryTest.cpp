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

// It says so once, and leaves no file.
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
