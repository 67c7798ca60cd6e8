//===- OutputNames.cpp ----------------------------------------------------===//
#include "report/OutputNames.h"
#include "report/Why.h"
#include "resolve/NamedOutputs.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

bool checkOutputNames(const Program &program, vfs::FileSystem *fs,
                      Diagnostics &diag) {
  struct Output : NamedOutput {
    FileIdentity identity;
  };
  std::vector<NamedOutput> named = namedOutputs(program);
  for (const std::string &path : whyExtractFiles(program))
    if (path != "-")
      named.push_back({"table of extracted members", path});
  std::vector<Output> outputs;
  for (NamedOutput &output : named)
    if (FileIdentity identity = identityOf(fs, output.path))
      outputs.push_back({std::move(output), std::move(identity)});

  bool good = true;
  auto same = [&](const char *kind, const std::string &path, const Output &o) {
    good = false;
    std::vector<std::string> notes;
    if (path != o.path)
      notes.push_back(std::string("the ") + o.what + " is '" + o.path + "'");
    diag.error(std::string(kind) + " '" + path + "' is the same as " + o.what,
               std::move(notes));
  };
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (outputs[i].identity == outputs[j].identity)
        same(outputs[i].what, outputs[i].path, outputs[j]);
  // Only existing files can be inputs.
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

} // namespace xlink
