//===- CallGraph.cpp - what objects state about their functions -----------===//
//
// Problem: statements about functions are scattered over all inputs, and name
// functions and globals by symbols that may be local, undefined or defined
// twice. Reports want one graph; programs have hundreds of thousands of
// functions.
//
// Method: one node for each symbol that a statement names, found through a hash
// of its global id or its place among the locals. Other sources of functions
// and calls, such as relocations, add to the same nodes.
//
// A number that a result symbol gives may depend on something undefined. Which,
// the chain of expressions tells; every link of it is followed once.
//
// Compilers of C state no calls but only a sum over all of them, with its
// formula. What that names are callees, and tells what of the sum is the
// function's own. Uses of globals are not followed there.
//
// Cost: linear in statements and calls; what several formulas share and is no
// function's sum is read for each of them.
//
//===----------------------------------------------------------------------===//
#include "report/CallGraph.h"
#include "base/Diagnostics.h"
#include "report/StackSources.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

CallGraph::CallGraph(const Link &link, const SymbolValues &values,
                     StackSources *more)
    : link(link), values(values) {
  for (FileId f : link.program.files.ids())
    for (const ExprEntry &entry : link.program.files[f].object->expressions)
      read(f, entry);
  if (link.program.entrySymbol != kNone)
    if (const BoundSymbol s = link.symbol(link.program.entrySymbol);
        s.file != kNone && !s.scriptDefined)
      entryNode = nodeOf(s.file, s.index);

  if (more)
    more->addFunctions();
  readTotals();
  if (more)
    more->addCalls();
  edges = Digraph(symbols.size(), stated);
  readFormulas();
  stated = {};
  for (Node caller = 0; caller < symbols.size(); ++caller)
    for (Node callee : edges.callees(caller))
      if (symbols[callee].owner == kNone)
        symbols[callee].owner = caller;
  findUnresolved();
}

CallGraph::Node CallGraph::nodeOf(FileId file, uint32_t symbol) {
  const uint32_t slot = link.program.files[file].symbolBase + symbol;
  return nodeOfKey(link.program.symbolKey(file, symbol), file, symbol,
                   link.program.symbolIds[slot]);
}

CallGraph::Node CallGraph::addDefinition(FileId file, uint32_t symbol) {
  const uint32_t slot = link.program.files[file].symbolBase + symbol;
  const SymbolId id = link.program.symbolIds[slot];
  if (id == kNone || (link.program.symbols[id].file == file &&
                      link.program.symbols[id].index == symbol))
    return nodeOf(file, symbol);
  // The name means something else; the function is there all the same.
  return nodeOfKey(Program::kLocalKey | slot, file, symbol, kNone);
}

CallGraph::Node CallGraph::nodeOfKey(uint64_t key, FileId file, uint32_t symbol,
                                     SymbolId id) {
  auto [it, isNew] = byKey.try_emplace(key, Node(symbols.size()));
  if (!isNew)
    return it->second;
  const InputFile &input = link.program.files[file];
  Symbol &s = symbols.emplace_back();
  s.file = file;
  s.index = symbol;
  s.id = id;
  const ParsedSymbol &parsed = input.object->symbols[symbol];
  s.name = id != kNone ? link.program.symbols[id].name : parsed.name;
  s.defined = id != kNone ? link.symbol(id).isDefined()
                          : parsed.place != SymbolPlace::Undefined;
  s.isStatement = id == kNone && parsed.place == SymbolPlace::Absolute;
  return it->second;
}

CallGraph::Node CallGraph::addSet() {
  Symbol &set = symbols.emplace_back();
  set.defined = set.isSet = set.isAlias = true;
  return Node(symbols.size() - 1);
}

/// A statement whose compiler's name means nothing to users.
bool CallGraph::isUnnamed(Node node) const {
  const Symbol &s = symbols[node];
  return s.visible.empty() && s.isStatement && s.owner != kNone &&
         !symbols[s.owner].isStatement;
}

std::string CallGraph::nameOf(Node node, Reader reader) const {
  const Symbol &s = symbols[node];
  if (!s.visible.empty())
    return reader == Reader::Person ? printable(s.visible) : s.visible.str();
  if (isUnnamed(node)) {
    constexpr size_t kMostCallees = 3;
    std::string text = "a statement of " + nameOf(s.owner, reader);
    ArrayRef<Node> called = callees(node);
    for (size_t i = 0; i < std::min(called.size(), kMostCallees); ++i)
      if (!symbols[called[i]].isStatement)
        text += (i ? ", " : " that calls ") + nameOf(called[i], reader);
    return text + (called.size() > kMostCallees ? " ..." : "");
  }
  if (!s.name.empty())
    return reader == Reader::Person ? link.program.shownName(s.name)
                                    : s.name.str();
  return "symbol " + std::to_string(s.index) + " of " +
         link.program.fileName(s.file);
}

/// Whether a file may speak about a function: not when the definition that it
/// speaks of lost against another one.
bool CallGraph::isHeard(FileId file, uint32_t symbol) const {
  const InputFile &input = link.program.files[file];
  SymbolId id = link.program.symbolIds[input.symbolBase + symbol];
  return id == kNone ||
         input.object->symbols[symbol].place == SymbolPlace::Undefined ||
         link.program.symbols[id].file == file;
}

StatedValue CallGraph::valueOf(FileId file, uint32_t symbol) const {
  const InputFile &input = link.program.files[file];
  const uint32_t slot = input.symbolBase + symbol;
  StatedValue stated;
  stated.kind = values.kind[slot] == ValueKind::Normal
                    ? StatedValue::Value
                    : StatedValue::Unresolved;
  stated.recursive = values.kind[slot] == ValueKind::Recursive;
  stated.value = uint32_t(values.address[slot]);
  stated.key = link.program.symbolKey(file, symbol);
  stated.symbol = input.object->symbols[symbol].name;
  return stated;
}

void CallGraph::state(StatedValue &value, FileId file,
                      const ExprOperand &operand) {
  StatedValue stated;
  if (operand.kind == ExprOperand::String)
    return;
  if (operand.kind == ExprOperand::Constant) {
    stated.kind = StatedValue::Value;
    stated.value = operand.value;
  } else {
    stated = valueOf(file, operand.value);
  }
  // The most that anybody says; an unknown number may be more than that.
  if (value.kind == StatedValue::Nothing ||
      (value.kind == StatedValue::Value &&
       (stated.kind == StatedValue::Unresolved || stated.value > value.value)))
    value = stated;
}

/// Whether `symbol` is where the function's need with all its callees stands,
/// as "f.nstackwords" is of "f": the vendor's compilers state that number.
bool CallGraph::isResultSymbol(FileId file, uint32_t function, uint32_t symbol,
                               Resource resource) const {
  ArrayRef<ParsedSymbol> symbols = link.program.files[file].object->symbols;
  StringRef suffix = symbols[symbol].name;
  return suffix.consume_front(symbols[function].name) &&
         any_of(link.program.target->resourceSymbols,
                [&](const ResourceSymbol &r) {
                  return r.resource == resource && suffix == r.suffix;
                });
}

void CallGraph::read(FileId file, const ExprEntry &entry) {
  const ExprOp op = entry.meaning;
  if (op < ExprOp::Calls || op > ExprOp::VisibleName || entry.result == 0 ||
      !isHeard(file, entry.result))
    return;
  const ExprOperand &first = entry.operands[0], &second = entry.operands[1];
  bool namesSymbol = first.kind == ExprOperand::Symbol && first.value != 0;
  Node function = nodeOf(file, entry.result);
  if (op == ExprOp::Calls || op == ExprOp::StackWords)
    symbols[function].isStated = true;
  auto resource = [&](Resource r) {
    if (namesSymbol && isResultSymbol(file, entry.result, first.value, r))
      symbols[function].total[size_t(r)] = valueOf(file, first.value);
    else
      state(symbols[function].own[size_t(r)], file, first);
  };
  switch (op) {
  case ExprOp::Calls:
    if (namesSymbol)
      addCall(function, nodeOf(file, first.value));
    break;
  case ExprOp::Passed:
  case ExprOp::Reads:
  case ExprOp::Writes:
    if (namesSymbol)
      accessList.push_back(
          {function, nodeOf(file, first.value), op, {file, &second}});
    break;
  case ExprOp::Parallel:
    if (namesSymbol)
      parallelList.push_back(
          {function, nodeOf(file, first.value), {file, &second}});
    break;
  case ExprOp::StackWords:
    resource(Resource::StackWords);
    break;
  case ExprOp::Threads:
    resource(Resource::Threads);
    break;
  case ExprOp::Timers:
    resource(Resource::Timers);
    break;
  case ExprOp::ChannelEnds:
    resource(Resource::ChannelEnds);
    break;
  case ExprOp::VisibleName:
    for (const ExprOperand &operand : {second, first})
      if (operand.kind == ExprOperand::String && !operand.string.empty()) {
        symbols[function].visible = operand.string;
        break;
      }
    break;
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// What result symbols say
//===----------------------------------------------------------------------===//

void CallGraph::readTotals() {
  ArrayRef<ResourceSymbol> suffixes = link.program.target->resourceSymbols;
  if (suffixes.empty())
    return;
  // Local results of the files that state something about local functions.
  DenseMap<std::pair<FileId, StringRef>, uint32_t> locals;
  IdVector<FileId, bool> wanted(link.program.files.size());
  for (const Symbol &s : symbols)
    if (s.id == kNone)
      wanted[s.file] = true;
  for (FileId f : link.program.files.ids()) {
    if (!wanted[f])
      continue;
    const InputFile &file = link.program.files[f];
    for (uint32_t i = 1; i < file.object->symbols.size(); ++i) {
      const ParsedSymbol &s = file.object->symbols[i];
      if (s.place == SymbolPlace::Absolute &&
          link.program.symbolIds[file.symbolBase + i] == kNone &&
          any_of(suffixes, [&](const ResourceSymbol &r) {
            return s.name.ends_with(r.suffix);
          }))
        locals.try_emplace({f, s.name}, i);
    }
  }
  for (Symbol &s : symbols) {
    for (const ResourceSymbol &r : suffixes) {
      if (s.total[size_t(r.resource)].kind != StatedValue::Nothing ||
          s.name.empty())
        continue;
      std::string name = s.name.str() + r.suffix;
      if (s.id == kNone) {
        if (auto it = locals.find({s.file, name}); it != locals.end())
          s.total[size_t(r.resource)] = valueOf(s.file, it->second);
        continue;
      }
      SymbolId id = link.program.symbols.find(name);
      if (id != kNone && link.symbol(id).kind == SymbolKind::Absolute &&
          link.program.symbols[id].file != kNone &&
          !link.symbol(id).scriptDefined)
        s.total[size_t(r.resource)] = valueOf(link.program.symbols[id].file,
                                              link.program.symbols[id].index);
    }
  }
}

/// The assignments to symbols, by symbolKey().
const DenseMap<uint64_t, CallGraph::Formula> &CallGraph::formulas() {
  if (formulaMap.empty())
    for (FileId f : link.program.files.ids())
      for (const ExprEntry &entry : link.program.files[f].object->expressions)
        if (assigns(entry.meaning) && isHeard(f, entry.result))
          formulaMap[link.program.symbolKey(f, entry.result)] = {f, &entry};
  return formulaMap;
}

/// The sum of a function is made of its callees': what the formula of
/// "f.nstackwords = max(g.nstackwords, h.nstackwords) + 10" names, f calls. Of
/// a set, which stands for a call through a pointer, the largest element is it.
void CallGraph::readFormulas() {
  constexpr size_t words = size_t(Resource::StackWords);
  DenseMap<uint64_t, Node> functions; // by the symbol of the sum
  for (Node node = 0; node < symbols.size(); ++node)
    if (const StatedValue &sum = symbols[node].total[words];
        sum.kind == StatedValue::Value)
      functions.try_emplace(sum.key, node);
  if (functions.empty())
    return;
  DenseMap<uint64_t, Node> largest; // by set
  for (FileId f : link.program.files.ids())
    for (const ExprEntry &entry : link.program.files[f].object->expressions) {
      const uint64_t key = link.program.symbolKey(f, entry.result);
      if (entry.meaning != ExprOp::Element ||
          entry.operands[0].kind != ExprOperand::Symbol ||
          (entry.operands[1].kind == ExprOperand::Symbol &&
           valueOf(f, entry.operands[1].value).kind != StatedValue::Value))
        continue;
      const auto element =
          functions.find(link.program.symbolKey(f, entry.operands[0].value));
      if (element == functions.end())
        continue;
      Node &most = largest.try_emplace(key, element->second).first->second;
      if (symbols[element->second].total[words].value >
          symbols[most].total[words].value)
        most = element->second;
    }

  const size_t count = stated.size();
  for (Node node = 0; node < symbols.size(); ++node) {
    const StatedValue &sum = symbols[node].total[words];
    if (sum.kind != StatedValue::Value ||
        symbols[node].own[words].kind != StatedValue::Nothing)
      continue;
    std::vector<uint64_t> open = {sum.key};
    DenseSet<uint64_t> seen = {sum.key};
    while (!open.empty()) {
      const auto formula = formulas().find(open.back());
      open.pop_back();
      if (formula == formulas().end())
        continue;
      for (const ExprOperand &operand : formula->second.entry->operands) {
        if (operand.kind != ExprOperand::Symbol)
          continue;
        const uint64_t key =
            link.program.symbolKey(formula->second.file, operand.value);
        if (!seen.insert(key).second)
          continue;
        if (const auto it = largest.find(key); it != largest.end())
          addCall(node, it->second);
        else if (const auto it = functions.find(key); it != functions.end())
          addCall(node, it->second);
        else
          open.push_back(key);
      }
    }
  }
  if (stated.size() != count)
    sumEdges = Digraph(symbols.size(), stated);
}

/// Replaces the symbol of each unresolved number by the undefined one that it
/// depends on.
void CallGraph::findUnresolved() {
  auto isUnresolved = [](const StatedValue &value) {
    return value.kind == StatedValue::Unresolved && !value.recursive;
  };
  if (none_of(symbols, [&](const Symbol &s) {
        return any_of(s.own, isUnresolved) || any_of(s.total, isUnresolved);
      }))
    return;
  DenseMap<uint64_t, StringRef> leaves;
  auto leafOf = [&](uint64_t key, StringRef name) {
    std::vector<uint64_t> chain;
    while (true) {
      if (auto it = leaves.find(key); it != leaves.end()) {
        name = it->second;
        break;
      }
      auto it = formulas().find(key);
      chain.push_back(key);
      leaves[key] = name; // an end for what depends on itself
      if (it == formulas().end())
        break;
      const Formula &result = it->second;
      const InputFile &file = link.program.files[result.file];
      bool found = false;
      for (unsigned i = 0; i < 2 && !found; ++i) {
        const ExprOperand &operand = result.entry->operands[i];
        if (operand.kind != ExprOperand::Symbol)
          continue;
        uint32_t slot = file.symbolBase + operand.value;
        if (values.kind[slot] == ValueKind::Normal ||
            values.kind[slot] == ValueKind::Recursive)
          continue;
        key = link.program.symbolKey(result.file, operand.value);
        name = file.object->symbols[operand.value].name;
        found = true;
      }
      if (!found)
        break;
    }
    for (uint64_t passed : chain)
      leaves[passed] = name;
    return name;
  };
  for (Symbol &s : symbols)
    for (auto *values : {&s.own, &s.total})
      for (StatedValue &value : *values)
        if (isUnresolved(value))
          value.symbol = leafOf(value.key, value.symbol);
}

} // namespace xlink
