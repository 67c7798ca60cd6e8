//===- ScriptSymbols.cpp --------------------------------------------------===//
#include "resolve/ScriptSymbols.h"
#include "model/ScriptVisitor.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

/// Calls fn for every assignment to a symbol, in order.
template <class Fn> static void forEachAssignment(const Script &script, Fn fn) {
  forEachCommand(script, [&](const AssignmentCommand &a) {
    if (!a.isDot())
      fn(a);
  });
}

void declareScriptSymbols(Program &program) {
  auto declare = [&](const AssignmentCommand &a) {
    if (a.provide) {
      // PROVIDE_HIDDEN hides also the definition that it gives way to (GNU ld).
      if (SymbolId id = program.symbols.find(a.name); id != kNone)
        program.symbols[id].hidden |= a.hidden;
      return;
    }
    Symbol &s = program.symbols[program.symbols.insert(a.name)];
    s.scriptDefined = true;
    s.hidden |= a.hidden;
  };
  forEachAssignment(program.script, declare);
}

void declareAssignedNames(Program &program) {
  forEachAssignment(program.script, [&](const AssignmentCommand &a) {
    program.makeAssignable(program.symbols.insert(a.name));
  });
  // The base exists for relocations that subtract it, referenced or not.
  for (const BaseSymbol &base : program.target->baseSymbols)
    program.makeAssignable(program.symbols.insert(base.name));
  for (const SectionSymbol &s : program.target->sectionSymbols)
    if (SymbolId id = program.symbols.find(s.name); id != kNone)
      program.makeAssignable(id);
  for (SymbolId id : program.symbols.ids())
    if (const Symbol &s = program.symbols[id];
        s.kind == SymbolKind::Undefined &&
        (s.name.starts_with("__start_") || s.name.starts_with("__stop_")))
      program.makeAssignable(id);
}

StringSet<> namesReplacedByScript(const Program &program) {
  StringSet<> names;
  auto assign = [&](const AssignmentCommand &a) {
    bool readsItself = false;
    forEachSymbol(a.value.get(), [&](StringRef name) {
      readsItself |= program.wrapping.meaning(name) == a.name;
    });
    if (!a.provide && !readsItself)
      names.insert(a.name);
  };
  forEachAssignment(program.script, assign);
  return names;
}

bool isProvided(const Program &program, StringRef name) {
  bool provided = false;
  forEachAssignment(program.script, [&](const AssignmentCommand &a) {
    provided |= a.provide && a.name == name;
  });
  return provided;
}

std::vector<ScriptReads> readsOfScript(const Program &program) {
  std::vector<ScriptReads> statements;
  auto readInto = [&](ScriptReads &reads) {
    return [&](StringRef name) {
      reads.names.push_back(program.wrapping.meaning(name));
    };
  };
  forEachCommand(program.script, [&](const ScriptCommand &command) {
    ScriptReads reads;
    if (command.kind == CommandKind::Assignment)
      if (auto &a = static_cast<const AssignmentCommand &>(command); a.provide)
        reads.provides = a.name;
    const bool whole = command.kind != CommandKind::Fill &&
                       command.kind != CommandKind::Overlay;
    forEachExpression(command, [&](const Expr &e, ExprRole role) {
      // A type wants a constant.
      if (role != ExprRole::SectionType && (whole || role != ExprRole::Fill))
        forEachSymbol(&e, readInto(reads));
    });
    if (!reads.names.empty())
      statements.push_back(std::move(reads));
  });
  ScriptReads regions;
  for (const MemoryCommand &m : program.script.memory)
    forEachExpression(m, [&](const Expr &e, ExprRole) {
      forEachSymbol(&e, readInto(regions));
    });
  if (!regions.names.empty())
    statements.push_back(std::move(regions));
  return statements;
}

bool ScriptReads::takesPlace(const Program &program) const {
  if (!provides)
    return true;
  const SymbolId id = program.symbols.find(*provides);
  return id != kNone && program.symbols[id].referenced &&
         !program.symbols[id].isDefined();
}

std::vector<StringRef> symbolsReadByScript(const Program &program) {
  std::vector<StringRef> names;
  for (const ScriptReads &reads : readsOfScript(program))
    if (reads.takesPlace(program))
      append_range(names, reads.names);
  return names;
}

void forEachMatch(const SymbolTable &symbols, ArrayRef<std::string> patterns,
                  function_ref<void(SymbolId)> fn) {
  for (StringRef pattern : patterns) {
    if (plainPrefix(pattern) == pattern) {
      if (SymbolId id = symbols.find(pattern); id != kNone)
        fn(id);
      continue;
    }
    for (SymbolId id : symbols.ids())
      if (globMatch({pattern, true}, symbols[id].name))
        fn(id);
  }
}

void parseOptionAddresses(Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  auto parse = [&](StringRef text, const char *option) {
    return parseAddress(option, text, program.script, diag);
  };
  if (config.textSegment)
    program.options.textSegment = parse(*config.textSegment, "-Ttext-segment");
  else if (config.imageBase)
    program.options.textSegment = parse(*config.imageBase, "--image-base");
  for (const SectionStart &start : config.sectionStart)
    program.options.starts.push_back(parse(start.address, start.option));
}

std::string builtinScriptText(const Target &target, const TargetState &state) {
  std::string result;
  bool isVariable = false; // between two @
  for (StringRef part : split(target.script, '@')) {
    if (!isVariable)
      result += part;
    else
      for (const auto &[variable, value] : state.scriptVariables)
        if (part == variable)
          result += value;
    isVariable = !isVariable;
  }
  return result;
}

void loadBuiltinScript(Program &program, Diagnostics &diag) {
  const Target &target = *program.target;
  program.builtinText = builtinScriptText(target, program.state);
  auto noInclude = [](StringRef) { return std::nullopt; };
  std::string name =
      target.file ? target.file : "<" + std::string(target.name) + ".ld>";
  const StringRef entry = program.script.entry;
  std::vector<CommandPtr> &commands = program.script.commands;
  const bool adds =
      program.script.hasSections && none_of(commands, [](const CommandPtr &c) {
        return c->kind == CommandKind::Insert;
      });
  const size_t given = commands.size();
  parseScript(name, program.builtinText, noInclude, program.script, diag);
  // The output sections of a script without -T stand behind the machine's.
  if (adds)
    std::rotate(commands.begin(), commands.begin() + given, commands.end());
  if (!entry.empty() || !target.file)
    program.script.entry = entry; // the machine's table has the usual ones
}

/// The first output section of a name, members of overlays among them.
static OutputSectionCommand *findOutput(Script &script, StringRef name) {
  for (CommandPtr &command : script.commands) {
    if (command->kind == CommandKind::OutputSection) {
      auto &section = static_cast<OutputSectionCommand &>(*command);
      if (section.name == name)
        return &section;
    } else if (command->kind == CommandKind::Overlay) {
      for (auto &section : static_cast<OverlayCommand &>(*command).sections)
        if (section->name == name)
          return section.get();
    }
  }
  return nullptr;
}

void applySectionOrdering(Program &program, Diagnostics &diag) {
  Script &script = program.script;
  // Each output section's new statements, all in front of its own, in order.
  MapVector<OutputSectionCommand *, std::vector<CommandPtr>> added;
  std::vector<CommandPtr> behind;
  for (CommandPtr &command : script.ordering) {
    if (command->kind != CommandKind::OutputSection) {
      behind.push_back(std::move(command));
      continue;
    }
    auto &from = static_cast<OutputSectionCommand &>(*command);
    if (OutputSectionCommand *to = findOutput(script, from.name))
      std::move(from.commands.begin(), from.commands.end(),
                std::back_inserter(added[to]));
    else
      diag.error(locationText(from.where) + "output section '" +
                 from.name.str() +
                 "' of the section ordering file is not in the linker script");
  }
  for (auto &[to, commands] : added)
    to->commands.insert(to->commands.begin(),
                        std::make_move_iterator(commands.begin()),
                        std::make_move_iterator(commands.end()));
  std::move(behind.begin(), behind.end(), std::back_inserter(script.commands));
  script.ordering.clear();
}

} // namespace xlink
