//===- Reports.cpp --------------------------------------------------------===//
#include "report/Reports.h"
#include "report/CollectedSections.h"
#include "report/CrossReference.h"
#include "report/DependencyFile.h"
#include "report/MapFile.h"
#include "report/MemoryUsage.h"
#include "report/ResourceUsage.h"
#include "report/TypeReport.h"

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
