//===- Orphans.cpp - sections that no pattern matches ---------------------===//
//
// Problem: a section that the script does not mention needs a sensible place:
// code behind code, constants behind constants. Scripts rely on GNU ld's
// choice.
//
// Method: GNU ld's. An orphan joins the first output section of its own name
// that has its type and is loaded like it, or that has no properties yet; else
// the last unused one of that name. So a name may come twice. Otherwise it
// follows the output section of its kind (code, read-only data, data, bss, note
// ...): .text, .rodata, .tdata, .data, .bss if the script has it, else the last
// section whose traits fit, loosening the fit step by step. A note's kind is
// that of the first existing one of .interp, .rodata and .text. It is inserted
// before a dot assignment that follows, behind symbol assignments, and behind
// earlier orphans of its kind.
//
// Notes stay together. GNU ld searches them in a list of its own, in the order
// in which output sections were created, an orphan next to the one before it;
// this list is kept here too. A note goes behind the last note of equal or
// larger alignment in the first run of notes; a section that would precede a
// note goes behind the last note instead, once there was an orphan note behind
// another note.
//
// With --unique no orphan joins another; each stands where the first of its
// name would. Sections that --unique=GLOB names are always orphans.
//
// Members of a base-symbol group follow the last section of the group instead,
// those marked to come last behind all others. Sections without SHF_ALLOC go to
// the end as first seen.
//
// Cost: a hash lookup for each orphan, and one look at each output section of
// its name; one scan of the output sections for each kind, for each type of
// section if a kind's place is not found by name, and for each note.
//
//===----------------------------------------------------------------------===//
#include "layout/Orphans.h"
#include "base/SpellingHints.h"
#include "placement/InsertionPoint.h"
#include "placement/SectionSurvey.h"
#include "placement/SectionTraits.h"
#include "placement/SymbolOrdering.h"
#include "script/ScriptParser.h"
#include "sections/SyntheticSections.h"
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
  const StringRef family = name.take_front(name.find('.', 1)); // of .ctors.1
  static const char *const tables[] = {".ctors", ".dtors", ".init_array",
                                       ".fini_array", ".preinit_array"};
  if (!is_contained(tables, family) || s.file == kNone || s.parsed->size == 0 ||
      !reported.insert(family).second)
    return;
  diag.warn(WarningGroup::Orphan,
            program.sectionName(id) +
                ": nothing calls what this section lists: the built-in "
                "script of " +
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

/// Reports a pattern that matches nothing if a section that no pattern took,
/// dropped or not, has a similar name: one of `withoutPattern`, by name. Else
/// such a pattern is usual in scripts for many programs.
static void reportUnmatched(const Program &program, const Placement &placement,
                            const Liveness &liveness,
                            const StringMap<SectionId> &withoutPattern,
                            Diagnostics &diag) {
  std::vector<StringRef> orphans;
  for (const auto &entry : withoutPattern)
    orphans.push_back(entry.first());
  SpellingHints hints(std::move(orphans));
  for (const UnmatchedPattern &u : placement.unmatched) {
    StringRef name = u.pattern->name.text;
    if (u.pattern->name.wild && !name.consume_back("*"))
      name = StringRef();
    std::string near = name.empty() ? "" : hints.near(name);
    if (differOnPurpose(name, near))
      near.clear();
    if (near.empty() && !program.config.warnUnmatched)
      continue;
    std::vector<std::string> notes;
    if (!near.empty())
      if (const SectionId id = withoutPattern.lookup(near); !liveness.lives(id))
        notes.push_back("'" + near + "' of " +
                        program.fileName(program.sections[id].file) +
                        " was dropped by --gc-sections");
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

enum class OrphanKind : uint32_t {
  Text,
  RoData,
  TData,
  Data,
  Bss,
  Interp,
};

/// The section that a kind of orphan follows, and the usual traits of that name
/// while the section is empty.
struct WellKnown {
  const char *name;
  uint32_t traits;
};
constexpr WellKnown kWellKnown[] = {
    {".text", HasContents | Alloc | Load | ReadOnly | Code},
    {".rodata", HasContents | Alloc | Load | ReadOnly},
    {".tdata", HasContents | Alloc | Load | Tls},
    {".data", HasContents | Alloc | Load},
    {".bss", Alloc},
    {".interp", HasContents | Alloc | Load | ReadOnly},
    {".sdata", HasContents | Alloc | Load | Small},
};

class OrphanPlacer {
public:
  OrphanPlacer(const Program &program, Placement placement,
               const Liveness &liveness, Diagnostics &diag)
      : program(program), placement(std::move(placement)), liveness(liveness),
        diag(diag), gatherer(program, this->placement, liveness) {}
  Placement run();

private:
  using Layout = std::list<LayoutCommand>;
  using Position = Layout::iterator;

  /// Where the orphans of a kind go.
  struct Place {
    std::optional<Position> anchor; ///< the section that they follow
    bool settled = false;           ///< `anchor` was found by name or exactly
    OrphanRule rule = OrphanRule::NoNeighbour; ///< that found it
    std::optional<Position> last;              ///< the orphan inserted last
    /// Into `created`: behind it the next one comes into being.
    std::optional<std::list<OutputId>::iterator> lastCreated;
  };
  /// A kind, or a base-symbol group (index + 1), whether it goes last in it and
  /// whether it has bytes.
  using PlaceKey = std::tuple<OrphanKind, uint32_t, bool, bool>;
  /// Orphans of one name, loaded or not, of one type: they share a section.
  using Kin = std::tuple<StringRef, uint32_t, uint32_t>;

  uint32_t groupOf(uint64_t flags) const;
  OrphanKind kindOf(uint32_t traits, uint32_t type) const;
  std::optional<OutputId> find(StringRef name) const;
  std::optional<Position> positionOf(StringRef name);
  std::optional<OutputId> findFor(const ParsedSection &p) const;
  uint32_t traitsOf(OutputId id) const;
  std::optional<Position> findByTraits(uint32_t wanted,
                                       std::optional<uint32_t> type,
                                       uint32_t group, bool &exact);
  std::optional<Position> findThreadLocal(uint32_t wanted);
  std::optional<Position> groupAnchor(const ParsedSection &p, uint32_t group,
                                      bool goesLast);
  void findAnchor(Place &place, OrphanKind kind, const ParsedSection &p,
                  uint32_t group, bool goesLast, uint32_t traits);
  Position insertBehind(std::optional<Position> after);
  using Created = std::list<OutputId>::iterator;
  bool isNote(OutputId id) const {
    return gathered[id].type == ELF::SHT_NOTE && (gathered[id].traits & Load);
  }
  /// An output section that notes make an orphan follow; nothing in it: the
  /// layout's start.
  struct Beside {
    std::optional<Position> after;
  };
  std::optional<Beside> enterCreated(OutputId id, const ParsedSection &p,
                                     Place &place);
  void join(OutputId id, SectionId section);
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
  /// The output section whose part an orphan describes, in a relocatable
  /// output, which has one of its name for each of them; kNone: none.
  OutputId describedBy(SectionId id) const {
    const SectionId target =
        program.config.relocatable ? linkedTo(program, id) : SectionId();
    return target == kNone ? OutputId() : placement.sections[target].output;
  }
  Kin kinOf(const ParsedSection &p) const;
  void collectKin(ArrayRef<SectionId> orphans);
  OutputId addOutput(StringRef name);
  OutputId create(SectionId section);
  std::optional<OutputId> commonOutput();
  void prepare();
  std::vector<SectionId> collectOrphans();
  bool handle(SectionId id);
  std::optional<OutputId> homeOf(SectionId id);
  void append(IdVector<OutputId, std::vector<SectionId>> &added);
  bool placed(SectionId id) const {
    return placement.sections[id].placed() && liveness.lives(id);
  }

  const Program &program;
  Placement placement;
  const Liveness &liveness;
  Diagnostics &diag;
  TraitGatherer gatherer;
  StringMap<SmallVector<OutputId, 1>> byName; ///< in the order of creation
  /// By name and the output section that is described.
  std::map<std::pair<StringRef, OutputId>, OutputId> describing;
  Layout layout; ///< Placement::layout while orphans are being inserted
  IdVector<OutputId, std::optional<Position>> positions; ///< into `layout`
  IdVector<OutputId, GatheredTraits> gathered;
  IdVector<OutputId, uint32_t> groups; ///< base-symbol group + 1, 0: none
  IdVector<OutputId, uint64_t> aligns; ///< of its contents
  /// Output sections in the order in which GNU ld has them: as they came to be,
  /// orphans next to each other.
  std::list<OutputId> created;
  IdVector<OutputId, std::optional<std::list<OutputId>::iterator>> createdAt;
  std::map<PlaceKey, Place> places;
  bool noteSeen = false; ///< an orphan note found another note
  std::vector<OutputId> atEnd;
  /// Where COMMON goes, once that was asked; nothing in it: nowhere.
  std::optional<std::optional<OutputId>> commonTarget;
  OrphanRule commonRule = OrphanRule::CommonLost; ///< that found it
  std::map<Kin, uint32_t> kinTraits;
  /// The first section of each name that no pattern took, dropped ones too.
  StringMap<SectionId> withoutPattern;
  StringSet<> uncalled; ///< see reportUncalled()
};

} // namespace

/// A section with two such flags belongs to the first group.
uint32_t OrphanPlacer::groupOf(uint64_t flags) const {
  for (uint32_t i = 0; i < program.target->baseSymbols.size(); ++i)
    if (flags & program.target->baseSymbols[i].sectionFlag)
      return i + 1;
  return 0;
}

/// The kind of a section with these traits. An empty section has none, and no
/// kind: see traitsOf.
OrphanKind OrphanPlacer::kindOf(uint32_t t, uint32_t type) const {
  if (type == ELF::SHT_NOTE && (t & Load)) {
    for (OrphanKind kind : {OrphanKind::Interp, OrphanKind::RoData})
      if (find(kWellKnown[uint32_t(kind)].name))
        return kind;
    return OrphanKind::Text;
  }
  if (!(t & (Load | HasContents | Tls)))
    return OrphanKind::Bss;
  if (t & Tls)
    return OrphanKind::TData;
  if (!(t & ReadOnly))
    return OrphanKind::Data;
  return t & Code ? OrphanKind::Text : OrphanKind::RoData;
}

/// The first output section of a name.
std::optional<OutputId> OrphanPlacer::find(StringRef name) const {
  auto it = byName.find(name);
  if (it == byName.end())
    return std::nullopt;
  return it->second.front();
}

std::optional<std::list<LayoutCommand>::iterator>
OrphanPlacer::positionOf(StringRef name) {
  std::optional<OutputId> id = find(name);
  return id ? positions[*id] : std::nullopt;
}

/// The output section of its name that an orphan joins: the first alike one, or
/// one without traits; else the last unused one.
std::optional<OutputId> OrphanPlacer::findFor(const ParsedSection &p) const {
  std::optional<OutputId> unused;
  auto it = byName.find(p.name);
  if (it == byName.end())
    return unused;
  const uint32_t loaded = inputTraits(p) & (Alloc | Load);
  for (OutputId id : it->second) {
    const GatheredTraits &g = gathered[id];
    if (!g.made)
      unused = id;
    else if (g.traits == 0 ||
             ((g.traits & (Alloc | Load)) == loaded && g.type == p.type))
      return id;
  }
  return unused;
}

/// Traits to compare with. A well-known section of the script that nothing uses
/// has those that its name promises.
uint32_t OrphanPlacer::traitsOf(OutputId id) const {
  if (gathered[id].made)
    return gathered[id].traits;
  const OutputSectionCommand *command = placement.outputs[id].command;
  if (!command || command->type == OutputType::NoLoad ||
      find(placement.outputs[id].name) != id)
    return 0;
  for (const WellKnown &w : kWellKnown)
    if (placement.outputs[id].name == w.name)
      return w.traits;
  return 0;
}

/// Thread-local data follows data, .tbss follows .tdata: they are adjacent.
std::optional<std::list<LayoutCommand>::iterator>
OrphanPlacer::findThreadLocal(uint32_t wanted) {
  std::optional<Position> found;
  bool seen = false;
  for (auto it = layout.begin(); it != layout.end(); ++it) {
    if (it->output == kNone || groups[it->output])
      continue;
    const uint32_t t = traitsOf(it->output);
    const uint32_t differ = t ^ (wanted | Load | HasContents);
    if (!(differ & (Tls | Alloc))) {
      if (!(t & Load) && (wanted & Load))
        break; // .tdata in front of .tbss
      found = it;
      seen = true;
    } else if (seen) {
      break;
    } else if (!(differ & (HasContents | Alloc | Load))) {
      found = it;
    }
  }
  return found;
}

/// The last section whose traits equal `wanted` in the bits that count, with
/// fewer bits counting at the second attempt; if there is none of the same
/// type, of any type. Never one in the middle of a base-symbol group; the first
/// section of a `group` may follow the last one of another.
std::optional<std::list<LayoutCommand>::iterator>
OrphanPlacer::findByTraits(uint32_t wanted, std::optional<uint32_t> type,
                           uint32_t group, bool &exact) {
  std::map<uint32_t, OutputId> lastOfGroup;
  if (group)
    for (const LayoutCommand &command : layout)
      if (command.output != kNone && groups[command.output])
        lastOfGroup[groups[command.output]] = command.output;
  auto last = [&](uint32_t counts) {
    std::optional<Position> found;
    for (auto it = layout.begin(); it != layout.end(); ++it) {
      if (it->output == kNone)
        continue;
      if (uint32_t of = groups[it->output])
        if (!group || lastOfGroup[of] != it->output)
          continue;
      const GatheredTraits &g = gathered[it->output];
      if ((!type || !g.made || g.type == *type) &&
          !((traitsOf(it->output) ^ wanted) & counts))
        found = it;
    }
    return found;
  };
  std::optional<Position> found =
      last(HasContents | Alloc | Load | ReadOnly | Code | Tls | Small);
  exact = found && type;
  if (found)
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
  if (found || !type)
    return found;
  return findByTraits(wanted, std::nullopt, group, exact);
}

/// The last section of a base-symbol group that an orphan of it may follow.
std::optional<std::list<LayoutCommand>::iterator>
OrphanPlacer::groupAnchor(const ParsedSection &p, uint32_t group,
                          bool goesLast) {
  const BaseSymbol &base = program.target->baseSymbols[group - 1];
  // A section that the script names for the group counts even while empty: its
  // name begins like that of the group's own section (".cp.").
  std::string family =
      base.section ? StringRef(base.section).rsplit('.').first.str() + "."
                   : std::string();
  std::optional<Position> after;
  for (auto it = layout.begin(); it != layout.end(); ++it) {
    if (it->output == kNone)
      continue;
    StringRef name = placement.outputs[it->output].name;
    const GatheredTraits &g = gathered[it->output];
    bool member = groups[it->output] == group ||
                  (!g.hasInput && !family.empty() && name.starts_with(family));
    bool last = base.lastMark && name.contains(base.lastMark);
    // Bytes stand before NOBITS, which an empty section has by its name.
    bool nobits =
        g.hasInput ? !(g.traits & HasContents) : name.contains(".bss");
    if (member &&
        (goesLast || (!last && !(nobits && p.type != ELF::SHT_NOBITS))))
      after = it;
  }
  return after;
}

/// The place of a section inserted behind `after`; without it, behind the
/// layout's start.
std::list<LayoutCommand>::iterator
OrphanPlacer::insertBehind(std::optional<Position> after) {
  Position next = after ? std::next(*after) : layout.begin(),
           dot = layout.end();
  for (bool first = !after; next != layout.end() && next->output == kNone;
       ++next)
    if (dot == layout.end() && assignsDot(*next) &&
        !std::exchange(first, false))
      dot = next;
  return insertionPoint(next, dot, layout.end(), [&](Position output) {
    const GatheredTraits &g = gathered[output->output];
    return !g.hasInput || (g.traits & Alloc);
  });
}

/// An inexact anchor is searched again with the next orphan, for its regions;
/// inserted sections stay. Orphans of one type settle on the first of them.
void OrphanPlacer::findAnchor(Place &place, OrphanKind kind,
                              const ParsedSection &p, uint32_t group,
                              bool goesLast, uint32_t traits) {
  if (place.settled)
    return;
  std::optional<Position> named;
  if (group)
    named = groupAnchor(p, group, goesLast);
  place.rule = named ? OrphanRule::BaseGroup : OrphanRule::WellKnown;
  if (!named)
    named = positionOf(kWellKnown[uint32_t(kind)].name);
  if (named) {
    place.anchor = named;
    place.settled = true;
  } else {
    place.anchor = findByTraits(traits, p.type, group, place.settled);
    place.rule = !place.anchor   ? OrphanRule::NoNeighbour
                 : place.settled ? OrphanRule::SameTraits
                                 : OrphanRule::NearTraits;
  }
}

/// Enters a new output section into the order of creation, behind the orphan of
/// its kind before it or else behind its anchor; finds the section that notes
/// make it follow instead.
std::optional<OrphanPlacer::Beside>
OrphanPlacer::enterCreated(OutputId id, const ParsedSection &p, Place &place) {
  auto enter = [&](Created where) {
    place.lastCreated = createdAt[id] = created.insert(where, id);
    return *place.lastCreated;
  };
  Created where = created.begin();
  if (place.lastCreated) {
    where = std::next(*place.lastCreated);
  } else if (place.anchor) {
    // Behind the anchor, or the last existing section before it.
    for (auto it = std::next(*place.anchor); it != layout.begin();)
      if ((--it)->output != kNone && createdAt[it->output]) {
        where = std::next(*createdAt[it->output]);
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
      if (aligns[*it] >= p.align)
        target = it;
    if (noteSeen && !target) {
      target = first; // all are aligned less: before them
      behind = false;
    }
  } else if (where != created.end() && isNote(*where)) {
    if (noteSeen)
      for (auto it = where; it != created.end(); ++it)
        if (isNote(*it))
          target = it;
  }
  if (!target) {
    enter(where);
    return std::nullopt;
  }
  Position at = *positions[**target];
  enter(behind ? std::next(*target) : *target);
  if (behind)
    return Beside{at};
  while (at != layout.begin())
    if ((--at)->output != kNone)
      return Beside{at};
  return Beside{};
}

/// Traits of two sections in one: a writable one makes all of it writable.
static uint32_t together(uint32_t first, uint32_t other) {
  return ((first | other) & ~uint32_t(ReadOnly)) | (first & other & ReadOnly);
}

OrphanPlacer::Kin OrphanPlacer::kinOf(const ParsedSection &p) const {
  return {p.name, inputTraits(p) & (Alloc | Load), p.type};
}

/// The combined properties of orphans that will share an output section: GNU ld
/// searches their place by them.
void OrphanPlacer::collectKin(ArrayRef<SectionId> orphans) {
  for (SectionId id : orphans) {
    const ParsedSection &p = *program.sections[id].parsed;
    uint32_t t = inputTraits(p);
    auto [it, fresh] = kinTraits.try_emplace(kinOf(p), t);
    if (!fresh)
      it->second = together(it->second, t);
  }
}

/// Adds an input section to the properties of an output section.
void OrphanPlacer::join(OutputId id, SectionId section) {
  OutputSection &out = placement.outputs[id];
  const InputSection &s = program.sections[section];
  if (!gathered[id].made)
    createdAt[id] = created.insert(created.end(), id);
  gathered[id].addInput(
      out.name, out.command ? out.command->type : OutputType::Normal,
      placement.classOf(section), placement.sections[section].keep);
  if (!groups[id])
    groups[id] = groupOf(s.parsed->flags);
  aligns[id] = std::max<uint64_t>(aligns[id], s.parsed->align);
}

OutputId OrphanPlacer::addOutput(StringRef name) {
  const OutputId id = placement.outputs.next();
  placement.outputs.emplace_back().name = name.str();
  byName[name].push_back(id);
  gathered.emplace_back();
  groups.push_back(0);
  aligns.push_back(1);
  positions.emplace_back();
  createdAt.emplace_back();
  return id;
}

OutputId OrphanPlacer::create(SectionId section) {
  const InputSection &s = program.sections[section];
  const ParsedSection &p = *s.parsed;
  OutputId id = addOutput(p.name);
  gathered[id].addInput(p.name, OutputType::Normal, placement.classOf(section),
                        placement.sections[section].keep);
  aligns[id] = p.align;
  const uint32_t group = groups[id] = groupOf(p.flags);
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
  const OrphanKind kind = kindOf(traits, p.type);
  Place &place = places[{group ? OrphanKind::Data : kind, group, goesLast,
                         group && !(traits & HasContents)}];
  findAnchor(place, kind, p, group, goesLast, traits);
  // Regions and segments are those of the anchor, wherever notes move it.
  if (place.anchor)
    placement.outputs[id].orphanAfter = (*place.anchor)->output;
  std::optional<Beside> beside = enterCreated(id, p, place);
  Position where = beside       ? insertBehind(beside->after)
                   : place.last ? std::next(*place.last)
                                : insertBehind(place.anchor);
  reason.rule = beside ? OrphanRule::BesideNotes : place.rule;
  if (const auto &by = beside ? beside->after : place.anchor)
    reason.anchor = (*by)->output;
  if (place.last && !beside)
    reason.previous = (*place.last)->output;
  explain(section, reason);
  place.last = positions[id] = layout.insert(where, {nullptr, id});
  return id;
}

/// Where COMMON goes that no pattern takes: to the first section that asks for
/// COMMON at all, else to .bss, else to a .bss behind everything (GNU ld).
/// Nothing: it is discarded.
std::optional<OutputId> OrphanPlacer::commonOutput() {
  for (const LayoutCommand &command : placement.layout) {
    if (command.output == kNone)
      continue;
    const OutputSection &out = placement.outputs[command.output];
    if (!out.command || (out.dropped && !out.command->isDiscard()))
      continue;
    for (const CommandPtr &child : out.command->commands)
      if (child->kind == CommandKind::InputDescription)
        for (const SectionPattern &pattern :
             static_cast<const InputDescription &>(*child).patterns)
          if (pattern.isCommon()) {
            if (out.dropped)
              return std::nullopt;
            commonRule = OrphanRule::WithCommon;
            return command.output;
          }
  }
  commonRule = OrphanRule::CommonInBss;
  if (std::optional<OutputId> bss = find(".bss"))
    return bss;
  commonRule = OrphanRule::NewBss;
  OutputId id = addOutput(".bss");
  placement.outputs[id].forCommon = true;
  positions[id] = layout.insert(layout.end(), {nullptr, id});
  return id;
}

/// The properties of the script's output sections, and the order of their
/// creation.
void OrphanPlacer::prepare() {
  const size_t scripted = placement.outputs.size();
  positions.resize(scripted);
  createdAt.resize(scripted);
  layout.assign(placement.layout.begin(), placement.layout.end());
  for (auto it = layout.begin(); it != layout.end(); ++it)
    if (it->output != kNone)
      positions[it->output] = it;
  for (OutputId id : placement.outputs.ids()) {
    const OutputSection &out = placement.outputs[id];
    if (!out.dropped)
      byName[out.name].push_back(id);
    gathered.push_back(gatherer.gather(id));
    uint32_t group = 0;
    uint64_t align = 1;
    uint32_t last = kNone; // a second section of a class changes nothing
    for (SectionId member : out.members) {
      const uint32_t index = placement.sections[member].classIndex;
      if (index == last || !placed(member))
        continue;
      last = index;
      const SectionClass &c = placement.classes[index];
      align = std::max<uint64_t>(align, c.align);
      if (!group)
        group = groupOf(c.flags);
    }
    groups.push_back(group);
    aligns.push_back(align);
  }
  for (const LayoutCommand &command : layout)
    if (command.output != kNone && gathered[command.output].made)
      createdAt[command.output] = created.insert(created.end(), command.output);
}

/// The sections that no pattern took and that live, in order.
std::vector<SectionId> OrphanPlacer::collectOrphans() {
  std::vector<SectionId> orphans;
  InputOrder(program).forEach([&](SectionId id) {
    const SectionPlace &place = placement.sections[id];
    if (place.discarded || place.output != kNone ||
        !program.sections[id].parsed)
      return;
    if (!placement.unmatched.empty())
      withoutPattern.try_emplace(program.sections[id].parsed->name, id);
    if (liveness.lives(id))
      orphans.push_back(id);
  });
  // What describes others, and zeros of a pool, need to know where these are.
  std::stable_partition(orphans.begin(), orphans.end(), [&](SectionId id) {
    const ParsedSection &p = *program.sections[id].parsed;
    return program.config.relocatable ? linkedTo(program, id) == kNone
                                      : !p.isNoBits() || !groupOf(p.flags);
  });
  return orphans;
}

/// Applies --orphan-handling to a section; false: it is discarded.
bool OrphanPlacer::handle(SectionId id) {
  const InputSection &s = program.sections[id];
  auto text = [&] {
    return "section '" + s.parsed->name.str() + "' of " +
           program.fileName(s.file) +
           " matches no pattern of the linker script";
  };
  // The built-in scripts name the sections of memory; debug information,
  // comments and the linker's own sections are no mistakes of the user.
  const bool expected =
      s.file == kNone ||
      (program.builtinScript && !(s.parsed->flags & ELF::SHF_ALLOC));
  switch (expected ? OrphanHandling::Place : program.config.orphans) {
  case OrphanHandling::Place:
    break;
  case OrphanHandling::Warn:
    diag.warn(WarningGroup::Orphan, text());
    break;
  case OrphanHandling::Error:
    diag.error(text());
    break;
  case OrphanHandling::Discard:
    return false;
  }
  return true;
}

/// The output section of an orphan, made where there is none; nothing: it is
/// discarded. COMMON without a pattern is no orphan (GNU ld).
std::optional<OutputId> OrphanPlacer::homeOf(SectionId id) {
  const InputSection &s = program.sections[id];
  const bool common = isCommon(s);
  if (!common && !handle(id)) {
    explain(id, {OrphanRule::Refused});
    return std::nullopt;
  }
  if (program.builtinScript)
    reportUncalled(program, id, uncalled, diag);
  std::optional<OutputId> found;
  OrphanRule rule = OrphanRule::SameName;
  if (common) {
    if (!commonTarget)
      commonTarget = commonOutput();
    found = *commonTarget;
    rule = commonRule;
    if (!found) {
      explain(id, {rule});
      return std::nullopt;
    }
  } else if (isAlone(s)) {
    return create(id);
  } else if (const OutputId described = describedBy(id); described != kNone) {
    auto [it, fresh] =
        describing.try_emplace({s.parsed->name, described}, OutputId());
    if (fresh)
      return it->second = create(id);
    found = it->second;
  } else {
    found = findFor(*s.parsed);
  }
  if (!found)
    return create(id);
  if (!common && !gathered[*found].made)
    rule = OrphanRule::UnusedName;
  explain(id, {rule, *found});
  join(*found, id);
  return found;
}

/// Appends orphans to their output sections, behind all statements.
void OrphanPlacer::append(IdVector<OutputId, std::vector<SectionId>> &added) {
  for (OutputId id : added.ids()) {
    if (added[id].empty())
      continue;
    OutputSection &out = placement.outputs[id];
    uint32_t begin = uint32_t(out.members.size());
    out.members.insert(out.members.end(), added[id].begin(), added[id].end());
    out.items.push_back({nullptr, begin, uint32_t(out.members.size())});
  }
}

Placement OrphanPlacer::run() {
  prepare();
  const std::vector<SectionId> orphans = collectOrphans();
  collectKin(orphans);
  IdVector<OutputId, std::vector<SectionId>> added;
  for (SectionId id : orphans) {
    std::optional<OutputId> out = homeOf(id);
    if (!out) {
      placement.sections[id].discarded = true;
      continue;
    }
    placement.sections[id].output = *out;
    if (added.next() <= *out)
      added.resize(placement.outputs.size());
    added[*out].push_back(id);
  }
  append(added);
  // .comment, which every link has, stands behind the inputs' orphans.
  std::stable_partition(atEnd.begin(), atEnd.end(), [&](OutputId id) {
    return placement.outputs[id].name != ".comment";
  });
  for (OutputId id : atEnd)
    layout.push_back({nullptr, id});
  placement.layout.assign(layout.begin(), layout.end());
  reportUnmatched(program, placement, liveness, withoutPattern, diag);
  return std::move(placement);
}

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
          : OrphanPlacer(program, std::move(placement), liveness, diag).run();
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
