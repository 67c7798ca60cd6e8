//===- TextFiles.cpp - writing what reports say ---------------------------===//
//
// Problem: two maps of one link are some 40 MB, which several threads make and
// write; but where a piece belongs is not known before all in front of it are
// there.
//
// Method: threads take the pieces of the files in their order. Who has made one
// whose place is known writes it and tells the next one's place. Who has made
// one too early leaves it with the file, and whoever tells its place writes it:
// nobody waits. A block of memory that is written goes back to be filled again.
//
// Opening and making visible is the sink's, which is no two threads', so they
// are steps of their own: in between, the link goes on beside the texts. What
// failed is reported in the order of the files.
//
// Cost: one copy of the texts, into the system's pages. In memory are as many
// pieces as there are threads, and those that were made too early: where pieces
// take equally long, that is as many again.
//
//===----------------------------------------------------------------------===//
#include "report/TextFiles.h"
#include <map>
#include <mutex>
#include <optional>
#include <vector>

using namespace llvm;

namespace xlink {

namespace {

/// Blocks that are free to be filled.
class FreeBlocks {
public:
  TextBlock take() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (blocks.empty())
      return {};
    TextBlock block = std::move(blocks.back());
    blocks.pop_back();
    return block;
  }
  void give(TextBlock block) {
    block.clear();
    const std::lock_guard<std::mutex> lock(mutex);
    blocks.push_back(std::move(block));
  }

private:
  std::mutex mutex;
  std::vector<TextBlock> blocks;
};

} // namespace

/// A file whose pieces come in any order.
class TextFiles::PieceWriter {
public:
  explicit PieceWriter(std::unique_ptr<OutputFile> file)
      : file(std::move(file)) {}

  /// Any thread. Blocks that are written go to `blocks`.
  void write(size_t index, TextBlock block, FreeBlocks &blocks) {
    while (std::optional<uint64_t> at = placeOf(index, block)) {
      std::string why = file->writeAt(
          *at, {reinterpret_cast<const uint8_t *>(block.str().data()),
                block.size()});
      blocks.give(std::move(block));
      const std::lock_guard<std::mutex> lock(mutex);
      if (!why.empty())
        error = std::move(why);
      // The next one may have come while this one was written.
      auto early = waiting.find(next);
      if (early == waiting.end())
        return;
      index = next;
      block = std::move(early->second);
      waiting.erase(early);
    }
  }
  /// When all are written: "", or what went wrong.
  const std::string &failure() const { return error; }
  std::string commit() { return error.empty() ? file->commit() : error; }

private:
  /// Where the piece belongs; none: it was taken, to be written later.
  std::optional<uint64_t> placeOf(size_t index, TextBlock &block) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (index != next) {
      waiting.emplace(index, std::move(block));
      return std::nullopt;
    }
    ++next;
    const uint64_t at = end;
    end += block.size();
    return at;
  }
  const std::unique_ptr<OutputFile> file;
  std::mutex mutex;
  size_t next = 0;  ///< the first piece whose place is not given away
  uint64_t end = 0; ///< where it belongs
  std::map<size_t, TextBlock> waiting;
  std::string error;
};

TextFiles::TextFiles() = default;
TextFiles::~TextFiles() = default;

void TextFiles::open(const char *what, std::string path, OutputSink &sink) {
  Opened &opened = files.emplace_back();
  opened.what = what;
  opened.path = std::move(path);
  if (auto file = sink.open(opened.path, /*size=*/std::nullopt,
                            /*executable=*/false, opened.error))
    opened.writer = std::make_unique<PieceWriter>(std::move(file));
}

void TextFiles::write(ArrayRef<LongText> texts, const Parallel &parallel,
                      size_t first) {
  FreeBlocks blocks;
  struct Job {
    PieceWriter *writer;
    const LongText *text;
    size_t piece;
  };
  std::vector<Job> jobs;
  size_t bytes = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    PieceWriter *const writer = files[first + i].writer.get();
    if (!writer)
      continue;
    for (size_t k = 0; k < texts[i].pieces().size(); ++k) {
      jobs.push_back({writer, &texts[i], k});
      bytes += texts[i].pieces()[k].expected;
    }
  }
  parallel.forEach(jobs.size(), bytes, [&](size_t j) {
    TextBlock block = blocks.take();
    LongText::append(jobs[j].text->pieces()[jobs[j].piece], block);
    jobs[j].writer->write(jobs[j].piece, std::move(block), blocks);
  });
}

void TextFiles::close() { files.clear(); }

std::string TextFiles::error() const {
  for (const Opened &file : files)
    if (const std::string &why =
            file.writer ? file.writer->failure() : file.error;
        !why.empty())
      return why;
  return "";
}

void TextFiles::commit(Diagnostics &diag) {
  for (Opened &file : files) {
    if (file.writer)
      file.error = file.writer->commit();
    file.writer.reset();
    if (!file.error.empty())
      diag.error("cannot write " + std::string(file.what) + " " + file.path +
                 ": " + file.error);
  }
  files.clear();
}

void writeTextFile(const char *what, const std::string &path,
                   const LongText &text, OutputSink &sink, Diagnostics &diag) {
  TextFiles file;
  file.open(what, path, sink);
  file.write(text, Parallel(1));
  file.commit(diag);
}

} // namespace xlink
