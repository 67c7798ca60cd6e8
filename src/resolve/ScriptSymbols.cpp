//===- ScriptSymbols.cpp --------------------------------------------------===//
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"

using namespace llvm;

namespace xlink {

/// Calls fn for every assignment of a script, in order, and for every
/// expression that stands outside an assignment.
template <class AssignFn, class ExprFn>
static void forEachCommand(const std::vector<CommandPtr> &commands,
                           AssignFn assign, ExprFn expr) {
  auto section = [&](const OutputSectionCommand &os) {
    for (const ExprPtr *e :
         {&os.address, &os.lma, &os.align, &os.subalign, &os.fill.value})
      expr(e->get());
    forEachCommand(os.commands, assign, expr);
  };
  for (const CommandPtr &command : commands) {
    switch (command->kind) {
    case CommandKind::Assignment:
      assign(static_cast<const AssignmentCommand &>(*command));
      break;
    case CommandKind::Assert:
      expr(static_cast<const AssertCommand &>(*command).condition.get());
      break;
    case CommandKind::Data:
      expr(static_cast<const DataCommand &>(*command).value.get());
      break;
    case CommandKind::OutputSection:
      section(static_cast<const OutputSectionCommand &>(*command));
      break;
    case CommandKind::Overlay: {
      auto &overlay = static_cast<const OverlayCommand &>(*command);
      expr(overlay.address.get());
      expr(overlay.lma.get());
      for (const auto &os : overlay.sections)
        section(*os);
      break;
    }
    default:
      break;
    }
  }
}

void declareScriptSymbols(Program &program) {
  auto declare = [&](const AssignmentCommand &a) {
    if (a.name == ".")
      return;
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
  forEachCommand(program.script.commands, declare, [](const Expr *) {});
}

void declareAssignedNames(Program &program) {
  auto assign = [&](const AssignmentCommand &a) {
    if (a.name != ".")
      program.makeAssignable(program.symbols.insert(a.name));
  };
  forEachCommand(program.script.commands, assign, [](const Expr *) {});
  for (const CommandPtr &command : program.script.commands)
    if (command->kind == CommandKind::Overlay)
      for (const auto &symbol :
           static_cast<const OverlayCommand &>(*command).symbols)
        assign(*symbol);
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
    forEachSymbol(a.value.get(),
                  [&](StringRef name) { readsItself |= name == a.name; });
    if (!a.provide && !readsItself)
      names.insert(a.name);
  };
  forEachCommand(program.script.commands, assign, [](const Expr *) {});
  return names;
}

std::vector<StringRef> symbolsReadByScript(const Program &program) {
  std::vector<StringRef> names;
  auto collect = [&](const Expr *e) {
    forEachSymbol(e, [&](StringRef name) { names.push_back(name); });
  };
  auto assign = [&](const AssignmentCommand &a) {
    if (a.provide) {
      SymbolId id = program.symbols.find(a.name);
      if (id == kNone || !program.symbols[id].referenced ||
          program.symbols[id].isDefined())
        return;
    }
    collect(a.value.get());
  };
  forEachCommand(program.script.commands, assign, collect);
  for (const MemoryCommand &m : program.script.memory) {
    collect(m.origin.get());
    collect(m.length.get());
  }
  return names;
}

void parseOptionAddresses(Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  auto parse = [&](StringRef text, const char *option) {
    return parseExpression(option, text, true, program.script, diag);
  };
  if (config.textSegment)
    program.options.textSegment = parse(*config.textSegment, "-Ttext-segment");
  else if (config.imageBase)
    program.options.textSegment = parse(*config.imageBase, "--image-base");
  for (const SectionStart &start : config.sectionStart)
    program.options.starts.push_back(parse(start.address, start.option));
}

void loadBuiltinScript(Program &program, Diagnostics &diag) {
  StringRef text = program.target->script;
  std::string &result = program.builtinText;
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
  auto noInclude = [](StringRef) { return std::nullopt; };
  std::string name = "<" + std::string(program.target->name) + ".ld>";
  parseScript(name, result, noInclude, program.script, diag);
}

} // namespace xlink
