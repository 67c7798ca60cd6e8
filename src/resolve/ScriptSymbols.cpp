//===- ScriptSymbols.cpp --------------------------------------------------===//
#include "resolve/ScriptSymbols.h"
#include "model/ScriptVisitor.h"
#include "script/ScriptParser.h"

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

void forEachAssignedName(const Program &program,
                         function_ref<void(StringRef)> fn) {
  forEachAssignment(program.script,
                    [&](const AssignmentCommand &a) { fn(a.name); });
  // The base exists for relocations that subtract it, referenced or not.
  for (const BaseSymbol &base : program.target->baseSymbols)
    fn(base.name);
}

void declareAssignedNames(Program &program) {
  forEachAssignedName(program, [&](StringRef name) {
    program.makeAssignable(program.symbols.insert(name));
  });
  for (const SectionSymbol &s : program.target->sectionSymbols)
    if (SymbolId id = program.symbols.find(s.name); id != kNone)
      program.makeAssignable(id);
  for (SymbolId id :
       program.symbols.select(program.parallel, [](const Symbol &s) {
         return s.kind == SymbolKind::Undefined &&
                (s.name.starts_with("__start_") ||
                 s.name.starts_with("__stop_"));
       }))
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

ScriptReads::ScriptReads(const Program &program) {
  const Script &script = program.script;
  auto meaning = [&](StringRef name) { return program.wrapping.meaning(name); };
  forEachCommand(script, [&](const ScriptCommand &command) {
    Statement statement;
    if (command.kind == CommandKind::Assignment) {
      auto &a = static_cast<const AssignmentCommand &>(command);
      if (a.provide)
        statement.provides = a.name;
    }
    const bool whole = command.kind != CommandKind::Fill &&
                       command.kind != CommandKind::Overlay;
    forEachExpression(command, [&](const Expr &e, ExprRole role) {
      // A type wants a constant.
      if (role != ExprRole::SectionType && (whole || role != ExprRole::Fill))
        forEachSymbol(
            &e, [&](StringRef n) { statement.reads.push_back(meaning(n)); });
    });
    if (!statement.reads.empty())
      statements.push_back(std::move(statement));
  });
  Statement regions;
  for (const MemoryCommand &m : script.memory)
    forEachExpression(m, [&](const Expr &e, ExprRole) {
      forEachSymbol(&e,
                    [&](StringRef n) { regions.reads.push_back(meaning(n)); });
    });
  statements.push_back(std::move(regions));
}

bool ScriptReads::takesPlace(const Program &program, size_t index) const {
  const std::optional<StringRef> name = statements[index].provides;
  if (!name)
    return true;
  const SymbolId id = program.symbols.find(*name);
  return id != kNone && program.symbols[id].referenced &&
         !program.symbols[id].isDefined();
}

std::vector<StringRef> symbolsReadByScript(const Program &program) {
  const ScriptReads reads(program);
  std::vector<StringRef> names;
  for (size_t i = 0; i < reads.size(); ++i)
    if (reads.takesPlace(program, i))
      names.insert(names.end(), reads[i].begin(), reads[i].end());
  return names;
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

std::string builtinScriptText(const Program &program) {
  StringRef text = program.target->script;
  std::string result;
  while (!text.empty()) {
    auto [plain, rest] = text.split('@');
    result += plain;
    text = rest;
    if (text.empty())
      break;
    auto [name, after] = text.split('@');
    for (const auto &[variable, value] : program.state.scriptVariables)
      if (name == variable)
        result += value;
    text = after;
  }
  return result;
}

void loadBuiltinScript(Program &program, Diagnostics &diag) {
  program.builtinText = builtinScriptText(program);
  auto noInclude = [](StringRef) { return std::nullopt; };
  std::string name = "<" + std::string(program.target->name) + ".ld>";
  const StringRef entry = program.script.entry;
  parseScript(name, program.builtinText, noInclude, program.script, diag);
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
  std::vector<std::pair<OutputSectionCommand *, std::vector<CommandPtr>>> added;
  std::vector<CommandPtr> behind;
  for (CommandPtr &command : script.ordering) {
    if (command->kind != CommandKind::OutputSection) {
      behind.push_back(std::move(command));
      continue;
    }
    auto &from = static_cast<OutputSectionCommand &>(*command);
    OutputSectionCommand *to = findOutput(script, from.name);
    if (!to) {
      diag.error(locationText(from.where) + "output section '" +
                 from.name.str() +
                 "' of the section ordering file is not in "
                 "the linker script");
      continue;
    }
    auto it = find_if(added, [&](const auto &a) { return a.first == to; });
    if (it == added.end()) {
      added.emplace_back().first = to;
      it = added.end() - 1;
    }
    std::move(from.commands.begin(), from.commands.end(),
              std::back_inserter(it->second));
  }
  for (auto &[to, commands] : added)
    to->commands.insert(to->commands.begin(),
                        std::make_move_iterator(commands.begin()),
                        std::make_move_iterator(commands.end()));
  std::move(behind.begin(), behind.end(), std::back_inserter(script.commands));
  script.ordering.clear();
}

} // namespace xlink
