//===- Definitions.cpp ----------------------------------------------------===//
//
// Problem: PROVIDE has no effect if its name is defined, or not needed; the
// names that an expression needs show only when it is evaluated, and may be of
// another PROVIDE.
//
// Method: one walk over the assignments finds the certain definitions. Then
// names are followed through expressions without conditions, from those that
// are needed in any case: a chain of PROVIDEs would otherwise take a round of
// address assignment for each of its links. The rounds find the rest.
//
// Cost: linear in the sizes of the expressions.
//
//===----------------------------------------------------------------------===//
#include "layout/Definitions.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

static bool hasCondition(const Expr &e) {
  return anyNode(&e,
                 [](const Expr &n) { return n.kind == ExprKind::Conditional; });
}

/// Follows the names that assignments read in any case. If several PROVIDE a
/// name, the order in which rounds find it needed decides.
static void followProvides(const Program &program,
                           ArrayRef<const AssignmentCommand *> assignments,
                           NameKnowledge &names) {
  const SymbolTable &symbols = program.symbols;
  struct Provided {
    const AssignmentCommand *command = nullptr;
    unsigned count = 0;
  };
  DenseMap<SymbolId, Provided> provided;
  for (const AssignmentCommand *a : assignments)
    if (a->provide) {
      Provided &p = provided[symbols.find(a->name)];
      p.command = a;
      ++p.count;
    }
  std::vector<SymbolId> waiting;
  auto read = [&](const AssignmentCommand &a) {
    if (hasCondition(*a.value))
      return;
    forEachSymbol(a.value.get(), [&](StringRef name) {
      const SymbolId id = symbols.find(program.wrapping.meaning(name));
      auto it = provided.find(id);
      if (it == provided.end() || it->second.count != 1 ||
          names.needed.contains(id))
        return;
      names.needed.insert(id);
      waiting.push_back(id);
    });
  };
  for (const auto &[id, p] : provided)
    if (names.needed.contains(id))
      waiting.push_back(id);
  for (const AssignmentCommand *a : assignments)
    if (!a->provide)
      read(*a);
  while (!waiting.empty()) {
    const SymbolId id = waiting.back();
    waiting.pop_back();
    const Provided &p = provided[id];
    if (p.count == 1 && !names.given.contains(id))
      read(*p.command);
  }
}

/// The files' definitions of each name, without the script.
static void findInFiles(const Program &program, IdSet<SymbolId> &given,
                        IdSet<SymbolId> &needed) {
  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    const Symbol &s = program.symbols[id];
    given.set(id, s.isDefined());
    // An operand of a link-time expression is a reference here, too.
    const bool operand = s.kind == SymbolKind::Undefined && !s.referenced;
    needed.set(id, s.strongReference ||
                       (s.file != kNone && (s.referenced || operand)));
  });
}

void findDefinitions(const PartialLink &partial, ScriptRun &run,
                     NameKnowledge &names) {
  const SymbolTable &symbols = partial.program.symbols;
  IdSet<SymbolId> needed(symbols.size());
  findInFiles(partial.program, names.given, needed);
  std::vector<const AssignmentCommand *> assignments;
  partial.placement.forEachAssignment([&](const AssignmentCommand &a) {
    if (a.isDot())
      return;
    assignments.push_back(&a);
    if (a.provide)
      return;
    const SymbolId id = symbols.find(a.name);
    if (run.read(a).itself && !names.given.contains(id))
      return;
    names.given.insert(id);
    run.noteAssigned(a.name);
  });
  // Names that this walk has read count when the rounds read them.
  names.needed = std::move(needed);
  followProvides(partial.program, assignments, names);
}

} // namespace xlink
