//===- OutputNames.cpp ----------------------------------------------------===//
#include "report/OutputNames.h"
#include "report/MapFile.h"
#include "report/Reports.h"
#include "report/WhyExtract.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

bool checkOutputNames(const Program &program, vfs::FileSystem *fs,
                      Diagnostics &diag) {
  const Config &config = program.config;
  struct Output {
    const char *what;
    std::string path;
    FileIdentity identity;
  };
  std::vector<Output> outputs;
  auto add = [&](const char *what, const std::string &path) {
    if (FileIdentity identity = identityOf(fs, path))
      outputs.push_back({what, path, std::move(identity)});
  };
  add("output file", program.output.path);
  if (!config.mapFile.empty() && config.mapFile != "-")
    add("map file", mapPath(program));
  if (!config.mapJson.empty() && config.mapJson != "-")
    add("map in JSON", config.mapJson);
  if (!config.htmlReport.empty() && config.htmlReport != "-")
    add("HTML report", config.htmlReport);
  if (!config.answersJson.empty() && config.answersJson != "-")
    add("answers in JSON", config.answersJson);
  if (!config.dependencyFile.empty())
    add("dependency file", config.dependencyFile);
  if (!config.timeTrace.empty())
    add("trace of the time", timeTracePath(program));
  if (!config.reproduceFile.empty())
    add("archive of --reproduce", config.reproduceFile);
  for (const RegionImage &image : config.images)
    add("image file", image.path);
  if (config.printGcSections && config.gcSections &&
      !config.gcSectionsFile.empty())
    add("list of collected sections", config.gcSectionsFile);
  for (const std::string &path : whyExtractFiles(program))
    if (path != "-")
      add("table of extracted members", path);

  bool good = true;
  auto same = [&](const char *what, const std::string &path, const Output &o) {
    good = false;
    std::vector<std::string> notes;
    if (path != o.path)
      notes.push_back(std::string("the ") + o.what + " is '" + o.path + "'");
    diag.error(std::string(what) + " '" + path + "' is the same as " + o.what,
               std::move(notes));
  };
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (outputs[i].identity == outputs[j].identity)
        same(outputs[i].what, outputs[i].path, outputs[j]);
  // Only what exists can be an input.
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
  return good;
}

} // namespace xlink
