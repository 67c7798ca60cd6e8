//===- ScriptSymbols.cpp --------------------------------------------------===//
#include "resolve/ScriptSymbols.h"
#include "model/ScriptVisitor.h"
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

void declareScriptSymbols(Link &link) {
  auto declare = [&](const AssignmentCommand &a) {
    if (a.name == ".")
      return;
    if (a.provide) {
      // PROVIDE_HIDDEN hides also the definition that it gives way to (GNU ld).
      if (SymbolId id = link.symbols.find(a.name); id != kNone)
        link.symbols[id].hidden |= a.hidden;
      return;
    }
    Symbol &s = link.symbols[link.symbols.insert(a.name)];
    s.scriptDefined = true;
    s.hidden |= a.hidden;
  };
  forEachCommand(link.script.commands, declare, [](const Expr *) {});
}

StringSet<> namesReplacedByScript(const Link &link) {
  StringSet<> names;
  auto assign = [&](const AssignmentCommand &a) {
    bool readsItself = false;
    forEachSymbol(a.value.get(),
                  [&](StringRef name) { readsItself |= name == a.name; });
    if (!a.provide && !readsItself)
      names.insert(a.name);
  };
  forEachCommand(link.script.commands, assign, [](const Expr *) {});
  return names;
}

std::vector<StringRef> symbolsReadByScript(const Link &link) {
  std::vector<StringRef> names;
  auto collect = [&](const Expr *e) {
    forEachSymbol(e, [&](StringRef name) { names.push_back(name); });
  };
  auto assign = [&](const AssignmentCommand &a) {
    if (a.provide) {
      SymbolId id = link.symbols.find(a.name);
      if (id == kNone || !link.symbols[id].referenced ||
          link.symbols[id].isDefined())
        return;
    }
    collect(a.value.get());
  };
  forEachCommand(link.script.commands, assign, collect);
  for (const MemoryCommand &m : link.script.memory) {
    collect(m.origin.get());
    collect(m.length.get());
  }
  return names;
}

void loadBuiltinScript(Link &link) {
  StringRef text = link.target->script;
  std::string &result = link.builtinText;
  while (!text.empty()) {
    auto [plain, rest] = text.split('@');
    result += plain;
    text = rest;
    if (text.empty())
      break;
    auto [name, after] = text.split('@');
    for (const auto &[variable, value] : link.state.scriptVariables)
      if (name == variable)
        result += value;
    text = after;
  }
  auto noInclude = [](StringRef) { return std::nullopt; };
  std::string name = "<" + std::string(link.target->name) + ".ld>";
  parseScript(name, result, noInclude, link.script, link.diag);
}

} // namespace xlink
