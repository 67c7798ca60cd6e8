//===- ExpectedRangesTest.cpp - what an output says it will write ---------===//
//
// A file system that is told in advance finds room at once. What is told has to
// be written then: zeros between sections take no room on the disk.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/TestFiles.h"
#include <mutex>

using namespace llvm;

namespace xlink::test {
namespace {

using Ranges = std::vector<std::pair<uint64_t, uint64_t>>; ///< begin, end

/// Of each output, what was said and what was written, in memory.
class RecordingSink : public OutputSink {
public:
  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override {
    return std::make_unique<File>(outputs[path.str()],
                                  memory.open(path, size, executable, error));
  }
  struct Output {
    Ranges expected, written;
    std::mutex mutex;
  };
  std::map<std::string, Output> outputs;

private:
  struct File : OutputFile {
    File(Output &output, std::unique_ptr<OutputFile> file)
        : output(output), file(std::move(file)) {}
    std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
      const std::lock_guard<std::mutex> lock(output.mutex);
      output.written.push_back({offset, offset + bytes.size()});
      return file->writeAt(offset, bytes);
    }
    void expect(uint64_t offset, uint64_t size) override {
      output.expected.push_back({offset, offset + size});
    }
    std::string commit() override { return file->commit(); }
    Output &output;
    std::unique_ptr<OutputFile> file;
  };
  MemorySink memory;
};

/// The bytes of a range that nobody wrote.
uint64_t holesOf(std::pair<uint64_t, uint64_t> range, Ranges written) {
  llvm::sort(written);
  uint64_t holes = 0, at = range.first;
  for (const auto &[begin, end] : written) {
    if (begin >= range.second)
      break;
    if (begin > at)
      holes += begin - at;
    at = std::max(at, end);
  }
  return holes + (at < range.second ? range.second - at : 0);
}

void run(RecordingSink &sink, const std::string &size,
         const std::string &script, const std::vector<std::string> &more = {}) {
  const Bytes object = nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: )" +
                             size + R"( }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: )" +
                             size + R"( }
  - { Name: .data.behind, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: )" +
                             size + R"( }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
  const Bytes text(script.begin(), script.end());
  TestFiles files;
  files.add("a.o", object);
  files.add("x.ld", text);
  LinkRequest request;
  request.arguments = {"-m", "nyuzi", "a.o", "-T", "x.ld", "-o", "out"};
  request.arguments.insert(request.arguments.end(), more.begin(), more.end());
  request.fileSystem = &files;
  request.sink = &sink;
  for (const Diagnostic &d : link(request).diagnostics)
    ADD_FAILURE() << d.text;
}

TEST(ExpectedRanges, AreWritten) {
  RecordingSink sink;
  run(sink, "0x200000",
      "SECTIONS { .text : { *(.text) } "
      ".data : { *(.data) . = . + 0x800000; *(.data.behind) } }");
  const RecordingSink::Output &out = sink.outputs.at("out");
  uint64_t bytes = 0;
  for (const auto &range : out.expected) {
    EXPECT_LE(holesOf(range, out.written), 0x1000u);
    bytes += range.second - range.first;
  }
  // One range in front of the gap, one behind it.
  EXPECT_EQ(out.expected.size(), 2u);
  EXPECT_GE(bytes, 0x600000u);
  EXPECT_LE(bytes, 0x620000u);
}

// What a large output has between long gaps, and what a small one has.
TEST(ExpectedRanges, AreLong) {
  RecordingSink apart, small;
  run(apart, "0x40000",
      "SECTIONS { .text : { *(.text) } "
      ".data : { *(.data) . = . + 0x800000; *(.data.behind) } }");
  EXPECT_TRUE(apart.outputs.at("out").expected.empty());
  run(small, "0x1000",
      "SECTIONS { .text : { *(.text) } .data : { *(.data .data.behind) } }");
  EXPECT_TRUE(small.outputs.at("out").expected.empty());
}

// Many gaps of more than a page would be much room for nothing.
TEST(ExpectedRanges, HaveNoGaps) {
  RecordingSink sink;
  run(sink, "0x104000",
      "SECTIONS { .text : { *(.text) } .data ALIGN(0x10000) : { *(.data) } "
      ".more ALIGN(0x10000) : { *(.data.behind) } }",
      {"-z", "max-page-size=0x10000"});
  const RecordingSink::Output &out = sink.outputs.at("out");
  EXPECT_EQ(out.expected.size(), 3u);
  for (const auto &range : out.expected)
    EXPECT_LE(holesOf(range, out.written), 0x1000u);
}

} // namespace
} // namespace xlink::test
