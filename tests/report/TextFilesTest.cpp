//===- TextFilesTest.cpp - texts that threads make and write --------------===//
#include "report/TextFiles.h"
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>

using namespace llvm;

namespace xlink::test {
namespace {

std::string textOf(const std::vector<uint8_t> &bytes) {
  return {bytes.begin(), bytes.end()};
}

/// A text of `count` pieces: piece i is `letter` i times, and a comma.
LongText piecesOf(size_t count, char letter) {
  LongText text("[");
  for (size_t i = 0; i < count; ++i) {
    text.add(size_t(1) << 20,
             [i, letter](TextBlock &out) { out.append(i, letter); });
    text += ",";
  }
  return text;
}

TEST(LongText, IsItsPieces) {
  EXPECT_EQ(LongText().str(), "");
  EXPECT_TRUE(LongText().empty());
  EXPECT_EQ(piecesOf(4, 'x').str(), "[,x,xx,xxx,");
  LongText text("<");
  text.add(piecesOf(2, 'y'));
  text.addText("|");
  text += ">";
  EXPECT_EQ(text.str(), "<[,y,|>");
  EXPECT_EQ(text.str(), "<[,y,|>");
}

TEST(TextFiles, AreWholeWithAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    MemorySink sink;
    Diagnostics diag;
    const std::vector<LongText> texts = {piecesOf(200, 'a'), piecesOf(3, 'b'),
                                         LongText(), piecesOf(90, 'd')};
    const char *const names[] = {"a", "b", "c", "d"};
    TextFiles files;
    for (const char *name : names)
      files.open(name, name, sink);
    files.write(texts, Parallel(threads));
    files.commit(diag);
    ASSERT_EQ(sink.files.size(), 4u);
    for (size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(textOf(sink.files.at(names[i])), texts[i].str());
    EXPECT_FALSE(diag.failed());
  }
}

// The first piece is made last: all behind it wait, none is lost.
TEST(TextFiles, APieceMayComeLate) {
  std::mutex mutex;
  std::condition_variable changed;
  size_t made = 0;
  constexpr size_t count = 8;
  LongText text;
  for (size_t i = 0; i < count; ++i)
    text.add(size_t(1) << 20, [&, i](TextBlock &out) {
      std::unique_lock<std::mutex> lock(mutex);
      if (!i)
        changed.wait_for(lock, std::chrono::seconds(20),
                         [&] { return made == count - 1; });
      ++made;
      changed.notify_all();
      out.number(i);
    });
  MemorySink sink;
  Diagnostics diag;
  TextFiles files;
  files.open("text", "t", sink);
  files.write(text, Parallel(2));
  files.commit(diag);
  EXPECT_EQ(textOf(sink.files.at("t")), "01234567");
}

/// Whose files fail as their names say.
class FailingSink : public OutputSink {
public:
  struct File : OutputFile {
    std::string name;
    std::string writeAt(uint64_t offset, ArrayRef<uint8_t>) override {
      return name == "write" && offset > 1000 ? "No space left on device" : "";
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

TEST(TextFiles, TellWhatFailedInTheirOrder) {
  for (unsigned threads : {1u, 4u}) {
    FailingSink sink;
    Diagnostics diag;
    TextFiles files;
    files.open("map file", "write", sink);
    files.open("page", "open", sink);
    files.open("list", "fine", sink);
    files.open("table", "commit", sink);
    files.write({piecesOf(100, 'a'), piecesOf(2, 'b'), piecesOf(2, 'b'),
                 piecesOf(2, 'b')},
                Parallel(threads));
    files.commit(diag);
    std::string messages;
    for (const Diagnostic &d : diag.all())
      messages += d.text + "\n";
    EXPECT_EQ(messages, "cannot write map file write: No space left on device\n"
                        "cannot write page open: Permission denied\n"
                        "cannot write table commit: Is a directory\n");
  }
}

// A link that ends before its maps are committed leaves none.
TEST(TextFiles, LeaveNothingUncommitted) {
  MemorySink sink;
  {
    TextFiles files;
    files.open("map file", "m", sink);
    files.write(piecesOf(3, 'a'), Parallel(1));
  }
  EXPECT_TRUE(sink.files.empty());
}

} // namespace
} // namespace xlink::test
