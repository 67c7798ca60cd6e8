//===- Reports.cpp --------------------------------------------------------===//
#include "report/Reports.h"
#include "layout/Icf.h"
#include "report/CollectedSections.h"
#include "report/CrossReference.h"
#include "report/DependencyFile.h"
#include "report/MapFile.h"
#include "report/MemoryUsage.h"
#include "report/ResourceUsage.h"
#include "report/TypeReport.h"
#include "report/WhyDead.h"
#include "report/WhyExtract.h"
#include "report/WhyLive.h"
#include "report/WhyPlaced.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xlink {

/// Writes a text file; `what` names it in messages.
static void writeText(Diagnostics &diag, OutputSink &sink, const char *what,
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
    diag.error("cannot write " + std::string(what) + " " + path + ": " + error);
}

static void print(Diagnostics &diag, StringRef text) {
  text.consume_back("\n"); // a note ends its line itself
  diag.note(text.str());
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
  if (!config.dependencyFile.empty())
    add("dependency file", config.dependencyFile);
  if (!config.reproduceFile.empty())
    add("archive of --reproduce", config.reproduceFile);
  for (const RegionImage &image : config.images)
    add("image file", image.path);
  if (config.printGcSections && config.gcSections &&
      !config.gcSectionsFile.empty())
    add("list of collected sections", config.gcSectionsFile);
  if (!config.answersJson.empty() && config.answersJson != "-")
    add("file of answers", config.answersJson);
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

/// lld's form of --why-extract. A misspelt symbol must not become a file
/// without a word.
static void writeExtractTables(const Program &program, OutputSink &sink,
                               Diagnostics &diag) {
  for (const std::string &path : whyExtractFiles(program)) {
    const std::string table = whyExtractTable(program);
    if (path == "-") {
      print(diag, table);
      continue;
    }
    writeText(diag, sink, "table of extracted members", path, table);
    diag.note("--why-extract: nothing in this link is called '" + path +
              "', so the file of that name has the table of all extracted "
              "members");
  }
}

/// Answers the questions of a link, as text and, if asked, in one object.
static void answerQuestions(const Link &link, OutputSink &sink,
                            Diagnostics &diag) {
  const Config &config = link.program.config;
  WhyContext why(link, diag);
  json::Object answers{{"format", "xlink answers"}, {"version", 1}};
  auto answer = [&](const char *member, bool asked, auto toText, auto toJson) {
    if (!asked)
      return;
    if (const std::string text = toText(why); !text.empty())
      print(diag, text);
    if (!config.answersJson.empty())
      answers[member] = toJson(why);
  };
  answer("whyLive", !config.whyLive.empty(), whyLiveText, whyLiveJson);
  answer("whyDead", !config.whyDead.empty(), whyDeadText, whyDeadJson);
  answer("whyExtract", config.whyExtract || !config.whyExtractNames.empty(),
         whyExtractText, whyExtractJson);
  answer("whyPlaced", !config.whyPlaced.empty(), whyPlacedText, whyPlacedJson);
  if (config.answersJson.empty())
    return;
  const std::string text =
      formatv("{0:2}\n", json::Value(std::move(answers))).str();
  if (config.answersJson == "-")
    print(diag, text);
  else
    writeText(diag, sink, "file of answers", config.answersJson, text);
}

void reportLayout(const Link &link, const SymbolValues &values,
                  OutputSink &sink, Diagnostics &diag) {
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
  if (config.memoryUsage != ReportFormat::None)
    print(diag, memoryUsageText(link) + stackUsageText(link, values, diag));
  if (config.resourceUsage == ReportFormat::Text)
    print(diag, resourceUsageText(link, values));
  else if (config.resourceUsage == ReportFormat::Json)
    print(diag, resourceUsageJson(link, values));
  if (config.dumpTypes)
    if (std::string types = typesText(program, diag); !types.empty())
      print(diag, types);
  writeExtractTables(program, sink, diag);
  answerQuestions(link, sink, diag);
}

void reportSuccess(const Program &program, ArrayRef<ReadFile> further,
                   OutputSink &sink, Diagnostics &diag) {
  if (!program.config.dependencyFile.empty())
    writeText(diag, sink, "dependency file", program.config.dependencyFile,
              dependencyText(program, further));
}

} // namespace xlink
