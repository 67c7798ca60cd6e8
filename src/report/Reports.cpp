//===- Reports.cpp --------------------------------------------------------===//
#include "report/Reports.h"
#include "layout/Checks.h"
#include "map/LinkMapJson.h"
#include "map/SizeAttribution.h"
#include "map/SizeBudget.h"
#include "report/MapFile.h"
#include "report/StackUsage.h"
#include "report/Why.h"
#include "resolve/NamedOutputs.h"
#include "sections/SettleContributions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

namespace {

/// The text of --answers-json, written answer by answer: a tree of all values
/// would take many times the memory of the link.
struct AnswersFile {
  AnswersFile() {
    out.objectBegin();
    out.attribute("format", "xlink answers");
    out.attribute("version", 2);
  }

  std::string text;
  raw_string_ostream stream{text};
  json::OStream out{stream, 2};
};

/// The reports of one link whose addresses are fixed, in their order on
/// standard output.
class LayoutReports {
public:
  LayoutReports(const Link &link, const SymbolValues &values,
                vfs::FileSystem *fs, OutputSink &sink, Diagnostics &diag)
      : link(link), program(link.program), config(program.config),
        values(values), fs(fs), sink(sink), diag(diag),
        maps(std::make_unique<Maps>(link, values)) {
    if (!config.answersJson.empty())
      answers.emplace();
  }
  std::unique_ptr<Maps> run();

private:
  void reportDropped();
  void readBaseline();
  void printMaps();
  void reportMemory();
  void reportSizes();
  void reportWhy();
  void writeExtractTables();

  void print(StringRef text) {
    text.consume_back("\n"); // a note ends its line itself
    if (!text.empty())
      diag.note(text.str());
  }
  /// Into the file `path`, or printed where that is "-".
  void give(const char *title, const std::string &path, StringRef text) {
    if (path == "-")
      print(text);
    else
      writeTextFile(title, path, text, sink, diag);
  }
  using Write = function_ref<void(raw_ostream &text, json::OStream &json)>;
  /// Prints an answer in the format that was asked for. `member`: its name in
  /// --answers-json, null: it has none.
  void report(ReportFormat format, const char *member, Write write) {
    if (format == ReportFormat::None)
      return;
    std::string text;
    raw_string_ostream out(text);
    const bool also = member && answers;
    if (also) {
      answers->out.attributeBegin(member);
      write(format == ReportFormat::Text ? out : nulls(), answers->out);
      answers->out.attributeEnd();
    }
    if (format == ReportFormat::Json) {
      json::OStream json(out, 2);
      write(nulls(), json);
    } else if (!also) {
      json::OStream json(nulls());
      write(out, json);
    }
    print(text);
  }
  void report(const char *member, Write write) {
    report(ReportFormat::Text, member, write);
  }

  const Link &link;
  const Program &program;
  const Config &config;
  const SymbolValues &values;
  vfs::FileSystem *const fs;
  OutputSink &sink;
  Diagnostics &diag;
  std::unique_ptr<Maps> maps;
  std::optional<AnswersFile> answers; ///< for --answers-json
};

} // namespace

std::unique_ptr<Maps> LayoutReports::run() {
  reportDropped();
  readBaseline();
  std::optional<StackUsage> stacks;
  if (wantsStackUsage(config)) {
    stacks.emplace(link, values, diag);
    maps->stacks = stacks->forMap(maps->stackTexts);
  }
  printMaps();
  reportMemory();
  reportSizes();
  report(config.resourceUsage, nullptr,
         [&](raw_ostream &text, json::OStream &json) {
           writeResourceUsage(text, json, link, values);
         });
  if (stacks) {
    report(config.stackUsage, "stackUsage",
           [&](raw_ostream &text, json::OStream &json) {
             stacks->write(text, json);
           });
    stacks->check(diag);
  }
  if (config.dumpTypes)
    print(typesText(program, diag));
  reportWhy();
  writeExtractTables();
  if (answers) {
    answers->out.objectEnd();
    give("answers in JSON", config.answersJson, answers->text + '\n');
  }
  maps->open(sink);
  return std::move(maps);
}

void LayoutReports::reportDropped() {
  if (config.printGcSections && config.gcSections)
    give("list of collected sections",
         config.gcSectionsFile.empty() ? "-" : config.gcSectionsFile,
         collectedSectionsText(link));
  if (config.printIcfSections)
    print(foldedSectionsText(program, link.contributions));
}

/// The maps that go to standard output, and cross references without one.
void LayoutReports::printMaps() {
  auto print = [&](auto write) {
    std::string text;
    raw_string_ostream out(text);
    write(out);
    this->print(text);
  };
  if (config.printMap || config.mapFile == "-")
    print([&](raw_ostream &out) { maps->text(out); });
  else if (config.cref && config.mapFile.empty() && config.mapJson.empty())
    print([&](raw_ostream &out) { writeCrossReferences(out, program); });
  if (config.mapJson == "-")
    print([&](raw_ostream &out) { maps->json(out); });
  if (config.htmlReport == "-" && maps->hasPage())
    print([&](raw_ostream &out) { maps->page(out); });
}

/// --size-attribution and --size-budget.
void LayoutReports::reportSizes() {
  if (config.sizeAttribution) {
    const SizeTree tree = attributeSizes(maps->value());
    report("sizeAttribution", [&](raw_ostream &text, json::OStream &json) {
      writeSizeAttribution(text, json, tree, *config.sizeAttribution,
                           config.demangle);
    });
  }
  if (config.sizeBudget.empty())
    return;
  if (const std::optional<json::Value> answer = checkSizeBudget(
          config, maps->value(), maps->baseline ? &*maps->baseline : nullptr,
          fs, diag))
    report("sizeBudget",
           [&](raw_ostream &, json::OStream &json) { json.value(*answer); });
}

/// The older map, once for all comparisons.
void LayoutReports::readBaseline() {
  if (config.baseline.empty())
    return;
  if (config.sizeBudget.empty() && config.htmlReport.empty())
    return diag.warn(WarningGroup::General,
                     "option '--baseline' has no effect without "
                     "'--size-budget' or '--html-report'");
  if (std::optional<LinkMap> old = readLinkMapFile(fs, config.baseline, diag))
    maps->baseline = Baseline{std::move(*old), config.baseline};
}

/// A stack that does not fit is a warning in every format. Where the size of a
/// region is not known there is no table.
void LayoutReports::reportMemory() {
  if (config.memoryUsage == ReportFormat::None ||
      any_of(link.addresses.regions.ids(),
             [&](RegionId id) { return isUnknown(link, id); }))
    return;
  const LinkMap &map = maps->value();
  const std::string stack = stackUsageText(link, values, diag);
  report(config.memoryUsage, "memoryUsage",
         [&](raw_ostream &text, json::OStream &json) {
           MemoryDetails details = memoryDetails(map);
           text << memoryUsageText(map) << stack << details.text;
           json.value(std::move(details.json));
         });
}

/// Questions about single symbols and sections.
void LayoutReports::reportWhy() {
  const bool extract = config.whyExtract || !config.whyExtractNames.empty();
  if (!extract && config.whyLive.empty() && config.whyDead.empty() &&
      config.whyPlaced.empty())
    return;
  WhyContext why(link, diag);
  auto answer = [&](const char *member, bool asked, void (*ask)(WhyContext &)) {
    if (asked)
      report(member, [&](raw_ostream &text, json::OStream &json) {
        why.json = &json;
        json.array([&] { ask(why); });
        text << std::exchange(why.text, {});
      });
  };
  answer("whyLive", !config.whyLive.empty(), whyLive);
  answer("whyDead", !config.whyDead.empty(), whyDead);
  answer("whyExtract", extract, whyExtract);
  answer("whyPlaced", !config.whyPlaced.empty(), whyPlaced);
}

/// lld's form of --why-extract. A misspelt symbol must not become a file
/// without a word.
void LayoutReports::writeExtractTables() {
  for (const std::string &path : whyExtractFiles(program)) {
    give("table of extracted members", path, whyExtractTable(program));
    if (path != "-")
      diag.note("--why-extract: nothing in this link is called '" +
                printable(path) +
                "', so the file of that name has the table of all extracted "
                "members");
  }
}

void addReportInputs(Program &program) {
  const Config &config = program.config;
  for (const std::string *path : {&config.sizeBudget, &config.baseline})
    if (!path->empty())
      program.readFiles.push_back({ReadFile::Part, *path, {}});
}

std::unique_ptr<Maps> reportLayout(const Link &link, const SymbolValues &values,
                                   vfs::FileSystem *fs, OutputSink &sink,
                                   Diagnostics &diag) {
  return LayoutReports(link, values, fs, sink, diag).run();
}

void writeTimeTrace(const Program &program, StringRef trace, OutputSink &sink,
                    Diagnostics &diag) {
  writeTextFile("trace of the time", timeTracePath(program), trace, sink, diag);
}

void reportSuccess(const Program &program, ArrayRef<std::string> further,
                   OutputSink &sink, Diagnostics &diag) {
  if (!program.config.dependencyFile.empty())
    writeTextFile("dependency file", program.config.dependencyFile,
                  dependencyText(program, further), sink, diag);
}

} // namespace xlink
