//===- Orphans.cpp - sections that no pattern matches ---------------------===//
//
// Problem: a section that the script does not mention needs a sensible place:
// code behind code, constants behind constants. Scripts rely on GNU ld's
// choice.
//
// Method: GNU ld's, whose rules README.md lists. An orphan joins an output
// section of its own name; else it follows the section of its kind (code,
// read-only data, data, bss, note ...), or the last one whose traits fit,
// loosening the fit step by step.
//
// GNU ld searches notes in a list of its own, in the order in which output
// sections were created, an orphan next to the one before it; this list is kept
// here too.
//
// With --unique no orphan joins another; each stands where the first of its
// name would. Members of a base-symbol group follow the last section of the
// group, those marked to come last behind all others.
//
// Cost: a hash lookup for each orphan, and one look at each output section of
// its name; one scan of the output sections for each kind, for each type of
// section if a kind's place is not found by name, and for each note.
//
//===----------------------------------------------------------------------===//
#include "base/Diagnostics.h"
#include "layout/AddressAssignment.h"
#include "layout/Checks.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "script/ScriptParser.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Start-up code calls only the arrays that the machine's script places.
/// `reported`: the tables already reported.
static void reportUncalled(const Program &program, SectionId id,
                           StringSet<> &reported, Diagnostics &diag) {
  const InputSection &s = program.sections[id];
  const StringRef name = s.parsed->name;
  const StringRef family = familyOf(name); // of .ctors.1
  static const char *const tables[] = {".ctors", ".dtors", ".init_array",
                                       ".fini_array", ".preinit_array"};
  if (!is_contained(tables, family) || s.file == kNone || s.parsed->size == 0 ||
      !reported.insert(family).second)
    return;
  diag.warn(WarningGroup::Orphan,
            program.sectionName(id) +
                ": the functions that this section lists are not called: the "
                "built-in script of " +
                program.target->name + " has no place for '" + family.str() +
                "'");
}

/// Whether two similar names are both usual: ".data1" beside ".data", ".ctors"
/// beside ".dtors".
static bool differOnPurpose(StringRef a, StringRef b) {
  auto bare = [](StringRef s) { return s.rtrim("0123456789").rtrim('.'); };
  if (bare(a) == bare(b) || a.starts_with(b) || b.starts_with(a))
    return true;
  static const char *const known[] = {
      ".text",          ".rodata", ".data",    ".bss",        ".sdata",
      ".sbss",          ".tdata",  ".tbss",    ".init",       ".fini",
      ".ctors",         ".dtors",  ".comment", ".init_array", ".fini_array",
      ".preinit_array", "COMMON"};
  return is_contained(known, bare(a)) && is_contained(known, bare(b));
}

std::string OrphanFamily::describe(const Program &program) const {
  return std::to_string(count) + " input sections named '" +
         familyOf(program.sections[first].parsed->name).str() +
         (!longer ? ""
          : bare  ? "*"
                  : ".*") +
         "' match no pattern";
}

namespace {

/// Finds the section that a pattern without matches may mean.
class PatternHints {
public:
  /// `withoutPattern`: the sections that no pattern took, dropped or not.
  PatternHints(const StringMap<OrphanFamily> &families,
               const StringMap<SectionId> &withoutPattern) {
    std::vector<StringRef> names;
    for (const auto &entry : withoutPattern)
      names.push_back(entry.first());
    for (const auto &entry : families)
      prefixes.insert((entry.first() + ".").str());
    for (const auto &entry : prefixes)
      names.push_back(entry.first());
    hints = SpellingHints(std::move(names));
  }

  /// The nearest name; with "*" where it is the beginning of a family's names.
  std::string near(const GlobPattern &pattern) {
    StringRef name = pattern.text;
    if (pattern.wild && !name.consume_back("*"))
      return "";
    const std::string found = name.empty() ? "" : hints.near(name);
    if (differOnPurpose(name.rtrim('.'), StringRef(found).rtrim('.')))
      return "";
    return prefixes.contains(found) ? found + "*" : found;
  }

private:
  StringSet<> prefixes; ///< ".text."
  SpellingHints hints;
};

} // namespace

/// Reports a pattern that matches nothing if a section that no pattern took,
/// dropped or not, has a similar name: one of `withoutPattern`, by name. Else
/// such a pattern is usual in scripts for many programs. The message counts the
/// orphans of that name's family, of which no other message is needed.
static void reportUnmatched(const Program &program, Placement &placement,
                            const Liveness &liveness,
                            const StringMap<SectionId> &withoutPattern,
                            ArrayRef<SectionId> orphans, Diagnostics &diag) {
  if (placement.unmatched.empty())
    return;
  StringMap<OrphanFamily> families;
  for (SectionId id : orphans) {
    const ParsedSection &p = *program.sections[id].parsed;
    if (!(p.flags & ELF::SHF_ALLOC) || p.size == 0)
      continue;
    families[familyOf(p.name)].add(id, p.name);
  }
  PatternHints hints(families, withoutPattern);
  DenseSet<std::pair<const InputDescription *, SectionId>> reported;
  for (const UnmatchedPattern &u : placement.unmatched) {
    const std::string near = hints.near(u.pattern->name);
    if (near.empty() && !program.config.warnUnmatched)
      continue;
    std::vector<std::string> notes;
    if (const auto family = families.find(familyOf(near));
        !near.empty() && family != families.end()) {
      const SectionId first = family->second.first;
      // Patterns of one statement with one mistake.
      if (!reported.insert({u.description, first}).second)
        continue;
      const std::string place = program.sectionName(first);
      notes.push_back(family->second.count == 1
                          ? place + " matches no pattern"
                          : family->second.describe(program) +
                                "; the first: " + place);
      if (!diag.isDisabled(WarningGroup::Script))
        placement.hintedFamilies.push_back(
            familyOf(program.sections[first].parsed->name));
    } else if (const SectionId id = withoutPattern.lookup(near);
               !near.empty() && !liveness.lives(id)) {
      notes.push_back("'" + near + "' of " +
                      program.fileName(program.sections[id].file) +
                      " was dropped by --gc-sections");
    }
    diag.warn(WarningGroup::Script,
              locationText(u.pattern->where) + "pattern '" +
                  u.pattern->name.text.str() + "'" +
                  (u.description->keep ? " of KEEP" : "") +
                  " matches no section" +
                  (near.empty() ? "" : "; did you mean '" + near + "'?"),
              std::move(notes));
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {

/// The usual traits of well-known sections while they are empty.
constexpr struct {
  const char *name;
  uint32_t traits;
} kWellKnown[] = {
    {".text", HasContents | Alloc | Load | ReadOnly | Code},
    {".rodata", HasContents | Alloc | Load | ReadOnly},
    {".tdata", HasContents | Alloc | Load | Tls},
    {".data", HasContents | Alloc | Load},
    {".bss", Alloc},
    {".interp", HasContents | Alloc | Load | ReadOnly},
    {".sdata", HasContents | Alloc | Load | Small},
};

/// Traits of two sections in one: a writable one makes all of it writable.
static uint32_t together(uint32_t first, uint32_t other) {
  return ((first | other) & ~uint32_t(ReadOnly)) | (first & other & ReadOnly);
}

struct OrphanPlacer {
  using Position = std::list<LayoutCommand>::iterator;
  using Created = std::list<OutputId>::iterator;
  /// The properties of an output section that matter to orphans.
  struct Candidate {
    GatheredTraits gathered;
    uint32_t group = 0;               ///< base-symbol group + 1, 0: none
    uint64_t align = 1;               ///< of its contents
    std::optional<Position> position; ///< in `layout`
    std::optional<Created> created;   ///< in `created`
  };
  /// Where the orphans of a kind go.
  struct KindPlace {
    OutputId anchor;      ///< the section that they follow
    bool settled = false; ///< `anchor` was found by name or exactly
    OrphanRule rule = OrphanRule::NoNeighbour; ///< that found it
    OutputId last;                             ///< the orphan inserted last
  };
  /// A kind, or a base-symbol group (index + 1), whether it goes last in it and
  /// whether it has bytes.
  using KindKey = std::tuple<StringRef, uint32_t, bool, bool>;
  /// Orphans of one name, loaded or not, of one type: they share a section.
  using Kin = std::tuple<StringRef, uint32_t, uint32_t>;

  const Program &program;
  Placement placement;
  const Liveness &liveness;
  Diagnostics &diag;
  TraitGatherer gatherer{program, placement, liveness};
  StringMap<SmallVector<OutputId, 1>> byName{}; ///< in the order of creation
  /// By name and the output section that is described.
  std::map<std::pair<StringRef, OutputId>, OutputId> describing = {};
  /// Placement::layout while orphans are being inserted.
  std::list<LayoutCommand> layout = {};
  IdVector<OutputId, Candidate> candidates{};
  /// Output sections in the order in which GNU ld has them: as they came to be,
  /// orphans next to each other.
  std::list<OutputId> created = {};
  std::map<KindKey, KindPlace> places = {};
  bool noteSeen = false; ///< an orphan note found another note
  std::vector<OutputId> atEnd = {};
  /// Where COMMON goes, once that was asked; kNone: nowhere.
  std::optional<OutputId> commonTarget = {};
  OrphanRule commonRule = OrphanRule::CommonLost; ///< that found it
  std::map<Kin, uint32_t> kinTraits = {};
  /// The first section of each name that no pattern took, dropped ones too.
  StringMap<SectionId> withoutPattern{};
  StringSet<> uncalled{}; ///< see reportUncalled()

  bool isNote(OutputId id) const {
    const GatheredTraits &g = candidates[id].gathered;
    return g.type == ELF::SHT_NOTE && (g.traits & Load);
  }
  /// Remembers for --why-placed why an orphan is where it is.
  void explain(SectionId id, const OrphanReason &reason) {
    if (!program.config.whyPlaced.empty())
      placement.orphanReasons[id] = reason;
  }
  /// Whether a section has an output section of its own: by --unique, or since
  /// the next link must tell it apart.
  bool isAlone(const InputSection &s) const {
    return program.config.uniqueOrphans || standsAlone(program, s) ||
           (program.config.relocatable && s.parsed->isPiece);
  }
  Kin kinOf(const ParsedSection &p) const {
    return {p.name, inputTraits(p) & (Alloc | Load), p.type};
  }

  /// A section with two such flags belongs to the first group.
  uint32_t groupOf(uint64_t flags) const {
    for (uint32_t i = 0; i < program.target->baseSymbols.size(); ++i)
      if (flags & program.target->baseSymbols[i].sectionFlag)
        return i + 1;
    return 0;
  }

  /// The kind of a section with these traits: the name of the section that it
  /// follows. An empty section has none, and no kind: see traitsOf.
  StringRef kindOf(uint32_t t, uint32_t type) const {
    if (type == ELF::SHT_NOTE && (t & Load)) {
      for (StringRef kind : {".interp", ".rodata"})
        if (find(kind) != kNone)
          return kind;
      return ".text";
    }
    if (!(t & (Load | HasContents | Tls)))
      return ".bss";
    if (t & Tls)
      return ".tdata";
    if (!(t & ReadOnly))
      return ".data";
    return t & Code ? ".text" : ".rodata";
  }

  /// The first output section of a name, or kNone.
  OutputId find(StringRef name) const {
    auto it = byName.find(name);
    return it == byName.end() ? OutputId() : it->second.front();
  }

  /// The output section of its name that an orphan joins: the first alike one,
  /// or one without traits; else the last unused one; or kNone.
  OutputId findFor(const ParsedSection &p) const {
    OutputId unused;
    const uint32_t loaded = inputTraits(p) & (Alloc | Load);
    if (auto it = byName.find(p.name); it != byName.end())
      for (OutputId id : it->second) {
        const GatheredTraits &g = candidates[id].gathered;
        if (!g.made)
          unused = id;
        else if (g.traits == 0 ||
                 ((g.traits & (Alloc | Load)) == loaded && g.type == p.type))
          return id;
      }
    return unused;
  }

  /// Traits to compare with. A well-known section of the script that nothing
  /// uses has those that its name promises.
  uint32_t traitsOf(OutputId id) const {
    if (candidates[id].gathered.made)
      return candidates[id].gathered.traits;
    const OutputSectionCommand *command = placement.outputs[id].command;
    if (!command || command->type == OutputType::NoLoad ||
        find(placement.outputs[id].name) != id)
      return 0;
    for (const auto &w : kWellKnown)
      if (placement.outputs[id].name == w.name)
        return w.traits;
    return 0;
  }

  /// Thread-local data follows data, .tbss follows .tdata: they are adjacent.
  OutputId findThreadLocal(uint32_t wanted) const {
    OutputId found;
    bool seen = false;
    for (const LayoutCommand &command : layout) {
      if (command.output == kNone || candidates[command.output].group)
        continue;
      const uint32_t t = traitsOf(command.output);
      const uint32_t differ = t ^ (wanted | Load | HasContents);
      if (!(differ & (Tls | Alloc))) {
        if (!(t & Load) && (wanted & Load))
          break; // .tdata in front of .tbss
        found = command.output;
        seen = true;
      } else if (seen) {
        break;
      } else if (!(differ & (HasContents | Alloc | Load))) {
        found = command.output;
      }
    }
    return found;
  }

  /// The last section whose traits equal `wanted` in the bits that count, with
  /// fewer bits counting at the second attempt; if there is none of the same
  /// type, of any type. Never one in the middle of a base-symbol group; the
  /// first section of a `group` may follow the last one of another.
  OutputId findByTraits(uint32_t wanted, std::optional<uint32_t> type,
                        uint32_t group, bool &exact) const {
    std::map<uint32_t, OutputId> lastOfGroup;
    if (group)
      for (const LayoutCommand &command : layout)
        if (command.output != kNone)
          lastOfGroup[candidates[command.output].group] = command.output;
    auto last = [&](uint32_t counts) {
      OutputId found;
      for (const LayoutCommand &command : layout) {
        const OutputId id = command.output;
        if (id == kNone)
          continue;
        const Candidate &c = candidates[id];
        if (c.group && (!group || lastOfGroup[c.group] != id))
          continue;
        if ((!type || !c.gathered.made || c.gathered.type == *type) &&
            !((traitsOf(id) ^ wanted) & counts))
          found = id;
      }
      return found;
    };
    OutputId found =
        last(HasContents | Alloc | Load | ReadOnly | Code | Tls | Small);
    exact = found != kNone && type;
    if (found != kNone)
      return found;
    if (wanted & Code)
      found = last(HasContents | Alloc | Load | Code | Tls | Small);
    else if (wanted & ReadOnly)
      found = last(HasContents | Alloc | Load | ReadOnly | Small);
    else if (wanted & Tls)
      return findThreadLocal(wanted);
    else if (wanted & HasContents)
      found = last(HasContents | Alloc | Load | Tls | Small);
    else
      found = last(Alloc);
    if (found != kNone || !type)
      return found;
    return findByTraits(wanted, std::nullopt, group, exact);
  }

  /// The last section of a base-symbol group that an orphan of it may follow.
  OutputId groupAnchor(const ParsedSection &p, uint32_t group,
                       bool goesLast) const {
    const BaseSymbol &base = program.target->baseSymbols[group - 1];
    // A section that the script names for the group counts even while empty:
    // its name begins like that of the group's own section (".cp.").
    std::string family =
        base.section ? StringRef(base.section).rsplit('.').first.str() + "."
                     : std::string();
    OutputId after;
    for (const LayoutCommand &command : layout) {
      if (command.output == kNone)
        continue;
      StringRef name = placement.outputs[command.output].name;
      const Candidate &c = candidates[command.output];
      const GatheredTraits &g = c.gathered;
      bool member = c.group == group || (!g.hasInput && !family.empty() &&
                                         name.starts_with(family));
      bool last = base.lastMark && name.contains(base.lastMark);
      // Bytes stand before NOBITS, which an empty section has by its name.
      bool nobits =
          g.hasInput ? !(g.traits & HasContents) : name.contains(".bss");
      if (member &&
          (goesLast || (!last && !(nobits && p.type != ELF::SHT_NOBITS))))
        after = command.output;
    }
    return after;
  }

  /// The place of a section inserted behind `after`; kNone: behind the layout's
  /// start.
  Position insertBehind(OutputId after) {
    Position next = after != kNone ? std::next(*candidates[after].position)
                                   : layout.begin(),
             dot = layout.end();
    for (bool first = after == kNone;
         next != layout.end() && next->output == kNone; ++next)
      if (dot == layout.end() && assignsDot(*next) &&
          !std::exchange(first, false))
        dot = next;
    return insertionPoint(next, dot, layout.end(), [&](Position output) {
      const GatheredTraits &g = candidates[output->output].gathered;
      return !g.hasInput || (g.traits & Alloc);
    });
  }

  /// An inexact anchor is searched again with the next orphan, for its regions;
  /// inserted sections stay. Orphans of one type settle on the first of them.
  void findAnchor(KindPlace &place, StringRef kind, const ParsedSection &p,
                  uint32_t group, bool goesLast, uint32_t traits) {
    if (place.settled)
      return;
    place.rule = OrphanRule::BaseGroup;
    place.anchor = group ? groupAnchor(p, group, goesLast) : OutputId();
    if (place.anchor == kNone) {
      place.rule = OrphanRule::WellKnown;
      place.anchor = find(kind);
    }
    // A section at the end of the output has no place in the layout yet.
    place.settled = place.anchor != kNone && candidates[place.anchor].position;
    if (place.settled)
      return;
    place.anchor = findByTraits(traits, p.type, group, place.settled);
    place.rule = place.anchor == kNone ? OrphanRule::NoNeighbour
                 : place.settled       ? OrphanRule::SameTraits
                                       : OrphanRule::NearTraits;
  }

  /// Enters a new output section into the order of creation, behind the orphan
  /// of its kind before it or else behind its anchor. Returns the section that
  /// notes make it follow instead, kNone: the layout's start; nothing: they do
  /// not.
  std::optional<OutputId> enterCreated(OutputId id, const ParsedSection &p,
                                       const KindPlace &place) {
    Created where = created.begin();
    if (place.last != kNone) {
      where = std::next(*candidates[place.last].created);
    } else if (place.anchor != kNone) {
      // Behind the anchor, or the last existing section before it.
      for (auto it = std::next(*candidates[place.anchor].position);
           it != layout.begin();)
        if ((--it)->output != kNone && candidates[it->output].created) {
          where = std::next(*candidates[it->output].created);
          break;
        }
    }
    std::optional<Created> target;
    bool behind = true;
    if (isNote(id)) {
      const Created first =
          find_if(created, [&](OutputId other) { return isNote(other); });
      noteSeen = first != created.end();
      // Only the first run of notes counts.
      for (auto it = first; it != created.end() && isNote(*it); ++it)
        if (candidates[*it].align >= p.align)
          target = it;
      if (noteSeen && !target) {
        target = first; // all are aligned less: before them
        behind = false;
      }
    } else if (noteSeen && where != created.end() && isNote(*where)) {
      for (auto it = where; it != created.end(); ++it)
        if (isNote(*it))
          target = it;
    }
    if (target)
      where = behind ? std::next(*target) : *target;
    candidates[id].created = created.insert(where, id);
    if (!target)
      return std::nullopt;
    if (behind)
      return **target;
    for (auto it = *candidates[**target].position; it != layout.begin();)
      if ((--it)->output != kNone)
        return it->output;
    return OutputId();
  }

  /// Adds an input section to the properties of an output section.
  void join(OutputId id, SectionId section) {
    const OutputSection &out = placement.outputs[id];
    const ParsedSection &p = *program.sections[section].parsed;
    Candidate &c = candidates[id];
    if (!c.gathered.made)
      c.created = created.insert(created.end(), id);
    c.gathered.addInput(
        out.name, out.command ? out.command->type : OutputType::Normal,
        placement.classOf(section), placement.sections[section].keep);
    if (!c.group)
      c.group = groupOf(p.flags);
    c.align = std::max<uint64_t>(c.align, p.align);
  }

  OutputId addOutput(StringRef name) {
    const OutputId id = placement.outputs.next();
    placement.outputs.emplace_back().name = name.str();
    byName[name].push_back(id);
    candidates.emplace_back();
    return id;
  }

  OutputId create(SectionId section) {
    const InputSection &s = program.sections[section];
    const ParsedSection &p = *s.parsed;
    OutputId id = addOutput(p.name);
    Candidate &c = candidates[id];
    c.gathered.addInput(p.name, OutputType::Normal, placement.classOf(section),
                        placement.sections[section].keep);
    c.align = p.align;
    const uint32_t group = c.group = groupOf(p.flags);
    const uint32_t traits = isAlone(s) ? inputTraits(p) : kinTraits[kinOf(p)];
    OrphanReason reason{OrphanRule::AtEnd, {}, {}, isAlone(s)};
    if (!(traits & Alloc)) {
      explain(section, reason);
      atEnd.push_back(id);
      return id;
    }
    const char *mark =
        group ? program.target->baseSymbols[group - 1].lastMark : nullptr;
    const bool goesLast = mark && p.name.contains(mark);
    const StringRef kind = kindOf(traits, p.type);
    KindPlace &place = places[{group ? ".data" : kind, group, goesLast,
                               group && !(traits & HasContents)}];
    findAnchor(place, kind, p, group, goesLast, traits);
    // Regions and segments are those of the anchor, wherever notes move it.
    placement.outputs[id].orphanAfter = place.anchor;
    const std::optional<OutputId> beside = enterCreated(id, p, place);
    reason.rule = beside ? OrphanRule::BesideNotes : place.rule;
    reason.anchor = beside.value_or(place.anchor);
    if (!beside)
      reason.previous = place.last;
    explain(section, reason);
    const Position where = !beside && place.last != kNone
                               ? std::next(*candidates[place.last].position)
                               : insertBehind(reason.anchor);
    c.position = layout.insert(where, {nullptr, id});
    place.last = id;
    return id;
  }

  /// Where COMMON goes that no pattern takes: to the first section that asks
  /// for COMMON at all, else to .bss, else to a .bss behind everything (GNU
  /// ld); kNone: it is discarded.
  OutputId commonOutput() {
    for (const LayoutCommand &command : placement.layout) {
      if (command.output == kNone)
        continue;
      const OutputSection &out = placement.outputs[command.output];
      if (!out.command || (out.dropped && !out.command->isDiscard()))
        continue;
      for (const CommandPtr &child : out.command->commands)
        if (child->kind == CommandKind::InputDescription &&
            any_of(static_cast<const InputDescription &>(*child).patterns,
                   [](const SectionPattern &p) { return p.isCommon(); })) {
          if (out.dropped)
            return kNone;
          commonRule = OrphanRule::WithCommon;
          return command.output;
        }
    }
    commonRule = OrphanRule::CommonInBss;
    if (const OutputId bss = find(".bss"); bss != kNone)
      return bss;
    commonRule = OrphanRule::NewBss;
    OutputId id = addOutput(".bss");
    placement.outputs[id].forCommon = true;
    candidates[id].position = layout.insert(layout.end(), {nullptr, id});
    return id;
  }

  /// The properties of the script's output sections, and the order of their
  /// creation.
  void prepare() {
    layout.assign(placement.layout.begin(), placement.layout.end());
    for (OutputId id : placement.outputs.ids()) {
      const OutputSection &out = placement.outputs[id];
      if (!out.dropped)
        byName[out.name].push_back(id);
      Candidate &c = candidates.emplace_back();
      c.gathered = gatherer.gather(id);
      for (SectionId member : out.members) {
        if (!placement.sections[member].placed() || !liveness.lives(member))
          continue;
        const SectionClass &own = placement.classOf(member);
        c.align = std::max<uint64_t>(c.align, own.align);
        if (!c.group)
          c.group = groupOf(own.flags);
      }
    }
    for (auto it = layout.begin(); it != layout.end(); ++it) {
      if (it->output == kNone)
        continue;
      Candidate &c = candidates[it->output];
      c.position = it;
      if (c.gathered.made)
        c.created = created.insert(created.end(), it->output);
    }
  }

  /// The sections that no pattern took and that live, in order.
  std::vector<SectionId> collectOrphans() {
    std::vector<SectionId> orphans;
    for (SectionId id : inputOrder(program)) {
      const SectionPlace &place = placement.sections[id];
      if (place.discarded || place.output != kNone ||
          !program.sections[id].parsed)
        continue;
      if (!placement.unmatched.empty())
        withoutPattern.try_emplace(program.sections[id].parsed->name, id);
      if (liveness.lives(id))
        orphans.push_back(id);
    }
    // What describes others, and zeros of a pool, need to know where these are.
    std::stable_partition(orphans.begin(), orphans.end(), [&](SectionId id) {
      const ParsedSection &p = *program.sections[id].parsed;
      return program.config.relocatable ? linkedTo(program, id) == kNone
                                        : !p.isNoBits() || !groupOf(p.flags);
    });
    return orphans;
  }

  /// Applies --orphan-handling to a section; false: it is discarded.
  bool handle(SectionId id) {
    const InputSection &s = program.sections[id];
    // The built-in scripts name the sections of memory; debug information,
    // comments and the linker's own sections are no mistakes of the user.
    if (program.config.orphans == OrphanHandling::Place || s.file == kNone ||
        (program.builtinScript && !(s.parsed->flags & ELF::SHF_ALLOC)))
      return true;
    const auto compose = [&] {
      return Message{program.sectionName(id) +
                     ": no pattern of the linker script matches this section"};
    };
    if (program.config.orphans == OrphanHandling::Warn)
      diag.warn(WarningGroup::Orphan, compose);
    else if (program.config.orphans == OrphanHandling::Error)
      diag.error(compose);
    return program.config.orphans != OrphanHandling::Discard;
  }

  /// The output section of an orphan, made where there is none; kNone: it is
  /// discarded. COMMON without a pattern is no orphan (GNU ld).
  OutputId homeOf(SectionId id) {
    const InputSection &s = program.sections[id];
    const bool common = isCommon(s);
    if (!common && !handle(id)) {
      explain(id, {OrphanRule::Refused});
      return kNone;
    }
    if (program.builtinScript)
      reportUncalled(program, id, uncalled, diag);
    OutputId found;
    OrphanRule rule = OrphanRule::SameName;
    // In a relocatable output there is a section of a name for each output
    // section that its members describe.
    const SectionId target =
        program.config.relocatable ? linkedTo(program, id) : SectionId();
    const OutputId described =
        target == kNone ? OutputId() : placement.sections[target].output;
    if (common) {
      if (!commonTarget)
        commonTarget = commonOutput();
      found = *commonTarget;
      rule = commonRule;
      if (found == kNone) {
        explain(id, {rule});
        return kNone;
      }
    } else if (isAlone(s)) {
      return create(id);
    } else if (described != kNone) {
      OutputId &own = describing[{s.parsed->name, described}];
      if (own == kNone)
        return own = create(id);
      found = own;
    } else {
      found = findFor(*s.parsed);
    }
    if (found == kNone)
      return create(id);
    if (!common && !candidates[found].gathered.made)
      rule = OrphanRule::UnusedName;
    explain(id, {rule, found});
    join(found, id);
    return found;
  }

  Placement run() {
    prepare();
    const std::vector<SectionId> orphans = collectOrphans();
    // GNU ld searches the place of orphans that will share an output section by
    // their combined properties.
    for (SectionId id : orphans) {
      const ParsedSection &p = *program.sections[id].parsed;
      const uint32_t traits = inputTraits(p);
      auto [it, fresh] = kinTraits.try_emplace(kinOf(p), traits);
      if (!fresh)
        it->second = together(it->second, traits);
    }
    std::map<OutputId, std::vector<SectionId>> added;
    for (SectionId id : orphans) {
      const OutputId out = homeOf(id);
      placement.sections[id].output = out;
      placement.sections[id].discarded = out == kNone;
      if (out != kNone)
        added[out].push_back(id);
    }
    // They stand behind all statements of their output sections.
    for (const auto &[id, members] : added) {
      OutputSection &out = placement.outputs[id];
      uint32_t begin = uint32_t(out.members.size());
      out.members.insert(out.members.end(), members.begin(), members.end());
      out.items.push_back({nullptr, begin, uint32_t(out.members.size())});
    }
    // .comment, which every link has, stands behind the inputs' orphans.
    std::stable_partition(atEnd.begin(), atEnd.end(), [&](OutputId id) {
      return placement.outputs[id].name != ".comment";
    });
    for (OutputId id : atEnd)
      layout.push_back({nullptr, id});
    placement.layout.assign(layout.begin(), layout.end());
    reportUnmatched(program, placement, liveness, withoutPattern, orphans,
                    diag);
    return std::move(placement);
  }
};

} // namespace

bool standsAlone(const Program &program, const InputSection &section) {
  const Config &config = program.config;
  if (config.relocatable && !program.dissolvesGroups() && section.parsed->group)
    return true;
  return any_of(config.uniqueSections, [&](StringRef glob) {
    return globMatch({glob, glob.find_first_of("*?[") != StringRef::npos},
                     section.parsed->name);
  });
}

Placement placeOrphans(const Program &program, Placement placement,
                       const Liveness &liveness, Diagnostics &diag) {
  for (SectionId id : liveness.requested)
    placement.sections[id].keep = true;
  Placement complete =
      program.config.relocatable && program.builtinScript
          ? placeByName(program, std::move(placement), liveness)
          : OrphanPlacer{program, std::move(placement), liveness, diag}.run();
  orderBySymbols(program, complete, /*orphans=*/true);
  reportUnorderable(program, complete, liveness, diag);
  if (program.config.orphans == OrphanHandling::Discard)
    dropDependents(program, complete);
  orderLinked(program, complete, complete.outputsInOrder());
  dropComment(program, complete, liveness);
  complete.number();
  return complete;
}

} // namespace xlink
