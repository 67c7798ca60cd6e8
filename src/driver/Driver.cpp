//===- Driver.cpp - the list of passes ------------------------------------===//
//
// Reads as a table of contents: one call a pass, and between passes what holds
// from there on. A pass reads what earlier ones froze and never edits it.
//
//===----------------------------------------------------------------------===//
#include "driver/Driver.h"
#include "driver/Options.h"
#include "layout/AddressAssignment.h"
#include "layout/EhFrame.h"
#include "layout/MarkLive.h"
#include "layout/MergeSections.h"
#include "layout/Placement.h"
#include "layout/SymbolValues.h"
#include "layout/SyntheticSections.h"
#include "output/Container.h"
#include "output/Writer.h"
#include "report/CrossReference.h"
#include "report/ParallelUsage.h"
#include "report/Reports.h"
#include "report/TypeReport.h"
#include "resolve/Expressions.h"
#include "resolve/InputLoader.h"
#include "resolve/Machine.h"
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// Modes that print something instead of linking.
static bool printedInstead(const Config &config, const LinkRequest &request,
                           Diagnostics &diag, LinkResult &result) {
  if (config.help) {
    result.text = helpText();
    return true;
  }
  if (config.version || config.versionAndGoOn)
    result.text = versionText(config.listMachines);
  if (config.version || (config.versionAndGoOn && config.inputs.empty()))
    return true;
  if (config.listRelocations) {
    if (config.machine.empty()) {
      for (const Target *target : allTargets())
        result.text += listRelocations(*target);
      return true;
    }
    if (const Target *target = findTarget(StringRef(config.machine)))
      result.text = listRelocations(*target);
    else
      diag.error("unknown machine '" + config.machine + "'");
    return true;
  }
  if (!config.dumpContainer.empty()) {
    result.text += dumpContainer(config, request.fileSystem, diag);
    return true;
  }
  return false;
}

/// e_entry: the entry symbol, a number given to -e, or the start of .text.
static void findEntry(Link &link) {
  if (link.entrySymbol != kNone) {
    link.entryAddress = link.globalAddress[link.entrySymbol];
    return;
  }
  StringRef wanted = link.config.entry ? StringRef(*link.config.entry)
                     : !link.script.entry.empty() && !link.builtinScript
                         ? link.script.entry
                         : StringRef(link.target->entries.empty()
                                         ? "_start"
                                         : link.target->entries.back());
  if (link.config.entry && !wanted.getAsInteger(0, link.entryAddress))
    return;
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone && link.outputs[command.output].kept &&
        link.outputs[command.output].name == ".text") {
      link.entryAddress = link.outputs[command.output].address;
      link.diag.warn(WarningGroup::Entry,
                     "cannot find entry symbol " + wanted.str() +
                         "; defaulting to " + hex(link.entryAddress));
      return;
    }
  link.diag.warn(WarningGroup::Entry, "cannot find entry symbol " +
                                          wanted.str() +
                                          "; not setting start address");
}

static void describe(const Link &link, const LinkRequest &request,
                     LinkResult &result) {
  result.entry = link.entryAddress;
  for (const Segment &s : link.segments)
    result.segments.push_back({s.type, s.flags, s.address, s.loadAddress,
                               s.fileSize, s.memSize, s.offset});
  if (!request.wantSymbols)
    return;
  for (SymbolId id = 0; id < link.symbols.size(); ++id)
    if (link.symbols[id].isDefined())
      result.symbols.push_back({link.symbols[id].name.str(),
                                link.globalAddress[id], link.symbols[id].size});
}

/// OUTPUT and OUTPUT_FORMAT(binary) of a script, where the command line does
/// not say it.
static void applyScriptOutput(const Script &script, Config &config) {
  if (!script.output.empty() && !config.outputGiven)
    config.output = script.output.str();
  if (script.outputFormat == OutputFormat::Binary && !config.formatGiven)
    config.format = OutputFormat::Binary;
}

/// The passes of one link.
static void run(Link &link, Config &config, const LinkRequest &request,
                LinkResult &result) {
  // Open every input, decide the machine, parse objects.
  InputLoader loader(link, request.fileSystem, request.cache);
  std::vector<LoadedInput> inputs = loader.run();
  applyScriptOutput(link.script, config);
  if (!link.target)
    return;
  checkContainer(link);
  if (inputs.empty() && !link.diag.failed())
    link.diag.error("no input files");

  // One definition for each name; archive members join in order.
  Resolver(link, loader).run(std::move(inputs));
  traceSymbols(link);
  // No new files from here on.

  // Nothing that was read is overwritten, nor one output by another.
  if (!checkOutputNames(link, request.fileSystem))
    return;

  // Unreadable inputs make every later message a guess.
  if (link.diag.failed() && link.files.empty())
    return;

  // Sub-architecture, e_flags, attributes: what the files say together.
  configureMachine(link);
  mergeAttributes(link);
  dropStripped(link);
  if (link.builtinScript) {
    loadBuiltinScript(link);
    if (link.config.verbose)
      link.diag.note("using internal linker script:\n" + link.builtinText);
  }
  declareScriptSymbols(link);

  // Sections of the linker's own, and COMMON.
  allocateCommon(link);
  createGot(link);
  createComment(link);
  // No new symbols and no new input sections from here on.

  // Input sections to output sections, without those that nothing needs.
  placeSections(link);
  readEhFrames(link);
  markLive(link);
  shrinkGot(link);
  placeOrphans(link);
  cutEhFrames(link);
  mergeSections(link);
  finishOutputs(link);
  // No new output sections from here on.

  // Addresses, script symbols and expression results, to a fixed point.
  Expressions expressions(link);
  assignAddresses(link, expressions);
  computeSymbolValues(link);
  findEntry(link);
  // Addresses are fixed from here on.

  // Reports that must exist even when the link fails.
  DiskSink disk;
  OutputSink &sink = request.sink ? *request.sink : disk;
  reportLayout(link, sink);

  // Everything that can be wrong with this layout, in one run.
  reportUndefined(link);
  checkLayout(link);
  checkCrossReferences(link);
  checkParallelUsage(link);
  checkTypes(link);

  // Copy, relocate, write.
  fillGot(link);
  HeldSink held(sink);
  if (link.config.container.empty())
    writeOutput(link, held);
  else
    writeContainer(link, held, request.fileSystem);
  if (!link.diag.failed())
    reportSuccess(link, held);

  // Whatever can fail has done so before the output becomes visible, last.
  if (!link.diag.failed())
    if (std::string error = held.commitAll(); !error.empty())
      link.diag.error(std::move(error));
  if (!link.diag.failed()) {
    result.outputs.push_back(link.config.output);
    describe(link, request, result);
  }
}

LinkResult link(const LinkRequest &request) {
  LinkResult result;
  Diagnostics diag;
  std::vector<const char *> arguments;
  for (const std::string &argument : request.arguments)
    arguments.push_back(argument.c_str());
  ParsedCommandLine line =
      parseCommandLine(arguments, request.fileSystem, diag);
  const Config &config = line.config;
  result.color = config.color;
  if (line.ok && !printedInstead(config, request, diag, result)) {
    auto state = std::make_unique<Link>(config, diag);
    run(*state, line.config, request, result);
    if (request.leaveMemory)
      (void)state.release(); // NOLINT: the process ends
  }
  result.diagnostics = diag.all();
  result.status = diag.failed() ? 1 : 0;
  return result;
}

} // namespace xlink
