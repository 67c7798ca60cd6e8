//===- Orphans.cpp - sections that no pattern matches ---------------------===//
//
// Problem: a section that the script does not mention still belongs somewhere
// sensible: code behind code, constants behind constants, and GNU ld's choice
// is what scripts are written against.
//
// Method: GNU ld's. An orphan joins the first output section of its own name
// that is of its type and like it loaded or not, or that nothing uses yet. So a
// name may come twice: COMMON that no pattern takes makes a .bss which has no
// type, and a .bss of the inputs stands beside it. Otherwise its kind (code,
// read-only data, data, bss ...) names the output section it follows: .text,
// .rodata, .data, .bss if the script has it, else the last section whose flags
// fit, loosening the fit step by step. It is inserted before a dot assignment
// that follows, behind symbol assignments, and behind the orphans of its kind
// that came earlier. Members of a base-symbol group follow the last section of
// the group instead, those marked to come last behind all others. Sections
// without SHF_ALLOC go to the end as first seen.
//
// Cost: linear in orphans; one scan of the output sections for each kind.
//
//===----------------------------------------------------------------------===//
#include "layout/Placement.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <tuple>

using namespace llvm;

namespace xlink {

namespace {

/// The properties GNU ld compares, independent of any object format.
enum Trait : uint32_t {
  HasContents = 1,
  Alloc = 2,
  Load = 4,
  ReadOnly = 8,
  Code = 16,
  Tls = 32,
  GroupShift = 8, ///< base-symbol group index + 1 in the bits above
};

enum class OrphanClass : uint32_t {
  Text,
  RoData,
  TData,
  Data,
  Bss,
  Note,
  NonAlloc,
  Group,
};

class OrphanPlacer {
public:
  explicit OrphanPlacer(Link &link) : link(link) {}
  void run();

private:
  using Layout = std::list<LayoutCommand>;

  uint32_t traits(uint32_t type, uint64_t flags) const;
  uint32_t contentTraits(const OutputSection &out) const;
  OrphanClass classify(uint32_t traits, uint32_t type) const;
  Layout::iterator findByFlags(uint32_t wanted, std::optional<uint32_t> type);
  Layout::iterator anchor(OrphanClass kind, uint32_t traits, uint32_t type,
                          bool goesLast);
  Layout::iterator insertionPoint(Layout::iterator after);
  uint32_t expectedOf(OutputId id) const;
  std::optional<OutputId> find(StringRef name) const;
  bool accepts(OutputId id, const ParsedSection &p) const;
  std::optional<OutputId> findFor(const ParsedSection &p) const;
  void join(OutputId id, const ParsedSection &p, bool common);
  /// Orphans of one name, of one type, loaded or not: they share a section.
  using Kin = std::tuple<StringRef, uint32_t, uint32_t>;
  Kin kinOf(const ParsedSection &p) const;
  void collectKin(ArrayRef<SectionId> orphans);
  OutputId create(const ParsedSection &p);
  OutputId createBss(const ParsedSection &p);
  void reportUnmatched();

  Link &link;
  size_t scripted = 0; ///< outputs below this id come from the script
  StringMap<SmallVector<OutputId, 1>> byName; ///< in the order of creation
  Layout layout; ///< link.layout while orphans are being inserted
  std::vector<uint32_t> traitsOf; ///< by output; 0 while it holds nothing
  std::vector<uint32_t> typeOf;   ///< by output: sh_type it began with, 0: none
  /// The last orphan of each class; further ones follow it.
  std::map<std::pair<uint32_t, bool>, Layout::iterator> lastOfClass;
  std::vector<OutputId> atEnd;
  std::map<Kin, uint32_t> kinTraits;
};

} // namespace

uint32_t OrphanPlacer::traits(uint32_t type, uint64_t flags) const {
  uint32_t t = 0;
  if (type != ELF::SHT_NOBITS)
    t |= HasContents;
  if (flags & ELF::SHF_ALLOC)
    t |= type != ELF::SHT_NOBITS ? uint32_t(Alloc | Load) : uint32_t(Alloc);
  if (!(flags & ELF::SHF_WRITE))
    t |= ReadOnly;
  if (flags & ELF::SHF_EXECINSTR)
    t |= Code;
  if (flags & ELF::SHF_TLS)
    t |= Tls;
  for (uint32_t i = 0; i < link.target->baseSymbols.size(); ++i)
    if (flags & link.target->baseSymbols[i].sectionFlag) {
      t |= (i + 1) << GroupShift;
      break; // a section with two such flags belongs to the first group
    }
  return t;
}

/// Traits of what a scripted output section holds; 0 for one that is empty.
uint32_t OrphanPlacer::contentTraits(const OutputSection &out) const {
  uint64_t flags = 0;
  uint32_t type = ELF::SHT_NOBITS;
  bool any = false;
  for (SectionId id : out.members) {
    const InputSection &s = link.sections[id];
    if (!s.placed())
      continue;
    any = true;
    flags |= s.parsed->flags;
    if (s.parsed->type != ELF::SHT_NOBITS)
      type = s.parsed->type;
  }
  if (hasData(out)) {
    type = ELF::SHT_PROGBITS;
    flags |= ELF::SHF_ALLOC;
  } else if (!any) {
    return 0;
  }
  uint32_t t = traits(type, flags);
  switch (out.command ? out.command->type : OutputType::Normal) {
  case OutputType::Normal:
    return t;
  case OutputType::ReadOnly:
    return t | ReadOnly;
  case OutputType::NoLoad:
    return t & ~uint32_t(Load | HasContents);
  default:
    return t & ~uint32_t(Alloc);
  }
}

/// The type that a section has for its name alone (gABI, "Special Sections").
static uint32_t typeByName(StringRef name) {
  static const std::pair<const char *, uint32_t> known[] = {
      {".init_array", ELF::SHT_INIT_ARRAY},
      {".fini_array", ELF::SHT_FINI_ARRAY},
      {".preinit_array", ELF::SHT_PREINIT_ARRAY},
      {".note", ELF::SHT_NOTE},
      {".bss", ELF::SHT_NOBITS},
      {".text", ELF::SHT_PROGBITS},
      {".rodata", ELF::SHT_PROGBITS},
      {".data", ELF::SHT_PROGBITS}};
  for (auto [prefix, type] : known)
    if (StringRef rest = name;
        rest.consume_front(prefix) && (rest.empty() || rest.starts_with(".")))
      return type;
  return ELF::SHT_NULL;
}

/// Whether anything in the script or the inputs makes this section exist.
static bool inUse(const Link &link, const OutputSection &out) {
  return link.holdsSections(out) ||
         any_of(out.items, [](const OutputItem &item) {
           return item.command &&
                  (item.command->kind == CommandKind::Assignment ||
                   item.command->kind == CommandKind::Data);
         });
}

static uint32_t firstType(const Link &link, const OutputSection &out) {
  if (!inUse(link, out))
    return ELF::SHT_NULL;
  if (StringRef(out.name).contains("_array"))
    if (uint32_t type = typeByName(out.name))
      return type; // whatever goes there
  for (SectionId id : out.members)
    if (const InputSection &s = link.sections[id]; s.placed()) {
      // NOBITS among data of the script is of neither type.
      bool mixed = s.parsed->type == ELF::SHT_NOBITS && hasData(out);
      return isCommon(s) || mixed ? uint32_t(ELF::SHT_NULL) : s.parsed->type;
    }
  return typeByName(out.name);
}

OrphanClass OrphanPlacer::classify(uint32_t t, uint32_t type) const {
  if (!(t & Alloc))
    return OrphanClass::NonAlloc;
  if (t >> GroupShift)
    return OrphanClass::Group;
  if (type == ELF::SHT_NOTE)
    return OrphanClass::Note;
  if (!(t & (Load | HasContents | Tls)))
    return OrphanClass::Bss;
  if (t & Tls)
    return OrphanClass::TData;
  if (!(t & ReadOnly))
    return OrphanClass::Data;
  return t & Code ? OrphanClass::Text : OrphanClass::RoData;
}

/// The last section whose traits equal `wanted` in the bits that count, with
/// fewer bits counting at the second attempt; if there is none of the same
/// type, of any type. Orphans placed before count too.
std::list<LayoutCommand>::iterator
OrphanPlacer::findByFlags(uint32_t wanted, std::optional<uint32_t> type) {
  auto last = [&](uint32_t counts) {
    counts |= ~uint32_t(0) << GroupShift; // never in the middle of a group
    auto found = layout.end();
    for (auto it = layout.begin(); it != layout.end(); ++it) {
      if (it->output == kNone)
        continue;
      uint32_t expected = traitsOf[it->output] ? 0 : expectedOf(it->output);
      if ((!type || expected || typeOf[it->output] == *type) &&
          !(((traitsOf[it->output] | expected) ^ wanted) & counts))
        found = it;
    }
    return found;
  };
  auto found = last(HasContents | Alloc | Load | ReadOnly | Code | Tls);
  if (found != layout.end())
    return found;
  if (wanted & Code)
    found = last(HasContents | Alloc | Load | Code | Tls);
  else if (wanted & ReadOnly)
    found = last(HasContents | Alloc | Load | ReadOnly | Tls);
  else if (wanted & Tls)
    found = last(HasContents | Alloc | Load);
  else if (wanted & HasContents)
    found = last(HasContents | Alloc | Load | Tls);
  else
    found = last(Alloc);
  if (found != layout.end() || !type)
    return found;
  return findByFlags(wanted, std::nullopt);
}

/// Traits that a scripted section which nothing uses has for its well-known
/// name; 0: none.
uint32_t OrphanPlacer::expectedOf(OutputId id) const {
  const OutputSection &out = link.outputs[id];
  // An address by option makes a section exist.
  auto started = [&](const SectionStart &start) {
    return start.section == out.name;
  };
  if (out.dropped || !out.command || find(out.name) != id || inUse(link, out) ||
      any_of(link.config.sectionStart, started))
    return 0;
  return StringSwitch<uint32_t>(out.name)
      .Case(".text", HasContents | Alloc | Load | ReadOnly | Code)
      .Cases(".rodata", ".interp", HasContents | Alloc | Load | ReadOnly)
      .Case(".tdata", HasContents | Alloc | Load | Tls)
      .Case(".data", HasContents | Alloc | Load)
      .Case(".bss", Alloc)
      .Default(0);
}

/// Where something that follows `after` is inserted (end(): follows the
/// layout's start): behind symbol assignments, but before a dot assignment that
/// sets up what comes next.
std::list<LayoutCommand>::iterator
OrphanPlacer::insertionPoint(Layout::iterator after) {
  bool ignoreFirst = after == layout.end(); // `. = base` is for everything
  auto it = ignoreFirst ? layout.begin() : std::next(after);
  auto dotAssignment = layout.end();
  for (; it != layout.end() && it->output == kNone; ++it) {
    if (it->command->kind != CommandKind::Assignment ||
        static_cast<const AssignmentCommand *>(it->command)->name != ".")
      continue;
    if (dotAssignment == layout.end() && !ignoreFirst)
      dotAssignment = it;
    ignoreFirst = false;
  }
  if (it == layout.end() || dotAssignment == layout.end())
    return it;
  uint32_t next = traitsOf[it->output];
  return next == 0 || (next & Alloc) ? dotAssignment : it;
}

/// The section that an orphan of class `kind` follows; end(): none.
std::list<LayoutCommand>::iterator OrphanPlacer::anchor(OrphanClass kind,
                                                        uint32_t t,
                                                        uint32_t type,
                                                        bool goesLast) {
  auto after = layout.end();
  if (kind == OrphanClass::Group) {
    const BaseSymbol &base = link.target->baseSymbols[(t >> GroupShift) - 1];
    // A section that the script names for the group counts even while empty:
    // its name begins like that of the group's own section (".cp.").
    std::string family =
        base.section ? StringRef(base.section).rsplit('.').first.str() + "."
                     : std::string();
    for (auto it = layout.begin(); it != layout.end(); ++it) {
      if (it->output == kNone)
        continue;
      StringRef name = link.outputs[it->output].name;
      uint32_t traits = traitsOf[it->output];
      bool member =
          (traits >> GroupShift) == (t >> GroupShift) ||
          (traits == 0 && !family.empty() && name.starts_with(family));
      bool last = base.lastMark && name.contains(base.lastMark);
      // Bytes stand before NOBITS, which an empty section has by its name.
      bool nobits = traits ? !(traits & HasContents) : name.contains(".bss");
      if (member && (goesLast || (!last && !(nobits && (t & HasContents)))))
        after = it;
    }
  } else {
    static const char *const names[] = {".text", ".rodata", ".tdata",
                                        ".data", ".bss",    ".interp"};
    if (auto named = find(names[uint32_t(kind)]))
      for (auto it = layout.begin(); it != layout.end(); ++it)
        if (it->output == *named)
          after = it;
  }
  return after != layout.end() ? after : findByFlags(t, type);
}

/// The first output section of a name.
std::optional<OutputId> OrphanPlacer::find(StringRef name) const {
  auto it = byName.find(name);
  if (it == byName.end())
    return std::nullopt;
  return it->second.front();
}

/// Whether an output section in use takes an orphan of its name.
bool OrphanPlacer::accepts(OutputId id, const ParsedSection &p) const {
  const OutputSection &out = link.outputs[id];
  if (traitsOf[id] == 0)
    return true; // symbols and gaps go with everything
  if (out.command && out.command->type != OutputType::Normal &&
      out.command->type != OutputType::ReadOnly)
    return false; // its flags are no input's any more
  return !((traitsOf[id] ^ traits(p.type, p.flags)) & (Alloc | Load)) &&
         typeOf[id] == p.type;
}

/// The output section that an orphan joins: of its name and its kind, else one
/// that nothing uses.
std::optional<OutputId> OrphanPlacer::findFor(const ParsedSection &p) const {
  auto it = byName.find(p.name);
  if (it == byName.end())
    return std::nullopt;
  std::optional<OutputId> unused;
  for (OutputId id : it->second)
    if (traitsOf[id] == 0 && !inUse(link, link.outputs[id]))
      unused = id;
    else if (accepts(id, p))
      return id;
  return unused;
}

/// Traits of two sections in one: a writable one makes all of it writable. What
/// group it belongs to is the first one's choice.
static uint32_t together(uint32_t first, uint32_t other) {
  other &= (1u << GroupShift) - 1;
  return ((first | other) & ~uint32_t(ReadOnly)) | (first & other & ReadOnly);
}

OrphanPlacer::Kin OrphanPlacer::kinOf(const ParsedSection &p) const {
  return {p.name, traits(p.type, p.flags) & (Alloc | Load), p.type};
}

/// What orphans that will share an output section are together: GNU ld looks
/// for their place with that.
void OrphanPlacer::collectKin(ArrayRef<SectionId> orphans) {
  for (SectionId id : orphans) {
    const ParsedSection &p = *link.sections[id].parsed;
    uint32_t t = traits(p.type, p.flags);
    auto [it, fresh] = kinTraits.try_emplace(kinOf(p), t);
    if (!fresh)
      it->second = together(it->second, t);
  }
}

void OrphanPlacer::join(OutputId id, const ParsedSection &p, bool common) {
  uint32_t added = traits(p.type, p.flags);
  if (traitsOf[id] == 0) {
    traitsOf[id] = added;
    if (typeOf[id] == ELF::SHT_NULL && !common)
      typeOf[id] = p.type;
    return;
  }
  traitsOf[id] = together(traitsOf[id], added);
}

OutputId OrphanPlacer::create(const ParsedSection &p) {
  OutputId id = OutputId(link.outputs.size());
  link.outputs.emplace_back().name = p.name.str();
  byName[p.name].push_back(id);
  traitsOf.push_back(traits(p.type, p.flags));
  uint32_t t = kinTraits[kinOf(p)];
  typeOf.push_back(p.type);
  OrphanClass kind = classify(t, p.type);
  if (kind == OrphanClass::NonAlloc) {
    atEnd.push_back(id);
    return id;
  }
  bool goesLast = false;
  uint32_t group = t >> GroupShift;
  if (group) {
    const char *mark = link.target->baseSymbols[group - 1].lastMark;
    goesLast = mark && p.name.contains(mark);
  }
  auto [it, fresh] = lastOfClass.try_emplace(
      {uint32_t(kind) + 2 * group + (group && !(t & HasContents)), goesLast});
  Layout::iterator where;
  if (fresh) {
    Layout::iterator after = anchor(kind, t, p.type, goesLast);
    if (after != layout.end())
      link.outputs[id].orphanAfter = after->output;
    where = insertionPoint(after);
  } else {
    link.outputs[id].orphanAfter = link.outputs[it->second->output].orphanAfter;
    where = std::next(it->second);
  }
  it->second = layout.insert(where, {nullptr, id});
  return id;
}

/// The section for COMMON in a script that has no .bss: behind everything else.
OutputId OrphanPlacer::createBss(const ParsedSection &p) {
  OutputId id = OutputId(link.outputs.size());
  link.outputs.emplace_back().name = ".bss";
  byName[".bss"].push_back(id);
  traitsOf.push_back(traits(p.type, p.flags));
  typeOf.push_back(ELF::SHT_NULL);
  layout.push_back({nullptr, id});
  return id;
}

void OrphanPlacer::run() {
  for (OutputId id = 0; id < link.outputs.size(); ++id)
    if (!link.outputs[id].dropped)
      byName[link.outputs[id].name].push_back(id);
  scripted = link.outputs.size();
  layout.assign(link.layout.begin(), link.layout.end());
  for (const OutputSection &out : link.outputs) {
    traitsOf.push_back(contentTraits(out));
    typeOf.push_back(firstType(link, out));
  }
  // A section that could move on counts wherever it might end (GNU ld).
  for (const auto &[id, later] : link.laterMatches)
    for (const LaterMatch &match : later)
      if (match.output != kNone) {
        const ParsedSection &p = *link.sections[id].parsed;
        traitsOf[match.output] |= traits(p.type, p.flags);
        typeOf[match.output] = p.type;
      }
  std::vector<SectionId> orphans = inputOrder(link);
  erase_if(orphans, [&](SectionId id) {
    const InputSection &s = link.sections[id];
    return s.discarded || !s.parsed || s.output != kNone || !s.live;
  });
  collectKin(orphans);
  std::vector<std::vector<SectionId>> added(scripted);
  for (SectionId id : orphans) {
    InputSection &s = link.sections[id];
    const ParsedSection &p = *s.parsed;
    // COMMON without a pattern is no orphan, it goes to .bss (GNU ld).
    bool common = isCommon(s);
    auto text = [&] {
      return "section '" + p.name.str() + "' of " + link.fileName(s.file) +
             " matches no pattern of the linker script";
    };
    switch (common ? OrphanHandling::Place : link.config.orphans) {
    case OrphanHandling::Place:
      break;
    case OrphanHandling::Warn:
      link.diag.warn(WarningGroup::Orphan, text());
      break;
    case OrphanHandling::Error:
      link.diag.error(text());
      break;
    case OrphanHandling::Discard:
      s.discarded = true;
      continue;
    }
    std::optional<OutputId> found = common ? find(".bss") : findFor(p);
    if (found)
      join(*found, p, common);
    OutputId out = found ? *found : common ? createBss(p) : create(p);
    s.output = out;
    if (added.size() <= out)
      added.resize(out + 1);
    added[out].push_back(id);
  }
  for (OutputId id = 0; id < added.size(); ++id) {
    if (added[id].empty())
      continue;
    OutputSection &out = link.outputs[id];
    uint32_t begin = uint32_t(out.members.size());
    out.members.insert(out.members.end(), added[id].begin(), added[id].end());
    out.items.push_back(
        {nullptr, begin, uint32_t(out.members.size()), 0, 0, {}});
  }

  // .comment, which every link has, stands behind what the inputs bring.
  std::stable_partition(atEnd.begin(), atEnd.end(), [&](OutputId id) {
    return link.outputs[id].name != ".comment";
  });
  for (OutputId id : atEnd)
    layout.push_back({nullptr, id});
  link.layout.assign(layout.begin(), layout.end());
  reportUnmatched();
}

/// Whether two near names are both right: ".data1" beside ".data", ".ctors"
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

/// A pattern that matches nothing is usual in scripts for many programs, unless
/// some orphan is named almost like it.
void OrphanPlacer::reportUnmatched() {
  std::vector<StringRef> orphans;
  if (!link.unmatched.empty())
    for (OutputId id = OutputId(scripted); id < link.outputs.size(); ++id)
      orphans.push_back(link.outputs[id].name);
  for (const UnmatchedPattern &u : link.unmatched) {
    StringRef name = u.pattern->name.text;
    if (u.pattern->name.wild && !name.consume_back("*"))
      name = StringRef();
    std::string near = name.empty() ? "" : nearestSpelling(name, orphans);
    if (differOnPurpose(name, near))
      near.clear();
    if (near.empty() && !link.config.warnUnmatched)
      continue;
    link.diag.warn(WarningGroup::Script,
                   locationText(u.pattern->where) + "pattern '" +
                       u.pattern->name.text.str() + "'" +
                       (u.description->keep ? " of KEEP" : "") +
                       " matches no section" +
                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
}

void placeOrphans(Link &link) { OrphanPlacer(link).run(); }

} // namespace xlink
