//===- Expressions.cpp ----------------------------------------------------===//
//
// Problem: objects carry arithmetic over symbols that only the linker can do,
// for example the stack a function needs with its callees. Results feed
// relocations, scripts and other objects' expressions; some depend on
// themselves or on undefined symbols.
//
// Method: each assigning entry is a node; its operands that are results too are
// its edges. A set that entries reduce is a node as well, whose operands are
// the set's elements, stated by any object: those of functions that are linked
// count. The strongly connected components come each after everything that it
// depends on. A component of one node without an edge to itself is computed;
// the results of any other depend on each other, as compilers write them for
// functions that call themselves. Where a component only takes the maximum, its
// value is the maximum of the operands from outside: a function that calls
// itself needs no more timers for that. A result that is computed from itself
// alone keeps the number that its object gives the symbol, if there is one: a
// programmer's bound looks like that. All other results of such components have
// no value, nor have results that depend on them or on something undefined,
// however far. They are 0.
//
// Cost: linear in entries and elements for each round of address assignment.
//
//===----------------------------------------------------------------------===//
#include "resolve/Expressions.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Calls fn(file, entry) for all link-time expressions, in command-line order.
template <class Fn> void Expressions::forEachEntry(Fn fn) const {
  for (FileId file : program.files.ids())
    for (const ExprEntry &entry : program.files[file].object->expressions)
      fn(file, entry);
}

/// Whether the result of an entry becomes the value of its symbol: of a name
/// that several objects define, the chosen definition counts.
static bool isResult(const Program &program, FileId file,
                     const ExprEntry &entry) {
  const uint64_t key = program.symbolKey(file, entry.result);
  if (key >= Program::kLocalKey)
    return true;
  const Symbol &s = program.symbols[SymbolId(uint32_t(key))];
  return s.file == file && !s.scriptDefined && s.kind == SymbolKind::Absolute;
}

Expressions::Expressions(Program &program) : program(program) {
  // With -r they are for the link that makes a program.
  if (program.config.relocatable)
    return;
  std::vector<Assertion> assigning;
  forEachEntry([&](FileId file, const ExprEntry &entry) {
    if (entry.meaning == ExprOp::Assert)
      assertions.push_back({file, &entry});
    if (!assigns(entry.meaning) || !isResult(program, file, entry))
      return;
    Node node{entry.meaning};
    node.key = program.symbolKey(file, entry.result);
    node.inObject =
        uint32_t(program.files[file].object->symbols[entry.result].value);
    if (node.key < Program::kLocalKey)
      program.makeAssignable(SymbolId(uint32_t(node.key)));
    byResult[node.key] = entryCount++;
    nodes.push_back(std::move(node));
    assigning.push_back({file, &entry});
  });
  forEachEntry([&](FileId file, const ExprEntry &entry) {
    if (entry.meaning != ExprOp::Element)
      return;
    Operand element = operandOf(file, entry.operands[0]);
    if (entry.operands[1].kind == ExprOperand::Symbol &&
        operandOf(file, entry.operands[1]).node == kNone)
      element.guard = entry.operands[1].value;
    elements[program.symbolKey(file, entry.result)].push_back(element);
  });
  for (uint32_t n = 0; n < entryCount; ++n)
    addOperands(n, assigning[n].file, *assigning[n].entry);
}

Expressions::Operand Expressions::operandOf(FileId file,
                                            const ExprOperand &given) const {
  Operand operand{file, given};
  if (given.kind == ExprOperand::Symbol)
    if (const auto it = byResult.find(program.symbolKey(file, given.value));
        it != byResult.end())
      operand.node = it->second;
  return operand;
}

/// The operands of an entry. The first one of a reduction is the node of a set:
/// one for each set and operator, however many entries reduce it.
void Expressions::addOperands(uint32_t node, FileId file,
                              const ExprEntry &entry) {
  const bool isMax = entry.meaning == ExprOp::SetMax;
  const bool reduces = isMax || entry.meaning == ExprOp::SetSum;
  std::vector<Operand> operands;
  const unsigned count = entry.meaning == ExprOp::Defined  ? 1
                         : entry.meaning == ExprOp::Select ? 3
                                                           : 2;
  for (unsigned i = reduces; i < count; ++i)
    operands.push_back(operandOf(file, entry.operands[i]));
  if (reduces) {
    const ExprOp op = isMax ? ExprOp::Max : ExprOp::Add;
    nodes[node].op = op;
    if (entry.operands[0].kind == ExprOperand::Symbol) {
      const uint64_t key = program.symbolKey(file, entry.operands[0].value);
      auto [it, isNew] =
          sets.try_emplace({key, unsigned(op)}, uint32_t(nodes.size()));
      if (isNew)
        nodes.push_back({op, elements.lookup(key)});
      Operand set{file, {}};
      set.node = it->second;
      operands.insert(operands.begin(), set);
    }
  }
  nodes[node].operands = std::move(operands);
}

/// 32-bit arithmetic; comparison and division are signed. The divisor is not 0.
static uint32_t apply(ExprOp op, uint32_t a, uint32_t b) {
  int32_t x = int32_t(a), y = int32_t(b);
  switch (op) {
  case ExprOp::Add:
    return a + b;
  case ExprOp::Max:
    return x > y ? a : b;
  case ExprOp::Mul:
    return a * b;
  case ExprOp::Sub:
    return a - b;
  case ExprOp::AlignUp:
    return b == 0 ? a : uint32_t((uint64_t(a) + b - 1) / b * b);
  case ExprOp::Less:
    return x < y;
  case ExprOp::Greater:
    return x > y;
  case ExprOp::LessEqual:
    return x <= y;
  case ExprOp::GreaterEqual:
    return x >= y;
  case ExprOp::Divide:
    return y == -1 ? 0 - a : uint32_t(x / y);
  default: // has no two operands
    break;
  }
  return 0;
}

/// The result of an operation on two operands.
static Resolution both(Resolution a, Resolution b) {
  if (a == Resolution::Undefined || b == Resolution::Undefined)
    return Resolution::Undefined;
  return a == Resolution::Known ? b : a;
}

Expressions::Value Expressions::valueOf(const Operand &operand,
                                        AddressOf addressOf) const {
  if (operand.node != kNone)
    return nodes[operand.node].result;
  if (operand.given.kind == ExprOperand::Constant)
    return {operand.given.value};
  if (operand.given.kind == ExprOperand::Symbol)
    if (auto address = addressOf(operand.file, operand.given.value))
      return {uint32_t(*address)};
  return {0, Resolution::Undefined};
}

/// The value of a node whose operands are done.
Expressions::Value Expressions::compute(const Node &node,
                                        AddressOf addressOf) const {
  const ExprOp op = node.op;
  if (op == ExprOp::Defined) {
    const Value v = valueOf(node.operands[0], addressOf);
    return {v.resolution == Resolution::Known};
  }
  if (op == ExprOp::Select) {
    const Value condition = valueOf(node.operands[0], addressOf);
    return condition.resolution == Resolution::Known
               ? valueOf(node.operands[condition.value ? 1 : 2], addressOf)
               : condition;
  }
  std::optional<Value> whole;
  for (const Operand &operand : node.operands) {
    if (!operand.counts)
      continue;
    const Value v = valueOf(operand, addressOf);
    if (!whole)
      whole = v;
    else if (const Resolution r = both(whole->resolution, v.resolution);
             r != Resolution::Known)
      whole = {0, r};
    else if (op == ExprOp::Divide && v.value == 0)
      whole = {0, Resolution::Undefined};
    else
      whole = {apply(op, whole->value, v.value)};
  }
  // An empty set changes nothing in a sum or maximum.
  return whole.value_or(Value{op == ExprOp::Max ? uint32_t(INT32_MIN) : 0});
}

/// The value of nodes that depend on each other; all else that they depend on
/// is computed.
Expressions::Value Expressions::recursion(const Digraph::Components &groups,
                                          uint32_t group,
                                          AddressOf addressOf) const {
  constexpr Value none = {0, Resolution::Recursive};
  const std::vector<uint32_t> &members = groups.members[group];
  if (members.size() == 1 && nodes[members[0]].inObject != 0)
    return {nodes[members[0]].inObject};
  // All operands from outside, as one maximum.
  Node outside{ExprOp::Max};
  for (uint32_t member : members) {
    const ExprOp op = nodes[member].op;
    if (op != ExprOp::Max && op != ExprOp::Add)
      return none;
    unsigned inside = 0;
    for (const Operand &operand : nodes[member].operands) {
      if (!operand.counts)
        continue;
      if (operand.node != kNone && groups.of[operand.node] == group) {
        ++inside;
      } else if (op == ExprOp::Max) {
        outside.operands.push_back(operand);
      } else {
        const Value v = valueOf(operand, addressOf);
        if (v.resolution != Resolution::Known || v.value != 0)
          return none;
      }
    }
    if (op == ExprOp::Add && inside > 1)
      return none;
  }
  return outside.operands.empty() ? none : compute(outside, addressOf);
}

void Expressions::evaluate(AddressOf addressOf, Addresses &now) {
  if (empty())
    return;
  std::vector<std::pair<uint32_t, uint32_t>> reads; // node, operand
  for (uint32_t n = 0; n < nodes.size(); ++n)
    for (Operand &operand : nodes[n].operands) {
      if (operand.guard != kNone)
        operand.counts = addressOf(operand.file, operand.guard).has_value();
      if (operand.counts && operand.node != kNone)
        reads.emplace_back(n, operand.node);
    }
  const Digraph::Components groups = Digraph(nodes.size(), reads).components();
  for (uint32_t group = 0; group < groups.size(); ++group) {
    const std::vector<uint32_t> &members = groups.members[group];
    Value value = groups.recursive[group]
                      ? recursion(groups, group, addressOf)
                      : compute(nodes[members[0]], addressOf);
    if (value.resolution != Resolution::Known)
      value.value = 0;
    for (uint32_t member : members)
      nodes[member].result = value;
  }
  now.localResults.clear();
  for (const Node &node : ArrayRef(nodes).take_front(entryCount)) {
    const uint32_t number = uint32_t(node.key);
    if (node.key >= Program::kLocalKey) {
      now.localResults.push_back(
          {number, node.result.value, node.result.resolution});
      continue;
    }
    AssignedSymbol &symbol =
        now.symbols[program.symbols[SymbolId(number)].slot];
    symbol.result = true;
    symbol.value = node.result.value;
    symbol.resolution = node.result.resolution;
  }
  llvm::sort(now.localResults,
             [](const auto &a, const auto &b) { return a.slot < b.slot; });
}

/// Operand 1 is the text; the vendor's objects name the symbol whose value must
/// be 0 as the result, and give a 1 as operand 3 for an error. The ABI has a
/// condition in operand 2 and a 0 for an error.
bool Expressions::fails(const Assertion &assertion, AddressOf addressOf) const {
  const ExprEntry &entry = *assertion.entry;
  const bool byOperand = program.state.assertsOperand;
  if (!byOperand && entry.result == 0)
    return false;
  const Value v = valueOf(
      operandOf(assertion.file,
                byOperand ? entry.operands[1]
                          : ExprOperand{ExprOperand::Symbol, entry.result, {}}),
      addressOf);
  return v.resolution == Resolution::Known && (v.value == 0) == byOperand;
}

void Expressions::report(AddressOf addressOf, Diagnostics &diag) const {
  for (const Assertion &assertion : assertions) {
    if (!fails(assertion, addressOf))
      continue;
    const ExprEntry &entry = *assertion.entry;
    // Further lines of a compiler's text follow as lines of their own.
    SmallVector<StringRef, 4> lines;
    entry.operands[0].string.rtrim("\r\n").split(lines, '\n');
    std::string text =
        program.files[assertion.file].object->path + ": " + lines[0].str();
    std::vector<std::string> notes;
    for (StringRef line : drop_begin(lines))
      notes.push_back(line.str());
    const Value third =
        valueOf(operandOf(assertion.file, entry.operands[2]), addressOf);
    const bool isKnown = third.resolution == Resolution::Known;
    diag.warnOrError(
        isKnown && (third.value == 0) == program.state.assertsOperand,
        WarningGroup::Expression, std::move(text), std::move(notes));
  }
}

} // namespace xlink
