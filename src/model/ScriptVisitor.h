//===- ScriptVisitor.h - walks over a parsed script -----------------------===//
//
// Three walks, so that nobody has to know twice where statements and
// expressions stand in the tree:
//
//   forEachCommand     all commands of a script, in order
//   forEachExpression  the expressions of one command, or of a whole script
//   forEachNode        all nodes of one expression, and forEachSymbol
//
// A callback for commands is called with the command's own type, so an
// overloaded one picks what it is about:
//
//     forEachCommand(script, ScriptVisitor{
//         [&](const AssignmentCommand &a) { ... },
//         [&](const OutputSectionCommand &s) { ... }});
//
// Types that it does not take are walked through all the same. It may take a
// `const CommandPlace &` as well, which says in what the command stands.
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

/// What a command stands in; both null at the top level and in SECTIONS.
struct CommandPlace {
  const OutputSectionCommand *section = nullptr;
  const OverlayCommand *overlay = nullptr;
};

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Calls fn with the command as what it is, if fn takes that. Does not enter
/// the command.
template <class Fn>
void visitCommand(const ScriptCommand &command, Fn &&fn,
                  const CommandPlace &place = {}) {
  auto call = [&](const auto &concrete) {
    using Concrete = decltype(concrete);
    if constexpr (std::is_invocable_v<Fn &, Concrete, const CommandPlace &>)
      fn(concrete, place);
    else if constexpr (std::is_invocable_v<Fn &, Concrete>)
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

/// Calls fn for a command and then for everything that stands in it: the
/// statements of an output section, the members of an OVERLAY with theirs and,
/// behind them, the symbols that the OVERLAY defines.
template <class Fn>
void forEachCommandIn(const ScriptCommand &command, Fn &&fn,
                      CommandPlace place = {}) {
  visitCommand(command, fn, place);
  auto enterSection = [&](const OutputSectionCommand &section) {
    place.section = &section;
    for (const CommandPtr &c : section.commands)
      forEachCommandIn(*c, fn, place);
  };
  auto enterOverlay = [&](const OverlayCommand &overlay) {
    place.overlay = &overlay;
    for (const auto &member : overlay.sections)
      forEachCommandIn(*member, fn, place);
    for (const auto &symbol : overlay.symbols)
      forEachCommandIn(*symbol, fn, place);
  };
  visitCommand(command, ScriptVisitor{enterSection, enterOverlay});
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

/// What an expression is to its command.
enum class ExprRole : uint8_t {
  Value,        ///< of an assignment or of data
  Condition,    ///< of ASSERT
  Fill,         ///< FILL(), and `=fill` behind a section
  Address,      ///< of an output section or OVERLAY
  SectionType,  ///< TYPE =
  LoadAddress,  ///< AT()
  Align,        ///< ALIGN()
  SubAlign,     ///< SUBALIGN()
  Origin,       ///< of a region
  Length,       ///< of a region
  SegmentType,  ///< of a segment in PHDRS
  SegmentAt,    ///< AT() there
  SegmentFlags, ///< FLAGS() there
};

/// Calls fn(expression, role) for the expressions of a command itself, not of
/// what stands in it; in the order of the text.
template <class Fn>
void forEachExpression(const ScriptCommand &command, Fn &&fn) {
  auto call = [&](const ExprPtr &expr, ExprRole role) {
    if (expr)
      fn(*expr, role);
  };
  auto assignment = [&](const AssignmentCommand &a) {
    call(a.value, ExprRole::Value);
  };
  auto assertion = [&](const AssertCommand &a) {
    call(a.condition, ExprRole::Condition);
  };
  auto data = [&](const DataCommand &d) { call(d.value, ExprRole::Value); };
  auto fill = [&](const FillCommand &f) {
    call(f.pattern.value, ExprRole::Fill);
  };
  auto section = [&](const OutputSectionCommand &s) {
    call(s.address, ExprRole::Address);
    call(s.typeValue, ExprRole::SectionType);
    call(s.lma, ExprRole::LoadAddress);
    call(s.align, ExprRole::Align);
    call(s.subalign, ExprRole::SubAlign);
    call(s.fill.value, ExprRole::Fill);
  };
  auto overlay = [&](const OverlayCommand &o) {
    call(o.address, ExprRole::Address);
    call(o.lma, ExprRole::LoadAddress);
    call(o.fill.value, ExprRole::Fill);
  };
  visitCommand(command, ScriptVisitor{assignment, assertion, data, fill,
                                      section, overlay});
}

template <class Fn>
void forEachExpression(const MemoryCommand &region, Fn &&fn) {
  if (region.origin)
    fn(*region.origin, ExprRole::Origin);
  if (region.length)
    fn(*region.length, ExprRole::Length);
}

template <class Fn> void forEachExpression(const PhdrCommand &phdr, Fn &&fn) {
  if (phdr.type)
    fn(*phdr.type, ExprRole::SegmentType);
  if (phdr.address)
    fn(*phdr.address, ExprRole::SegmentAt);
  if (phdr.flags)
    fn(*phdr.flags, ExprRole::SegmentFlags);
}

/// All expressions of a script: those of its commands, of its regions, of its
/// segments.
template <class Fn> void forEachExpression(const Script &script, Fn &&fn) {
  forEachCommand(script, [&](const ScriptCommand &command) {
    forEachExpression(command, fn);
  });
  for (const MemoryCommand &region : script.memory)
    forEachExpression(region, fn);
  for (const PhdrCommand &phdr : script.phdrs)
    forEachExpression(phdr, fn);
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

/// Calls fn(name) for every symbol whose value an expression reads. `expr` may
/// be null.
template <class Fn> void forEachSymbol(const Expr *expr, Fn &&fn) {
  forEachNode(expr, [&](const Expr &e) {
    if (e.kind == ExprKind::Symbol)
      fn(e.name);
  });
}

} // namespace xlink
#endif
