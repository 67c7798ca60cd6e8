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
// is computed; any other depends on itself and is one error, for which a
// shortest cycle through its first node is looked up when it is reported. A
// result that depends on something undefined, however far, has no value and
// stays 0.
//
// Cost: linear in entries for each round of address assignment, and for the
// report, however many cycles overlap.
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

std::string Expressions::symbolName(FileId file, uint32_t symbol) const {
  return program.files[file].object->symbols[symbol].name.str();
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
  const ExprOperand &o = program.files[entry.file]
                             .object->expressions[entry.entry]
                             .operands[operand];
  ++stepCount;
  return o.kind == ExprOperand::Symbol ? entryOf(entry.file, o.value) : kNone;
}

/// The value of an entry whose operands are done.
void Expressions::finish(Entry &entry, AddressOf addressOf) {
  const ExprEntry &expr =
      program.files[entry.file].object->expressions[entry.entry];
  uint32_t values[2] = {0, 0};
  bool unresolved = false;
  for (int i = 0; i < 2; ++i) {
    const ExprOperand &operand = expr.operands[i];
    if (operand.kind == ExprOperand::Constant) {
      values[i] = operand.value;
      continue;
    }
    if (operand.kind == ExprOperand::String) {
      unresolved = true;
      continue;
    }
    uint32_t other = entryOf(entry.file, operand.value);
    if (other != kNone) {
      values[i] = uint32_t(entries[other].value);
      unresolved |= entries[other].state == Entry::Unresolved;
    } else if (auto v = addressOf(entry.file, operand.value)) {
      values[i] = uint32_t(*v);
    } else {
      unresolved = true;
    }
  }
  entry.state = unresolved ? Entry::Unresolved : Entry::Resolved;
  entry.value = unresolved ? 0 : apply(expr.meaning, values[0], values[1]);
}

/// Takes the component of `root`, whose members are on top of `open`.
void Expressions::closeComponent(uint32_t root, std::vector<uint32_t> &open,
                                 AddressOf addressOf) {
  const uint32_t order = entries[root].order;
  if (open.back() == root && dependency(root, 0) != root &&
      dependency(root, 1) != root) {
    open.pop_back();
    return finish(entries[root], addressOf);
  }
  cycleRoots.push_back(root);
  uint32_t member;
  do {
    member = open.back();
    open.pop_back();
    ++stepCount;
    entries[member].state = Entry::Unresolved;
    entries[member].value = 0;
    entries[member].cyclic = true;
    entries[member].low = order; // names the component from here on
  } while (member != root);
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
  for (Entry &entry : entries) {
    entry.state = Entry::New;
    entry.cyclic = false;
  }
  cycleRoots.clear();
  nextOrder = 0;
  stepCount = 0;
  for (uint32_t i = 0; i < entries.size(); ++i)
    compute(i, addressOf);
  now.localResults.clear();
  for (const Entry &entry : entries) {
    const InputFile &file = program.files[entry.file];
    uint32_t slot =
        file.symbolBase + file.object->expressions[entry.entry].result;
    SymbolId id = program.symbolIds[slot];
    if (id == kNone) {
      now.localResults.push_back(
          {slot, entry.value, entry.state == Entry::Unresolved});
      continue;
    }
    AssignedSymbol &result = now.symbols[program.symbols[id].slot];
    result.result = true;
    result.value = entry.value;
    result.unresolved = entry.state == Entry::Unresolved;
  }
  std::sort(now.localResults.begin(), now.localResults.end(),
            [](const auto &a, const auto &b) { return a.slot < b.slot; });
}

/// A shortest cycle through `root`: breadth first inside its component.
/// `from`: by entry, where the search came from; kNone where it has not been.
std::vector<uint32_t> Expressions::cycleOf(uint32_t root,
                                           std::vector<uint32_t> &from) const {
  auto inside = [&](uint32_t node) {
    return node != kNone && entries[node].state == Entry::Unresolved &&
           entries[node].cyclic && entries[node].low == entries[root].low;
  };
  std::vector<uint32_t> queue = {root};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned operand = 0; operand < 2; ++operand) {
      uint32_t next = dependency(queue[i], operand);
      if (!inside(next))
        continue;
      if (next == root) {
        std::vector<uint32_t> cycle;
        for (uint32_t at = queue[i]; at != root; at = from[at])
          cycle.push_back(at);
        cycle.push_back(root);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (from[next] == kNone) {
        from[next] = queue[i];
        queue.push_back(next);
      }
    }
  return {root}; // not reached: a component leads back to each of its members
}

void Expressions::reportCycles(Diagnostics &diag) const {
  constexpr size_t kMostNamed = 8;
  std::vector<uint32_t> from(cycleRoots.empty() ? 0 : entries.size(), kNone);
  for (uint32_t root : cycleRoots) {
    std::vector<uint32_t> cycle = cycleOf(root, from);
    auto name = [&](uint32_t node) {
      const Entry &entry = entries[node];
      const ParsedObject &object = *program.files[entry.file].object;
      return symbolName(entry.file, object.expressions[entry.entry].result) +
             " of " + object.path;
    };
    std::vector<std::string> notes = {name(root)};
    for (size_t i = 1; i < std::min(cycle.size(), kMostNamed); ++i)
      notes.push_back("which depends on " + name(cycle[i]));
    if (cycle.size() > kMostNamed)
      notes.push_back("and so on, over " +
                      std::to_string(cycle.size() - kMostNamed) + " more");
    notes.push_back("which depends on " + name(root));
    const Entry &first = entries[root];
    const ParsedObject &object = *program.files[first.file].object;
    diag.error(
        object.path + ":(.expr): entry " + std::to_string(first.entry) + ": '" +
            symbolName(first.file, object.expressions[first.entry].result) +
            "' depends on itself",
        notes);
  }
}

void Expressions::report(AddressOf addressOf, Diagnostics &diag) const {
  reportCycles(diag);
  for (const Entry &entry : assertions) {
    const InputFile &file = program.files[entry.file];
    const ExprEntry &expr = file.object->expressions[entry.entry];
    // Operand 1: the text; operand 2: the condition; operand 3: 0 for an error.
    auto valueOf = [&](const ExprOperand &o) -> std::optional<uint64_t> {
      if (o.kind == ExprOperand::Constant)
        return o.value;
      if (o.kind == ExprOperand::String)
        return std::nullopt;
      uint32_t other = entryOf(entry.file, o.value);
      if (other == kNone)
        return addressOf(entry.file, o.value);
      if (entries[other].state != Entry::Resolved)
        return std::nullopt;
      return entries[other].value;
    };
    std::optional<uint64_t> condition = valueOf(expr.operands[1]);
    if (!condition || *condition != 0)
      continue;
    // What compilers write below the first line follows as lines of its own.
    auto [line, rest] = expr.operands[0].string.rtrim("\r\n").split('\n');
    std::string text = file.object->path + ": " + line.str();
    std::vector<std::string> notes;
    for (; !rest.empty(); rest = rest.split('\n').second)
      notes.push_back(rest.split('\n').first.str());
    std::optional<uint64_t> asWarning = valueOf(expr.operands[2]);
    if (asWarning && *asWarning == 0)
      diag.error(std::move(text), std::move(notes));
    else
      diag.warn(WarningGroup::Expression, std::move(text), std::move(notes));
  }
}

} // namespace xlink
