//===- Reports.cpp --------------------------------------------------------===//
#include "report/Reports.h"
#include "report/CollectedSections.h"
#include "report/CrossReference.h"
#include "report/DependencyFile.h"
#include "report/MapFile.h"
#include "report/MemoryUsage.h"
#include "report/ResourceUsage.h"
#include "report/TypeReport.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

/// Writes a text file; `what` names it in messages.
static void writeText(const Link &link, OutputSink &sink, const char *what,
                      const std::string &path, StringRef text) {
  std::string error;
  std::unique_ptr<OutputFile> file =
      sink.open(path, text.size(), /*executable=*/false, error);
  if (file) {
    error = file->writeAt(
        0, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
    if (error.empty())
      error = file->commit();
  }
  if (!error.empty())
    link.diag.error("cannot write " + std::string(what) + " " + path + ": " +
                    error);
}

static void print(const Link &link, StringRef text) {
  text.consume_back("\n"); // a note ends its line itself
  link.diag.note(text.str());
}

bool checkOutputNames(const Link &link, vfs::FileSystem *fs) {
  const Config &config = link.config;
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
  add("output file", config.output);
  if (!config.mapFile.empty() && config.mapFile != "-")
    add("map file", mapPath(config));
  if (!config.dependencyFile.empty())
    add("dependency file", config.dependencyFile);
  if (config.printGcSections && config.gcSections &&
      !config.gcSectionsFile.empty())
    add("list of collected sections", config.gcSectionsFile);

  bool good = true;
  auto same = [&](const char *what, const std::string &path, const Output &o) {
    good = false;
    std::vector<std::string> notes;
    if (path != o.path)
      notes.push_back(std::string("the ") + o.what + " is '" + o.path + "'");
    link.diag.error(std::string(what) + " '" + path + "' is the same as " +
                        o.what,
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
  auto check = [&](const std::string &path, const FileIdentity &identity) {
    for (const Output &output : outputs)
      if (identity == output.identity && seen.insert(path).second)
        same("input file", path, output);
  };
  for (const ReadFile &file : link.readFiles)
    check(file.path, file.identity ? file.identity : identityOf(fs, file.path));
  // Members that this link does not need belong to their archive all the same.
  for (const std::string &path : link.offered)
    check(path, identityOf(fs, path));
  return good;
}

void reportLayout(const Link &link, OutputSink &sink) {
  const Config &config = link.config;
  if (config.printGcSections && config.gcSections) {
    std::string collected = collectedSectionsText(link);
    if (!config.gcSectionsFile.empty())
      writeText(link, sink, "list of collected sections", config.gcSectionsFile,
                collected);
    else if (!collected.empty())
      print(link, collected);
  }
  const bool mapToFile = !config.mapFile.empty() && config.mapFile != "-";
  std::string references = config.cref ? crossReferenceText(link) : "";
  if (mapToFile || config.printMap || config.mapFile == "-") {
    std::string map = mapText(link) + references;
    if (mapToFile)
      writeText(link, sink, "map file", mapPath(config), map);
    if (config.printMap || config.mapFile == "-")
      print(link, map);
  } else if (config.cref) {
    print(link, references);
  }
  if (config.printMemoryUsage)
    print(link, memoryUsageText(link));
  if (config.resourceUsage == ReportFormat::Text)
    print(link, resourceUsageText(link));
  else if (config.resourceUsage == ReportFormat::Json)
    print(link, resourceUsageJson(link));
  if (config.dumpTypes)
    if (std::string types = typesText(link); !types.empty())
      print(link, types);
}

void reportSuccess(const Link &link, OutputSink &sink) {
  if (!link.config.dependencyFile.empty())
    writeText(link, sink, "dependency file", link.config.dependencyFile,
              dependencyText(link));
}

} // namespace xlink
