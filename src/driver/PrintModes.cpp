//===- PrintModes.cpp - runs that print and do not link -------------------===//
#include "checks/CheckTable.h"
#include "driver/Options.h"
#include "input/MachineFiles.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

static constexpr char kCommit[] =
#include "commit.inc"
    ;

/// Parses the script of a machine with the words of each cpu, for its errors.
static void parseScriptOf(const Target &target, Diagnostics &diag) {
  std::vector<std::string> cpus;
  for (const Cpu &cpu : target.cpus)
    cpus.push_back(cpu.name);
  if (cpus.empty())
    cpus.push_back("");
  for (const std::string &cpu : cpus) {
    TargetState state;
    std::vector<TargetMessage> ignored;
    configure(target, {cpu, {}}, {}, state, ignored);
    Script script;
    auto noInclude = [](StringRef) { return std::nullopt; };
    if (!parseScript(target.file, builtinScriptText(target, state), noInclude,
                     script, diag))
      return; // the others have the same text
  }
}

/// --check-machine
static std::string checkFile(const Config &config, vfs::FileSystem *fs,
                             Diagnostics &diag) {
  Machines machines;
  const std::unique_ptr<Machine> machine =
      MachineLoader(config, fs, machines, diag).load(config.checkMachine);
  if (!machine)
    return "";
  std::vector<MachineProblem> problems;
  std::string text = checkMachine(*machine, problems) + "\n";
  for (const MachineProblem &problem : problems)
    diag.error(problem.at(config.checkMachine));
  parseScriptOf(machine->target, diag);
  if (diag.errorCount() != 0)
    text.insert(text.find('\n'), ", " + utostr(diag.errorCount()) + " failed");
  for (const Target *other : allTargets())
    for (uint16_t number : machine->target.machines)
      if (!machine->isExtension &&
          machine->target.name != StringRef(other->name) &&
          is_contained(other->machines, number))
        text += "  e_machine " + hexText(number) + " is also that of " +
                other->name + "\n";
  return text;
}

bool printedInstead(const Config &config, vfs::FileSystem *fs,
                    const Target *target, std::string &text,
                    Diagnostics &diag) {
  Machines machines;
  auto shipped = [&] {
    return MachineLoader(config, fs, machines, diag).shipped();
  };
  if (config.help) {
    text = helpText(config.helpAll, shipped());
    return true;
  }
  if (config.version || config.versionAndGoOn)
    text = versionText();
  if (config.version)
    text += std::string("commit ") + kCommit + "\n";
  if (config.version || config.listMachines)
    text += machinesText(shipped());
  if (config.version || (config.versionAndGoOn && config.inputs.empty()))
    return true;
  if (config.printTraps) {
    text += trapsText();
    return true;
  }
  if (!config.checkMachine.empty()) {
    text += checkFile(config, fs, diag);
    return true;
  }
  std::string (*print)(const Target &) = config.listRelocations
                                             ? listRelocations
                                         : config.printMachine ? printMachine
                                         : config.printVectors ? printVectors
                                                               : nullptr;
  if (!print)
    return false;
  if (target)
    text += print(*target);
  else if (config.machines.empty())
    for (const Target *each : allTargets())
      text += print(*each);
  return true;
}

} // namespace xlink
