//===- ObjectChecks.cpp - contradictions that objects state
//------------------===//
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
#include "input/TypeString.h"
#include "report/CallGraph.h"
#include "report/Reports.h"

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

//===----------------------------------------------------------------------===//
// The types that objects state
//
// Problem: objects that were compiled against different headers link without a
// word and fail at run time. Compilers state the type of each symbol in every
// object that defines or uses it, so that the linker can compare.
//
// Method: the definition's type counts, or the first where the definition has
// none. Every other spelling of it is decoded and compared once. Equal strings,
// which nearly all are, cost one look into a hash table.
//
// Cost: linear in the strings.
//
//===----------------------------------------------------------------------===//

/// So many contradictions are described, the others counted.
static constexpr unsigned kMostTypeConflicts = 100;
/// Longer declarations are cut off in messages.
static constexpr size_t kMostText = 2000;

namespace {

/// A stated type, decoded.
struct StatedType {
  FileId file;
  const TypeEntry *entry;
  TypeString::Fault fault = {};
  std::optional<TypeString> type = TypeString::parse(entry->type, fault);

  std::string faultText() const {
    return "malformed at offset " + std::to_string(fault.offset) + ": " +
           fault.text;
  }
  std::string text() const {
    return printable(type ? type->declare(entry->name)
                          : entry->name.str() + ": \"" + entry->type.str() +
                                "\"");
  }
  /// "a.o: int f(int)"
  std::string note(const Program &program) const {
    std::string words = text();
    if (words.size() > kMostText)
      words = words.substr(0, kMostText) + " ...";
    return program.fileName(file) + ": " + words +
           (type ? "" : " (" + faultText() + ")");
  }
};

} // namespace

template <typename Fn> static void forEachType(const Program &program, Fn fn) {
  for (FileId f : program.files.ids())
    for (const TypeEntry &entry : program.files[f].object->types)
      fn(f, entry);
}

/// Warns of two types of one symbol.
static void reportTypes(const Program &program, SymbolId id,
                        const StatedType &first, const StatedType &second,
                        Diagnostics &diag) {
  // Mixed C and XC, and old prototypes, differ without being wrong: a group of
  // their own can be disabled.
  const bool both = first.type && second.type;
  const bool agree = both && first.type->agrees(*second.type);
  std::vector<std::string> notes = {first.note(program), second.note(program)};
  if (both && first.type->differsInBounds(*second.type))
    notes.push_back("an array's bound is passed with it by one, not by the "
                    "other");
  const std::string name = program.shownName(program.symbols[id].name);
  if (agree)
    diag.warn(WarningGroup::TypeSpelling,
              "objects state the type of '" + name + "' in different ways",
              std::move(notes));
  else
    diag.warn(WarningGroup::Types,
              "objects state different types for '" + name + "'",
              std::move(notes));
}

void checkTypes(const Program &program, Diagnostics &diag) {
  DenseMap<SymbolId, SymbolId> functions; // by the code in their place
  for (const Thunk &thunk : program.thunks)
    functions[thunk.symbol] = thunk.callee;
  auto globalOf = [&](FileId file, const TypeEntry &entry) -> SymbolId {
    if (entry.symbol == 0)
      return kNone;
    const SymbolId id =
        program.symbolIds[program.files[file].symbolBase + entry.symbol];
    const auto it = functions.find(id);
    return it == functions.end() ? id : it->second;
  };
  // The type that counts for each symbol: of its definition or the first.
  DenseMap<SymbolId, std::pair<FileId, const TypeEntry *>> references;
  DenseSet<SymbolId> defined;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    const SymbolId id = globalOf(file, entry);
    if (id == kNone)
      return;
    const auto it = references.try_emplace(id, std::pair(file, &entry)).first;
    const Symbol &symbol = program.symbols[id];
    if (symbol.file == file && symbol.isDefined() && defined.insert(id).second)
      it->second = {file, &entry};
  });
  DenseMap<SymbolId, StatedType> decoded;
  DenseSet<std::pair<SymbolId, StringRef>> seen;
  uint64_t conflicts = 0;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    const SymbolId id = globalOf(file, entry);
    if (id == kNone)
      return;
    const auto [from, reference] = references.find(id)->second;
    if (entry.type == reference->type || !seen.insert({id, entry.type}).second)
      return;
    const StatedType &first =
        decoded.try_emplace(id, StatedType{from, reference}).first->second;
    const StatedType second{file, &entry};
    // C and XC have different words for one thing, and callers that pass
    // another number of arguments get code between them and the function.
    if (first.type && second.type && first.type->saysTheSame(*second.type))
      return;
    if (conflicts++ < kMostTypeConflicts)
      reportTypes(program, id, first, second, diag);
  });
  if (conflicts > kMostTypeConflicts)
    diag.warn(WarningGroup::Types,
              countOf(conflicts - kMostTypeConflicts, "more type that differs",
                      "more types that differ"));
}

std::string typesText(const Program &program, Diagnostics &diag) {
  std::string text;
  forEachType(program, [&](FileId file, const TypeEntry &entry) {
    const StatedType stated{file, &entry};
    text += program.fileName(file) + ": " + stated.text() + "\n";
    if (!stated.type)
      diag.warn(WarningGroup::Types,
                program.fileName(file) + ":(" + entry.section.str() +
                    "): entry " + std::to_string(entry.entry) +
                    ": the type of '" + program.shownName(entry.name) +
                    "' is " + stated.faultText());
  });
  return text;
}

} // namespace xlink
