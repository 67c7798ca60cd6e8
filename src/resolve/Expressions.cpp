//===- Expressions.cpp ----------------------------------------------------===//
//
// Problem: objects carry arithmetic over symbols that only the linker can do,
// for example the stack a function needs with its callees. Results feed
// relocations, scripts and other objects' expressions; some depend on
// themselves or on symbols that nothing defines.
//
// Method: each assigning entry is a node; its operands that are results too are
// its edges. Depth first over an explicit stack (chains are as deep as call
// graphs), each node once. A node met again while busy closes a cycle. A result
// that depends on something undefined, however far, has no value and stays 0.
//
// Cost: linear in entries for each round of address assignment.
//
//===----------------------------------------------------------------------===//
#include "resolve/Expressions.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

Expressions::Expressions(Link &link) : link(link) {
  bool any = false;
  for (const InputFile &file : link.files)
    any |= !file.object->expressions.empty();
  if (!any)
    return;
  bySymbol.assign(link.symbolIds.size(), kNone);
  byGlobal.assign(link.symbols.size(), kNone);
  for (FileId f = 0; f < link.files.size(); ++f) {
    const InputFile &file = link.files[f];
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
      SymbolId id = link.symbolIds[file.symbolBase + result];
      if (id != kNone) {
        // Of a name that several objects define, the chosen definition counts.
        Symbol &s = link.symbols[id];
        if (s.file != f || s.scriptDefined || s.kind != SymbolKind::Absolute)
          continue;
        s.expressionResult = true;
        byGlobal[id] = uint32_t(entries.size());
      } else {
        bySymbol[file.symbolBase + result] = uint32_t(entries.size());
      }
      entries.push_back(entry);
    }
  }
}

uint32_t Expressions::entryOf(FileId file, uint32_t symbol) const {
  uint32_t slot = link.files[file].symbolBase + symbol;
  SymbolId id = link.symbolIds[slot];
  return id != kNone ? byGlobal[id] : bySymbol[slot];
}

std::string Expressions::symbolName(FileId file, uint32_t symbol) const {
  return link.files[file].object->symbols[symbol].name.str();
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

void Expressions::compute(uint32_t root, AddressOf addressOf) {
  if (entries[root].state != Entry::New)
    return;
  std::vector<uint32_t> stack = {root};
  while (!stack.empty()) {
    Entry &entry = entries[stack.back()];
    if (entry.state == Entry::Resolved || entry.state == Entry::Unresolved) {
      stack.pop_back();
      continue;
    }
    entry.state = Entry::Busy;
    const ExprEntry &expr =
        link.files[entry.file].object->expressions[entry.entry];
    uint32_t values[2] = {0, 0};
    bool unresolved = false, waiting = false;
    for (int i = 0; i < 2 && !waiting; ++i) {
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
      if (other == kNone) {
        if (std::optional<uint64_t> v = addressOf(entry.file, operand.value))
          values[i] = uint32_t(*v);
        else
          unresolved = true;
        continue;
      }
      Entry &next = entries[other];
      switch (next.state) {
      case Entry::New:
        stack.push_back(other);
        waiting = true;
        break;
      case Entry::Busy: {
        // The chain from `other` to here closes a cycle; report each once.
        auto from = std::find(stack.begin(), stack.end(), other);
        cycles.emplace_back(from, stack.end());
        unresolved = true;
        break;
      }
      case Entry::Resolved:
        values[i] = uint32_t(next.value);
        break;
      case Entry::Unresolved:
        unresolved = true;
        break;
      }
    }
    if (waiting)
      continue;
    entry.state = unresolved ? Entry::Unresolved : Entry::Resolved;
    entry.value = unresolved ? 0 : apply(expr.meaning, values[0], values[1]);
    stack.pop_back();
  }
}

bool Expressions::evaluate(AddressOf addressOf) {
  if (entries.empty())
    return false;
  std::vector<uint64_t> before;
  before.reserve(entries.size());
  for (Entry &entry : entries) {
    before.push_back(entry.value);
    entry.state = Entry::New;
  }
  cycles.clear();
  for (uint32_t i = 0; i < entries.size(); ++i)
    compute(i, addressOf);
  bool changed = false;
  link.localResults.clear();
  for (uint32_t i = 0; i < entries.size(); ++i) {
    Entry &entry = entries[i];
    changed |= entry.value != before[i];
    const InputFile &file = link.files[entry.file];
    uint32_t slot =
        file.symbolBase + file.object->expressions[entry.entry].result;
    SymbolId id = link.symbolIds[slot];
    if (id == kNone) {
      link.localResults.push_back(
          {slot, entry.value, entry.state == Entry::Unresolved});
      continue;
    }
    link.symbols[id].value = entry.value;
    link.symbols[id].unresolved = entry.state == Entry::Unresolved;
  }
  std::sort(link.localResults.begin(), link.localResults.end(),
            [](const auto &a, const auto &b) { return a.slot < b.slot; });
  return changed;
}

void Expressions::report(AddressOf addressOf) {
  for (const std::vector<uint32_t> &cycle : cycles) {
    std::vector<std::string> notes;
    for (size_t i = 0; i <= cycle.size(); ++i) {
      const Entry &entry = entries[cycle[i % cycle.size()]];
      const InputFile &file = link.files[entry.file];
      std::string name =
          symbolName(entry.file, file.object->expressions[entry.entry].result);
      notes.push_back((i ? "which depends on " : "") + name + " of " +
                      file.object->path);
    }
    const Entry &first = entries[cycle.front()];
    const InputFile &file = link.files[first.file];
    link.diag.error(
        file.object->path + ":(.expr): entry " + std::to_string(first.entry) +
            ": '" +
            symbolName(first.file,
                       file.object->expressions[first.entry].result) +
            "' depends on itself",
        notes);
  }
  for (const Entry &entry : assertions) {
    const InputFile &file = link.files[entry.file];
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
      link.diag.error(std::move(text), std::move(notes));
    else
      link.diag.warn(WarningGroup::Expression, std::move(text),
                     std::move(notes));
  }
}

} // namespace xlink
