//===- FinalSymbols.cpp ---------------------------------------------------===//
//
// Problem: while sections move, a symbol can have the address of a section that
// will not exist, and one that is computed from itself would grow with every
// round.
//
// Method: GNU ld's: with final addresses the assignments run once more. Dot in
// front of a statement is its value when the section was laid out, or the end
// of the last section in the output.
//
// Cost: one visit of each statement.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/ScriptRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

class Finish : public ScriptRun {
public:
  Finish(const PartialLink &partial, const OutputInfo &info,
         Expressions &expressions, Addresses &now, Diagnostics &diag,
         UndefinedNames &undefined)
      : ScriptRun(partial, info, now, &diag, &undefined),
        expressions(expressions) {
    finishing = true;
  }
  void run();

private:
  void runBetween(const ScriptCommand &command, StatementId statement,
                  OutputId near);
  void runSymbols();
  void runData();

  Expressions &expressions;
};

} // namespace

/// Whether a value is a place that dot tells, and no distance or number.
static bool followsDot(const Expr &e) {
  auto any = [&] {
    return any_of(e.args, [](const ExprPtr &arg) { return followsDot(*arg); });
  };
  switch (e.kind) {
  case ExprKind::Dot:
  case ExprKind::Align1:
  case ExprKind::Block:
  case ExprKind::Next:
    return true;
  case ExprKind::Add:
  case ExprKind::And:
  case ExprKind::Or:
  case ExprKind::Conditional:
  case ExprKind::Align2:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::DataSegmentAlign:
  case ExprKind::DataSegmentEnd:
    return any();
  case ExprKind::Sub:
    return followsDot(*e.args[0]) &&
           (e.args[1]->constant || e.args[1]->kind == ExprKind::SizeOf);
  default:
    return false;
  }
}

/// A statement between sections. A symbol with a place that dot tells belongs
/// to the section `near` (GNU ld and lld).
void Finish::runBetween(const ScriptCommand &command, StatementId statement,
                        OutputId near) {
  StatementValue &result = now.statements[statement.index()];
  runStatement(command, statement, result);
  if (command.kind != CommandKind::Assignment || result.skipped)
    return;
  auto &a = static_cast<const AssignmentCommand &>(command);
  if (a.isDot() || !followsDot(*a.value))
    return;
  const SymbolId id = partial.program.symbols.find(a.name);
  if (AssignedSymbol &s = now.symbols[partial.program.symbols[id].slot];
      s.kind == SymbolKind::Absolute)
    s.output = near;
}

void Finish::runSymbols() {
  Address dot;
  const std::vector<LayoutCommand> &layout = partial.placement.layout;
  auto inMemory = [&](OutputId id) {
    return id != kNone && info.outputs[id].kept && info.outputs[id].isAlloc();
  };
  // The next section in memory behind each statement, and the last before it.
  std::vector<OutputId> next(layout.size() + 1);
  for (size_t i = layout.size(); i-- > 0;)
    next[i] = inMemory(layout[i].output) ? layout[i].output : next[i + 1];
  OutputId before;
  bool moved = false; ///< dot was assigned behind it
  for (uint32_t i = 0; i < layout.size(); ++i) {
    const OutputId id = layout[i].output;
    if (id == kNone) {
      counter = dot;
      runBetween(*layout[i].command, StatementId(i),
                 next[i] != kNone && (moved || before == kNone) ? next[i]
                                                                : before);
      moved |=
          layout[i].command->kind == CommandKind::Assignment &&
          static_cast<const AssignmentCommand &>(*layout[i].command).isDot();
      dot = counter;
      continue;
    }
    if (inMemory(id)) {
      before = id;
      moved = false;
    }
    const OutputSection &out = partial.placement.outputs[id];
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

/// Data from final values. The value of DEFINED depends on its place.
void Finish::runData() {
  muted = true; // reported before
  assigned.clear();
  const std::vector<LayoutCommand> &layout = partial.placement.layout;
  auto pass = [&](const ScriptCommand *command, bool skipped) {
    if (command && command->kind == CommandKind::Assignment && !skipped)
      noteAssigned(static_cast<const AssignmentCommand *>(command)->name);
  };
  for (uint32_t i = 0; i < layout.size(); ++i) {
    pass(layout[i].command, now.statements[i].skipped);
    const OutputId id = layout[i].output;
    if (id == kNone)
      continue;
    const OutputSection &out = partial.placement.outputs[id];
    for (uint32_t k = 0; k < out.items.size(); ++k) {
      const ScriptCommand *command = out.items[k].command;
      ItemPlace &item = now.items[out.firstItem + k];
      pass(command, item.skipped);
      if (!info.outputs[id].kept || !command ||
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

void finishSymbols(const PartialLink &partial, const OutputInfo &info,
                   Expressions &expressions, Addresses &now, Diagnostics &diag,
                   UndefinedNames &undefined) {
  Finish(partial, info, expressions, now, diag, undefined).run();
}

} // namespace xlink
