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
#include "report/WhyDead.h"
#include "report/WhyExtract.h"
#include "report/WhyLive.h"
#include "report/WhyPlaced.h"
#include "llvm/ADT/StringExtras.h"
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

/// With a line for each member, and the last line's end.
static std::string jsonText(json::Value value) {
  return formatv("{0:2}\n", value).str();
}

namespace {

/// The reports of one link whose addresses are fixed, in their order on
/// standard output.
class LayoutReports {
public:
  LayoutReports(const Link &link, const SymbolValues &values,
                vfs::FileSystem *fs, OutputSink &sink, Diagnostics &diag)
      : link(link), program(link.program), config(program.config),
        values(values), fs(fs), sink(sink), diag(diag) {}
  void run();

private:
  void reportDropped();
  void reportMap();
  void reportSizes();
  void reportPage(StringRef json);
  void reportMemory(const LinkMap &map);
  void reportAttribution(const LinkMap &map);
  void reportStacks();
  void reportWhy();
  void writeExtractTables();
  void writeAnswers();

  void print(StringRef text) {
    text.consume_back("\n"); // a note ends its line itself
    if (!text.empty())
      diag.note(text.str());
  }
  /// Into the file `path`, or printed where that is "-".
  void give(const char *what, const std::string &path,
            ArrayRef<std::string> pieces) {
    if (path == "-")
      print(join(pieces, ""));
    else
      writeText(diag, sink, what, path, pieces);
  }
  /// In the format that was asked for. `answer`: its member of --answers-json.
  template <typename ToText, typename ToJson>
  void report(ReportFormat format, const char *answer, ToText toText,
              ToJson toJson) {
    if (format == ReportFormat::Text)
      print(toText());
    else if (format == ReportFormat::Json)
      print(jsonText(toJson()));
    if (format != ReportFormat::None && !config.answersJson.empty())
      answers[answer] = toJson();
  }

  const Link &link;
  const Program &program;
  const Config &config;
  const SymbolValues &values;
  vfs::FileSystem *const fs;
  OutputSink &sink;
  Diagnostics &diag;
  std::optional<StackUsage> stacks; ///< where somebody asks for their depth
  json::Object answers{{"format", "xlink answers"}, {"version", 1}};
};

} // namespace

void LayoutReports::run() {
  reportDropped();
  reportMap();
  if (wantsStackUsage(config))
    stacks.emplace(link, values, diag);
  reportSizes();
  if (config.resourceUsage == ReportFormat::Text)
    print(resourceUsageText(link, values));
  else if (config.resourceUsage == ReportFormat::Json)
    print(resourceUsageJson(link, values));
  reportStacks();
  if (config.dumpTypes)
    print(typesText(program, diag));
  reportWhy();
  writeExtractTables();
  writeAnswers();
}

void LayoutReports::reportDropped() {
  if (config.printGcSections && config.gcSections)
    give("list of collected sections",
         config.gcSectionsFile.empty() ? "-" : config.gcSectionsFile,
         collectedSectionsText(link));
  if (config.printIcfSections)
    print(foldedSectionsText(program, link.contents));
}

void LayoutReports::reportMap() {
  const std::string references = config.cref ? crossReferenceText(program) : "";
  const bool toFile = !config.mapFile.empty() && config.mapFile != "-";
  if (!toFile && !config.printMap && config.mapFile != "-")
    return print(references);
  const std::string map = mapText(link) + references;
  if (toFile)
    writeText(diag, sink, "map file", mapPath(program), map);
  if (config.printMap || config.mapFile == "-")
    print(map);
}

/// What a LinkMap tells, which is made once for all who read it.
void LayoutReports::reportSizes() {
  const bool written = !config.mapJson.empty() || !config.htmlReport.empty();
  if (!config.baseline.empty() && config.sizeBudget.empty() &&
      config.htmlReport.empty())
    diag.warn(WarningGroup::General,
              "option '--baseline' has no effect without '--size-budget' or "
              "'--html-report'");
  if (!written && config.memoryUsage == ReportFormat::None &&
      !config.sizeAttribution && config.sizeBudget.empty())
    return;
  LinkMap map = buildLinkMap(link, values);
  if (stacks)
    map.stacks = stacksOfMap(*stacks, *map.texts);
  if (written) {
    const std::vector<std::string> json = mapJsonPieces(map, program.parallel);
    if (!config.mapJson.empty())
      give("map in JSON", config.mapJson, json);
    if (!config.htmlReport.empty())
      reportPage(join(json, ""));
  }
  reportMemory(map);
  reportAttribution(map);
  if (!config.sizeBudget.empty())
    if (std::optional<json::Value> answer =
            checkSizeBudget(config, map, fs, diag))
      answers["sizeBudget"] = std::move(*answer);
}

void LayoutReports::reportPage(StringRef json) {
  std::string older;
  if (!config.baseline.empty()) {
    const std::optional<LinkMap> baseline =
        readLinkMapFile(fs, config.baseline, diag);
    if (!baseline)
      return;
    older = mapJson(*baseline, program.parallel);
  }
  give("HTML report", config.htmlReport,
       htmlReport(json, older, config.demangle));
}

/// A stack that does not fit is a warning in every format.
void LayoutReports::reportMemory(const LinkMap &map) {
  if (config.memoryUsage == ReportFormat::None)
    return;
  const std::string stack = stackUsageText(link, values, diag);
  report(
      config.memoryUsage, "memoryUsage",
      [&] { return memoryUsageText(map) + stack + memoryDetailsText(map); },
      [&] { return memoryUsageJson(map); });
}

void LayoutReports::reportAttribution(const LinkMap &map) {
  if (!config.sizeAttribution)
    return;
  const unsigned depth = *config.sizeAttribution;
  const SizeTree tree = attributeSizes(map);
  report(
      ReportFormat::Text, "sizeAttribution",
      [&] { return sizeAttributionText(tree, depth, config.demangle); },
      [&] { return sizeAttributionJson(tree, depth); });
}

/// The depth of stacks, and whether there is room for that.
void LayoutReports::reportStacks() {
  if (!stacks)
    return;
  report(
      config.stackUsage, "stackUsage",
      [&] { return stackReportText(link, *stacks); },
      [&] { return stackUsageJson(link, *stacks); });
  stacks->check(diag);
}

/// Questions about single symbols and sections.
void LayoutReports::reportWhy() {
  const bool extract = config.whyExtract || !config.whyExtractNames.empty();
  if (!extract && config.whyLive.empty() && config.whyDead.empty() &&
      config.whyPlaced.empty())
    return;
  WhyContext why(link, diag);
  auto answer = [&](const char *member, bool asked, auto toText, auto toJson) {
    report(
        asked ? ReportFormat::Text : ReportFormat::None, member,
        [&] { return toText(why); }, [&] { return toJson(why); });
  };
  answer("whyLive", !config.whyLive.empty(), whyLiveText, whyLiveJson);
  answer("whyDead", !config.whyDead.empty(), whyDeadText, whyDeadJson);
  answer("whyExtract", extract, whyExtractText, whyExtractJson);
  answer("whyPlaced", !config.whyPlaced.empty(), whyPlacedText, whyPlacedJson);
}

/// lld's form of --why-extract. A misspelt symbol must not become a file
/// without a word.
void LayoutReports::writeExtractTables() {
  for (const std::string &path : whyExtractFiles(program)) {
    give("table of extracted members", path, whyExtractTable(program));
    if (path != "-")
      diag.note("--why-extract: nothing in this link is called '" + path +
                "', so the file of that name has the table of all extracted "
                "members");
  }
}

void LayoutReports::writeAnswers() {
  if (!config.answersJson.empty())
    give("answers in JSON", config.answersJson, jsonText(std::move(answers)));
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
  LayoutReports(link, values, fs, sink, diag).run();
}

std::string timeTracePath(const Program &program) {
  return program.besideOutput(program.config.timeTrace, ".time-trace");
}

void writeTimeTrace(const Program &program, StringRef trace, OutputSink &sink,
                    Diagnostics &diag) {
  writeText(diag, sink, "trace of the time", timeTracePath(program),
            trace.str());
}

void reportSuccess(const Program &program, ArrayRef<ReadFile> further,
                   OutputSink &sink, Diagnostics &diag) {
  if (!program.config.dependencyFile.empty())
    writeText(diag, sink, "dependency file", program.config.dependencyFile,
              dependencyText(program, further));
}

} // namespace xlink
