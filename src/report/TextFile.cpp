//===- TextFile.cpp -------------------------------------------------------===//
#include "report/TextFile.h"
#include "llvm/ADT/StringSet.h"

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

/// The convention of compilers: backslashes count only in front of a space or a
/// hash sign, where each of them is doubled.
static std::string escape(StringRef name) {
  std::string text;
  size_t backslashes = 0;
  for (char c : name) {
    if (c == ' ' || c == '#')
      text.append(backslashes + 1, '\\');
    else if (c == '$')
      text += '$';
    backslashes = c == '\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text;
}

std::string dependencyText(const Program &program,
                           ArrayRef<std::string> further) {
  std::vector<std::string> names;
  StringSet<> seen;
  const auto add = [&](StringRef path) {
    if (seen.insert(path).second)
      names.push_back(escape(path));
  };
  for (const ReadFile &file : program.readFiles)
    add(file.path);
  for (const std::string &path : further)
    add(path);
  std::string text = escape(program.output.path) + ":";
  for (const std::string &name : names)
    text += " \\\n  " + name;
  text += '\n';
  for (const std::string &name : names)
    text += "\n" + name + ":\n";
  return text;
}

} // namespace xlink
