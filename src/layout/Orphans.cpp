//===- Orphans.cpp - sections that no pattern matches ---------------------===//
//
// Problem: a section that the script does not mention still belongs somewhere
// sensible: code behind code, constants behind constants, and GNU ld's choice is
// what scripts are written against.
//
// Method: GNU ld's. An orphan joins an output section of its own name when there
// is one. Otherwise its kind (code, read-only data, data, bss ...) names the
// output section it follows: .text, .rodata, .data, .bss if the script has it,
// else the last section whose flags fit, loosening the fit step by step. It is
// inserted before a dot assignment that follows, behind symbol assignments, and
// behind the orphans of its kind that came earlier. Members of a base-symbol
// group follow the last section of the group instead, those marked to come last
// behind all others. Sections without SHF_ALLOC go to the end as first seen.
//
// Cost: linear in orphans; one scan of the output sections for each kind.
//
//===----------------------------------------------------------------------===//
#include "layout/Placement.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// The properties GNU ld compares, independent of any object format.
enum Trait : uint32_t {
  HasContents = 1, Alloc = 2, Load = 4, ReadOnly = 8, Code = 16, Tls = 32,
  GroupShift = 8, ///< base-symbol group index + 1 in the bits above
};

enum class OrphanClass : uint32_t {
  Text, RoData, TData, Data, Bss, Note, NonAlloc, Group,
};

class OrphanPlacer {
public:
  explicit OrphanPlacer(Link &link) : link(link) {}
  void run();

private:
  uint32_t traits(uint32_t type, uint64_t flags) const;
  uint32_t traits(const OutputSection &out) const;
  OrphanClass classify(uint32_t traits, uint32_t type) const;
  OutputId findByFlags(uint32_t wanted) const;
  OutputId anchor(OrphanClass kind, uint32_t traits, bool goesLast) const;
  size_t insertionPoint(OutputId after) const;
  OutputId create(const ParsedSection &p);

  Link &link;
  size_t scripted = 0; ///< outputs below this id come from the script
  StringMap<OutputId> byName;
  /// Position in the old layout -> orphans inserted there, by class in the order
  /// in which the classes first appeared.
  std::map<size_t, std::vector<std::vector<OutputId>>> inserted;
  std::map<std::pair<uint32_t, bool>, std::pair<size_t, size_t>> places;
  std::vector<OutputId> atEnd;
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
    if (flags & link.target->baseSymbols[i].sectionFlag)
      t |= (i + 1) << GroupShift;
  return t;
}

/// Flags of what an output section holds so far; 0 for one that holds nothing.
uint32_t OrphanPlacer::traits(const OutputSection &out) const {
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
  return any ? traits(type, flags) : 0;
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
/// fewer bits counting at the second attempt.
OutputId OrphanPlacer::findByFlags(uint32_t wanted) const {
  auto last = [&](uint32_t counts) {
    counts |= ~uint32_t(0) << GroupShift; // never in the middle of a group
    OutputId found = kNone;
    for (const LayoutCommand &command : link.layout)
      if (command.output != kNone &&
          !((traits(link.outputs[command.output]) ^ wanted) & counts))
        found = command.output;
    return found;
  };
  OutputId found = last(HasContents | Alloc | Load | ReadOnly | Code | Tls);
  if (found != kNone)
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
  if (found == kNone && (wanted & HasContents))
    found = last(HasContents | Alloc | Load);
  return found;
}

/// Where in the layout something that follows `after` is inserted: behind symbol
/// assignments, but before a dot assignment that sets up what comes next.
size_t OrphanPlacer::insertionPoint(OutputId after) const {
  size_t i = 0;
  bool ignoreFirst = after == kNone; // `. = base` at the top is for everything
  if (after != kNone) {
    while (link.layout[i].output != after)
      ++i;
    ++i;
  }
  size_t dotAssignment = kNone;
  for (; i < link.layout.size() && link.layout[i].output == kNone; ++i) {
    const ScriptCommand *command = link.layout[i].command;
    if (command->kind != CommandKind::Assignment)
      continue;
    if (static_cast<const AssignmentCommand *>(command)->name == "." &&
        dotAssignment == kNone && !ignoreFirst)
      dotAssignment = i;
    if (static_cast<const AssignmentCommand *>(command)->name == ".")
      ignoreFirst = false;
  }
  bool allocFollows =
      i < link.layout.size() &&
      (link.outputs[link.layout[i].output].members.empty() ||
       (traits(link.outputs[link.layout[i].output]) & Alloc));
  if (dotAssignment != kNone && allocFollows)
    return dotAssignment;
  return i;
}

/// The section that an orphan of class `kind` follows; kNone: the layout's start.
OutputId OrphanPlacer::anchor(OrphanClass kind, uint32_t t,
                              bool goesLast) const {
  OutputId after = kNone;
  if (kind == OrphanClass::Group) {
    const BaseSymbol &base = link.target->baseSymbols[(t >> GroupShift) - 1];
    // A section that the script names for the group counts even while empty:
    // its name begins like that of the group's own section (".cp.").
    std::string family =
        base.section ? StringRef(base.section).rsplit('.').first.str() + "."
                     : std::string();
    for (const LayoutCommand &command : link.layout) {
      if (command.output == kNone)
        continue;
      const OutputSection &out = link.outputs[command.output];
      StringRef name = out.name;
      bool member =
          (traits(out) >> GroupShift) == (t >> GroupShift) ||
          (out.members.empty() && !family.empty() && name.starts_with(family));
      bool last = base.lastMark && name.contains(base.lastMark);
      if (member && (goesLast || !last))
        after = command.output;
    }
  } else {
    static const char *const names[] = {".text", ".rodata", ".tdata",
                                        ".data", ".bss",    ".interp"};
    auto it = byName.find(names[uint32_t(kind)]);
    if (it != byName.end() && it->second < scripted)
      after = it->second;
  }
  return after != kNone ? after : findByFlags(t);
}

OutputId OrphanPlacer::create(const ParsedSection &p) {
  OutputId id = OutputId(link.outputs.size());
  link.outputs.emplace_back().name = p.name.str();
  byName[p.name] = id;
  uint32_t t = traits(p.type, p.flags);
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
  auto [it, fresh] =
      places.try_emplace({uint32_t(kind) + group, goesLast}, 0, 0);
  if (fresh) {
    size_t position = insertionPoint(anchor(kind, t, goesLast));
    it->second = {position, inserted[position].size()};
    inserted[position].emplace_back();
  }
  inserted[it->second.first][it->second.second].push_back(id);
  return id;
}

void OrphanPlacer::run() {
  for (OutputId id = 0; id < link.outputs.size(); ++id)
    byName.try_emplace(link.outputs[id].name, id);
  scripted = link.outputs.size();
  std::vector<std::vector<SectionId>> added(scripted);
  for (SectionId id = 1; id < link.sections.size(); ++id) {
    InputSection &s = link.sections[id];
    if (s.discarded || !s.parsed || s.output != kNone || !s.live)
      continue;
    const ParsedSection &p = *s.parsed;
    std::string text =
        "section '" + p.name.str() + "' of " + link.fileName(s.file) +
        " matches no pattern of the linker script";
    switch (link.config.orphans) {
    case OrphanHandling::Place:
      break;
    case OrphanHandling::Warn:
      link.diag.warn(WarningGroup::Orphan, text);
      break;
    case OrphanHandling::Error:
      link.diag.error(text);
      break;
    case OrphanHandling::Discard:
      s.discarded = true;
      continue;
    }
    auto it = byName.find(p.name);
    // COMMON without a pattern goes to .bss (GNU ld).
    if (it == byName.end() && s.file != kNone && p.name == "COMMON" &&
        p.type == ELF::SHT_NOBITS)
      it = byName.find(".bss");
    OutputId out = it != byName.end() ? it->second : create(p);
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
    out.items.push_back({nullptr, begin, uint32_t(out.members.size()), 0, 0, {}});
  }

  std::vector<LayoutCommand> layout;
  for (size_t i = 0; i <= link.layout.size(); ++i) {
    if (auto it = inserted.find(i); it != inserted.end())
      for (const auto &list : it->second)
        for (OutputId id : list)
          layout.push_back({nullptr, id});
    if (i < link.layout.size())
      layout.push_back(link.layout[i]);
  }
  // .comment, which every link has, stands behind what the inputs bring.
  std::stable_partition(atEnd.begin(), atEnd.end(), [&](OutputId id) {
    return link.outputs[id].name != ".comment";
  });
  for (OutputId id : atEnd)
    layout.push_back({nullptr, id});
  link.layout = std::move(layout);
}

void placeOrphans(Link &link) { OrphanPlacer(link).run(); }

} // namespace xlink
