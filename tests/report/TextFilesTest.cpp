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

/// A sink of one file, of which it notes what is expected: begin and end.
class ExpectingSink : public OutputSink {
public:
  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override {
    return std::make_unique<File>(*this,
                                  memory.open(path, size, executable, error));
  }
  MemorySink memory;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;

private:
  struct File : OutputFile {
    File(ExpectingSink &sink, std::unique_ptr<OutputFile> file)
        : sink(sink), file(std::move(file)) {}
    std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
      return file->writeAt(offset, bytes);
    }
    void expect(uint64_t offset, uint64_t size) override {
      const std::lock_guard<std::mutex> lock(mutex);
      sink.ranges.push_back({offset, offset + size});
    }
    std::string commit() override { return file->commit(); }
    ExpectingSink &sink;
    std::unique_ptr<OutputFile> file;
    std::mutex mutex;
  };
};

/// What the file system is told of a text of 16 MB in 64 pieces that expect
/// `expected(piece)` bytes: up to where.
uint64_t toldOf(unsigned threads, function_ref<size_t(size_t)> expected) {
  constexpr size_t piece = 1 << 18, count = 64;
  ExpectingSink sink;
  Diagnostics diag;
  LongText text;
  for (size_t i = 0; i < count; ++i)
    text.add(expected(i), [](TextBlock &out) { out.append(piece, 'x'); });
  TextFiles files;
  files.open("text", "text", sink);
  files.write(text, Parallel(threads));
  files.commit(diag);
  EXPECT_EQ(sink.memory.files.at("text").size(), piece * count);
  uint64_t end = 0;
  llvm::sort(sink.ranges);
  for (auto [from, to] : sink.ranges) {
    EXPECT_GE(from, end) << "nothing is told twice";
    end = to;
  }
  return end;
}

TEST(TextFiles, TellHowFarTheyWillReach) {
  constexpr uint64_t all = 16 << 20;
  for (unsigned threads : {1u, 4u}) {
    const uint64_t right = toldOf(threads, [](size_t) { return 1 << 18; });
    EXPECT_GE(right, all / 2);
    EXPECT_LE(right, all);
    // However wrong all guesses are together.
    EXPECT_EQ(toldOf(1, [](size_t) { return 1 << 10; }),
              toldOf(1, [](size_t) { return 1 << 22; }));
    EXPECT_LE(toldOf(threads, [](size_t) { return 1 << 22; }), all);
    // Nobody said how long it would be.
    EXPECT_EQ(toldOf(threads, [](size_t) { return 0; }), 0u);
    // More is expected of the last piece than of all others.
    EXPECT_LE(
        toldOf(threads, [](size_t i) { return i == 63 ? 1 << 24 : 1 << 18; }),
        all + (8 << 20));
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
