//===- ParallelUsage.cpp - globals that parallel functions share ----------===//
//
// Problem: for every pair of functions that may run in parallel, the globals
// that one of them writes and the other uses, through any chain of calls.
//
// Method: one walk over the components of the call graph from each function of
// a pair notes, for each global, the first statement that writes and the first
// that uses it. A component's statements come before those of its callees, and
// callees in the order of the calls.
//
// Cost: functions, calls and accesses, for each function of a pair; globals,
// for each pair.
//
//===----------------------------------------------------------------------===//
#include "base/Grouped.h"
#include "report/CallGraph.h"
#include "report/Reports.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

using Node = CallGraph::Node;
using Access = CallGraph::Access;

/// So many conflicts are described, the others counted.
constexpr unsigned kMostConflicts = 100;

/// The first statements that a function or its callees use or write a global.
struct GlobalUse {
  const Access *use = nullptr, *write = nullptr;
};
using GlobalUses = DenseMap<Node, GlobalUse>;

/// Accesses to globals by component of the call graph.
using Accesses = Grouped<const Access *>;

} // namespace

static GlobalUses usesOf(const CallGraph &graph, const Accesses &accesses,
                         Node root) {
  const Digraph::Components &groups = graph.groups;
  GlobalUses uses;
  std::vector<bool> seen(groups.size());
  std::vector<uint32_t> open = {groups.of[root]}; // the next one last
  auto note = [&](const Access &access) {
    GlobalUse &use = uses[access.global];
    if (!use.use)
      use.use = &access;
    if (!use.write && access.kind == ExprOp::Writes)
      use.write = &access;
  };
  // The function's own come first, also in a circle.
  for (const Access *access : accesses.of(open.front()))
    if (access->function == root)
      note(*access);
  while (!open.empty()) {
    const uint32_t group = open.back();
    open.pop_back();
    if (seen[group])
      continue;
    seen[group] = true;
    for (const Access *access : accesses.of(group))
      note(*access);
    const size_t first = open.size();
    for (Node node : groups.members[group])
      for (Node callee : graph.callees(node))
        open.push_back(groups.of[callee]);
    std::reverse(open.begin() + first, open.end());
  }
  return uses;
}

/// Adds the source line of a statement behind `intro`; the text that compilers
/// write below a line follows as lines of its own.
static void addLines(const Program &program, std::vector<std::string> &notes,
                     std::string intro, const CallGraph::Source &source,
                     const std::string &global) {
  const ExprOperand &operand = *source.operand;
  const std::string file = program.fileName(source.file);
  if (operand.kind == ExprOperand::Constant)
    return notes.push_back(intro + "line " + std::to_string(operand.value) +
                           " (" + file + ")");
  if (operand.kind != ExprOperand::String || operand.string.trim().empty())
    return notes.push_back(intro + file);
  SmallVector<StringRef, 4> parts;
  operand.string.rtrim().split(parts, '\n');
  for (StringRef part : parts) {
    // Compilers leave a place for the global's name.
    const auto [before, after] = part.split("%s");
    notes.push_back(std::exchange(intro, "") + before.str() +
                    (before.size() == part.size() ? "" : global + after.str()));
  }
}

/// Reports that both functions of a pair use a global, and one writes it.
static void report(const Program &program, const CallGraph &graph,
                   const CallGraph::Parallel &pair, const GlobalUse &first,
                   const GlobalUse &second, Diagnostics &diag) {
  const bool swapped = !first.write, alone = pair.first == pair.second;
  const Node writer = swapped ? pair.second : pair.first,
             other = swapped ? pair.first : pair.second;
  const GlobalUse &others = swapped ? first : second;
  const Access &write = swapped ? *second.write : *first.write;
  const Access &use = others.write ? *others.write : *others.use;
  const std::string global = graph.nameOf(write.global);
  const std::string writes = graph.quoted(writer) + " writes";
  const std::string uses =
      graph.quoted(other) + (use.kind == ExprOp::Writes  ? " writes"
                             : use.kind == ExprOp::Reads ? " reads"
                                                         : " is passed");
  auto place = [&](Node root, const Access &access) {
    return access.function == root
               ? " it: "
               : " it in " + graph.quoted(access.function) + ": ";
  };
  std::vector<std::string> notes;
  addLines(program, notes, writes + place(writer, write), write.source, global);
  if (!alone)
    addLines(program, notes, uses + place(other, use), use.source, global);
  addLines(program, notes, "in parallel: ", pair.source, global);
  diag.warnOrError(
      program.config.errorParallelUsage, WarningGroup::ParallelUsage,
      alone ? graph.quoted(writer) +
                  " may run in parallel with itself and writes '" + global + "'"
            : graph.quoted(pair.first) + " and " + graph.quoted(pair.second) +
                  " may run in parallel: " + writes + " '" + global + "' and " +
                  uses + " it",
      std::move(notes));
}

void checkParallelUsage(const Link &link, const SymbolValues &values,
                        Diagnostics &diag) {
  if (none_of(link.program.files, [](const InputFile &file) {
        return any_of(file.object->expressions, [](const ExprEntry &entry) {
          return entry.meaning == ExprOp::Parallel;
        });
      }))
    return;
  const CallGraph graph = CallGraph::ofStatements(link, values);
  const Accesses accesses(graph.groups.size(), [&](auto fn) {
    for (const Access &access : graph.accesses)
      fn(graph.groups.of[access.function], &access);
  });
  DenseMap<Node, GlobalUses> uses;
  for (const CallGraph::Parallel &pair : graph.parallels)
    for (Node root : {pair.first, pair.second})
      if (!uses.contains(root))
        uses[root] = usesOf(graph, accesses, root);
  SetVector<Node> globals;
  for (const Access &access : graph.accesses)
    globals.insert(access.global);
  // Each pair once, with the first statement about it.
  DenseSet<std::pair<Node, Node>> seen;
  uint64_t conflicts = 0;
  for (const CallGraph::Parallel &pair : graph.parallels) {
    if (!seen.insert(std::minmax(pair.first, pair.second)).second)
      continue;
    const GlobalUses &first = uses[pair.first], &second = uses[pair.second];
    for (Node global : globals) {
      const GlobalUse a = first.lookup(global), b = second.lookup(global);
      if (((a.write && b.use) || (a.use && b.write)) &&
          conflicts++ < kMostConflicts)
        report(link.program, graph, pair, a, b, diag);
    }
  }
  if (conflicts > kMostConflicts)
    diag.warnOrError(
        link.program.config.errorParallelUsage, WarningGroup::ParallelUsage,
        countOf(conflicts - kMostConflicts, "more conflict", "more conflicts") +
            " of functions that may run in parallel");
}

} // namespace xlink
