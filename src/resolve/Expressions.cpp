//===- Expressions.cpp ----------------------------------------------------===//
//
// Problem: objects carry arithmetic over symbols that only the linker can do,
// for example the stack a function needs with its callees. Results feed
// relocations, scripts and other objects' expressions; some depend on
// themselves or on symbols that nothing defines.
//
// Method: each assigning entry is a node; its operands that are results too are
// its edges. Tarjan's algorithm over an explicit stack (chains are as deep as
// call graphs) finds the strongly connected components, each when everything
// that it depends on is done. A component of one node without an edge to itself
// is computed; the results of any other depend on each other,
// which is what compilers write for functions that call themselves. Where all
// that a component does is to take the maximum, its value is the maximum of
// what comes from outside: a function that calls itself needs no more timers
// for that. A result that is computed from itself alone keeps the number that
// its object gives the symbol, if there is one: that is how a programmer's
// bound looks. All other results of such components have no value, nor has
// what depends on them or on something undefined, however far. They are 0.
//
// Cost: linear in entries for each round of address assignment.
//
//===----------------------------------------------------------------------===//
#include "resolve/Expressions.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

Expressions::Expressions(Program &program) : program(program) {
  bool any = false;
  for (const InputFile &file : program.files)
    any |= !file.object->expressions.empty();
  if (!any)
    return;
  bySymbol.assign(program.symbolIds.size(), kNone);
  byGlobal.assign(program.symbols.size(), kNone);
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    const auto &list = file.object->expressions;
    for (uint32_t i = 0; i < list.size(); ++i) {
      Entry entry{f, i};
      if (list[i].meaning == ExprOp::Assert) {
        assertions.push_back(entry);
        continue;
      }
      if (!assigns(list[i].meaning))
        continue;
      uint32_t result = list[i].result;
      SymbolId id = program.symbolIds[file.symbolBase + result];
      if (id != kNone) {
        // Of a name that several objects define, the chosen definition counts.
        Symbol &s = program.symbols[id];
        if (s.file != f || s.scriptDefined || s.kind != SymbolKind::Absolute)
          continue;
        program.makeAssignable(id);
        byGlobal[id.index()] = uint32_t(entries.size());
      } else {
        bySymbol[file.symbolBase + result] = uint32_t(entries.size());
      }
      entries.push_back(entry);
    }
  }
}

uint32_t Expressions::entryOf(FileId file, uint32_t symbol) const {
  uint32_t slot = program.files[file].symbolBase + symbol;
  SymbolId id = program.symbolIds[slot];
  return id != kNone ? byGlobal[id.index()] : bySymbol[slot];
}

const ExprEntry &Expressions::expression(const Entry &entry) const {
  return program.files[entry.file].object->expressions[entry.entry];
}

/// 32-bit arithmetic; comparison is signed.
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
  default: // assigns nothing
    break;
  }
  return 0;
}

uint32_t Expressions::dependency(uint32_t node, unsigned operand) const {
  const Entry &entry = entries[node];
  const ExprOperand &o = expression(entry).operands[operand];
  ++stepCount;
  return o.kind == ExprOperand::Symbol ? entryOf(entry.file, o.value) : kNone;
}

/// What comes of two operands.
static Resolution both(Resolution a, Resolution b) {
  if (a == Resolution::Undefined || b == Resolution::Undefined)
    return Resolution::Undefined;
  return a == Resolution::Known ? b : a;
}

Expressions::Value Expressions::valueOf(FileId file, const ExprOperand &operand,
                                        AddressOf addressOf) const {
  switch (operand.kind) {
  case ExprOperand::Constant:
    return {operand.value};
  case ExprOperand::String:
    break;
  case ExprOperand::Symbol:
    if (uint32_t other = entryOf(file, operand.value); other != kNone)
      return {uint32_t(entries[other].value), entries[other].resolution};
    if (auto address = addressOf(file, operand.value))
      return {uint32_t(*address)};
    break;
  }
  return {0, Resolution::Undefined};
}

/// The value of an entry whose operands are done.
void Expressions::finish(Entry &entry, AddressOf addressOf) {
  const ExprEntry &expr = expression(entry);
  const Value a = valueOf(entry.file, expr.operands[0], addressOf);
  const Value b = valueOf(entry.file, expr.operands[1], addressOf);
  entry.state = Entry::Done;
  entry.resolution = both(a.resolution, b.resolution);
  entry.value = entry.resolution == Resolution::Known
                    ? apply(expr.meaning, a.value, b.value)
                    : 0;
}

/// The value of entries that depend on each other, all of them still busy; all
/// else that they depend on is done.
Expressions::Value Expressions::recursion(ArrayRef<uint32_t> members,
                                          AddressOf addressOf) const {
  constexpr Value none = {0, Resolution::Recursive};
  if (members.size() == 1) {
    const Entry &only = entries[members[0]];
    const uint64_t stated =
        program.files[only.file].object->symbols[expression(only).result].value;
    if (stated != 0)
      return {uint32_t(stated)};
  }
  std::optional<Value> most;
  for (uint32_t node : members) {
    const Entry &entry = entries[node];
    const ExprEntry &expr = expression(entry);
    const bool isMax = expr.meaning == ExprOp::Max;
    if (!isMax && expr.meaning != ExprOp::Add)
      return none;
    unsigned inside = 0;
    for (unsigned operand = 0; operand < 2; ++operand) {
      const uint32_t other = dependency(node, operand);
      if (other != kNone && entries[other].state == Entry::Busy) {
        ++inside;
        continue;
      }
      const Value v = valueOf(entry.file, expr.operands[operand], addressOf);
      if (isMax)
        most = most ? Value{apply(ExprOp::Max, most->value, v.value),
                            both(most->resolution, v.resolution)}
                    : v;
      else if (v.resolution != Resolution::Known || v.value != 0)
        return none;
    }
    if (!isMax && inside == 2)
      return none;
  }
  return most.value_or(none);
}

/// Takes the component of `root`, whose members are on top of `open`.
void Expressions::closeComponent(uint32_t root, std::vector<uint32_t> &open,
                                 AddressOf addressOf) {
  if (open.back() == root && dependency(root, 0) != root &&
      dependency(root, 1) != root) {
    open.pop_back();
    return finish(entries[root], addressOf);
  }
  size_t first = open.size() - 1;
  for (; open[first] != root; --first)
    ++stepCount;
  const ArrayRef<uint32_t> members = ArrayRef(open).drop_front(first);
  const Value value = recursion(members, addressOf);
  for (uint32_t member : members) {
    Entry &entry = entries[member];
    entry.state = Entry::Done;
    entry.resolution = value.resolution;
    entry.value = value.resolution == Resolution::Known ? value.value : 0;
  }
  open.resize(first);
}

void Expressions::compute(uint32_t root, AddressOf addressOf) {
  if (entries[root].state != Entry::New)
    return;
  struct Frame {
    uint32_t entry;
    unsigned operand;
  };
  std::vector<Frame> stack;
  std::vector<uint32_t> open; // entries whose component is not complete
  auto enter = [&](uint32_t node) {
    Entry &entry = entries[node];
    entry.state = Entry::Busy;
    entry.order = entry.low = nextOrder++;
    stack.push_back({node, 0});
    open.push_back(node);
  };
  enter(root);
  while (!stack.empty()) {
    const uint32_t node = stack.back().entry;
    Entry &entry = entries[node];
    if (stack.back().operand < 2) {
      uint32_t other = dependency(node, stack.back().operand++);
      if (other == kNone)
        continue;
      if (entries[other].state == Entry::New)
        enter(other);
      else if (entries[other].state == Entry::Busy)
        entry.low = std::min(entry.low, entries[other].order);
      continue;
    }
    stack.pop_back();
    if (!stack.empty()) {
      Entry &parent = entries[stack.back().entry];
      parent.low = std::min(parent.low, entry.low);
    }
    if (entry.low == entry.order)
      closeComponent(node, open, addressOf);
  }
}

void Expressions::evaluate(AddressOf addressOf, Geometry &now) {
  if (entries.empty())
    return;
  for (Entry &entry : entries)
    entry.state = Entry::New;
  nextOrder = 0;
  stepCount = 0;
  for (uint32_t i = 0; i < entries.size(); ++i)
    compute(i, addressOf);
  now.localResults.clear();
  for (const Entry &entry : entries) {
    const InputFile &file = program.files[entry.file];
    uint32_t slot = file.symbolBase + expression(entry).result;
    SymbolId id = program.symbolIds[slot];
    if (id == kNone) {
      now.localResults.push_back({slot, entry.value, entry.resolution});
      continue;
    }
    AssignedSymbol &result = now.symbols[program.symbols[id].slot];
    result.result = true;
    result.value = entry.value;
    result.resolution = entry.resolution;
  }
  std::sort(now.localResults.begin(), now.localResults.end(),
            [](const auto &a, const auto &b) { return a.slot < b.slot; });
}

/// Operand 1 is the text; the vendor's objects name what must not be in the
/// result, and give a 1 as operand 3 for an error. The ABI has a condition in
/// operand 2 and a 0 for an error.
bool Expressions::fails(const Entry &assertion, AddressOf addressOf) const {
  const ExprEntry &expr = expression(assertion);
  if (program.state.assertsOperand) {
    const Value v = valueOf(assertion.file, expr.operands[1], addressOf);
    return v.resolution == Resolution::Known && v.value == 0;
  }
  if (expr.result == 0)
    return false;
  const Value v = valueOf(assertion.file,
                          {ExprOperand::Symbol, expr.result, {}}, addressOf);
  return v.resolution == Resolution::Known && v.value != 0;
}

void Expressions::report(AddressOf addressOf, Diagnostics &diag) const {
  for (const Entry &entry : assertions) {
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
    const Value third = valueOf(entry.file, expr.operands[2], addressOf);
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
