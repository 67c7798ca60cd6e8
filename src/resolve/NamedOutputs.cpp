//===- NamedOutputs.cpp ---------------------------------------------------===//
#include "resolve/NamedOutputs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace xlink {

std::string mapPath(const Program &program) {
  const std::string &file = program.config.mapFile;
  if (!file.empty() && llvm::sys::fs::is_directory(file))
    return file + "/" + llvm::sys::path::filename(program.output.path).str() +
           ".map";
  return program.besideOutput(file, ".map");
}

std::string timeTracePath(const Program &program) {
  return program.besideOutput(program.config.timeTrace, ".time-trace");
}

std::vector<NamedOutput> namedOutputs(const Program &program) {
  const Config &config = program.config;
  std::vector<NamedOutput> outputs;
  // "-" is standard output where an option says so.
  const auto add = [&](const char *title, const std::string &option,
                       const std::string &path) {
    if (!option.empty() && option != "-")
      outputs.push_back({title, path});
  };
  const std::string &output =
      program.output.path.empty() ? config.output : program.output.path;
  outputs.push_back({"output file", output});
  add("map file", config.mapFile, mapPath(program));
  add("map in JSON", config.mapJson, config.mapJson);
  add("HTML report", config.htmlReport, config.htmlReport);
  add("answers in JSON", config.answersJson, config.answersJson);
  if (!config.dependencyFile.empty())
    outputs.push_back({"dependency file", config.dependencyFile});
  if (!config.timeTrace.empty())
    outputs.push_back({"trace of the time", timeTracePath(program)});
  if (!config.reproduceFile.empty())
    outputs.push_back({"archive of --reproduce", config.reproduceFile});
  for (const RegionImage &image : config.images)
    outputs.push_back({"image file", image.path});
  if (config.printGcSections && config.gcSections &&
      !config.gcSectionsFile.empty())
    outputs.push_back({"list of collected sections", config.gcSectionsFile});
  return outputs;
}

} // namespace xlink
