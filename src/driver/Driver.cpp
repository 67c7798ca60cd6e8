//===- Driver.cpp - the list of passes ------------------------------------===//
//
// Reads as a table of contents: phases, in each one call a pass, and between
// passes the state that holds from there on. A pass returns its result; later
// passes get it as const.
//
//===----------------------------------------------------------------------===//
#include "driver/Driver.h"
#include "checks/CheckTable.h"
#include "debug/LineTable.h"
#include "driver/Options.h"
#include "driver/PhaseClock.h"
#include "input/MachineFiles.h"
#include "layout/AddressAssignment.h"
#include "layout/Checks.h"
#include "output/Images.h"
#include "output/Writer.h"
#include "placement/Placement.h"
#include "report/Reports.h"
#include "resolve/Expressions.h"
#include "resolve/InputLoader.h"
#include "resolve/Machine.h"
#include "resolve/NamedOutputs.h"
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include "sections/LiveGraph.h"
#include "sections/SettleContributions.h"
#include "sections/SyntheticSections.h"

using namespace llvm;

namespace xlink {

/// Which ENTRY asked for the entry, where the command line did not.
static std::vector<std::string> entryNotes(const Program &program) {
  if (program.config.entry || program.script.entry.empty())
    return {};
  const ScriptLocation where =
      wordPlace(program.script, program.script.entry, {});
  if (!where.line)
    return {};
  return {"named by ENTRY in " + where.file.str() + ":" +
          std::to_string(where.line)};
}

/// "execution starts at 0x80000000", of a machine that reads no e_entry.
static std::string startText(const Target &target) {
  return "execution starts at " + hex(*target.startAddress);
}

/// e_entry: the entry symbol, a number given to -e, or the start of .text.
static uint64_t findEntry(const Link &link, const SymbolValues &values,
                          Diagnostics &diag) {
  const Program &program = link.program;
  if (program.config.relocatable)
    return 0;
  if (program.entrySymbol != kNone) {
    const uint64_t entry = values.globals[program.entrySymbol];
    if (program.target->startAddress && entry != program.target->startAddress)
      diag.warn(WarningGroup::Entry, [&] {
        return Message{
            startText(*program.target) + ", but the entry symbol '" +
                program.shownName(program.symbols[program.entrySymbol].name) +
                "' is at " + hex(entry),
            {"a start-up object such as " +
             std::string(program.target->startFile) + " has code for there"}};
      });
    return entry;
  }
  const StringRef wanted = program.entryName();
  uint64_t address = 0;
  if (program.config.entry && !wanted.getAsInteger(0, address))
    return address;
  const std::string missing =
      "cannot find entry symbol " + program.shownName(wanted);
  std::vector<std::string> notes = entryNotes(program);
  if (program.target->startAddress)
    notes.push_back(startText(*program.target) +
                    ": nothing there is the start-up code of " +
                    program.target->startFile);
  std::string instead = "; not setting start address";
  for (const OutputView &out : link.outputsInOrder())
    if (out.kept && out.name == ".text") {
      instead = "; defaulting to " + hex(out.address);
      address = out.address.wrapped();
      break;
    }
  if (program.inputsMissing || keepsNothing(link))
    return address;
  if (const std::string near = link.nearestDefined(wanted); !near.empty())
    notes.push_back("did you mean '" + program.shownName(near) + "'?");
  diag.warn(WarningGroup::Entry, missing + instead, std::move(notes));
  return address;
}

//===----------------------------------------------------------------------===//
// The phases
//===----------------------------------------------------------------------===//

/// Between lines that scripts which cut it out look for (GNU ld).
static void noteBuiltinScript(const Program &program, Diagnostics &diag) {
  const std::string fence(50, '=');
  // A machine file's has blanks in the place of its machine.
  diag.note("using internal linker script:\n" + fence + "\n" +
            StringRef(program.builtinText).ltrim().str() + fence);
}

/// --verbose without inputs: the machine's script, and no link.
static bool printScriptAlone(Program &program, Diagnostics &diag) {
  configureMachine(program, diag);
  if (program.builtinScript) {
    loadBuiltinScript(program, diag);
    noteBuiltinScript(program, diag);
  }
  return false;
}

/// Sections that no input has: code between callers and functions, COMMON, the
/// GOT, and notes about the link. With -r all but a build ID is for the link
/// that makes a program.
static void makeSections(Program &program, Diagnostics &diag) {
  if (program.config.relocatable) {
    if (program.config.defineCommon || program.script.forceCommonAllocation)
      allocateCommon(program, diag);
    createBuildId(program);
    return;
  }
  makeThunks(program);
  allocateCommon(program, diag);
  createGot(program);
  createComment(program);
  createBuildId(program);
  createInitTables(program);
}

/// Opens every input, decides the machine, parses objects, finds one definition
/// for each name, and makes sections of the linker's own.
/// False: the link ends here.
static bool readProgram(Program &program, const LinkRequest &request,
                        PhaseClock &clock, Diagnostics &diag) {
  clock.begin("open and parse inputs");
  InputLoader loader(program, diag, request.fileSystem, request.cache);
  const auto resolver = makeResolver(program, loader, diag);
  const size_t inputs = loader.run(*resolver);
  if (program.config.checkScript) {
    checkScript(program, diag);
    return false;
  }
  // OUTPUT and OUTPUT_FORMAT count where the command line does not say it.
  const Config &config = program.config;
  program.output = {config.output, config.format};
  if (!program.script.output.empty() && !config.outputGiven)
    program.output.path = program.script.output.str();
  if (!config.formatGiven)
    program.output.format = program.script.outputFormat;
  if (!program.target)
    return false;
  checkContainer(program, diag);
  if (inputs == 0 && !diag.failed() && program.config.verbose)
    return printScriptAlone(program, diag);
  if (inputs == 0 && !diag.failed())
    diag.error("no input files");

  clock.begin("resolve symbols");
  // One definition for each name; archive members join in order.
  resolver->finish();
  traceSymbols(program, diag);
  readReportInputs(program, request.fileSystem, diag);
  // No new files from here on.

  // Nothing that was read is overwritten, nor one output by another.
  if (!checkOutputNames(program, request.fileSystem, diag))
    return false;

  // Without inputs, or with a script that is not understood, every later
  // message and report is a guess.
  if (diag.failed() && (program.files.empty() || program.script.misread))
    return false;

  clock.begin("prepare the script");
  // Sub-architecture, e_flags, attributes: of all files together.
  configureMachine(program, diag);
  mergeAttributes(program, diag);
  dropStripped(program);
  giveSectionWarnings(program, diag);
  if (program.builtinScript && !program.config.relocatable) {
    loadBuiltinScript(program, diag);
    if (program.config.verbose)
      noteBuiltinScript(program, diag);
  }
  applySectionOrdering(program, diag);
  declareScriptSymbols(program);
  checkThreadLocals(program, diag);
  makeSections(program, diag);

  // Names that layout gives values, and where options put sections.
  declareAssignedNames(program);
  parseOptionAddresses(program, diag);
  return checkOutputOptions(program, diag);
}

/// Everything that can be wrong with a layout, in one run.
static void checkAll(const Link &link, const SymbolValues &values,
                     const UndefinedNames &readByScript, uint64_t entry,
                     Diagnostics &diag) {
  const bool afterErrors =
      diag.faultCount() != 0 || !readByScript.all().empty();
  if (link.program.config.relocatable) // other links may define the rest
    return checkLayout(link, entry, afterErrors, diag);
  reportUndefined(link, values, readByScript, diag);
  checkLayout(link, entry, afterErrors, diag);
  checkThunks(link, diag);
  checkCrossReferences(link, diag);
  checkParallelUsage(link, values, diag);
  checkTypes(link.program, diag);
  if (diag.faultCount() == 0)
    runChecks({link, values}, diag);
}

/// The output in the form that was asked for, and images of regions. Returns
/// the files that were read for that.
static std::vector<std::string> writeOutputs(const LinkedProgram &output,
                                             const LinkRequest &request,
                                             OutputSink &sink,
                                             Diagnostics &diag) {
  std::vector<std::string> further;
  const Program &program = output.link.program;
  if (!program.config.container.empty())
    further = writeContainer(output, sink, request.fileSystem, diag);
  else if (isMadeFromImage(program))
    writeImage(output, sink, diag);
  else
    writeOutput(output, sink, diag);
  if (!diag.failed())
    writeRegionImages(output, sink, diag);
  return further;
}

/// The output file and the other files of a link that succeeds; and the maps,
/// which exist in any case.
static void writeProgram(const Link &link, const SymbolValues &values,
                         Maps &maps, uint64_t entry, const LinkRequest &request,
                         OutputSink &sink, LinkResult &result,
                         Diagnostics &diag) {
  const FileLayout file = layOutFile(link, compressDebugSections(link, values));
  HeldSink held(sink);
  std::vector<std::string> further;
  // Threads that write into one file wait for each other: beside that there is
  // time to make maps.
  const Program &program = link.program;
  program.parallel.forEach(
      2, maps.inFiles() ? program.sections.size() * 256 : 0, [&](size_t i) {
        if (i == 0)
          further =
              writeOutputs({link, values, file, entry}, request, held, diag);
        else
          maps.write();
      });
  if (const std::string why = maps.error(); !why.empty()) {
    // The disk may have no room for maps and output. Maps exist in any case, so
    // they get the output's room.
    held.held.clear();
    maps.open(sink);
    maps.write();
    if (maps.error().empty() && !diag.failed())
      diag.error("cannot write " + program.output.path + ": " + why);
  }
  maps.commit(diag);
  if (!diag.failed())
    if (const std::string &path = program.config.dependencyFile; !path.empty())
      writeTextFile("dependency file", path, dependencyText(program, further),
                    held, diag);

  // Whatever can fail has done so before the output becomes visible, last.
  if (!diag.failed())
    if (std::string error = held.commitAll(); !error.empty())
      diag.error(std::move(error));
  if (!diag.failed()) {
    result.outputs.push_back(program.output.path);
    if (request.wantSymbols)
      for (SymbolId id : program.symbols.ids())
        if (const BoundSymbol s = link.symbol(id); s.isDefined())
          result.symbols.push_back({s.name.str(), values.globals[id], s.size});
  }
}

/// The results of one link, each made from those above it and const from then
/// on. On the heap, so that a process that ends need not give them back.
struct Results {
  Results(const Config &config, const LinkRequest &request, Machines machines,
          const Target *target)
      : program(config, request.threadStart) {
    program.lines = makeSourceLines(program);
    program.machines = std::move(machines);
    program.target = target;
    for (StringRef file : program.machines.files())
      program.addReadFile(ReadFile::Part, file, {});
  }

  Program program;
  Contributions contributions;
  Layout layout;
  SymbolValues values;
  std::unique_ptr<Maps> maps;
};

/// How large the link is, for --time.
static void countInputs(const Program &program, PhaseClock &clock) {
  if (!program.config.printTime && program.config.timeTrace.empty())
    return;
  uint64_t relocations = 0, sections = 0;
  for (const InputFile &file : program.files) {
    relocations += file.object->relocations.size();
    // The first one of an object is none.
    sections += std::max<size_t>(file.object->sections.size(), 1) - 1;
  }
  clock.count("input files", program.files.size());
  clock.count("input bytes", program.inputBytes);
  clock.count("input sections", sections);
  // Not those that members offer and no file refers to.
  uint64_t symbols = 0;
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &symbol = program.symbols[id];
    symbols += symbol.kind != SymbolKind::Undefined || symbol.referenced ||
               symbol.scriptDefined;
  }
  clock.count("global symbols", symbols);
  clock.count("relocations", relocations);
}

static void run(Results &results, const LinkRequest &request, OutputSink &sink,
                PhaseClock &clock, LinkResult &result, Diagnostics &diag) {
  const bool goesOn = readProgram(results.program, request, clock, diag);
  writeReproduction(results.program, request.fileSystem, sink, diag);
  if (!goesOn)
    return;
  countInputs(results.program, clock);
  clock.begin("place sections");
  Expressions expressions(results.program);
  // No new symbols and no new input sections from here on.
  const Program &program = results.program;

  // Input sections to output sections, without those that nothing needs.
  Placement placement = placeSections(program, diag);
  const std::vector<EhFrame> frames = readEhFrames(program, placement, diag);
  clock.begin("find what lives");
  Liveness liveness;
  if (program.config.gcSections)
    liveness = markLive(program, placement, frames);
  clock.begin("place orphans");
  placement = placeOrphans(program, std::move(placement), liveness, diag);
  // No new output sections from here on.
  clock.begin("merge contents");
  results.contributions =
      settleContributions(program, placement, std::move(liveness), frames);
  const Contributions &contributions = results.contributions;
  placement = withoutFolded(program, std::move(placement), contributions);

  clock.begin("assign addresses");
  // Addresses, script symbols and expression results, to a fixed point.
  results.layout = assignAddresses(program, std::move(placement), contributions,
                                   expressions, diag);
  const Layout &layout = results.layout;
  const Link link({program, layout.placement, contributions}, layout.info,
                  layout.addresses);
  results.values = computeSymbolValues(link);
  const SymbolValues &values = results.values;
  const uint64_t entry = findEntry(link, values, diag);
  // Addresses are fixed from here on.

  clock.begin("report");
  // Reports that must exist even when the link fails.
  results.maps = reportLayout(link, values, request.fileSystem, sink, diag);
  clock.begin("check");
  checkAll(link, values, layout.undefined, entry, diag);
  clock.begin("write the output");
  writeProgram(link, values, *results.maps, entry, request, sink, result, diag);
}

/// The reports of --time and --time-trace, also of a failed link.
static void reportTime(const Program &program, const LinkRequest &request,
                       PhaseClock &clock, OutputSink &sink, Diagnostics &diag) {
  clock.end();
  if (program.config.printTime)
    diag.note(StringRef(clock.text()).rtrim().str());
  // A link that ends early may not have compared that file with the others.
  Diagnostics unheard;
  if (!program.config.timeTrace.empty() &&
      checkOutputNames(program, request.fileSystem, unheard))
    writeTextFile("trace of the time", timeTracePath(program), clock.trace(),
                  sink, diag);
}

LinkResult link(const LinkRequest &request) {
  LinkResult result;
  result.status = 0;
  Diagnostics diag;
  std::vector<const char *> arguments;
  for (const std::string &argument : request.arguments)
    arguments.push_back(argument.c_str());
  ParsedCommandLine line =
      parseCommandLine(arguments, request.fileSystem, diag);
  if (request.threads)
    line.config.threads = request.threads;
  line.config.executable = request.executable;
  const Config &config = line.config;
  result.color = config.color;
  result.format = config.messageFormat;
  std::vector<Diagnostic> &messages = result.diagnostics;
  Machines machines;
  const Target *target = nullptr;
  if (line.ok)
    target = MachineLoader(config, request.fileSystem, machines, diag).named();
  if (!line.ok ||
      printedInstead(config, request.fileSystem, target, result.text, diag)) {
    messages = diag.all();
  } else {
    auto results =
        std::make_unique<Results>(config, request, std::move(machines), target);
    DiskSink disk;
    OutputSink &sink = request.sink ? *request.sink : disk;
    PhaseClock clock;
    run(*results, request, sink, clock, result, diag);
    reportTime(results->program, request, clock, sink, diag);
    diag.countHidden();
    messages = diag.all();
    showScriptLines(results->program.script, messages);
    if (request.leaveMemory)
      (void)results.release(); // NOLINT: the process ends
  }
  if (diag.failed())
    result.status = 1;
  return result;
}

} // namespace xlink
