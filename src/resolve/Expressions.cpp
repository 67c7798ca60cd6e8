//===- Expressions.cpp ----------------------------------------------------===//
//
// Problem: objects carry arithmetic over symbols that only the linker can do,
// for example the stack a function needs with its callees. Results feed
// relocations, scripts and other objects' expressions; some depend on
// themselves or on symbols that nothing defines.
//
// Method: each assigning entry is a node; its operands that are results too are
// its edges. A set that entries reduce is a node as well, whose operands are
// the set's elements, stated by any object: those of functions that are linked
// count. Tarjan's algorithm over an explicit stack (chains are as deep as call
// graphs) finds the strongly connected components, each when everything that it
// depends on is done. A component of one node without an edge to itself is
// computed; the results of any other depend on each other, which is what
// compilers write for functions that call themselves. Where all that a
// component does is to take the maximum, its value is the maximum of what comes
// from outside: a function that calls itself needs no more timers for that. A
// result that is computed from itself alone keeps the number that its object
// gives the symbol, if there is one: that is how a programmer's bound looks.
// All other results of such components have no value, nor has what depends on
// them or on something undefined, however far. They are 0.
//
// Cost: linear in entries and elements for each round of address assignment.
//
//===----------------------------------------------------------------------===//
#include "resolve/Expressions.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

Expressions::Expressions(Program &program) : program(program) {
  bool any = false;
  for (const InputFile &file : program.files)
    any |= !file.object->expressions.empty();
  // With -r they are for the link that makes a program.
  if (!any || program.config.relocatable)
    return;
  bySymbol.assign(program.symbolIds.size(), kNone);
  byGlobal.assign(program.symbols.size(), kNone);
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    const auto &list = file.object->expressions;
    for (uint32_t i = 0; i < list.size(); ++i) {
      const Stated stated{f, i};
      if (list[i].meaning == ExprOp::Assert)
        assertions.push_back(stated);
      else if (list[i].meaning == ExprOp::Element)
        elements.push_back({stated, setKey(f, list[i].result)});
      else if (assigns(list[i].meaning) && isResult(program, stated))
        entries.push_back(stated);
    }
  }
  for (const Stated &entry : entries)
    nodes.push_back({expression(entry).meaning});
  makeSets();
}

/// Whether what an entry computes becomes the value of its symbol.
bool Expressions::isResult(Program &program, const Stated &entry) {
  const InputFile &file = program.files[entry.file];
  const uint32_t slot = file.symbolBase + expression(entry).result;
  const SymbolId id = program.symbolIds[slot];
  if (id == kNone) {
    bySymbol[slot] = uint32_t(entries.size());
    return true;
  }
  // Of a name that several objects define, the chosen definition counts.
  const Symbol &s = program.symbols[id];
  if (s.file != entry.file || s.scriptDefined || s.kind != SymbolKind::Absolute)
    return false;
  program.makeAssignable(id);
  byGlobal[id.index()] = uint32_t(entries.size());
  return true;
}

/// A set is a name: a global one in all objects, a local one in its own.
uint64_t Expressions::setKey(FileId file, uint32_t symbol) const {
  const uint32_t slot = program.files[file].symbolBase + symbol;
  const SymbolId id = program.symbolIds[slot];
  return id != kNone ? id.index() : uint64_t(1) << 32 | slot;
}

/// Makes a node of each set and operator that entries reduce it with: however
/// many do, its elements are put together once.
void Expressions::makeSets() {
  std::stable_sort(
      elements.begin(), elements.end(),
      [](const Element &a, const Element &b) { return a.set < b.set; });
  struct BySet {
    bool operator()(const Element &a, uint64_t b) const { return a.set < b; }
    bool operator()(uint64_t a, const Element &b) const { return a < b.set; }
  };
  DenseMap<std::pair<uint64_t, unsigned>, uint32_t> made;
  for (uint32_t n = 0; n < entries.size(); ++n) {
    const ExprEntry &expr = expression(entries[n]);
    ExprOp step = ExprOp::Max;
    if (expr.meaning == ExprOp::SetSum)
      step = ExprOp::Add;
    else if (expr.meaning != ExprOp::SetMax)
      continue;
    nodes[n].op = step;
    nodes[n].reduces = true;
    if (expr.operands[0].kind != ExprOperand::Symbol)
      continue;
    const uint64_t key = setKey(entries[n].file, expr.operands[0].value);
    auto [it, isNew] = made.try_emplace({key, unsigned(step)}, nodes.size());
    nodes[n].set = it->second;
    if (!isNew)
      continue;
    auto [first, last] =
        std::equal_range(elements.begin(), elements.end(), key, BySet());
    Node set{step};
    set.firstElement = uint32_t(first - elements.begin());
    set.elementCount = uint32_t(last - first);
    nodes.push_back(set);
  }
}

/// An element counts while the function that it is stated for is linked.
void Expressions::findLiveElements(AddressOf addressOf) {
  for (Element &element : elements) {
    const ExprOperand &guard = expression(element).operands[1];
    element.live = guard.kind != ExprOperand::Symbol ||
                   entryOf(element.file, guard.value) != kNone ||
                   addressOf(element.file, guard.value);
  }
}

uint32_t Expressions::entryOf(FileId file, uint32_t symbol) const {
  uint32_t slot = program.files[file].symbolBase + symbol;
  SymbolId id = program.symbolIds[slot];
  return id != kNone ? byGlobal[id.index()] : bySymbol[slot];
}

const ExprEntry &Expressions::expression(const Stated &stated) const {
  return program.files[stated.file].object->expressions[stated.entry];
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

/// What comes of two operands.
static Resolution both(Resolution a, Resolution b) {
  if (a == Resolution::Undefined || b == Resolution::Undefined)
    return Resolution::Undefined;
  return a == Resolution::Known ? b : a;
}

Expressions::Value Expressions::combine(ExprOp op, Value a, Value b) {
  const Resolution resolution = both(a.resolution, b.resolution);
  if (resolution != Resolution::Known)
    return {0, resolution};
  if (op == ExprOp::Divide && b.value == 0)
    return {0, Resolution::Undefined};
  return {apply(op, a.value, b.value)};
}

unsigned Expressions::operandCount(uint32_t node) const {
  if (node >= entries.size())
    return nodes[node].elementCount;
  switch (nodes[node].op) {
  case ExprOp::Defined:
    return 1;
  case ExprOp::Select:
    return 3;
  default:
    return 2;
  }
}

/// Those of an entry that reduces a set are the set and what it begins with.
Expressions::Operand Expressions::operand(uint32_t node, unsigned i) const {
  ++stepCount;
  const bool isSet = node >= entries.size();
  if (!isSet && nodes[node].reduces && i == 0)
    return {nodes[node].set};
  if (isSet && !elements[nodes[node].firstElement + i].live)
    return {};
  const Stated &stated =
      isSet ? elements[nodes[node].firstElement + i] : entries[node];
  return givenBy(stated.file, expression(stated).operands[isSet ? 0 : i]);
}

Expressions::Operand Expressions::givenBy(FileId file,
                                          const ExprOperand &given) const {
  const bool isSymbol = given.kind == ExprOperand::Symbol;
  return {isSymbol ? entryOf(file, given.value) : uint32_t(kNone), file,
          &given};
}

std::optional<Expressions::Value>
Expressions::valueOf(const Operand &operand, AddressOf addressOf) const {
  if (operand.node != kNone)
    return Value{nodes[operand.node].value, nodes[operand.node].resolution};
  if (!operand.given)
    return std::nullopt;
  if (operand.given->kind == ExprOperand::Constant)
    return Value{operand.given->value};
  if (operand.given->kind == ExprOperand::Symbol)
    if (auto address = addressOf(operand.file, operand.given->value))
      return Value{uint32_t(*address)};
  return Value{0, Resolution::Undefined};
}

Expressions::Value Expressions::valueOf(const Stated &stated, unsigned i,
                                        AddressOf addressOf) const {
  return *valueOf(givenBy(stated.file, expression(stated).operands[i]),
                  addressOf);
}

/// The value of a node whose operands are done.
Expressions::Value Expressions::compute(uint32_t node,
                                        AddressOf addressOf) const {
  const ExprOp op = nodes[node].op;
  auto value = [&](unsigned i) {
    return valueOf(operand(node, i), addressOf).value_or(Value());
  };
  if (op == ExprOp::Defined)
    return {value(0).resolution == Resolution::Known};
  if (op == ExprOp::Select) {
    const Value condition = value(0);
    return condition.resolution == Resolution::Known
               ? value(condition.value ? 1 : 2)
               : condition;
  }
  std::optional<Value> whole;
  for (unsigned i = 0, count = operandCount(node); i < count; ++i)
    if (const std::optional<Value> v = valueOf(operand(node, i), addressOf))
      whole = whole ? combine(op, *whole, *v) : *v;
  // An empty set changes nothing of what it is put together with.
  return whole.value_or(Value{op == ExprOp::Max ? uint32_t(INT32_MIN) : 0});
}

/// The value of nodes that depend on each other, all of them still busy; all
/// else that they depend on is done.
Expressions::Value Expressions::recursion(ArrayRef<uint32_t> members,
                                          AddressOf addressOf) const {
  constexpr Value none = {0, Resolution::Recursive};
  if (members.size() == 1 && members[0] < entries.size()) {
    const Stated &only = entries[members[0]];
    const uint64_t stated =
        program.files[only.file].object->symbols[expression(only).result].value;
    if (stated != 0)
      return {uint32_t(stated)};
  }
  std::optional<Value> most;
  for (uint32_t node : members) {
    const ExprOp op = nodes[node].op;
    if (op != ExprOp::Max && op != ExprOp::Add)
      return none;
    unsigned inside = 0;
    for (unsigned i = 0, count = operandCount(node); i < count; ++i) {
      const Operand o = operand(node, i);
      if (o.node != kNone && nodes[o.node].state == Node::Busy) {
        ++inside;
        continue;
      }
      const std::optional<Value> v = valueOf(o, addressOf);
      if (v && op == ExprOp::Max)
        most = most ? combine(op, *most, *v) : v;
      else if (v && (v->resolution != Resolution::Known || v->value != 0))
        return none;
    }
    if (op == ExprOp::Add && inside > 1)
      return none;
  }
  return most.value_or(none);
}

/// Takes the component of `root`, whose members are on top of `open`.
void Expressions::closeComponent(uint32_t root, std::vector<uint32_t> &open,
                                 AddressOf addressOf) {
  bool readsItself = false;
  for (unsigned i = 0, count = operandCount(root); i < count; ++i)
    readsItself |= operand(root, i).node == root;
  size_t first = open.size() - 1;
  for (; open[first] != root; --first)
    ++stepCount;
  const ArrayRef<uint32_t> members = ArrayRef(open).drop_front(first);
  const Value value = members.size() > 1 || readsItself
                          ? recursion(members, addressOf)
                          : compute(root, addressOf);
  for (uint32_t member : members) {
    Node &node = nodes[member];
    node.state = Node::Done;
    node.resolution = value.resolution;
    node.value = value.resolution == Resolution::Known ? value.value : 0;
  }
  open.resize(first);
}

void Expressions::visit(uint32_t root, AddressOf addressOf) {
  if (nodes[root].state != Node::New)
    return;
  struct Frame {
    uint32_t node;
    unsigned operand;
  };
  std::vector<Frame> stack;
  std::vector<uint32_t> open; // nodes whose component is not complete
  auto enter = [&](uint32_t n) {
    Node &node = nodes[n];
    node.state = Node::Busy;
    node.order = node.low = nextOrder++;
    stack.push_back({n, 0});
    open.push_back(n);
  };
  enter(root);
  while (!stack.empty()) {
    const uint32_t n = stack.back().node;
    Node &node = nodes[n];
    if (stack.back().operand < operandCount(n)) {
      const uint32_t other = operand(n, stack.back().operand++).node;
      if (other == kNone)
        continue;
      if (nodes[other].state == Node::New)
        enter(other);
      else if (nodes[other].state == Node::Busy)
        node.low = std::min(node.low, nodes[other].order);
      continue;
    }
    stack.pop_back();
    if (!stack.empty()) {
      Node &parent = nodes[stack.back().node];
      parent.low = std::min(parent.low, node.low);
    }
    if (node.low == node.order)
      closeComponent(n, open, addressOf);
  }
}

void Expressions::evaluate(AddressOf addressOf, Addresses &now) {
  if (entries.empty())
    return;
  for (Node &node : nodes)
    node.state = Node::New;
  nextOrder = 0;
  stepCount = 0;
  findLiveElements(addressOf);
  for (uint32_t n = 0; n < nodes.size(); ++n)
    visit(n, addressOf);
  now.localResults.clear();
  for (uint32_t n = 0; n < entries.size(); ++n) {
    const InputFile &file = program.files[entries[n].file];
    uint32_t slot = file.symbolBase + expression(entries[n]).result;
    SymbolId id = program.symbolIds[slot];
    if (id == kNone) {
      now.localResults.push_back({slot, nodes[n].value, nodes[n].resolution});
      continue;
    }
    AssignedSymbol &result = now.symbols[program.symbols[id].slot];
    result.result = true;
    result.value = nodes[n].value;
    result.resolution = nodes[n].resolution;
  }
  std::sort(now.localResults.begin(), now.localResults.end(),
            [](const auto &a, const auto &b) { return a.slot < b.slot; });
}

/// Operand 1 is the text; the vendor's objects name what must not be in the
/// result, and give a 1 as operand 3 for an error. The ABI has a condition in
/// operand 2 and a 0 for an error.
bool Expressions::fails(const Stated &assertion, AddressOf addressOf) const {
  const ExprEntry &expr = expression(assertion);
  if (program.state.assertsOperand) {
    const Value v = valueOf(assertion, 1, addressOf);
    return v.resolution == Resolution::Known && v.value == 0;
  }
  if (expr.result == 0)
    return false;
  const ExprOperand result = {ExprOperand::Symbol, expr.result, {}};
  const Value v = *valueOf(givenBy(assertion.file, result), addressOf);
  return v.resolution == Resolution::Known && v.value != 0;
}

void Expressions::report(AddressOf addressOf, Diagnostics &diag) const {
  for (const Stated &entry : assertions) {
    if (!fails(entry, addressOf))
      continue;
    const ExprEntry &expr = expression(entry);
    // What compilers write below the first line follows as lines of its own.
    auto [line, rest] = expr.operands[0].string.rtrim("\r\n").split('\n');
    std::string text =
        program.files[entry.file].object->path + ": " + line.str();
    std::vector<std::string> notes;
    for (; !rest.empty(); rest = rest.split('\n').second)
      notes.push_back(rest.split('\n').first.str());
    const Value third = valueOf(entry, 2, addressOf);
    const bool isZero =
        third.resolution == Resolution::Known && third.value == 0;
    const bool isOne = third.resolution == Resolution::Known && !isZero;
    if (program.state.assertsOperand ? isZero : isOne)
      diag.error(std::move(text), std::move(notes));
    else
      diag.warn(WarningGroup::Expression, std::move(text), std::move(notes));
  }
}

} // namespace xlink
