//===- Placement.cpp - running the script's patterns ----------------------===//
//
// Problem: each input section goes to the first pattern, in script order, that
// matches its name, file and flags. Hundreds of thousands of sections and
// dozens of patterns must not cost their product in string comparisons.
//
// Method: of the few rules that may match its name (PatternRules) a section
// takes the first that fits; several threads compute that (SectionSurvey).
// Inside one input section description the order is the order of inputs, into
// which the sections of SORT patterns are put where GNU ld puts them.
//
// Cost: that of PatternRules, for SORT patterns and ONLY_IF too. An INSERT
// takes a logarithm for each statement that it moves.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "placement/InsertionPoint.h"
#include "placement/LayoutSequence.h"
#include "placement/PatternRules.h"
#include "placement/SectionSort.h"
#include "placement/SectionSurvey.h"
#include "placement/SymbolOrdering.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <optional>
#include <set>

using namespace llvm;

namespace xlink {

namespace {

/// The sections one input section description takes.
struct Slot {
  std::vector<SectionId> taken; ///< in the order of the inputs
  /// --enable-non-contiguous-regions: these, and those that may come later.
  std::vector<SectionId> possible;
  /// A section, and the index of a pattern here that names it.
  struct Named {
    SectionId section;
    uint32_t pattern;
  };
  std::vector<Named> named; ///< in the order of the inputs; see findNamed
  uint32_t firstRule = 0;   ///< of the description's patterns
  OutputId output = kNone;
  uint32_t item = 0;
};

class Placer {
public:
  Placer(const Program &program, Diagnostics &diag)
      : program(program), diag(diag), rules(program) {}
  Placement run();

private:
  void addRules(const InputDescription &description, OutputId output,
                const OutputSectionCommand &command, uint32_t slot) {
    rules.add(description, output, command, slot, diag);
    anyKeep |= description.keep;
  }
  void addOutput(const OutputSectionCommand &command);
  void addOverlay(const OverlayCommand &overlay);
  void moveInserted();
  void addStarted();
  void addItems(OutputId id, const OutputSectionCommand &command);
  void disableConstrained();
  bool takesWhatOverflows(OutputId from, OutputId to) const;
  bool mayMoveOn(const InputSection &section) const;
  void findLater(SectionId id, uint32_t index);
  void match();
  void noteUnmatched();
  std::vector<SectionOrder> ordersOf(const InputDescription &d) const;
  std::optional<PatternIndex> sortingRules() const;
  void findNamed(const PatternIndex &some, const uint32_t *ruleOf);
  void fillMembers();
  void entryFirst();
  std::vector<SectionId> sorted(std::vector<SectionId> taken, const Slot &slot,
                                const InputDescription &d) const;
  std::vector<SectionId> sortedByTree(ArrayRef<SectionId> taken,
                                      const Slot &slot,
                                      const SectionComparer &comparer,
                                      ArrayRef<SectionOrder> orders) const;
  bool anyWithoutPriority(const Slot &slot) const;

  const Program &program;
  Diagnostics &diag;
  Placement placement;
  PatternRules rules;
  std::vector<Slot> slots;
  mutable uint64_t stepCount = 0;
  /// A section with ONLY_IF_RO or ONLY_IF_RW, and its rules.
  struct Constrained {
    OutputId output;
    Constraint constraint;
    uint32_t firstRule, endRule;
  };
  std::vector<Constrained> constrained;
  bool anyKeep = false;
};

} // namespace

std::vector<SectionId> inputOrder(const Program &program) {
  std::vector<SectionId> order;
  order.reserve(program.sections.size());
  InputOrder(program).forEach([&](SectionId id) { order.push_back(id); });
  return order;
}

//===----------------------------------------------------------------------===//
// Outputs and items
//===----------------------------------------------------------------------===//

void Placer::addItems(OutputId id, const OutputSectionCommand &command) {
  for (const CommandPtr &child : command.commands) {
    placement.outputs[id].items.push_back({child.get()});
    if (child->kind != CommandKind::InputDescription)
      continue;
    auto &d = static_cast<const InputDescription &>(*child);
    Slot slot;
    slot.output = id;
    slot.item = uint32_t(placement.outputs[id].items.size() - 1);
    slot.firstRule = uint32_t(rules.size());
    slots.push_back(slot);
    addRules(d, id, command, uint32_t(slots.size() - 1));
  }
}

void Placer::addOutput(const OutputSectionCommand &command) {
  if (command.isDiscard()) {
    for (const CommandPtr &child : command.commands)
      if (child->kind == CommandKind::InputDescription)
        addRules(static_cast<const InputDescription &>(*child), kNone, command,
                 kNone);
    // It stands in the layout like one that stepped back: orphans end before
    // it.
    const OutputId id = placement.outputs.next();
    OutputSection &out = placement.outputs.emplace_back();
    out.name = command.name.str();
    out.command = &command;
    out.dropped = true;
    placement.layout.push_back({nullptr, id});
    return;
  }
  // A second command of the same name makes a second section of that name.
  const OutputId id = placement.outputs.next();
  OutputSection &out = placement.outputs.emplace_back();
  out.name = command.name.str();
  out.command = &command;
  placement.layout.push_back({nullptr, id});
  const uint32_t firstRule = uint32_t(rules.size());
  addItems(id, command);
  if (command.constraint != Constraint::None)
    constrained.push_back(
        {id, command.constraint, firstRule, uint32_t(rules.size())});
}

/// The members of an overlay share an address; their load addresses follow each
/// other.
void Placer::addOverlay(const OverlayCommand &overlay) {
  const OutputId first = placement.outputs.next();
  auto symbol = overlay.symbols.begin(); // two for each member
  for (const auto &command : overlay.sections) {
    addOutput(*command);
    for (int i = 0; i < 2 && symbol != overlay.symbols.end(); ++i)
      placement.layout.push_back({(symbol++)->get(), {}});
  }
  for (OutputId id : idRange(first, placement.outputs.next())) {
    placement.outputs[id].overlay = &overlay;
    placement.outputs[id].overlayFirst = first;
  }
  if (first < placement.outputs.next())
    placement.outputs.back().overlayLast = true;
}

namespace {

/// The layout while INSERTs move parts of it, with the places of names and of
/// the results of each command.
class Inserter {
public:
  Inserter(const Program &program, Placement &placement, Diagnostics &diag);
  void insert(const InsertCommand &insert, uint32_t index);
  void finish();
  uint64_t steps() const { return sequence.steps(); }

private:
  /// The marks of the sequence.
  enum Mark : LayoutSequence::Marks {
    Output = 1,
    Standing = 2, ///< an output section that does not step back
    Dot = 4,      ///< an assignment to dot
  };
  /// Orders statements by where they stand.
  struct Earlier {
    const LayoutSequence *sequence;
    bool operator()(uint32_t a, uint32_t b) const {
      return sequence->position(a) < sequence->position(b);
    }
  };
  LayoutSequence::Marks marksOf(const LayoutCommand &c) const;
  uint32_t find(StringRef name, uint32_t first, uint32_t last) const;
  uint32_t placeBehind(uint32_t after);
  bool setUp(OutputId next);

  const Program &program;
  Placement &placement;
  Diagnostics &diag;
  LayoutSequence sequence; ///< of indices into Placement::layout
  std::vector<std::vector<uint32_t>> byOrigin;
  StringMap<std::set<uint32_t, Earlier>> byName;
  DenseMap<OutputId, bool> known; ///< the result of setUp
};

} // namespace

LayoutSequence::Marks Inserter::marksOf(const LayoutCommand &c) const {
  if (c.output == kNone)
    return assignsDot(c) ? Dot : 0;
  const OutputSection &out = placement.outputs[c.output];
  return out.dropped && !out.command->isDiscard() ? Output : Output | Standing;
}

Inserter::Inserter(const Program &program, Placement &placement,
                   Diagnostics &diag)
    : program(program), placement(placement), diag(diag),
      byOrigin(program.script.commands.size()) {
  for (uint32_t i = 0; i < placement.layout.size(); ++i) {
    const LayoutCommand &c = placement.layout[i];
    sequence.append(marksOf(c));
    if (c.origin != kNone)
      byOrigin[c.origin].push_back(i);
    if (c.output != kNone)
      byName.try_emplace(placement.outputs[c.output].name, Earlier{&sequence})
          .first->second.insert(i);
  }
}

void Inserter::finish() {
  std::vector<LayoutCommand> layout;
  for (uint32_t i : sequence.inOrder())
    layout.push_back(placement.layout[i]);
  placement.layout = std::move(layout);
}

/// The first section of a name that commands [first, last) have not laid out,
/// or kNone.
uint32_t Inserter::find(StringRef name, uint32_t first, uint32_t last) const {
  auto it = byName.find(name);
  if (it != byName.end())
    for (uint32_t i : it->second)
      if (const uint32_t origin = placement.layout[i].origin;
          origin < first || origin >= last)
        return i;
  return kNone;
}

/// Whether dot can have been set up for an output section: for one that is
/// empty, and for one in memory.
bool Inserter::setUp(OutputId next) {
  auto [it, first] = known.try_emplace(next);
  if (!first)
    return it->second;
  bool anyInput = false;
  for (SectionId member : placement.outputs[next].members) {
    const SectionPlace &place = placement.sections[member];
    if (!place.placed())
      continue;
    if (placement.classOf(member).flags & ELF::SHF_ALLOC)
      return it->second = true;
    anyInput = true;
  }
  return it->second = !anyInput;
}

/// The place where a section that follows another is inserted; kNone: the
/// layout's start, or the end.
uint32_t Inserter::placeBehind(uint32_t after) {
  const uint32_t next = sequence.next(after, Output);
  uint32_t dot = sequence.next(after, Output | Dot);
  if (after == kNone && dot != next)
    dot = sequence.next(dot, Output | Dot);
  return insertionPoint<uint32_t>(
      next, dot == next ? kNone : dot, kNone,
      [&](uint32_t output) { return setUp(placement.layout[output].output); });
}

/// INSERT moves the results of its SECTIONS behind or before a section of
/// another script, with the assignments around them. Patterns keep the script's
/// order: those of the script with INSERT come first (GNU ld).
void Inserter::insert(const InsertCommand &insert, uint32_t index) {
  const uint32_t at = find(insert.name, insert.firstCommand, index);
  if (at == kNone) {
    diag.error(locationText(insert.where) + "section '" + insert.name.str() +
               "' of INSERT is not in any script");
    return;
  }
  std::vector<uint32_t> moved;
  for (uint32_t origin = insert.firstCommand; origin < index; ++origin)
    moved.insert(moved.end(), byOrigin[origin].begin(), byOrigin[origin].end());
  auto names = [&](uint32_t i) -> std::set<uint32_t, Earlier> * {
    const OutputId out = placement.layout[i].output;
    return out == kNone ? nullptr
                        : &byName.find(placement.outputs[out].name)->second;
  };
  for (uint32_t i : moved) {
    if (auto *same = names(i))
      same->erase(i);
    sequence.remove(i);
  }
  // BEFORE is behind the section in front of it, unless that steps back.
  const uint32_t place =
      placeBehind(insert.after ? at : sequence.previous(at, Standing));
  for (uint32_t i : moved)
    sequence.insertBefore(i, place);
  for (uint32_t i : moved)
    if (auto *same = names(i))
      same->insert(i);
}

void Placer::moveInserted() {
  std::optional<Inserter> inserter;
  for (uint32_t i = 0; i < program.script.commands.size(); ++i)
    if (program.script.commands[i]->kind == CommandKind::Insert) {
      if (!inserter)
        inserter.emplace(program, placement, diag);
      inserter->insert(
          static_cast<const InsertCommand &>(*program.script.commands[i]), i);
    }
  if (!inserter)
    return;
  inserter->finish();
  stepCount += inserter->steps();
}

/// Sections that options give an address but no script mentions stand behind
/// all others (GNU ld) and take inputs of their name.
void Placer::addStarted() {
  if (program.config.sectionStart.empty())
    return;
  StringSet<> names;
  for (const OutputSection &out : placement.outputs)
    if (!out.dropped)
      names.insert(out.name);
  for (const SectionStart &start : program.config.sectionStart) {
    if (is_contained(program.script.segmentStarts, start.segment) ||
        !names.insert(start.section).second)
      continue;
    const OutputId id = placement.outputs.next();
    placement.outputs.emplace_back().name = start.section;
    placement.layout.push_back({nullptr, id});
  }
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// ONLY_IF_RO and ONLY_IF_RW: a command whose sections break its constraint is
/// removed, and its sections go to later patterns. All sections count that its
/// patterns name and no earlier pattern takes, with any flags (GNU ld).
void Placer::disableConstrained() {
  if (constrained.empty())
    return;
  const PatternIndex some = rules.indexOf([](const PatternRule &rule) {
    return rule.command->constraint != Constraint::None;
  });
  DenseMap<uint32_t, std::vector<SectionId>> writable; // by rule
  for (SectionId id : program.sections.ids()) {
    const InputSection &s = program.sections[id];
    if (!s.discarded && s.parsed && (s.parsed->flags & ELF::SHF_WRITE))
      rules.forEachNaming(some, s,
                          [&](uint32_t i) { writable[i].push_back(id); });
  }
  for (const Constrained &c : constrained) {
    bool anyWritable = false;
    for (uint32_t i = c.firstRule; i < c.endRule && !anyWritable; ++i)
      anyWritable = any_of(writable[i], [&](SectionId id) {
        return rules.first(program.sections[id], false) >= c.firstRule;
      });
    if (anyWritable == (c.constraint == Constraint::OnlyIfRW))
      continue;
    for (uint32_t i = c.firstRule; i < c.endRule; ++i)
      rules[i].enabled = false;
    placement.outputs[c.output].dropped = true;
  }
}

/// Whether sections of one output section may move on to another. If the
/// machine asks for it and no option does, only to another region.
bool Placer::takesWhatOverflows(OutputId from, OutputId to) const {
  if (program.regionFill() == RegionFill::NextFit)
    return true;
  if (to == kNone || !placement.outputs[to].command ||
      !placement.outputs[from].command)
    return false;
  const StringRef first = placement.outputs[from].command->region,
                  second = placement.outputs[to].command->region;
  return !first.empty() && !second.empty() && first != second;
}

/// Whether a section goes elsewhere when its region is full.
bool Placer::mayMoveOn(const InputSection &section) const {
  const RegionFill fill = program.regionFill();
  return fill == RegionFill::NextFit ||
         (fill == RegionFill::FirstFit &&
          (section.parsed->flags & ELF::SHF_EXECINSTR));
}

/// The other places where a section matches. Patterns of one output section
/// count once.
void Placer::findLater(SectionId id, uint32_t index) {
  const InputSection &s = program.sections[id];
  const OutputId first = rules[index].output;
  OutputId last = first;
  std::vector<LaterMatch> later;
  for (uint32_t i = index;;) {
    i = rules.next(s, i + 1, [&](const PatternRule &rule) {
      return rule.output != last && takesWhatOverflows(first, rule.output) &&
             rules.matches(rule, s);
    });
    if (i == kNone)
      break;
    PatternRule &rule = rules[i];
    rule.used = true;
    last = rule.output;
    later.push_back({last, last == kNone ? 0 : slots[rule.slot].item});
    if (last != kNone)
      slots[rule.slot].possible.push_back(id);
    if (program.config.warnNonContiguous)
      diag.warn(
          WarningGroup::Script,
          "--enable-non-contiguous-regions may move " +
              program.sectionName(id) + " from '" +
              placement.outputs[first].name + "' to '" +
              (last == kNone ? "/DISCARD/" : placement.outputs[last].name) +
              "'");
    if (last == kNone)
      break;
  }
  if (later.empty())
    return;
  std::reverse(later.begin(), later.end());
  placement.laterMatches[id] = std::move(later);
}

void Placer::match() {
  const std::optional<PatternIndex> sorting = sortingRules();
  const SectionSurvey survey = surveySections(
      program, rules, anyKeep, sorting ? &*sorting : nullptr, placement);
  if (survey.anyNamed)
    findNamed(*sorting, survey.rule.get());
  stepCount += survey.steps;
  std::vector<uint32_t> counts(rules.size());
  dropDependents(program, placement);
  const uint32_t *ruleOf = survey.rule.get();
  for (SectionId id : program.sections.ids(1))
    if (const uint32_t index = ruleOf[id.index()]; index != kNone)
      ++counts[index];
  std::vector<size_t> sizes(slots.size());
  for (uint32_t i = 0; i < rules.size(); ++i) {
    rules[i].used |= counts[i] != 0;
    if (rules[i].slot != kNone)
      sizes[rules[i].slot] += counts[i];
  }
  for (size_t i = 0; i < slots.size(); ++i)
    slots[i].taken.reserve(sizes[i]);
  const bool moves = program.regionFill() != RegionFill::Overflow;
  InputOrder(program).forEach([&](SectionId id) {
    const uint32_t index = ruleOf[id.index()];
    if (index == kNone || placement.sections[id].discarded)
      return;
    Slot &slot = slots[rules[index].slot];
    slot.taken.push_back(id);
    if (!moves)
      return;
    if (mayMoveOn(program.sections[id]))
      findLater(id, index);
    slot.possible.push_back(id);
  });
  // No section has a second place: then this link is like any other.
  if (program.regionFill() == RegionFill::FirstFit &&
      placement.laterMatches.empty())
    for (Slot &slot : slots)
      slot.possible.clear();
}

void Placer::noteUnmatched() {
  for (const PatternRule &rule : rules)
    if (!rule.used && rule.enabled && rule.pattern)
      placement.unmatched.push_back({rule.description, rule.pattern});
}

std::vector<SectionOrder> Placer::ordersOf(const InputDescription &d) const {
  std::vector<SectionOrder> orders;
  for (const SectionPattern &pattern : d.patterns)
    orders.emplace_back(pattern, program.config.sortSection);
  if (orders.empty())
    orders.emplace_back();
  return orders;
}

/// Whether the order of a description can need the tree: where its patterns
/// sort differently, or by priorities that some section may not have.
static bool mayNeedTree(ArrayRef<SectionOrder> orders) {
  return !all_equal(orders) || orders[0].byPriority();
}

/// The patterns of descriptions that may need the tree.
std::optional<PatternIndex> Placer::sortingRules() const {
  std::vector<bool> needed;
  for (const Slot &slot : slots)
    needed.push_back(mayNeedTree(ordersOf(*rules[slot.firstRule].description)));
  if (!is_contained(needed, true))
    return std::nullopt;
  return rules.indexOf([&](const PatternRule &rule) {
    return rule.slot != kNone && needed[rule.slot];
  });
}

/// Sections that such patterns name and no earlier description took, or that
/// may move on to them.
void Placer::findNamed(const PatternIndex &some, const uint32_t *ruleOf) {
  const bool moves = program.regionFill() != RegionFill::Overflow;
  for (SectionId id : inputOrder(program)) {
    const InputSection &s = program.sections[id];
    if (placement.sections[id].discarded || !s.parsed || isIdentity(s))
      continue;
    rules.forEachNaming(some, s, [&](uint32_t i) {
      Slot &slot = slots[rules[i].slot];
      if (moves || ruleOf[id.index()] >= slot.firstRule)
        slot.named.push_back({id, rules[i].patternIndex});
    });
  }
}

/// The order of a description's sections.
std::vector<SectionId> Placer::sorted(std::vector<SectionId> taken,
                                      const Slot &slot,
                                      const InputDescription &d) const {
  const std::vector<SectionOrder> orders = ordersOf(d);
  const SectionComparer comparer(program, d);
  if (mayNeedTree(orders) && (!all_equal(orders) || anyWithoutPriority(slot)))
    return sortedByTree(taken, slot, comparer, orders);
  if (orders[0].sorts() || comparer.sortsFiles())
    llvm::stable_sort(taken, [&](SectionId a, SectionId b) {
      return comparer.compare(a, b, orders[0]) < 0;
    });
  return taken;
}

/// Whether a description sorts a section without a priority.
bool Placer::anyWithoutPriority(const Slot &slot) const {
  return any_of(slot.named, [&](const Slot::Named &n) {
    return !initPriority(program.sections[n.section].parsed->name);
  });
}

/// All that the patterns name and could take are in the tree, once for each
/// pattern.
std::vector<SectionId>
Placer::sortedByTree(ArrayRef<SectionId> taken, const Slot &slot,
                     const SectionComparer &comparer,
                     ArrayRef<SectionOrder> orders) const {
  SortTree tree(comparer);
  for (const Slot::Named &n : slot.named)
    tree.hang(n.section, orders[n.pattern]);
  stepCount += slot.named.size() + tree.steps();
  DenseSet<SectionId> wanted(taken.begin(), taken.end());
  std::vector<SectionId> result = tree.inOrder();
  erase_if(result, [&](SectionId id) { return !wanted.erase(id); });
  return result;
}

void Placer::fillMembers() {
  for (Slot &slot : slots) {
    OutputSection &out = placement.outputs[slot.output];
    OutputItem &item = out.items[slot.item];
    auto &description = static_cast<const InputDescription &>(*item.command);
    std::vector<SectionId> result =
        sorted(std::move(slot.taken), slot, description);
    if (!slot.possible.empty())
      placement.possibleMembers[{slot.output, slot.item}] =
          sorted(std::move(slot.possible), slot, description);
    item.begin = uint32_t(out.members.size());
    if (out.members.empty())
      out.members = std::move(result);
    else
      out.members.insert(out.members.end(), result.begin(), result.end());
    item.end = uint32_t(out.members.size());
  }
}

/// Moves the section with the entry symbol to the front of its description, so
/// that execution begins where the output section does.
void Placer::entryFirst() {
  if (!program.builtinScript || !program.target->entrySectionFirst ||
      program.entrySymbol == kNone)
    return;
  const Symbol &entry = program.symbols[program.entrySymbol];
  if (entry.kind != SymbolKind::Defined ||
      placement.sections[entry.section].output == kNone)
    return;
  OutputSection &out =
      placement.outputs[placement.sections[entry.section].output];
  for (OutputItem &item : out.items) {
    auto begin = out.members.begin() + item.begin;
    auto end = out.members.begin() + item.end;
    auto first = std::find(begin, end, entry.section);
    if (first == end)
      continue;
    auto last = first + 1;
    auto together = [&](SectionId id) {
      return stayTogether(program, id, entry.section);
    };
    while (first != begin && together(*(first - 1)))
      --first;
    while (last != end && together(*last))
      ++last;
    std::rotate(begin, first, last);
  }
}

Placement Placer::run() {
  for (uint32_t i = 0; i < program.script.commands.size(); ++i) {
    const ScriptCommand &command = *program.script.commands[i];
    size_t before = placement.layout.size();
    switch (command.kind) {
    case CommandKind::Assignment:
    case CommandKind::Assert:
      placement.layout.push_back({&command, {}});
      break;
    case CommandKind::OutputSection:
      addOutput(static_cast<const OutputSectionCommand &>(command));
      break;
    case CommandKind::Overlay:
      addOverlay(static_cast<const OverlayCommand &>(command));
      break;
    default:
      break;
    }
    for (; before < placement.layout.size(); ++before)
      placement.layout[before].origin = i;
  }
  rules.settle();
  disableConstrained();
  // A relocatable output has the sections that its inputs have.
  if (!program.config.relocatable)
    addStarted();
  match();
  if (!program.builtinScript)
    noteUnmatched();
  fillMembers();
  orderBySymbols(program, placement, /*orphans=*/false);
  moveInserted();
  entryFirst();
  placement.steps = stepCount + rules.steps();
  return std::move(placement);
}

Placement placeSections(const Program &program, Diagnostics &diag) {
  return Placer(program, diag).run();
}

} // namespace xlink
