//===- ConfigText.cpp -----------------------------------------------------===//
#include "ConfigText.h"

namespace xlink::test {
namespace {

/// Collects members that differ from their default.
class Writer {
public:
  std::string text;

  void item(const std::string &name, const std::string &value) {
    if (!text.empty())
      text += ' ';
    text += name;
    if (!value.empty())
      text.append("=").append(value);
  }
  void member(const char *name, bool value, bool initial = false) {
    if (value != initial)
      item(value ? name : std::string("!").append(name), "");
  }
  void member(const char *name, const std::string &value,
              const std::string &initial = "") {
    if (value != initial)
      item(name, value);
  }
  void member(const char *name, const std::optional<std::string> &value) {
    if (value)
      item(name, *value);
  }
  void member(const char *name, const std::optional<uint64_t> &value) {
    if (value)
      item(name, std::to_string(*value));
  }
  void member(const char *name, const std::vector<std::string> &list) {
    for (const std::string &value : list)
      item(name, value);
  }
  /// What a list has beside the initial one, and what it lacks.
  void difference(const char *more, const char *fewer,
                  const std::vector<std::string> &list,
                  const std::vector<std::string> &initial) {
    for (const std::string &value : list)
      if (!llvm::is_contained(initial, value))
        item(more, value);
    for (const std::string &value : initial)
      if (!llvm::is_contained(list, value))
        item(fewer, value);
  }
  template <typename Enum>
  void member(const char *name, Enum value, Enum initial,
              std::initializer_list<const char *> names) {
    if (value != initial)
      item(name, names.begin()[int(value)]);
  }
};

/// What the output, and files beside it, are written as.
void formatText(Writer &w, const Config &c) {
  w.member("format", c.format, Config().format,
           {"elf", "binary", "ihex", "srec", "verilog"});
  if (c.padImage != 1)
    w.item("pad-image", std::to_string(c.padImage));
  if (c.gapFill)
    w.item("gap-fill", std::to_string(*c.gapFill));
  for (const RegionImage &image : c.images)
    w.item("image", image.region + "=" + image.path + "," +
                        kOutputFormats[size_t(image.format)].name);
  for (const CrcRequest &crc : c.crcs)
    w.item("crc", crc.symbol + "=" + crc.region + "," + crc.kind);
  w.member("container", c.container);
  for (const auto &[option, value] : c.containerOptions)
    w.item(option, value);
}

/// What is about symbols.
void symbolText(const Config &c, Writer &w) {
  const Config initial;
  w.member("entry", c.entry);
  w.member("undefined", c.undefined);
  w.member("undefined-glob", c.undefinedGlobs);
  w.member("require", c.requireDefined);
  w.member("init", c.init, initial.init);
  w.member("fini", c.fini, initial.fini);
  w.member("wrap", c.wrap);
  w.member("ignore-unresolved", c.ignoreUnresolved);
  w.member("retain", c.retainSymbolsFile);
  w.member("keep-symbol", c.keepSymbols);
  w.member("icf", c.icf, IcfLevel::None, {"none", "safe", "all"});
  w.member("keep-unique", c.keepUnique);
  w.member("print-icf", c.printIcfSections);
  w.member("reproduce", c.reproduceFile);
  w.member("symbol-order", c.symbolOrderingFile);
  w.member("section-order", c.sectionOrderingFile);
  w.member("warn-common", c.warnCommon);
  w.member("sort-common", c.sortCommon, SortCommon::None,
           {"none", "ascending", "descending"});
  w.member("unique", c.uniqueOrphans);
  w.member("unique", c.uniqueSections);
  w.member("build-id", c.buildId, BuildIdKind::None,
           {"none", "fast", "md5", "sha1", "uuid", "given"});
  w.member("multiple", c.allowMultipleDefinition);
  w.member("common", c.defineCommon);
  w.member("relocatable", c.relocatable);
  w.member("emit-relocations", c.emitRelocations);
  w.member("dissolve-groups", c.dissolveGroups);
  w.member("unresolved", c.unresolved, initial.unresolved,
           {"error", "warn", "ignore"});
  w.member("strip", c.strip, initial.strip, {"none", "debug", "all"});
  w.member("discard", c.discard, initial.discard,
           {"default", "none", "locals", "all"});
}

} // namespace

static void writeMessages(Writer &w, const Config &c) {
  w.member("quiet", c.noWarnings);
  w.member("demangle", c.demangle, true);
  w.member("messages", c.messageFormat, MessageFormat::Text,
           {"text", "json", "gcc"});
}

static void writeReports(Writer &w, const Config &c) {
  const auto formats = {"none", "text", "json", "markdown"};
  w.member("memory", c.memoryUsage, ReportFormat::None, formats);
  w.member("map-lines", c.mapScriptLines);
  w.member("map-by-address", c.mapByAddress);
  w.member("mapJson", c.mapJson);
  w.member("htmlReport", c.htmlReport);
  if (c.sizeAttribution)
    w.item("attribution", std::to_string(*c.sizeAttribution));
  w.member("answers", c.answersJson);
  w.member("sizeBudget", c.sizeBudget);
  w.member("baseline", c.baseline);
  w.member("why-live", c.whyLive);
  w.member("why-dead", c.whyDead);
  w.member("why-extract", c.whyExtract);
  w.member("why-extract-of", c.whyExtractNames);
  w.member("why-placed", c.whyPlaced);
  w.member("resources", c.resourceUsage, ReportFormat::None, formats);
  w.member("explain", c.explainScript, ReportFormat::None, formats);
  w.member("stacks", c.stackUsage, ReportFormat::None, formats);
  w.member("stack-files", c.stackUsageFiles);
  w.member("stack-calls", c.stackCalls);
  for (const StackLimit &limit : c.stackLimits)
    w.item("stack-limit", limit.symbol + "=" + std::to_string(limit.bytes));
  w.member("error-stack", c.errorStackLimit);
  w.member("time", c.printTime);
  w.member("trace-time", c.timeTrace);
}

void writePrints(Writer &w, const Config &c) {
  w.member("types", c.dumpTypes);
  w.member("cref", c.cref);
  w.member("dependencies", c.dependencyFile);
  w.member("trace-symbol", c.traceSymbols);
  w.member(c.helpAll ? "help-all" : "help", c.help);
  w.member("version", c.version);
  w.member("v", c.versionAndGoOn);
  w.member("machines", c.listMachines);
  w.member("relocations", c.listRelocations);
  w.member("print-machine", c.printMachine);
  w.member("print-vectors", c.printVectors);
  w.member("check-machine", c.checkMachine);
  w.member("check-script", c.checkScript);
}

std::string configText(const Config &c) {
  Writer w;
  const Config initial;
  w.member("machine", c.machines);
  w.member("cpu", c.cpu);
  for (const auto &[option, isBig] : c.byteOrders)
    w.item("order", isBig ? "big" : "little");
  for (const InputItem &input : c.inputs) {
    const char *forms[] = {"", "(binary)", "(symbols)"};
    const char *kinds[] = {"file", "library", "script", "defsym"};
    w.item(kinds[input.kind],
           input.text + (input.wholeArchive ? "(whole)" : "") +
               (input.lazy ? "(lazy)" : "") + forms[size_t(input.form)]);
  }
  w.member("path", c.libraryPaths);
  w.member("sysroot", c.sysroot);
  w.member("default-script", c.defaultScript);
  if (c.outputGiven)
    w.item("output", c.output);
  formatText(w, c);
  symbolText(c, w);
  for (const SectionStart &s : c.sectionStart)
    w.item(*s.segment ? s.segment : "start",
           *s.segment ? s.address : s.section + "@" + s.address);
  w.member("text-segment", c.textSegment);
  w.member("image-base", c.imageBase);
  w.member("paging", c.paging, Paging::Demand, {"", "nmagic", "omagic"});
  w.member("page", c.maxPageSize);
  w.member("orphans", c.orphans, initial.orphans,
           {"place", "warn", "error", "discard"});
  if (c.optimize != initial.optimize)
    w.item("optimize", std::to_string(c.optimize));
  w.member("gc", c.gcSections);
  w.member("start-stop-gc", c.startStopGc);
  for (const auto &[glob, value] : c.deadReferences)
    w.item("dead", glob + "=" + std::to_string(value));
  w.member("compress", c.compressDebug, DebugCompression::None,
           {"none", "zlib", "zstd"});
  w.member("print-gc", c.printGcSections);
  w.member("print-gc-file", c.gcSectionsFile);
  w.member("init-tables", c.initTables);
  w.member("check", c.checkSections, true);
  w.member("warn-rwx", c.warnRwx);
  w.member("rwx-is-error", c.rwxIsError);
  w.member("rosegment", c.readOnlySegment, true);
  w.member("ignore-relocations", c.ignoreRelocations);
  w.member("mismatch", c.warnMismatch, true);
  w.member("spill", c.nonContiguousRegions);
  w.member("warn-spill", c.warnNonContiguous);
  w.member("warn-unmatched", c.warnUnmatched);
  w.member("sort", c.sortSection, SortSection::None,
           {"none", "name", "alignment"});
  w.member("z", c.zKeywords);
  if (c.threads)
    w.item("threads", std::to_string(c.threads));
  w.member("error-limit", c.errorLimit);
  w.member("fatal", c.fatalWarnings);
  writeMessages(w, c);
  w.difference("off", "on", c.disabledWarnings, initial.disabledWarnings);
  w.member("error-traps", c.errorTraps);
  w.member("print-traps", c.printTraps);
  w.member("error-parallel", c.errorParallelUsage);
  w.member("verbose", c.verbose);
  w.member("trace", c.trace);
  w.member("map", c.mapFile);
  w.member("print-map", c.printMap);
  writeReports(w, c);
  writePrints(w, c);
  return w.text;
}

Parsed parse(const std::vector<std::string> &args, llvm::vfs::FileSystem *fs) {
  std::vector<const char *> pointers;
  for (const std::string &arg : args)
    pointers.push_back(arg.c_str());
  Diagnostics diag;
  ParsedCommandLine line = parseCommandLine(pointers, fs, diag);
  Parsed result{configText(line.config), "", line.ok};
  for (const Diagnostic &d : diag.all())
    result.messages += Diagnostics::format(d, false);
  return result;
}

std::string outcome(const std::vector<std::string> &args,
                    llvm::vfs::FileSystem *fs) {
  Parsed parsed = parse(args, fs);
  return parsed.messages.empty() && parsed.ok ? parsed.config : parsed.messages;
}

} // namespace xlink::test
