//===- Placement.cpp - running the script's patterns ----------------------===//
//
// Problem: each input section goes to the first pattern, in script order, that
// matches its name, file and flags. Hundreds of thousands of sections and
// dozens of patterns must not cost their product in string comparisons.
//
// Method: of the few rules that may match its name (PatternRules) a section
// takes the first that fits. Several threads compute that. Inside one input
// section description the order is the order of inputs, into which the sections
// of SORT patterns are put where GNU ld puts them.
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
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>
#include <tuple>

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

struct Placer {
  /// A section with ONLY_IF_RO or ONLY_IF_RW, and its rules.
  struct Constrained {
    OutputId output;
    Constraint constraint;
    uint32_t firstRule, endRule;
  };

  const Program &program;
  Diagnostics &diag;
  Placement placement = Placement();
  PatternRules rules{program};
  std::vector<DescriptionSlot> slots = {};
  /// The first rule that takes a section; kNone: none does, or resolution
  /// discarded it.
  IdVector<SectionId, uint32_t> ruleOf{};
  std::vector<Constrained> constrained = {};

  /// Makes the rules of an output section, and the items of one that is no
  /// /DISCARD/.
  void addItems(OutputId id, const OutputSectionCommand &command) {
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
  void addOutput(const OutputSectionCommand &command) {
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

  /// The members of an overlay share an address; their load addresses follow
  /// each other.
  void addOverlay(const OverlayCommand &overlay) {
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
  void addStarted() {
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

  /// ONLY_IF_RO and ONLY_IF_RW: a command whose sections break its constraint
  /// is removed, and its sections go to later patterns. All sections count that
  /// its patterns name and no earlier pattern takes, with any flags (GNU ld).
  void disableConstrained() {
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
  bool takesWhatOverflows(OutputId from, OutputId to) const {
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
  bool mayMoveOn(const InputSection &section) const {
    const RegionFill fill = program.regionFill();
    return fill == RegionFill::NextFit ||
           (fill == RegionFill::FirstFit &&
            (section.parsed->flags & ELF::SHF_EXECINSTR));
  }

  /// The other places where a section matches. Patterns of one output section
  /// count once.
  void findLater(SectionId id, uint32_t index) {
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

  void applyRulesTo(SectionId id) {
    const InputSection &s = program.sections[id];
    SectionPlace &place = placement.sections[id];
    place.discarded = s.discarded;
    if (s.discarded || !s.parsed)
      return;
    const uint32_t index = ruleOf[id] = rules.first(s, /*keepOnly=*/false);
    if (index != kNone && rules[index].output == kNone) {
      place.discarded = true;
      return;
    }
    if (index != kNone) {
      place.output = rules[index].output;
      place.keep = rules[index].description->keep;
    }
    // KEEP counts even where an earlier pattern places the section, or where
    // its own output section has stepped back. An empty one keeps its output
    // section.
    if (!place.keep &&
        (program.config.gcSections || program.config.nonContiguousRegions ||
         s.parsed->size == 0))
      place.keep = rules.first(s, /*keepOnly=*/true) != kNone;
  }

  /// Sets the place, the class and the rule of every input section.
  void applyRules() {
    const size_t count = program.sections.size();
    placement.sections.assign(count, SectionPlace());
    placement.sections[SectionId(0)].discarded = true;
    ruleOf.assign(count, kNone);
    std::vector<SectionClass> &classes = placement.classes;
    classes.assign(1, SectionClass());
    std::map<SectionClass, uint32_t> numbers;
    uint32_t last = 0; // the next section is often of the same class
    const auto classify = [&](SectionId id) {
      const InputSection &s = program.sections[id];
      if (s.discarded || !s.parsed)
        return;
      const ParsedSection &p = *s.parsed;
      const SectionClass own{p.type,  p.flags,     p.entsize,
                             p.align, isCommon(s), p.name == ".eh_frame"};
      if (last == 0 || classes[last] != own)
        last = numbers.try_emplace(own, uint32_t(classes.size())).first->second;
      if (last == classes.size())
        classes.push_back(own);
      placement.sections[id].classIndex = last;
    };
    constexpr size_t kChunk = 2048;
    const auto forChunk = [&](size_t chunk, auto fn) {
      for (SectionId id :
           idRange(SectionId(std::max<size_t>(chunk * kChunk, 1)),
                   SectionId(std::min((chunk + 1) * kChunk, count))))
        fn(id);
    };
    program.parallel.forEachInOrder(
        divideCeil(count, kChunk), count * sizeof(ParsedSection),
        [&](size_t chunk) {
          forChunk(chunk, [&](SectionId id) { applyRulesTo(id); });
        },
        [&](size_t chunk) { forChunk(chunk, classify); });
  }

  void match() {
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

  /// For descriptions that may need the tree, as their patterns sort
  /// differently or by priorities that some section may lack: sections that
  /// their patterns name and no earlier description took, or that may move on
  /// to them.
  void findNamed() {
    std::vector<bool> wanted;
    for (const DescriptionSlot &slot : slots)
      wanted.push_back(
          (!all_equal(slot.orders) || slot.orders[0].byPriority()) &&
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
  std::vector<SectionId> sorted(std::vector<SectionId> taken,
                                const DescriptionSlot &slot) const {
    const SectionComparer comparer(program, *slot.description);
    auto lacksPriority = [&](const OrderedSection &n) {
      return !initPriority(program.sections[n.section].parsed->name);
    };
    if (!all_equal(slot.orders) ||
        (slot.orders[0].byPriority() && any_of(slot.named, lacksPriority))) {
      // The tree has all that the patterns name, once for each pattern.
      DenseSet<SectionId> wanted(taken.begin(), taken.end());
      std::vector<SectionId> result = treeOrder(comparer, slot.named);
      erase_if(result, [&](SectionId id) { return !wanted.erase(id); });
      return result;
    }
    if (comparer.sorts(slot.orders[0]))
      llvm::stable_sort(taken, [&](SectionId a, SectionId b) {
        return comparer.compare(a, b, slot.orders[0]) < 0;
      });
    return taken;
  }

  void fillMembers() {
    for (DescriptionSlot &slot : slots) {
      OutputSection &out = placement.outputs[slot.output];
      OutputItem &item = out.items[slot.item];
      if (!slot.possible.empty())
        placement.possibleMembers[{slot.output, slot.item}] =
            sorted(std::move(slot.possible), slot);
      item.begin = uint32_t(out.members.size());
      std::vector<SectionId> members = sorted(std::move(slot.taken), slot);
      if (out.members.empty())
        out.members = std::move(members);
      else
        append_range(out.members, members);
      item.end = uint32_t(out.members.size());
    }
  }

  /// Moves the section with the entry symbol to the front of its description,
  /// so that execution begins where the output section does.
  void entryFirst() {
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

  Placement run() {
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
      for (const PatternRule &rule : rules)
        if (!rule.used && rule.enabled && rule.pattern)
          placement.unmatched.push_back({rule.description, rule.pattern});
    fillMembers();
    orderBySymbols(program, placement, /*orphans=*/false);
    moveInserted(program, placement, diag);
    entryFirst();
    return std::move(placement);
  }
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
// Matching
//===----------------------------------------------------------------------===//

Placement placeSections(const Program &program, Diagnostics &diag) {
  return Placer{program, diag}.run();
}

//===----------------------------------------------------------------------===//
// Output sections of -r without a script
//
// Problem: a relocatable output replaces its inputs in another link, with the
// same result: patterns see names and flags, --gc-sections drops whole
// sections, groups are chosen or dropped as a whole, and a section with
// SHF_LINK_ORDER stays or goes with the described one.
//
// Method: sections of one name share an output section, as in GNU ld, unless
// the next link treats them differently: by type, by the meaning of their
// flags, or by the sections that they describe. Sections that the next link may
// drop alone stand alone: members of groups, pieces and their parents, and
// sections cut into blocks. Output sections stand in the order in which the
// inputs first have them, so that one input keeps its order.
//
// Cost: a logarithm of the number of output sections for each section.
//===----------------------------------------------------------------------===//

namespace {

struct ByName {
  /// The common properties of sections that share an output section.
  using Kin =
      std::tuple<StringRef, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t>;
  /// An output section to be, and where its first member stands.
  struct Shared {
    StringRef name;
    size_t first;
    std::vector<SectionId> members;
  };

  const Program &program;
  Placement placement;
  const Liveness &liveness;
  std::vector<Shared> shared = {};
  std::map<Kin, uint32_t> byKin = {};    ///< into `shared`
  IdVector<SectionId, uint32_t> homes{}; ///< into `shared`, kNone: nowhere
  IdVector<SectionId, bool> apart{};     ///< by findApart()

  /// COMMON that -d gives a place is zeros like any other.
  StringRef nameOf(SectionId id) const {
    const InputSection &s = program.sections[id];
    return isCommon(s) ? StringRef(".bss") : s.parsed->name;
  }

  /// Sections that have pieces, and such that are cut into blocks: padding
  /// behind the last block would belong to none, and stay when all of them go.
  void findApart() {
    apart.resize(program.sections.size());
    for (const InputFile &file : program.files) {
      for (const MoreOfSection &more : file.object->more)
        if (more.parent)
          apart[file.sectionBase + more.parent] = true;
      for (const ExprEntry &entry : file.object->expressions)
        if (entry.meaning == ExprOp::Block &&
            entry.operands[0].kind == ExprOperand::Symbol)
          if (const ParsedSymbol &top =
                  file.object->symbols[entry.operands[0].value];
              top.place == SymbolPlace::Section)
            apart[file.sectionBase + top.section] = true;
    }
  }

  /// `described`: into `shared`, the section's described one, or kNone.
  Kin kinOf(SectionId id, uint32_t described) const {
    constexpr uint64_t telling =
        ELF::SHF_ALLOC | ELF::SHF_TLS | ELF::SHF_MERGE | ELF::SHF_STRINGS |
        ELF::SHF_LINK_ORDER | ELF::SHF_MASKOS | ELF::SHF_MASKPROC;
    const ParsedSection &p = *program.sections[id].parsed;
    // Entries merge with those of equal size and alignment only.
    const bool merges = p.flags & ELF::SHF_MERGE;
    return {nameOf(id),
            p.type,
            p.flags & telling,
            merges ? p.entsize : 0,
            merges ? uint64_t(p.align) : 0,
            described};
  }

  void take(SectionId id, size_t position, uint32_t described) {
    uint32_t home = uint32_t(shared.size());
    const InputSection &s = program.sections[id];
    if (!program.config.uniqueOrphans && !standsAlone(program, s) &&
        !s.parsed->isPiece && !apart[id])
      home = byKin.try_emplace(kinOf(id, described), home).first->second;
    if (home == shared.size())
      shared.push_back({nameOf(id), position, {}});
    homes[id] = home;
    shared[home].members.push_back(id);
  }

  Placement run() {
    findApart();
    homes.assign(program.sections.size(), kNone);
    // Sections that describe others come when these have their places.
    std::vector<std::pair<size_t, SectionId>> describing;
    size_t position = 0;
    for (SectionId id : inputOrder(program)) {
      const SectionPlace &place = placement.sections[id];
      if (place.discarded || !program.sections[id].parsed ||
          !liveness.lives(id))
        continue;
      ++position;
      if (linkedTo(program, id) != kNone)
        describing.push_back({position, id});
      else
        take(id, position, kNone);
    }
    for (auto [at, id] : describing)
      take(id, at, homes[linkedTo(program, id)]);
    std::sort(
        shared.begin(), shared.end(),
        [](const Shared &a, const Shared &b) { return a.first < b.first; });
    for (Shared &s : shared) {
      const OutputId id = placement.outputs.next();
      OutputSection &out = placement.outputs.emplace_back();
      out.name = s.name.str();
      out.members = std::move(s.members);
      out.items.push_back({nullptr, 0, uint32_t(out.members.size())});
      for (SectionId member : out.members)
        placement.sections[member].output = id;
      placement.layout.push_back({nullptr, id});
    }
    return std::move(placement);
  }
};

} // namespace

Placement placeByName(const Program &program, Placement placement,
                      const Liveness &liveness) {
  return ByName{program, std::move(placement), liveness}.run();
}

} // namespace xlink
