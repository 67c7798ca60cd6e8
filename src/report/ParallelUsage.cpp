//===- ParallelUsage.cpp - globals that parallel functions share ----------===//
//
// Problem: for every pair of functions that may run in parallel, which globals
// does one of them write and the other use, through any chain of calls? The
// sets of globals that each function reaches can be as large as the product of
// functions and globals.
//
// Method: only globals that somebody writes matter. They are taken 64 at a
// time: one word for each strongly connected component of the call graph says
// which of the 64 its functions write, another which they use, and one walk
// over the components, callees first, adds what callees do. A pair conflicts
// where the one's written and the other's used globals meet; while the words
// are there, the statement to blame is found by going down to a callee that has
// the bit, again and again. Components that no pair reaches are left out.
//
// Cost: (functions + calls + pairs) for each 64 written globals; memory linear.
//
//===----------------------------------------------------------------------===//
#include "report/ParallelUsage.h"
#include "report/CallGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

using Node = CallGraph::Node;
using Mask = uint64_t;

/// So many conflicts are described, the others counted.
constexpr unsigned kMostConflicts = 100;

class Checker {
public:
  Checker(const Link &link, const SymbolValues &values, Diagnostics &diag)
      : link(link), diag(diag), graph(link, values),
        groups(graph.calls().components()) {}
  void run();

private:
  struct Words {
    Mask writes = 0, uses = 0;
  };

  void collectPairs();
  void markReachable();
  void collectGlobals();
  void fill(size_t begin, size_t end);
  const CallGraph::Access &blamed(Node root, unsigned bit, bool write) const;
  void report(const CallGraph::Parallel &pair, unsigned bit);
  void say(std::string text, std::vector<std::string> notes);
  std::vector<std::string> lines(const std::string &intro,
                                 const CallGraph::Source &source,
                                 const std::string &global) const;

  const Link &link;
  Diagnostics &diag;
  CallGraph graph;
  Digraph::Components groups;
  std::vector<CallGraph::Parallel> pairs;
  std::vector<bool> reachable; ///< by component
  std::vector<std::vector<const CallGraph::Access *>> globals;
  size_t firstGlobal = 0;             ///< bit 0 of the words
  std::vector<Words> direct, reached; ///< by component
  uint64_t conflicts = 0;
};

} // namespace

/// Each pair once, with the first statement about it.
void Checker::collectPairs() {
  DenseSet<std::pair<Node, Node>> seen;
  for (const CallGraph::Parallel &pair : graph.parallels())
    if (seen.insert(std::minmax(pair.first, pair.second)).second)
      pairs.push_back(pair);
}

void Checker::markReachable() {
  reachable.resize(groups.size());
  auto mark = [&](Node node) { reachable[groups.of[node]] = true; };
  for (const CallGraph::Parallel &pair : pairs) {
    mark(pair.first);
    mark(pair.second);
  }
  for (uint32_t group = uint32_t(groups.size()); group-- > 0;)
    if (reachable[group])
      for (Node node : groups.members(group))
        for (Node callee : graph.callees(node))
          mark(callee);
}

/// What the pairs reach of the globals that are written, in the order of the
/// statements.
void Checker::collectGlobals() {
  auto counts = [&](const CallGraph::Access &access) {
    return reachable[groups.of[access.function]];
  };
  DenseSet<Node> written;
  for (const CallGraph::Access &access : graph.accesses())
    if (access.kind == ExprOp::Writes && counts(access))
      written.insert(access.global);
  DenseMap<Node, size_t> index;
  for (const CallGraph::Access &access : graph.accesses()) {
    if (!written.count(access.global) || !counts(access))
      continue;
    auto [it, isNew] = index.try_emplace(access.global, globals.size());
    if (isNew)
      globals.emplace_back();
    globals[it->second].push_back(&access);
  }
}

void Checker::fill(size_t begin, size_t end) {
  firstGlobal = begin;
  direct.assign(groups.size(), {});
  for (size_t g = begin; g < end; ++g)
    for (const CallGraph::Access *access : globals[g]) {
      Words &words = direct[groups.of[access->function]];
      words.uses |= Mask(1) << (g - begin);
      if (access->kind == ExprOp::Writes)
        words.writes |= Mask(1) << (g - begin);
    }
  reached = direct;
  for (uint32_t group = 0; group < groups.size(); ++group) {
    if (!reachable[group])
      continue;
    Words &words = reached[group];
    for (Node node : groups.members(group))
      for (Node callee : graph.callees(node)) {
        const Words &below = reached[groups.of[callee]];
        words.writes |= below.writes;
        words.uses |= below.uses;
      }
  }
}

/// A statement that a function or something it calls writes or uses a global.
const CallGraph::Access &Checker::blamed(Node root, unsigned bit,
                                         bool write) const {
  auto has = [&](const Words &words) {
    return (write ? words.writes : words.uses) >> bit & 1;
  };
  uint32_t group = groups.of[root];
  while (!has(direct[group])) {
    uint32_t next = group;
    for (Node node : groups.members(group))
      for (Node callee : graph.callees(node))
        if (next == group && groups.of[callee] != group &&
            has(reached[groups.of[callee]]))
          next = groups.of[callee];
    group = next;
  }
  const CallGraph::Access *found = nullptr;
  for (const CallGraph::Access *access : globals[firstGlobal + bit])
    if (groups.of[access->function] == group &&
        (!write || access->kind == ExprOp::Writes) &&
        (!found || (access->function == root && found->function != root)))
      found = access;
  return *found;
}

/// A source line behind `intro`; what compilers write below a line follows as
/// lines of its own.
std::vector<std::string> Checker::lines(const std::string &intro,
                                        const CallGraph::Source &source,
                                        const std::string &global) const {
  const ExprOperand &operand = *source.operand;
  if (operand.kind == ExprOperand::Constant)
    return {intro + "line " + std::to_string(operand.value) + " (" +
            link.program.fileName(source.file) + ")"};
  if (operand.kind != ExprOperand::String || operand.string.trim().empty())
    return {intro + link.program.fileName(source.file)};
  std::vector<std::string> result;
  SmallVector<StringRef, 4> parts;
  operand.string.rtrim().split(parts, '\n');
  for (StringRef part : parts) {
    std::string line = result.empty() ? intro : "";
    // Compilers leave a place for the global's name.
    auto [before, after] = part.split("%s");
    line += before;
    if (before.size() != part.size())
      line += global + after.str();
    result.push_back(std::move(line));
  }
  return result;
}

void Checker::report(const CallGraph::Parallel &pair, unsigned bit) {
  auto has = [&](Node node) {
    return reached[groups.of[node]].writes >> bit & 1;
  };
  Node writer = pair.first, other = pair.second;
  if (!has(writer))
    std::swap(writer, other);
  const bool alone = writer == other, bothWrite = has(other);
  const CallGraph::Access &write = blamed(writer, bit, true);
  const CallGraph::Access &use = blamed(other, bit, bothWrite);
  std::string global = graph.nameOf(write.global);
  auto quoted = [&](Node node) { return graph.quoted(node); };
  const char *verb = use.kind == ExprOp::Writes  ? "writes"
                     : use.kind == ExprOp::Reads ? "reads"
                                                 : "is passed";
  std::string text =
      alone ? quoted(writer) + " may run in parallel with itself and writes '" +
                  global + "'"
            : quoted(pair.first) + " and " + quoted(pair.second) +
                  " may run in parallel: " + quoted(writer) + " writes '" +
                  global + "' and " + quoted(other) + " " + verb + " it";
  std::vector<std::string> notes;
  auto add = [&](const std::string &intro, const CallGraph::Source &source) {
    for (std::string &line : lines(intro, source, global))
      notes.push_back(std::move(line));
  };
  auto place = [&](Node root, const CallGraph::Access &access) {
    return access.function == root ? ": "
                                   : " in " + quoted(access.function) + ": ";
  };
  add(quoted(writer) + " writes it" + place(writer, write), write.source);
  if (!alone)
    add(quoted(other) + " " + verb + " it" + place(other, use), use.source);
  add("in parallel: ", pair.source);
  say(std::move(text), std::move(notes));
}

/// As an error where the user asks for that.
void Checker::say(std::string text, std::vector<std::string> notes) {
  if (link.program.config.errorParallelUsage)
    diag.error(std::move(text), std::move(notes));
  else
    diag.warn(WarningGroup::ParallelUsage, std::move(text), std::move(notes));
}

void Checker::run() {
  collectPairs();
  markReachable();
  collectGlobals();
  for (size_t begin = 0; begin < globals.size(); begin += 64) {
    fill(begin, std::min(begin + 64, globals.size()));
    for (const CallGraph::Parallel &pair : pairs) {
      const Words &a = reached[groups.of[pair.first]];
      const Words &b = reached[groups.of[pair.second]];
      for (Mask both = (a.writes & b.uses) | (a.uses & b.writes); both;
           both &= both - 1)
        if (conflicts++ < kMostConflicts)
          report(pair, unsigned(llvm::countr_zero(both)));
    }
  }
  if (conflicts > kMostConflicts)
    say(countOf(conflicts - kMostConflicts, "more conflict", "more conflicts") +
            " of functions that may run in parallel",
        {});
}

void checkParallelUsage(const Link &link, const SymbolValues &values,
                        Diagnostics &diag) {
  if (any_of(link.program.files, [](const InputFile &file) {
        return any_of(file.object->expressions, [](const ExprEntry &entry) {
          return entry.meaning == ExprOp::Parallel;
        });
      }))
    Checker(link, values, diag).run();
}

} // namespace xlink
