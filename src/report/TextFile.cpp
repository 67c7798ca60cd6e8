//===- TextFile.cpp -------------------------------------------------------===//
#include "report/TextFile.h"

using namespace llvm;

namespace xlink {

TextFile::TextFile(const char *kind, std::string path, OutputSink &sink)
    : kind(kind), path(std::move(path)),
      file(sink.open(this->path, /*size=*/std::nullopt, /*executable=*/false,
                     failure)) {
  SetBufferSize(1 << 20);
}

void TextFile::write_impl(const char *from, size_t size) {
  if (failure.empty())
    failure =
        file->writeAt(written, {reinterpret_cast<const uint8_t *>(from), size});
  written += size;
}

void TextFile::commit(Diagnostics &diag) {
  flush();
  if (failure.empty())
    failure = file->commit();
  file.reset();
  if (!failure.empty())
    diag.error("cannot write " + std::string(kind) + " " + path + ": " +
               failure);
}

void writeTextFile(const char *kind, const std::string &path, StringRef text,
                   OutputSink &sink, Diagnostics &diag) {
  TextFile file(kind, path, sink);
  file << text;
  file.commit(diag);
}

} // namespace xlink
