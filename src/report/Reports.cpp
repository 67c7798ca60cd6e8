//===- Reports.cpp --------------------------------------------------------===//
#include "report/Reports.h"
#include "layout/Icf.h"
#include "map/HtmlReport.h"
#include "map/LinkMapJson.h"
#include "map/LinkMapReader.h"
#include "map/SizeAttribution.h"
#include "map/SizeBudget.h"
#include "report/CollectedSections.h"
#include "report/CrossReference.h"
#include "report/DependencyFile.h"
#include "report/LinkMapBuilder.h"
#include "report/MapFile.h"
#include "report/MemoryUsage.h"
#include "report/ResourceUsage.h"
#include "report/StackUsage.h"
#include "report/TypeReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xlink {

/// Writes a text file, its pieces one behind the other; `what` names it in
/// messages.
static void writeText(Diagnostics &diag, OutputSink &sink, const char *what,
                      const std::string &path, ArrayRef<std::string> pieces) {
  uint64_t size = 0;
  for (const std::string &piece : pieces)
    size += piece.size();
  std::string error;
  std::unique_ptr<OutputFile> file =
      sink.open(path, size, /*executable=*/false, error);
  uint64_t at = 0;
  for (size_t i = 0; file && error.empty() && i < pieces.size(); ++i) {
    const StringRef text = pieces[i];
    error = file->writeAt(
        at, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
    at += text.size();
  }
  if (file && error.empty())
    error = file->commit();
  if (!error.empty())
    diag.error("cannot write " + std::string(what) + " " + path + ": " + error);
}

static void print(Diagnostics &diag, StringRef text) {
  text.consume_back("\n"); // a note ends its line itself
  diag.note(text.str());
}

std::string timeTracePath(const Program &program) {
  return program.besideOutput(program.config.timeTrace, ".time-trace");
}

void writeTimeTrace(const Program &program, StringRef trace, OutputSink &sink,
                    Diagnostics &diag) {
  writeText(diag, sink, "trace of the time", timeTracePath(program),
            trace.str());
}

/// With a line for each member, and the last line's end.
static std::string jsonText(json::Value value) {
  return formatv("{0:2}\n", value).str();
}

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
  if (!config.answersJson.empty())
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
  auto check = [&](const std::string &path, const FileIdentity &identity) {
    for (const Output &output : outputs)
      if (identity == output.identity && seen.insert(path).second)
        same("input file", path, output);
  };
  for (const ReadFile &file : program.readFiles)
    check(file.path, file.identity ? file.identity : identityOf(fs, file.path));
  // Members that this link does not need belong to their archive all the same.
  for (const std::string &path : program.offered)
    check(path, identityOf(fs, path));
  return good;
}

/// The map for programs, and the page that is drawn from it.
static void reportMap(const Program &program, const LinkMap &map,
                      vfs::FileSystem *fs, OutputSink &sink,
                      Diagnostics &diag) {
  const Config &config = program.config;
  const std::vector<std::string> json = mapJsonPieces(map, program.parallel);
  if (config.mapJson == "-")
    print(diag, join(json, ""));
  else if (!config.mapJson.empty())
    writeText(diag, sink, "map in JSON", config.mapJson, json);
  if (config.htmlReport.empty())
    return;
  std::string older;
  if (!config.baseline.empty()) {
    const std::optional<LinkMap> baseline =
        readLinkMapFile(fs, config.baseline, diag);
    if (!baseline)
      return;
    older = mapJson(*baseline, program.parallel);
  }
  const std::string page = htmlReport(join(json, ""), older, config.demangle);
  if (config.htmlReport == "-")
    print(diag, page);
  else
    writeText(diag, sink, "HTML report", config.htmlReport, page);
}

/// The answer of --print-memory-usage; a stack that does not fit is a warning
/// in every format.
static void printMemoryUsage(const Link &link, const SymbolValues &values,
                             const LinkMap &map, Diagnostics &diag) {
  const std::string stack = stackUsageText(link, values, diag);
  if (link.program.config.memoryUsage == ReportFormat::Json)
    print(diag, jsonText(memoryUsageJson(map)));
  else
    print(diag, memoryUsageText(map) + stack + memoryDetailsText(map));
}

/// What a LinkMap tells. `stacks`: null where nobody asks for their depth.
static void reportSizes(const Link &link, const SymbolValues &values,
                        const StackUsage *stacks, vfs::FileSystem *fs,
                        OutputSink &sink, json::Object &answers,
                        Diagnostics &diag) {
  const Config &config = link.program.config;
  const bool memory = config.memoryUsage != ReportFormat::None;
  if (!config.baseline.empty() && config.sizeBudget.empty() &&
      config.htmlReport.empty())
    diag.warn(WarningGroup::General,
              "option '--baseline' has no effect without '--size-budget' or "
              "'--html-report'");
  const bool written = !config.mapJson.empty() || !config.htmlReport.empty();
  if (!written && !memory && !config.sizeAttribution &&
      config.sizeBudget.empty())
    return;
  LinkMap map = buildLinkMap(link, values);
  if (stacks)
    map.stacks = stacksOfMap(*stacks, *map.texts);
  if (written)
    reportMap(link.program, map, fs, sink, diag);
  if (memory) {
    printMemoryUsage(link, values, map, diag);
    answers["memoryUsage"] = memoryUsageJson(map);
  }
  if (config.sizeAttribution) {
    const SizeTree tree = attributeSizes(map);
    print(diag,
          sizeAttributionText(tree, *config.sizeAttribution, config.demangle));
    if (!config.answersJson.empty())
      answers["sizeAttribution"] =
          sizeAttributionJson(tree, *config.sizeAttribution);
  }
  if (!config.sizeBudget.empty())
    if (std::optional<json::Value> answer =
            checkSizeBudget(config, map, fs, diag))
      answers["sizeBudget"] = std::move(*answer);
}

/// The depth of stacks, and whether there is room for that.
static void reportStacks(const Link &link, const StackUsage &stacks,
                         json::Object &answers, Diagnostics &diag) {
  const Config &config = link.program.config;
  if (config.stackUsage == ReportFormat::Text)
    print(diag, stackReportText(link, stacks));
  else if (config.stackUsage == ReportFormat::Json)
    print(diag, jsonText(stackUsageJson(link, stacks)));
  if (config.stackUsage != ReportFormat::None && !config.answersJson.empty())
    answers["stackUsage"] = stackUsageJson(link, stacks);
  stacks.check(diag);
}

void addReportInputs(Program &program, vfs::FileSystem *fs) {
  const Config &config = program.config;
  for (const std::string *path : {&config.sizeBudget, &config.baseline})
    if (!path->empty())
      program.readFiles.push_back(
          {ReadFile::Part, *path, identityOf(fs, *path)});
}

void reportLayout(const Link &link, const SymbolValues &values,
                  vfs::FileSystem *fs, OutputSink &sink, Diagnostics &diag) {
  const Program &program = link.program;
  const Config &config = program.config;
  if (config.printGcSections && config.gcSections) {
    std::string collected = collectedSectionsText(link);
    if (!config.gcSectionsFile.empty())
      writeText(diag, sink, "list of collected sections", config.gcSectionsFile,
                collected);
    else if (!collected.empty())
      print(diag, collected);
  }
  if (config.printIcfSections)
    if (std::string folded = foldedSectionsText(program, link.contents);
        !folded.empty())
      print(diag, folded);
  const bool mapToFile = !config.mapFile.empty() && config.mapFile != "-";
  std::string references = config.cref ? crossReferenceText(program) : "";
  if (mapToFile || config.printMap || config.mapFile == "-") {
    std::string map = mapText(link) + references;
    if (mapToFile)
      writeText(diag, sink, "map file", mapPath(program), map);
    if (config.printMap || config.mapFile == "-")
      print(diag, map);
  } else if (config.cref) {
    print(diag, references);
  }
  std::optional<StackUsage> stacks;
  if (wantsStackUsage(config))
    stacks.emplace(link, values, diag);
  json::Object answers{{"format", "xlink answers"}, {"version", 1}};
  reportSizes(link, values, stacks ? &*stacks : nullptr, fs, sink, answers,
              diag);
  if (config.resourceUsage == ReportFormat::Text)
    print(diag, resourceUsageText(link, values));
  else if (config.resourceUsage == ReportFormat::Json)
    print(diag, resourceUsageJson(link, values));
  if (stacks)
    reportStacks(link, *stacks, answers, diag);
  if (config.dumpTypes)
    if (std::string types = typesText(program, diag); !types.empty())
      print(diag, types);
  if (!config.answersJson.empty())
    writeText(diag, sink, "answers in JSON", config.answersJson,
              jsonText(std::move(answers)));
}

void reportSuccess(const Program &program, ArrayRef<ReadFile> further,
                   OutputSink &sink, Diagnostics &diag) {
  if (!program.config.dependencyFile.empty())
    writeText(diag, sink, "dependency file", program.config.dependencyFile,
              dependencyText(program, further));
}

} // namespace xlink
