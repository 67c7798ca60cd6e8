//===- ReportFiles.cpp ----------------------------------------------------===//
#include "report/ReportFiles.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "report/LinkMapBuilder.h"
#include "report/MapFile.h"
#include "report/Why.h"
#include "resolve/NamedOutputs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

bool checkOutputNames(const Program &program, vfs::FileSystem *fs,
                      Diagnostics &diag) {
  struct Output : NamedOutput {
    FileIdentity identity;
  };
  std::vector<Output> outputs;
  auto add = [&](const NamedOutput &output) {
    if (FileIdentity identity = identityOf(fs, output.path))
      outputs.push_back({output, std::move(identity)});
  };
  for_each(namedOutputs(program), add);
  for (const std::string &path : whyExtractFiles(program))
    if (path != "-")
      add({"table of extracted members", path});

  bool good = true;
  auto same = [&](const char *title, const std::string &path, const Output &o) {
    good = false;
    std::vector<std::string> notes;
    if (path != o.path)
      notes.push_back(std::string("the ") + o.title + " is '" + o.path + "'");
    diag.error(std::string(title) + " '" + path + "' is the same as " + o.title,
               std::move(notes));
  };
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (outputs[i].identity == outputs[j].identity)
        same(outputs[i].title, outputs[i].path, outputs[j]);
  // Only a file that exists can be an input.
  erase_if(outputs, [](const Output &o) { return !o.identity.name.empty(); });
  if (outputs.empty())
    return good;
  StringSet<> seen;
  auto check = [&](StringRef path, const FileIdentity &identity) {
    for (const Output &output : outputs)
      if (identity == output.identity && seen.insert(path).second)
        same("input file", path.str(), output);
  };
  for (const ReadFile &file : program.readFiles)
    check(file.path, identityOf(fs, file.path, file.number));
  // Members that this link does not need belong to their archive all the same.
  for (const std::string &path : program.offered)
    check(path, identityOf(fs, path));
  // Inputs that were refused are none of those that were read.
  if (program.inputsMissing || program.files.empty())
    for (const InputItem &item : program.config.inputs)
      if (item.kind == InputItem::File || item.kind == InputItem::Script)
        check(item.text, identityOf(fs, item.text));
  // Whether the link has read them or would do so later, or not at all.
  for (const std::string &path : program.config.namedFiles)
    check(path, identityOf(fs, path));
  return good;
}

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
  SetVector<StringRef> paths;
  for (const ReadFile &file : program.readFiles)
    paths.insert(file.path);
  paths.insert(further.begin(), further.end());
  std::string text = escape(program.output.path) + ":", rules = "\n";
  for (StringRef path : paths) {
    const std::string name = escape(path);
    text += " \\\n  " + name;
    rules += "\n" + name + ":\n";
  }
  return text + rules;
}

const LinkMap &Maps::value() {
  if (!map) {
    // The page draws the references.
    map = buildLinkMap(link, values, config.cref || !config.htmlReport.empty());
    map->stacks = stacks;
  }
  return *map;
}

void Maps::text(raw_ostream &out) {
  writeMap(out, link, values);
  if (config.cref)
    writeCrossReferences(out, link.program);
}

void Maps::json(raw_ostream &out) { writeMapJson(out, value()); }

void Maps::page(raw_ostream &out) {
  const LinkMap *older = baseline ? &baseline->map : nullptr;
  writeHtmlReport(out, mapJson(value()),
                  older ? comparisonOfPage(compareMaps(*older, value())) : "",
                  config.demangle ? readableNames(value(), older) : "");
}

void Maps::open(OutputSink &sink) {
  files.clear();
  auto add = [&](const char *kind, const std::string &option,
                 const std::string &path, auto write) {
    if (!option.empty() && option != "-")
      files.emplace_back(std::make_unique<TextFile>(kind, path, sink), write);
  };
  add("map file", config.mapFile, mapPath(link.program), &Maps::text);
  add("map in JSON", config.mapJson, config.mapJson, &Maps::json);
  if (hasPage())
    add("HTML report", config.htmlReport, config.htmlReport, &Maps::page);
}

void Maps::write() {
  for (auto &[file, write] : files) {
    (this->*write)(*file);
    file->flush();
  }
}

std::string Maps::error() const {
  for (const auto &[file, write] : files)
    if (!file->error().empty())
      return file->error();
  return "";
}

void Maps::commit(Diagnostics &diag) {
  for (auto &[file, write] : files)
    file->commit(diag);
  files.clear();
}

} // namespace xlink
