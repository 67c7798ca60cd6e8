//===- TextFiles.cpp - writing what reports say ---------------------------===//
//
// Problem: two maps of one link are some 40 MB, which several threads make and
// write; but where a piece belongs is not known before all in front of it are
// there.
//
// Method: threads take the pieces of all files in their order. Who has made one
// whose place is known writes it and tells the next one's place. Who has made
// one too early leaves it with the file, and whoever tells its place writes it:
// nobody waits. A block of memory that is written goes back to be filled again.
//
// Opening and making visible is the sink's, which is no two threads'; so is
// what failed, which is reported in the order of the files.
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

/// A file whose pieces come in any order.
class PieceWriter {
public:
  PieceWriter(std::unique_ptr<OutputFile> file, FreeBlocks &blocks)
      : file(std::move(file)), blocks(blocks) {}

  /// Any thread.
  void write(size_t index, TextBlock block) {
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
  FreeBlocks &blocks;
  std::mutex mutex;
  size_t next = 0;  ///< the first piece whose place is not given away
  uint64_t end = 0; ///< where it belongs
  std::map<size_t, TextBlock> waiting;
  std::string error;
};

} // namespace

void writeTextFiles(ArrayRef<TextFile> files, const Parallel &parallel,
                    OutputSink &sink, Diagnostics &diag) {
  FreeBlocks blocks;
  std::vector<std::unique_ptr<PieceWriter>> writers(files.size());
  std::vector<std::string> errors(files.size());
  struct Job {
    size_t file, piece;
  };
  std::vector<Job> jobs;
  size_t bytes = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    auto file = sink.open(files[i].path, /*size=*/std::nullopt,
                          /*executable=*/false, errors[i]);
    if (!file)
      continue;
    writers[i] = std::make_unique<PieceWriter>(std::move(file), blocks);
    for (size_t k = 0; k < files[i].text.pieces().size(); ++k) {
      jobs.push_back({i, k});
      bytes += files[i].text.pieces()[k].expected;
    }
  }
  parallel.forEach(jobs.size(), bytes, [&](size_t j) {
    TextBlock block = blocks.take();
    LongText::append(files[jobs[j].file].text.pieces()[jobs[j].piece], block);
    writers[jobs[j].file]->write(jobs[j].piece, std::move(block));
  });
  for (size_t i = 0; i < files.size(); ++i) {
    if (writers[i])
      errors[i] = writers[i]->commit();
    writers[i].reset();
    if (!errors[i].empty())
      diag.error("cannot write " + std::string(files[i].what) + " " +
                 files[i].path + ": " + errors[i]);
  }
}

} // namespace xlink
