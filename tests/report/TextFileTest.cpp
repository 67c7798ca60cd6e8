//===- TextFileTest.cpp - a file that a report is written into ------------===//
#include "report/Reports.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

// More than the buffer holds.
TEST(TextFile, IsWhatWasWritten) {
  MemorySink sink;
  Diagnostics diag;
  const std::string line(1000, 'a');
  TextFile file("map file", "m", sink);
  for (int i = 0; i < 5000; ++i)
    file << line << i;
  file.commit(diag);
  EXPECT_FALSE(diag.failed());
  std::string expected;
  for (int i = 0; i < 5000; ++i)
    expected += line + std::to_string(i);
  EXPECT_TRUE(sink.files["m"] ==
              std::vector<uint8_t>(expected.begin(), expected.end()));
}

class FailingSink : public OutputSink {
public:
  struct File : OutputFile {
    std::string name;
    std::string writeAt(uint64_t, ArrayRef<uint8_t>) override {
      return name == "write" ? "No space left on device" : "";
    }
    std::string commit() override {
      return name == "commit" ? "Is a directory" : "";
    }
  };
  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t>,
                                   bool, std::string &error) override {
    if (path == "open") {
      error = "Permission denied";
      return nullptr;
    }
    auto file = std::make_unique<File>();
    file->name = path.str();
    return file;
  }
};

TEST(TextFile, TellsWhatFailed) {
  FailingSink sink;
  Diagnostics diag;
  for (const char *name : {"write", "open", "fine", "commit"})
    writeTextFile("map file", name, "text", sink, diag);
  std::string messages;
  for (const Diagnostic &d : diag.all())
    messages += d.text + "\n";
  EXPECT_EQ(messages, "cannot write map file write: No space left on device\n"
                      "cannot write map file open: Permission denied\n"
                      "cannot write map file commit: Is a directory\n");
}

// A link that ends before its maps are committed leaves none.
TEST(TextFile, LeavesNothingUncommitted) {
  MemorySink sink;
  TextFile("map file", "m", sink) << "text";
  EXPECT_TRUE(sink.files.empty());
}

} // namespace
} // namespace xlink::test
