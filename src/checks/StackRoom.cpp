//===- StackRoom.cpp - sections in the stack or the heap ------------------===//
//
// Problem: `__stack_limit = ORIGIN(RAM) + LENGTH(RAM) - 0x400` computes a place
// from the other end of the memory. No region counts that room: variables may
// grow into it, and the stack overwrites them.
//
// Method: marks are symbols that the script assigns and that are called like a
// place of a stack or a heap, and those that code refers to and that are
// computed from a region's ORIGIN or LENGTH outside of all sections: a page of
// settings, a flag for the boot loader. A mark must not lie inside of a
// section, nor a section between two marks that belong together, nor the lower
// one of these above the higher one, nor a heap end in the stack. A section
// from which the mark is computed, or that bears the name of a stack or a heap,
// is not in its way. A mark that is computed from an object's symbol is left
// out, and so are other marks at the end of a region and base addresses of
// variables (gp).
//
// Cost: a look at each assignment, and for each mark at each output section.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {
namespace {

/// A symbol at the beginning, the end, or some place of a stack or a heap.
struct Mark {
  const AssignmentCommand *command = nullptr;
  uint64_t value = 0;
  const char *kind = nullptr; ///< "stack", "heap"; null: another place
  std::string stem;           ///< both ends have one
  enum Side : uint8_t { Low, High, Open } side = Open;
  bool isPlace = false; ///< by its name or its expression, and no size
  bool ofObject = false;
  bool ofRegion = false, ofDot = false; ///< by its expressions
  DenseSet<uint32_t> own; ///< output sections from which it is computed

  std::string text() const {
    return "'" + command->name.str() + "' = " + hex(value);
  }
};

/// Whether a section sets room aside: many scripts have one only so that the
/// region counts the least that stack and heap need.
bool isReserve(const OutputView &out) {
  const StringRef name = out.name;
  return name.contains_insensitive("stack") ||
         name.contains_insensitive("heap");
}

/// The kind and the side of a mark, by its name; false: it is none.
bool readName(StringRef name, Mark &mark) {
  std::string word;
  for (char c : name.lower())
    if (isAlnum(c))
      word += c;
  StringRef rest = word;
  const bool isStack = rest.contains("stack");
  if ((!isStack && !rest.contains("heap")) || rest.contains("size") ||
      rest.contains("len"))
    return false;
  mark.kind = isStack ? "stack" : "heap";
  // Scripts disagree about the direction of a stack's start and end.
  static constexpr std::tuple<StringLiteral, Mark::Side, Mark::Side> words[] = {
      {"bottom", Mark::Low, Mark::Low}, {"low", Mark::Low, Mark::Low},
      {"top", Mark::High, Mark::High},  {"high", Mark::High, Mark::High},
      {"limit", Mark::Low, Mark::High}, {"end", Mark::Open, Mark::High},
      {"start", Mark::Open, Mark::Low}, {"begin", Mark::Open, Mark::Low},
      {"base", Mark::Open, Mark::Low}};
  for (const auto &[text, ofStack, ofHeap] : words)
    if (rest.consume_back(text)) {
      mark.side = isStack ? ofStack : ofHeap;
      mark.isPlace = true;
      break;
    }
  if ((rest.front() == 's' || rest.front() == 'e') &&
      rest.drop_front() == mark.kind) { // _sstack, _estack
    mark.side = rest.front() == 's' ? Mark::Low : Mark::High;
    mark.isPlace = true;
    rest = rest.drop_front();
  }
  mark.stem = rest.str();
  return true;
}

/// The marks of a link.
struct Marks {
  const Link &link;
  std::vector<Mark> marks{};

  explicit Marks(const FinishedLink &finished) : link(finished.link) {
    findAssignments();
    findMarks(finished);
  }
  /// Whether one memory has both, and so all between them.
  bool inOneRegion(uint64_t a, uint64_t b) const {
    const auto &regions = link.addresses.regions;
    const auto [low, high] = std::minmax(a, b);
    return regions.empty() || any_of(regions, [&](const RegionPlace &r) {
             return r.origin <= Address(low) && Address(high) <= r.end();
           });
  }

private:
  struct Assigned {
    const AssignmentCommand *command;
    OutputId in; ///< kNone: in no output section
  };
  StringMap<SmallVector<Assigned, 1>> assigned{};

  void findAssignments() {
    const auto add = [&](const ScriptCommand *command,
                         const StatementValue &result, OutputId in) {
      if (!command || command->kind != CommandKind::Assignment ||
          result.skipped)
        return;
      const auto &a = static_cast<const AssignmentCommand &>(*command);
      if (!a.isDot())
        assigned[a.name].push_back({&a, in});
    };
    const auto &layout = link.placement.layout;
    for (size_t i = 0; i < layout.size(); ++i) {
      add(layout[i].command, link.addresses.statements[i], {});
      if (layout[i].output == kNone)
        continue;
      const OutputSection &out = link.placement.outputs[layout[i].output];
      for (uint32_t k = 0; k < out.items.size(); ++k)
        add(out.items[k].command, link.item(out, k), layout[i].output);
    }
  }

  /// Finds the sections from which a mark is computed, through other symbols of
  /// the script.
  void trace(StringRef name, Mark &mark) const {
    StringSet<> seen;
    std::vector<StringRef> next = {name};
    while (!next.empty()) {
      const StringRef symbol = next.back();
      next.pop_back();
      if (!seen.insert(symbol).second)
        continue;
      const auto it = assigned.find(symbol);
      if (it == assigned.end()) {
        const SymbolId id = link.program.symbols.find(symbol);
        mark.ofObject |= id != kNone && link.definitionOf(id).section != kNone;
        continue;
      }
      for (const Assigned &each : it->second) {
        if (each.in != kNone)
          mark.own.insert(each.in.index());
        forEachNode(each.command->value.get(), [&](const Expr &e) {
          mark.ofRegion |= e.kind == ExprKind::Origin;
          mark.ofDot |= e.kind == ExprKind::Dot;
          mark.isPlace |= is_contained({ExprKind::Dot, ExprKind::Origin,
                                        ExprKind::Addr, ExprKind::LoadAddr},
                                       e.kind);
          if (e.kind == ExprKind::Symbol)
            next.push_back(e.name);
          if (e.kind != ExprKind::Addr && e.kind != ExprKind::SizeOf)
            return;
          if (const OutputId id = link.info.outputNamed(e.name); id != kNone)
            mark.own.insert(id.index());
        });
      }
    }
  }

  /// Whether a mark of another kind is one, of which code knows the place.
  bool isPlaceOfMemory(StringRef name, const Mark &mark) const {
    const auto isEnd = [&](const RegionPlace &r) {
      return Address(mark.value) == r.origin || Address(mark.value) == r.end();
    };
    return mark.ofRegion && !mark.ofDot && mark.own.empty() &&
           !name.contains_insensitive("gp") &&
           !name.contains_insensitive("pointer") &&
           !name.contains_insensitive("sda") &&
           none_of(link.addresses.regions, isEnd);
  }

  void findMarks(const FinishedLink &finished) {
    for (const auto &entry : assigned) {
      Mark mark;
      const StringRef name = entry.first();
      const SymbolId id = link.program.symbols.find(name);
      if (id == kNone)
        continue;
      const bool isNamed = readName(name, mark);
      if (!isNamed && (!link.program.symbols[id].referenced ||
                       finished.references().of(id).empty()))
        continue;
      trace(name, mark);
      mark.command = entry.second.back().command;
      mark.value = finished.values.globals[id];
      if (!isNamed)
        mark.isPlace = isPlaceOfMemory(name, mark);
      if (mark.isPlace && !mark.ofObject)
        marks.push_back(std::move(mark));
    }
    // A table of names has no order.
    sort(marks, [](const Mark &a, const Mark &b) {
      const ScriptLocation &x = a.command->where, &y = b.command->where;
      return std::tuple(x.file, x.line, x.column) <
             std::tuple(y.file, y.line, y.column);
    });
  }
};

struct StackRoomCheck : Marks {
  Findings &found;

  StackRoomCheck(const FinishedLink &finished, Findings &found)
      : Marks(finished), found(found) {}

  /// Whether a section takes room that a mark's stack or heap may not have.
  bool inTheWay(const OutputView &out, const Mark &mark) const {
    return out.occupies() && !out.addressed &&
           !mark.own.contains(out.id.index()) && !isReserve(out);
  }

  /// `effect`: "stack and section overwrite each other".
  void report(const Mark &mark, const std::string &text,
              const std::string &effect) {
    found.add([&] {
      return Message{locationText(mark.command->where) + text,
                     {effect + ": no region counts room that the script "
                               "computes",
                      "make room, or reserve it in an output section ('. += "
                      "SIZE;'), which its region counts"}};
    });
  }
  static std::string overwrites(const Mark &mark) {
    return mark.kind
               ? std::string(mark.kind) + " and section overwrite each other"
               : "the memory at the symbol and the section overwrite each "
                 "other";
  }
  static std::string rangeText(const OutputView &out) {
    return "'" + out.name + "' (" + hex(out.address) + ".." +
           hex(out.place.end()) + ")";
  }

  /// Whether an input section begins at the mark, by the script's will.
  bool isPutThere(const OutputView &out, const Mark &mark) const {
    return !mark.kind && any_of(out.members, [&](SectionId id) {
      return link.placed(id) && link.addressOf(id) == Address(mark.value);
    });
  }

  void checkMark(const Mark &mark) {
    for (const OutputView &out : link.outputsInOrder())
      if (inTheWay(out, mark) && out.address < Address(mark.value) &&
          Address(mark.value) < out.place.end() && !isPutThere(out, mark))
        report(mark, mark.text() + " lies inside of section " + rangeText(out),
               overwrites(mark));
  }

  /// The lower end that belongs to an upper one: the nearest below it, else the
  /// first; null: there is none.
  const Mark *lowOf(const Mark &high) const {
    const Mark *best = nullptr;
    for (const Mark &low : marks)
      if (low.side == Mark::Low && low.stem == high.stem &&
          inOneRegion(low.value, high.value) &&
          (!best || (low.value <= high.value &&
                     (best->value < low.value || best->value > high.value))))
        best = &low;
    return best;
  }

  void checkPair(const Mark &low, const Mark &high) {
    const std::string kind = low.kind,
                      range = "from " + low.text() + " to " + high.text();
    if (low.value > high.value)
      return report(low,
                    "the " + kind + " has no room: " + low.text() +
                        " is above " + high.text(),
                    "nothing is left for it");
    const bool reserved = any_of(link.outputs(), [&](const OutputView &out) {
      return out.occupies() && out.address <= Address(low.value) &&
             Address(high.value) <= out.place.end();
    });
    for (const OutputView &out : link.outputsInOrder())
      if (!reserved && inTheWay(out, low) && inTheWay(out, high) &&
          Address(low.value) <= out.address &&
          out.place.end() <= Address(high.value))
        report(low,
               "section " + rangeText(out) + " lies in the " + kind + ", " +
                   range,
               overwrites(low));
    if (low.stem != "stack")
      return;
    for (const Mark &end : marks)
      if (end.stem == "heap" && end.side == Mark::High &&
          low.value < end.value && end.value < high.value)
        report(end,
               "the heap reaches up to " + end.text() + ", into the stack, " +
                   range,
               "heap and stack overwrite each other");
  }

  void run() {
    for (const Mark &mark : marks)
      checkMark(mark);
    for (const Mark &high : marks)
      if (const Mark *low = high.side == Mark::High ? lowOf(high) : nullptr)
        checkPair(*low, high);
  }
};

} // namespace

void checkStackRoom(const FinishedLink &finished, Findings &found) {
  StackRoomCheck(finished, found).run();
}

std::optional<StackRoom> stackRoom(const FinishedLink &finished) {
  const Marks marks(finished);
  const Mark *low = nullptr, *high = nullptr;
  for (const Mark &mark : marks.marks)
    if (mark.stem == "stack" && mark.side != Mark::Open) {
      const Mark *&side = mark.side == Mark::Low ? low : high;
      if (side && side->value != mark.value)
        return std::nullopt; // several stacks
      side = &mark;
    }
  if (!high)
    return std::nullopt;
  uint64_t begin = low ? low->value : 0;
  std::string from = low ? low->command->name.str() : "";
  if (!low)
    for (const OutputView &out : finished.link.outputsInOrder())
      if (const Address end = out.place.end();
          out.occupies() && !out.addressed && Address(begin) < end &&
          end <= Address(high->value) && !isReserve(out) &&
          marks.inOneRegion(out.address.wrapped(), high->value)) {
        begin = end.wrapped();
        from = "the end of " + out.name;
      }
  if (from.empty() || begin > high->value ||
      !marks.inOneRegion(begin, high->value))
    return std::nullopt;
  return StackRoom{high->value - begin,
                   high->command->name.str() + " - " + from};
}

} // namespace xlink
