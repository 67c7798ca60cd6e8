//===- ScriptVisitor.h - walks over a parsed script -----------------------===//
//
//   forEachCommand     all commands of a script, in order
//   forEachExpression  the expressions of one command
//   forEachNode        all nodes of one expression, and forEachSymbol
//
// A callback for commands is called with the command's own type, so an
// overloaded one chooses by type:
//
//     forEachCommand(script, ScriptVisitor{
//         [&](const AssignmentCommand &a) { ... },
//         [&](const OutputSectionCommand &s) { ... }});
//
// Commands of types that it does not take are entered all the same.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_SCRIPTVISITOR_H
#define XLINK_MODEL_SCRIPTVISITOR_H

#include "model/ScriptTree.h"
#include "llvm/ADT/STLExtras.h"
#include <type_traits>

namespace xlink {

/// Several callables as one that is overloaded.
template <class... Fns> struct ScriptVisitor : Fns... {
  using Fns::operator()...;
};
template <class... Fns> ScriptVisitor(Fns...) -> ScriptVisitor<Fns...>;

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Calls fn with the command in its own type, if fn takes that. Does not enter
/// the command.
template <class Fn> void visitCommand(const ScriptCommand &command, Fn &&fn) {
  auto call = [&](const auto &concrete) {
    if constexpr (std::is_invocable_v<Fn &, decltype(concrete)>)
      fn(concrete);
  };
  switch (command.kind) {
  case CommandKind::Assignment:
    return call(static_cast<const AssignmentCommand &>(command));
  case CommandKind::Assert:
    return call(static_cast<const AssertCommand &>(command));
  case CommandKind::InputDescription:
    return call(static_cast<const InputDescription &>(command));
  case CommandKind::Data:
    return call(static_cast<const DataCommand &>(command));
  case CommandKind::Fill:
    return call(static_cast<const FillCommand &>(command));
  case CommandKind::OutputSection:
    return call(static_cast<const OutputSectionCommand &>(command));
  case CommandKind::Overlay:
    return call(static_cast<const OverlayCommand &>(command));
  case CommandKind::Insert:
    return call(static_cast<const InsertCommand &>(command));
  }
}

/// Calls fn for a command and then for the commands in it: the
/// statements of an output section, the members of an OVERLAY with theirs and,
/// behind them, the symbols that the OVERLAY defines.
template <class Fn>
void forEachCommandIn(const ScriptCommand &command, Fn &&fn) {
  visitCommand(command, fn);
  auto enter = [&](const auto &commands) {
    for (const auto &c : commands)
      forEachCommandIn(*c, fn);
  };
  visitCommand(command, ScriptVisitor{[&](const OutputSectionCommand &section) {
                                        enter(section.commands);
                                      },
                                      [&](const OverlayCommand &overlay) {
                                        enter(overlay.sections);
                                        enter(overlay.symbols);
                                      }});
}

/// The same for all commands of a script, in the order in which they are
/// written, and those that wait in Script::ordering. INSERT has moved nothing
/// yet.
template <class Fn> void forEachCommand(const Script &script, Fn &&fn) {
  for (const CommandPtr &command : script.commands)
    forEachCommandIn(*command, fn);
  for (const CommandPtr &command : script.ordering)
    forEachCommandIn(*command, fn);
}

//===----------------------------------------------------------------------===//
// Expressions of commands
//===----------------------------------------------------------------------===//

/// The part of its command that an expression is.
enum class ExprRole : uint8_t {
  Value,
  Fill,        ///< FILL(), and `=fill` behind a section
  SectionType, ///< TYPE =
};

/// Calls fn(expression, role) for the expressions of a command itself, not of
/// commands in it; in the order of the text.
template <class Fn>
void forEachExpression(const ScriptCommand &command, Fn &&fn) {
  auto call = [&](const ExprPtr &expr, ExprRole role = ExprRole::Value) {
    if (expr)
      fn(*expr, role);
  };
  visitCommand(command,
               ScriptVisitor{[&](const AssignmentCommand &a) { call(a.value); },
                             [&](const AssertCommand &a) { call(a.condition); },
                             [&](const DataCommand &d) { call(d.value); },
                             [&](const FillCommand &f) {
                               call(f.pattern.value, ExprRole::Fill);
                             },
                             [&](const OutputSectionCommand &s) {
                               call(s.address);
                               call(s.typeValue, ExprRole::SectionType);
                               call(s.lma);
                               call(s.align);
                               call(s.subalign);
                               call(s.fill.value, ExprRole::Fill);
                             },
                             [&](const OverlayCommand &o) {
                               call(o.address);
                               call(o.lma);
                               call(o.fill.value, ExprRole::Fill);
                             }});
}

template <class Fn>
void forEachExpression(const MemoryCommand &region, Fn &&fn) {
  if (region.origin)
    fn(*region.origin, ExprRole::Value);
  if (region.length)
    fn(*region.length, ExprRole::Value);
}

//===----------------------------------------------------------------------===//
// Nodes of expressions
//===----------------------------------------------------------------------===//

/// Calls fn for an expression and all below it, operands from left to right
/// behind their operator. `expr` may be null.
template <class Fn> void forEachNode(const Expr *expr, Fn &&fn) {
  if (!expr)
    return;
  fn(*expr);
  for (const ExprPtr &arg : expr->args)
    forEachNode(arg.get(), fn);
}

/// Whether the predicate holds for some node. `expr` may be null.
template <class Pred> bool anyNode(const Expr *expr, Pred &&pred) {
  return expr && (pred(*expr) || llvm::any_of(expr->args, [&](const auto &arg) {
                    return anyNode(arg.get(), pred);
                  }));
}

/// Calls fn(name) for every symbol that an expression reads. `expr` may
/// be null.
template <class Fn> void forEachSymbol(const Expr *expr, Fn &&fn) {
  forEachNode(expr, [&](const Expr &e) {
    if (e.kind == ExprKind::Symbol)
      fn(e.name);
  });
}

} // namespace xlink
#endif
