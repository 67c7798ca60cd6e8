//===- Reports.cpp --------------------------------------------------------===//
#include "report/Reports.h"
#include "layout/Checks.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "map/SizeAttribution.h"
#include "report/CallGraph.h"
#include "report/Why.h"
#include "resolve/NamedOutputs.h"

using namespace llvm;

namespace xlink {

namespace {

/// The reports of one link whose addresses are fixed, in their order on
/// standard output.
class LayoutReports {
public:
  LayoutReports(const Link &link, const SymbolValues &values,
                vfs::FileSystem *fs, OutputSink &sink, Diagnostics &diag)
      : link(link), program(link.program), config(program.config),
        values(values), fs(fs), sink(sink), diag(diag),
        maps(std::make_unique<Maps>(link, values)) {
    if (config.answersJson.empty())
      return;
    answers.emplace(answersText, 2);
    answers->objectBegin();
    answers->attribute("format", "xlink answers");
    answers->attribute("version", 2);
  }
  std::unique_ptr<Maps> run() {
    reportDropped();
    readBaseline();
    std::optional<StackUsage> stacks;
    if (wantsStackUsage(config)) {
      stacks.emplace(link, values, diag);
      maps->stacks = stacks->forMap(maps->stackTexts);
    }
    printMaps();
    report(config.explainScript, "explainScript",
           [&](raw_ostream &text, json::OStream &json) {
             explainScript(text, json, link);
           });
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
      answers->objectEnd();
      answersText << '\n';
      give("answers in JSON", config.answersJson, answersText.str());
    }
    maps->open(sink);
    return std::move(maps);
  }

private:
  void reportDropped() {
    if (config.printGcSections && config.gcSections)
      give("list of collected sections",
           config.gcSectionsFile.empty() ? "-" : config.gcSectionsFile,
           collectedSectionsText(link));
    if (config.printIcfSections)
      print(foldedSectionsText(program, link.contributions));
  }
  /// The older map, once for all comparisons.
  void readBaseline() {
    if (config.baseline.empty())
      return;
    if (config.sizeBudget.empty() && config.htmlReport.empty())
      return diag.warn(WarningGroup::General,
                       "option '--baseline' has no effect without "
                       "'--size-budget' or '--html-report'");
    if (std::optional<LinkMap> old = readLinkMapFile(fs, config.baseline, diag))
      maps->baseline = Baseline{std::move(*old), config.baseline};
  }
  /// The maps that go to standard output, and cross references without one.
  void printMaps() {
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
  /// A stack that does not fit is a warning in every format. Where the size of
  /// a region is not known there is no table.
  void reportMemory() {
    if (config.memoryUsage == ReportFormat::None ||
        any_of(link.addresses.regions.ids(),
               [&](RegionId id) { return isUnknown(link, id); }))
      return;
    const LinkMap &map = maps->value();
    const std::string stack = stackUsageText(link, values, diag);
    report(config.memoryUsage, "memoryUsage",
           [&](raw_ostream &text, json::OStream &json) {
             text << memoryUsageText(map) << stack;
             writeMemoryDetails(text, json, map);
           });
  }
  /// --size-attribution and --size-budget.
  void reportSizes() {
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
  /// Questions about single symbols and sections.
  void reportWhy() {
    const bool extract = config.whyExtract || !config.whyExtractNames.empty();
    if (!extract && config.whyLive.empty() && config.whyDead.empty() &&
        config.whyPlaced.empty())
      return;
    WhyContext why(link, diag);
    auto answer = [&](const char *member, bool asked,
                      void (*ask)(WhyContext &)) {
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
  void writeExtractTables() {
    for (const std::string &path : whyExtractFiles(program)) {
      give("table of extracted members", path, whyExtractTable(program));
      if (path != "-")
        diag.note("--why-extract: nothing in this link is called '" +
                  printable(path) +
                  "', so the file of that name has the table of all extracted "
                  "members");
    }
  }

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
      answers->attributeBegin(member);
      write(format == ReportFormat::Text ? out : nulls(), *answers);
      answers->attributeEnd();
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
  /// --answers-json, written answer by answer: a tree of all values would take
  /// many times the memory of the link.
  std::string answersBuffer;
  raw_string_ostream answersText{answersBuffer};
  std::optional<json::OStream> answers;
};

} // namespace

std::unique_ptr<Maps> reportLayout(const Link &link, const SymbolValues &values,
                                   vfs::FileSystem *fs, OutputSink &sink,
                                   Diagnostics &diag) {
  return LayoutReports(link, values, fs, sink, diag).run();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

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

} // namespace xlink
