//===- Placement.cpp - running the script's patterns ----------------------===//
//
// Problem: each input section goes to the first pattern, in script order, that
// matches its name, file and flags. Hundreds of thousands of sections and
// dozens of patterns must not cost their product in string comparisons.
//
// Method: of the few rules that may match its name (PatternRules) a section
// takes the first that fits. Several threads compute that, one file each, and
// number the classes of their sections; then these numbers become those of the
// link, in the order of the inputs. Inside one input section description the
// order is the order of inputs, into which the sections of SORT patterns are
// put where GNU ld puts them.
//
// Cost: that of PatternRules for each section, for SORT patterns and ONLY_IF
// again; a logarithm of the number of classes for a section that is not of the
// class of the one before it.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "placement/PatternRules.h"
#include "placement/SectionSort.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// An input section description at work.
struct DescriptionSlot {
  const InputDescription *description;
  OutputId output;
  uint32_t item;      ///< of the output section
  uint32_t firstRule; ///< of the patterns
  /// Of each pattern; one without patterns has one of a pattern for all.
  std::vector<SectionOrder> orders;
  std::vector<SectionId> taken = {}; ///< in the order of the inputs
  /// --enable-non-contiguous-regions: these, and those that may come later.
  std::vector<SectionId> possible = {};
  /// Sections and the orders of patterns here that name them, see findNamed.
  std::vector<OrderedSection> named = {};
};

/// Numbers classes as they come.
class ClassNumbers {
public:
  explicit ClassNumbers(std::vector<SectionClass> &list) : list(list) {}
  uint32_t number(const SectionClass &c) {
    if (last < list.size() && list[last] == c)
      return last;
    auto [it, fresh] = numbers.try_emplace(c, uint32_t(list.size()));
    if (fresh)
      list.push_back(c);
    return last = it->second;
  }

private:
  std::vector<SectionClass> &list;
  std::map<SectionClass, uint32_t> numbers;
  uint32_t last = kNone;
};

class Placer {
public:
  Placer(const Program &program, Diagnostics &diag)
      : program(program), diag(diag), rules(program) {}
  Placement run();

private:
  void addOutput(const OutputSectionCommand &command);
  void addOverlay(const OverlayCommand &overlay);
  void addStarted();
  void addItems(OutputId id, const OutputSectionCommand &command);
  void disableConstrained();
  void applyRules();
  void applyRulesTo(SectionId id);
  bool takesWhatOverflows(OutputId from, OutputId to) const;
  bool mayMoveOn(const InputSection &section) const;
  void findLater(SectionId id, uint32_t index);
  void match();
  void noteUnmatched();
  void findNamed();
  void fillMembers();
  void entryFirst();
  std::vector<SectionId> sorted(std::vector<SectionId> taken,
                                const DescriptionSlot &slot) const;
  std::vector<SectionId> sortedByTree(ArrayRef<SectionId> taken,
                                      const DescriptionSlot &slot) const;
  bool anyWithoutPriority(const DescriptionSlot &slot) const;

  const Program &program;
  Diagnostics &diag;
  Placement placement;
  PatternRules rules;
  std::vector<DescriptionSlot> slots;
  /// The first rule that takes a section; kNone: none does, or resolution
  /// discarded it.
  IdVector<SectionId, uint32_t> ruleOf;
  /// A section with ONLY_IF_RO or ONLY_IF_RW, and its rules.
  struct Constrained {
    OutputId output;
    Constraint constraint;
    uint32_t firstRule, endRule;
  };
  std::vector<Constrained> constrained;
};

} // namespace

SectionId madeSections(const Program &program) {
  if (program.files.empty())
    return SectionId(1);
  const InputFile &last = program.files.back();
  return last.sectionBase + uint32_t(last.object->sections.size());
}

std::vector<SectionId> inputOrder(const Program &program) {
  std::vector<SectionId> order, last;
  order.reserve(program.sections.size());
  IdVector<FileId, std::vector<SectionId>> common(program.files.size());
  for (SectionId id : idRange(madeSections(program), program.sections.next())) {
    const FileId file = program.sections[id].file;
    (file == kNone ? last : common[file]).push_back(id);
  }
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    for (SectionId id :
         idRange(file.sectionBase + 1,
                 file.sectionBase + uint32_t(file.object->sections.size())))
      order.push_back(id);
    append_range(order, common[f]);
  }
  append_range(order, last);
  return order;
}

//===----------------------------------------------------------------------===//
// Outputs and items
//===----------------------------------------------------------------------===//

/// Makes the rules of an output section, and the items of one that is no
/// /DISCARD/.
void Placer::addItems(OutputId id, const OutputSectionCommand &command) {
  std::vector<OutputItem> &items = placement.outputs[id].items;
  for (const CommandPtr &child : command.commands) {
    if (!command.isDiscard())
      items.push_back({child.get()});
    if (child->kind != CommandKind::InputDescription)
      continue;
    auto &d = static_cast<const InputDescription &>(*child);
    if (command.isDiscard()) {
      rules.add(d, kNone, command, kNone, diag);
      continue;
    }
    DescriptionSlot &slot = slots.emplace_back(DescriptionSlot{
        &d, id, uint32_t(items.size() - 1), uint32_t(rules.size()), {}});
    for (const SectionPattern &pattern : d.patterns)
      slot.orders.emplace_back(pattern, program.config.sortSection);
    if (slot.orders.empty())
      slot.orders.emplace_back();
    rules.add(d, id, command, uint32_t(slots.size() - 1), diag);
  }
}

/// A second command of the same name makes a second section of that name.
void Placer::addOutput(const OutputSectionCommand &command) {
  const OutputId id = placement.outputs.next();
  OutputSection &out = placement.outputs.emplace_back();
  out.name = command.name.str();
  out.command = &command;
  // /DISCARD/ stands in the layout like a section that stepped back: orphans
  // end before it.
  out.dropped = command.isDiscard();
  placement.layout.push_back({nullptr, id});
  const uint32_t firstRule = uint32_t(rules.size());
  addItems(id, command);
  if (command.constraint != Constraint::None && !command.isDiscard())
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
  DenseMap<uint32_t, std::vector<SectionId>> writable; // by rule
  for (SectionId id : program.sections.ids()) {
    const InputSection &s = program.sections[id];
    if (s.discarded || !s.parsed || !(s.parsed->flags & ELF::SHF_WRITE))
      continue;
    rules.forEachNaming(
        s,
        [](const PatternRule &rule) {
          return rule.command->constraint != Constraint::None;
        },
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

static SectionClass classify(const InputSection &s) {
  const ParsedSection &p = *s.parsed;
  return {p.type,  p.flags,     p.entsize,
          p.align, isCommon(s), p.name == ".eh_frame"};
}

void Placer::applyRulesTo(SectionId id) {
  const InputSection &s = program.sections[id];
  SectionPlace &place = placement.sections[id];
  const uint32_t index = ruleOf[id] = rules.first(s, /*keepOnly=*/false);
  if (index != kNone && rules[index].output == kNone) {
    place.discarded = true;
    return;
  }
  if (index != kNone) {
    place.output = rules[index].output;
    place.keep = rules[index].description->keep;
  }
  // KEEP counts even where an earlier pattern places the section, or where its
  // own output section has stepped back. An empty one keeps its output section.
  if (!place.keep &&
      (program.config.gcSections || program.config.nonContiguousRegions ||
       s.parsed->size == 0))
    place.keep = rules.first(s, /*keepOnly=*/true) != kNone;
}

/// Sets the place, the class and the rule of every input section.
void Placer::applyRules() {
  const size_t count = program.sections.size(), files = program.files.size();
  placement.sections.assign(count, SectionPlace());
  ruleOf.assign(count, kNone);
  // A file each, then made sections.
  std::vector<std::vector<SectionClass>> classes(files + 1);
  auto sectionsOf = [&](size_t i) {
    if (i == files)
      return idRange(madeSections(program), program.sections.next());
    const InputFile &file = program.files[FileId(i)];
    return idRange(file.sectionBase,
                   file.sectionBase + uint32_t(file.object->sections.size()));
  };
  program.parallel.forEach(
      files + 1, count * sizeof(ParsedSection), [&](size_t i) {
        ClassNumbers numbers(classes[i]);
        for (SectionId id : sectionsOf(i)) {
          const InputSection &s = program.sections[id];
          SectionPlace &place = placement.sections[id];
          place.discarded = s.discarded;
          if (s.discarded || !s.parsed)
            continue;
          place.classIndex = 1 + numbers.number(classify(s));
          applyRulesTo(id);
        }
      });
  placement.classes.assign(1, SectionClass());
  ClassNumbers numbers(placement.classes);
  for (size_t i = 0; i <= files; ++i) {
    std::vector<uint32_t> ofLink = {0};
    for (const SectionClass &c : classes[i])
      ofLink.push_back(numbers.number(c));
    for (SectionId id : sectionsOf(i))
      placement.sections[id].classIndex =
          ofLink[placement.sections[id].classIndex];
  }
}

void Placer::match() {
  applyRules();
  dropDependents(program, placement);
  const bool moves = program.regionFill() != RegionFill::Overflow;
  for (SectionId id : inputOrder(program)) {
    const uint32_t index = ruleOf[id];
    if (index == kNone)
      continue;
    rules[index].used = true;
    if (placement.sections[id].discarded)
      continue;
    DescriptionSlot &slot = slots[rules[index].slot];
    slot.taken.push_back(id);
    if (!moves)
      continue;
    if (mayMoveOn(program.sections[id]))
      findLater(id, index);
    slot.possible.push_back(id);
  }
  // No section has a second place: then this link is like any other.
  if (program.regionFill() == RegionFill::FirstFit &&
      placement.laterMatches.empty())
    for (DescriptionSlot &slot : slots)
      slot.possible.clear();
}

void Placer::noteUnmatched() {
  for (const PatternRule &rule : rules)
    if (!rule.used && rule.enabled && rule.pattern)
      placement.unmatched.push_back({rule.description, rule.pattern});
}

/// Whether the order of a description can need the tree: where its patterns
/// sort differently, or by priorities that some section may not have.
static bool mayNeedTree(const DescriptionSlot &slot) {
  return !all_equal(slot.orders) || slot.orders[0].byPriority();
}

/// For descriptions that may need the tree: sections that their patterns name
/// and no earlier description took, or that may move on to them.
void Placer::findNamed() {
  std::vector<bool> wanted;
  for (const DescriptionSlot &slot : slots)
    wanted.push_back(mayNeedTree(slot) &&
                     !(slot.taken.empty() && slot.possible.empty()));
  if (!is_contained(wanted, true))
    return;
  const bool moves = program.regionFill() != RegionFill::Overflow;
  for (SectionId id : inputOrder(program)) {
    const InputSection &s = program.sections[id];
    if (placement.sections[id].discarded || !s.parsed || isIdentity(s))
      continue;
    rules.forEachNaming(
        s,
        [&](const PatternRule &rule) {
          return rule.slot != kNone && wanted[rule.slot];
        },
        [&](uint32_t i) {
          DescriptionSlot &slot = slots[rules[i].slot];
          if (moves || ruleOf[id] >= slot.firstRule)
            slot.named.push_back({id, slot.orders[rules[i].patternIndex]});
        });
  }
}

/// The order of a description's sections.
std::vector<SectionId> Placer::sorted(std::vector<SectionId> taken,
                                      const DescriptionSlot &slot) const {
  if (mayNeedTree(slot) &&
      (!all_equal(slot.orders) || anyWithoutPriority(slot)))
    return sortedByTree(taken, slot);
  const SectionComparer comparer(program, *slot.description);
  if (comparer.sorts(slot.orders[0]))
    llvm::stable_sort(taken, [&](SectionId a, SectionId b) {
      return comparer.compare(a, b, slot.orders[0]) < 0;
    });
  return taken;
}

/// Whether a description sorts a section without a priority.
bool Placer::anyWithoutPriority(const DescriptionSlot &slot) const {
  return any_of(slot.named, [&](const OrderedSection &n) {
    return !initPriority(program.sections[n.section].parsed->name);
  });
}

/// All that the patterns name and could take are in the tree, once for each
/// pattern.
std::vector<SectionId> Placer::sortedByTree(ArrayRef<SectionId> taken,
                                            const DescriptionSlot &slot) const {
  DenseSet<SectionId> wanted(taken.begin(), taken.end());
  std::vector<SectionId> result =
      treeOrder(SectionComparer(program, *slot.description), slot.named);
  erase_if(result, [&](SectionId id) { return !wanted.erase(id); });
  return result;
}

void Placer::fillMembers() {
  for (DescriptionSlot &slot : slots) {
    OutputSection &out = placement.outputs[slot.output];
    OutputItem &item = out.items[slot.item];
    if (!slot.possible.empty())
      placement.possibleMembers[{slot.output, slot.item}] =
          sorted(std::move(slot.possible), slot);
    item.begin = uint32_t(out.members.size());
    append_range(out.members, sorted(std::move(slot.taken), slot));
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
  disableConstrained();
  // A relocatable output has the sections that its inputs have.
  if (!program.config.relocatable)
    addStarted();
  match();
  findNamed();
  if (!program.builtinScript)
    noteUnmatched();
  fillMembers();
  orderBySymbols(program, placement, /*orphans=*/false);
  moveInserted(program, placement, diag);
  entryFirst();
  return std::move(placement);
}

Placement placeSections(const Program &program, Diagnostics &diag) {
  return Placer(program, diag).run();
}

} // namespace xlink
