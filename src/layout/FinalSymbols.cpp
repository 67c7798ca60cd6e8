//===- FinalSymbols.cpp ---------------------------------------------------===//
//
// Problem: while sections move, a symbol can have the address of a section that
// turns out not to exist, and one that is computed from itself would grow with
// every round.
//
// Method: GNU ld's: when all addresses stand, the assignments run once more.
// Dot in front of a statement is where it was when the section was laid out, or
// behind the last section that is in the output.
//
// Cost: one visit of each statement.
//
//===----------------------------------------------------------------------===//
#include "layout/FinalSymbols.h"
#include "layout/ScriptRun.h"

using namespace llvm;

namespace xlink {

namespace {

class Finish : public ScriptRun {
public:
  Finish(const Parts &parts, const Facts &facts, Expressions &expressions,
         Geometry &now, Diagnostics &diag, UndefinedNames &undefined)
      : ScriptRun(parts, facts, now, &diag, &undefined),
        expressions(expressions) {
    finishing = true;
  }
  void run();

private:
  void runSymbols();
  void runData();

  Expressions &expressions;
};

} // namespace

void Finish::runSymbols() {
  Address dot;
  const std::vector<LayoutCommand> &layout = parts.placement.layout;
  for (uint32_t i = 0; i < layout.size(); ++i) {
    const OutputId id = layout[i].output;
    if (id == kNone) {
      counter = dot;
      runStatement(*layout[i].command, StatementId(i), now.statements[i]);
      dot = counter;
      continue;
    }
    const OutputSection &out = parts.placement.outputs[id];
    if (out.dropped)
      continue;
    current = id;
    for (uint32_t k = 0; k < out.items.size(); ++k) {
      const ScriptCommand *command = out.items[k].command;
      if (!command || (command->kind != CommandKind::Assignment &&
                       command->kind != CommandKind::Assert))
        continue;
      ItemPlace &item = now.items[out.firstItem + k];
      counter = now.outputs[id].address + item.offset;
      runStatement(*command, statementOf(out, k), item);
    }
    current = kNone;
    dot = now.outputs[id].dotBehind.value_or(dot);
  }
  defineOthers(expressions);
}

/// Data from final values. What DEFINED answers depends on where it stands.
void Finish::runData() {
  muted = true; // reported before
  assigned.clear();
  const std::vector<LayoutCommand> &layout = parts.placement.layout;
  auto pass = [&](const ScriptCommand *command, bool skipped) {
    if (command && command->kind == CommandKind::Assignment && !skipped)
      noteAssigned(static_cast<const AssignmentCommand *>(command)->name);
  };
  for (uint32_t i = 0; i < layout.size(); ++i) {
    pass(layout[i].command, now.statements[i].skipped);
    const OutputId id = layout[i].output;
    if (id == kNone)
      continue;
    const OutputSection &out = parts.placement.outputs[id];
    for (uint32_t k = 0; k < out.items.size(); ++k) {
      const ScriptCommand *command = out.items[k].command;
      ItemPlace &item = now.items[out.firstItem + k];
      pass(command, item.skipped);
      if (!facts.outputs[id].kept || !command ||
          command->kind != CommandKind::Data)
        continue;
      counter = now.outputs[id].address + item.offset;
      item.value =
          number(static_cast<const DataCommand &>(*command).value.get(), 0);
    }
  }
  muted = false;
}

void Finish::run() {
  runSymbols();
  runData();
  reportResults(expressions);
}

void finishSymbols(const Parts &parts, const Facts &facts,
                   Expressions &expressions, Geometry &now, Diagnostics &diag,
                   UndefinedNames &undefined) {
  Finish(parts, facts, expressions, now, diag, undefined).run();
}

} // namespace xlink
