//===- CallGraph.cpp - functions, calls and statements of a program -------===//
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
// A number that a result symbol gives may depend on an undefined symbol: the
// chain of expressions leads to it; every link of it is followed once.
//
// Compilers of C state no calls but only a sum over all of them, with its
// formula. The symbols in that are callees, and give the function's own part of
// the sum. Uses of globals are not followed there.
//
// Cost: linear in statements and calls; a formula that is no function's sum is
// read for each function that leads to it.
//
//===----------------------------------------------------------------------===//
#include "report/CallGraph.h"

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

CallGraph::CallGraph(const Link &link, const SymbolValues &values)
    : link(link), values(values) {
  for (FileId f : link.program.files.ids())
    for (const ExprEntry &entry : link.program.files[f].object->expressions)
      read(f, entry);
  if (link.program.entrySymbol != kNone)
    if (const BoundSymbol s = link.symbol(link.program.entrySymbol);
        s.file != kNone && !s.scriptDefined)
      entry = nodeOf(s.file, s.index);
}

void CallGraph::settle() {
  calls = Digraph(symbols.size(), stated);
  groups = calls.components();
  readFormulas();
  callsOfSums = Digraph(symbols.size(), stated);
  groupsOfSums = callsOfSums.components();
  stated = {};
  for (Node caller = 0; caller < symbols.size(); ++caller)
    for (Node node : callees(caller)) {
      Symbol &callee = symbols[node];
      callee.called |= node != caller;
      if (callee.owner == kNone)
        callee.owner = caller;
    }
  findUnresolved();
}

CallGraph CallGraph::ofStatements(const Link &link,
                                  const SymbolValues &values) {
  CallGraph graph(link, values);
  graph.readTotals();
  graph.settle();
  return graph;
}

std::optional<uint64_t> CallGraph::Symbol::implied(Resource resource) const {
  auto isStatedValue = [](const StatedValue &value) {
    return value.kind != StatedValue::Nothing;
  };
  if (isStatement || isAlias ||
      (defined && resource != Resource::StackWords &&
       (any_of(own, isStatedValue) || any_of(total, isStatedValue))))
    return resource == Resource::Threads ? 1 : 0;
  return std::nullopt;
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

std::string CallGraph::nameOf(Node node, bool shown) const {
  const Symbol &s = symbols[node];
  if (!s.visible.empty())
    return shown ? printable(s.visible) : s.visible.str();
  if (isUnnamed(node)) {
    constexpr size_t kMostCallees = 3;
    std::string text = "a statement of " + nameOf(s.owner, shown);
    const ArrayRef<Node> called = callees(node);
    for (size_t i = 0; i < std::min(called.size(), kMostCallees); ++i)
      if (!symbols[called[i]].isStatement)
        text += (i ? ", " : " that calls ") + nameOf(called[i], shown);
    return text + (called.size() > kMostCallees ? " ..." : "");
  }
  if (!s.name.empty())
    return shown ? link.program.shownName(s.name) : s.name.str();
  return "symbol " + std::to_string(s.index) + " of " +
         link.program.fileName(s.file);
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

/// Reads a number that an entry gives a function. It is the need with all its
/// callees where the entry names the result symbol, as "f.nstackwords" is of
/// "f": the vendor's compilers state that number.
void CallGraph::readResource(Node function, Resource resource, FileId file,
                             const ExprEntry &entry) {
  const ExprOperand &operand = entry.operands[0];
  const ArrayRef<ParsedSymbol> names = link.program.files[file].object->symbols;
  StatedValue given;
  if (operand.kind == ExprOperand::String)
    return;
  if (operand.kind == ExprOperand::Constant) {
    given.kind = StatedValue::Value;
    given.value = operand.value;
  } else {
    given = valueOf(file, operand.value);
    StringRef suffix = names[operand.value].name;
    if (operand.value != 0 && suffix.consume_front(names[entry.result].name) &&
        any_of(link.program.target->resourceSymbols,
               [&](const ResourceSymbol &r) {
                 return r.resource == resource && suffix == r.suffix;
               })) {
      symbols[function].total[size_t(resource)] = given;
      return;
    }
  }
  // The most that is stated; an unknown number may be more than that.
  StatedValue &value = symbols[function].own[size_t(resource)];
  if (value.kind == StatedValue::Nothing ||
      (value.kind == StatedValue::Value &&
       (given.kind == StatedValue::Unresolved || given.value > value.value)))
    value = given;
}

void CallGraph::read(FileId file, const ExprEntry &entry) {
  const ExprOp op = entry.meaning;
  if (assigns(op) && isHeard(file, entry.result))
    formulas[link.program.symbolKey(file, entry.result)] = {file, &entry};
  if (op < ExprOp::Calls || op > ExprOp::VisibleName || entry.result == 0 ||
      !isHeard(file, entry.result))
    return;
  const ExprOperand &first = entry.operands[0], &second = entry.operands[1];
  const Node function = nodeOf(file, entry.result);
  if (op == ExprOp::Calls || op == ExprOp::StackWords)
    symbols[function].isStated = true;
  // These stand in the order of Resource.
  if (op >= ExprOp::StackWords && op <= ExprOp::ChannelEnds)
    return readResource(function,
                        Resource(unsigned(op) - unsigned(ExprOp::StackWords)),
                        file, entry);
  if (op == ExprOp::VisibleName) {
    for (const ExprOperand &operand : {first, second})
      if (operand.kind == ExprOperand::String && !operand.string.empty())
        symbols[function].visible = operand.string;
    return;
  }
  if (first.kind != ExprOperand::Symbol || first.value == 0)
    return;
  const Node other = nodeOf(file, first.value);
  if (op == ExprOp::Calls)
    addCall(function, other);
  else if (op == ExprOp::Parallel)
    parallels.push_back({function, other, {file, &second}});
  else
    accesses.push_back({function, other, op, {file, &second}});
}

//===----------------------------------------------------------------------===//
// Result symbols
//===----------------------------------------------------------------------===//

void CallGraph::readTotals() {
  ArrayRef<ResourceSymbol> suffixes = link.program.target->resourceSymbols;
  DenseMap<std::pair<FileId, StringRef>, uint32_t> locals; // results
  for (FileId f : link.program.files.ids()) {
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
      const SymbolId id = link.program.symbols.find(name);
      if (id == kNone)
        continue;
      const BoundSymbol result = link.symbol(id);
      if (result.kind == SymbolKind::Absolute && result.file != kNone &&
          !result.scriptDefined)
        s.total[size_t(r.resource)] = valueOf(result.file, result.index);
    }
    s.isStated |=
        s.total[size_t(Resource::StackWords)].kind != StatedValue::Nothing;
  }
}

/// Of each set of a call through a pointer, the element with the largest sum.
DenseMap<uint64_t, CallGraph::Node>
CallGraph::largestElements(const DenseMap<uint64_t, Node> &functions) const {
  DenseMap<uint64_t, Node> largest;
  auto words = [&](Node node) {
    return symbols[node].total[size_t(Resource::StackWords)].value;
  };
  for (FileId f : link.program.files.ids())
    for (const ExprEntry &entry : link.program.files[f].object->expressions) {
      const ExprOperand &first = entry.operands[0], &second = entry.operands[1];
      if (entry.meaning != ExprOp::Element ||
          first.kind != ExprOperand::Symbol ||
          (second.kind == ExprOperand::Symbol &&
           valueOf(f, second.value).kind != StatedValue::Value))
        continue;
      const auto element =
          functions.find(link.program.symbolKey(f, first.value));
      if (element == functions.end())
        continue;
      Node &most = largest
                       .try_emplace(link.program.symbolKey(f, entry.result),
                                    element->second)
                       .first->second;
      if (words(element->second) > words(most))
        most = element->second;
    }
  return largest;
}

/// The sum of a function is made of its callees': the symbols in the formula
/// "f.nstackwords = max(g.nstackwords, h.nstackwords) + 10" are callees of f.
void CallGraph::readFormulas() {
  constexpr size_t words = size_t(Resource::StackWords);
  DenseMap<uint64_t, Node> functions; // by the symbol of the sum
  for (Node node = 0; node < symbols.size(); ++node)
    if (const StatedValue &sum = symbols[node].total[words];
        sum.kind == StatedValue::Value)
      functions.try_emplace(sum.key, node);
  if (functions.empty())
    return;
  // A set stands for its largest element.
  DenseMap<uint64_t, Node> callees = largestElements(functions);
  for (auto [key, node] : functions)
    callees.try_emplace(key, node);
  for (Node node = 0; node < symbols.size(); ++node) {
    const StatedValue &sum = symbols[node].total[words];
    if (sum.kind != StatedValue::Value ||
        symbols[node].own[words].kind != StatedValue::Nothing)
      continue;
    std::vector<uint64_t> open = {sum.key};
    DenseSet<uint64_t> seen = {sum.key};
    while (!open.empty()) {
      const auto formula = formulas.find(open.back());
      open.pop_back();
      if (formula == formulas.end())
        continue;
      for (const ExprOperand &operand : formula->second.entry->operands) {
        if (operand.kind != ExprOperand::Symbol)
          continue;
        const uint64_t key =
            link.program.symbolKey(formula->second.file, operand.value);
        if (!seen.insert(key).second)
          continue;
        if (const auto it = callees.find(key); it != callees.end())
          addCall(node, it->second);
        else
          open.push_back(key);
      }
    }
  }
}

/// Replaces the symbol of each unresolved number by the undefined one that it
/// depends on.
void CallGraph::findUnresolved() {
  auto isUnresolved = [](const StatedValue &value) {
    return value.kind == StatedValue::Unresolved && !value.recursive;
  };
  DenseMap<uint64_t, StringRef> leaves;
  auto leafOf = [&](uint64_t key, StringRef name) {
    std::vector<uint64_t> chain;
    while (leaves.try_emplace(key, name).second) { // once, if it is circular
      chain.push_back(key);
      const auto it = formulas.find(key);
      if (it == formulas.end())
        break;
      const FileId f = it->second.file;
      const ExprEntry *const entry = it->second.entry;
      const auto *next =
          find_if(ArrayRef(entry->operands).take_front(2),
                  [&](const ExprOperand &operand) {
                    return operand.kind == ExprOperand::Symbol &&
                           isUnresolved(valueOf(f, operand.value));
                  });
      if (next == entry->operands + 2)
        break;
      key = link.program.symbolKey(f, next->value);
      name = link.program.files[f].object->symbols[next->value].name;
    }
    name = leaves[key];
    for (uint64_t passed : chain)
      leaves[passed] = name;
    return name;
  };
  for (Symbol &s : symbols)
    for (auto *list : {&s.own, &s.total})
      for (StatedValue &value : *list)
        if (isUnresolved(value))
          value.symbol = leafOf(value.key, value.symbol);
}

} // namespace xlink
