//===- TextFiles.cpp - writing what reports say ---------------------------===//
//
// Problem: two maps of one link are some 40 MB, and copying them to the system
// takes longer than making them.
//
// Method: a file system lets one thread at a time write into a file, so each
// file has a thread of its own, which writes the pieces as they are. Opening
// and making visible is the sink's, which is no two threads'; so is what
// failed, which is reported in the order of the files.
//
// Cost: one copy of the texts, into the system's pages.
//
//===----------------------------------------------------------------------===//
#include "report/TextFiles.h"

using namespace llvm;

namespace xlink {

static size_t sizeOf(const TextFile &file) {
  size_t size = 0;
  for (const StringRef piece : file.pieces)
    size += piece.size();
  return size;
}

/// "", or why it failed.
static std::string writePieces(const TextFile &from, OutputFile &to) {
  uint64_t at = 0;
  for (const StringRef piece : from.pieces) {
    std::string error = to.writeAt(
        at, {reinterpret_cast<const uint8_t *>(piece.data()), piece.size()});
    if (!error.empty())
      return error;
    at += piece.size();
  }
  return "";
}

void writeTextFiles(ArrayRef<TextFile> files, const Parallel &parallel,
                    OutputSink &sink, Diagnostics &diag) {
  std::vector<std::unique_ptr<OutputFile>> outputs(files.size());
  std::vector<std::string> errors(files.size());
  size_t bytes = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    const size_t size = sizeOf(files[i]);
    outputs[i] =
        sink.open(files[i].path, size, /*executable=*/false, errors[i]);
    bytes += size;
  }
  parallel.forEach(files.size(), bytes, [&](size_t i) {
    if (outputs[i] && errors[i].empty())
      errors[i] = writePieces(files[i], *outputs[i]);
  });
  for (size_t i = 0; i < files.size(); ++i) {
    if (outputs[i] && errors[i].empty())
      errors[i] = outputs[i]->commit();
    outputs[i].reset();
    if (!errors[i].empty())
      diag.error("cannot write " + std::string(files[i].what) + " " +
                 files[i].path + ": " + errors[i]);
  }
}

} // namespace xlink
