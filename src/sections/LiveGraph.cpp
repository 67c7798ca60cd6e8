//===- LiveGraph.cpp ------------------------------------------------------===//
//
// Problem: the collection must know which sections keep which alive, and so
// must the reports that tell why a section lives or not.
//
// Method: a relocation is an edge from its section to that of its symbol, also
// where it writes nothing: objects use such relocations to tie sections
// together. A section that describes another one (SHF_LINK_ORDER) lives with
// that alone; the members of a group follow each other. Of an
// unwind table, each record is an edge from its function to the tables and
// routines that it names. A name __start_S or __stop_S means all sections
// called S. No edge is stored: a walk gets each as it comes.
//
// Several threads look at all sections and symbols once, and leave a byte or a
// number for each: a walk reads these instead of records that fill no cache.
//
// Cost: one look at each section, symbol and unwind record; a walk sees each
// relocation of the sections that it visits once.
//
//===----------------------------------------------------------------------===//
#include "sections/LiveGraph.h"
#include "placement/Placement.h"
#include "resolve/ScriptSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

bool isCIdentifier(StringRef name) {
  return !name.empty() && !isDigit(name[0]) &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

LiveGraph::LiveGraph(const Program &program, const Placement &placement,
                     const std::vector<EhFrame> &frames)
    : program(program), placement(placement), frames(frames) {
  constexpr size_t bytesEach = 256; // which take about as long to read
  traits.resize(program.sections.size());
  program.parallel.forEach(
      traits.size(), traits.size() * bytesEach,
      [&](size_t i) { traits[SectionId(i)] = traitsOf(SectionId(i)); });
  homes.resize(program.symbols.size());
  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    if (const Symbol &s = program.symbols[id]; s.kind == SymbolKind::Defined)
      homes[id] = s.section;
  });
  readSections();
  collectRecords();
}

/// Whether a section of a file that is not discarded takes part in collection.
bool LiveGraph::mayGo(SectionId id) const {
  const ParsedSection &p = *program.sections[id].parsed;
  // Where a machine says which pieces may go, all others stay; those that only
  // describe code are named by a relocation in the code.
  if (program.moreOf(id).keeper)
    return true;
  if (p.isPiece && program.target->removablePieceFlag)
    return (p.flags & program.target->removablePieceFlag) &&
           p.name != ".eh_frame";
  if (p.flags & ELF::SHF_ALLOC)
    return p.name != ".eh_frame";
  return p.flags & (ELF::SHF_LINK_ORDER | ELF::SHF_GROUP);
}

uint8_t LiveGraph::traitsOf(SectionId id) const {
  const InputSection &s = program.sections[id];
  if (!s.parsed || discarded(id) || s.file == kNone)
    return 0;
  const ParsedSection &p = *s.parsed;
  const bool takesMemory = p.flags & ELF::SHF_ALLOC;
  uint8_t found =
      (p.flags & ELF::SHF_MERGE) || !takesMemory ? uint8_t(kTellsMore) : 0;
  if (mayGo(id)) {
    found |= kCollectable;
    if (linkedTo(program, id) != kNone || program.moreOf(id).keeper ||
        isCIdentifier(p.name))
      found |= kTied;
  } else if (takesMemory) {
    return p.name == ".eh_frame" ? found : uint8_t(found | kUncollected);
  }
  return ownRoot(id) ? uint8_t(found | kOwnRoot) : found;
}

/// By name alone, in files whose section types do not tell.
static bool isNameOfInitialisers(StringRef name) {
  static constexpr StringLiteral kNames[] = {".init", ".fini", ".jcr", ".ctors",
                                             ".dtors"};
  static constexpr StringLiteral kPrefixes[] = {
      ".init_array", ".fini_array", ".preinit_array", ".ctors.", ".dtors."};
  return is_contained(kNames, name) || any_of(kPrefixes, [&](StringRef prefix) {
           return name.starts_with(prefix);
         });
}

std::optional<LiveRoot::Kind> LiveGraph::ownRoot(SectionId id) const {
  const ParsedSection &p = *program.sections[id].parsed;
  if (program.target->retainFlag && (p.flags & program.target->retainFlag))
    return LiveRoot::Retained;
  if (linkedTo(program, id) != kNone)
    return std::nullopt; // it lives with the section that it describes
  if (placement.sections[id].keep)
    return LiveRoot::Keep;
  switch (p.type) {
  case ELF::SHT_INIT_ARRAY:
  case ELF::SHT_FINI_ARRAY:
  case ELF::SHT_PREINIT_ARRAY:
    return LiveRoot::Initialisers;
  case ELF::SHT_NOTE: // notes of a group go with it
    return p.group ? std::nullopt : std::optional(LiveRoot::Note);
  default:
    break;
  }
  if (isNameOfInitialisers(p.name))
    return LiveRoot::Initialisers;
  return std::nullopt;
}

/// `id` lives with `home`, which may be something that always does.
void LiveGraph::dependsOn(SectionId id, SectionId home) {
  if (home == kNone || (!discarded(home) && !collectable(home))) {
    unconditional.push_back(id);
    return;
  }
  dependents[home].push_back(id);
}

/// Edges that sections and expressions state.
void LiveGraph::readSections() {
  for (SectionId id : program.sections.ids(1)) {
    if (!(traits[id] & kTied))
      continue;
    const InputSection &s = program.sections[id];
    const ParsedSection &p = *s.parsed;
    const InputFile &file = program.files[s.file];
    const MoreOfSection &more = program.moreOf(id);
    if (const SectionId home = linkedTo(program, id); home != kNone)
      dependsOn(id, home);
    if (more.keeper)
      if (SectionId home = program.sectionOf(file, more.keeper); home != id)
        dependsOn(id, home);
    if (isCIdentifier(p.name))
      byIdentifier[p.name].push_back(id);
  }
  for (const InputFile &file : program.files)
    for (const ExprEntry &entry : file.object->expressions)
      if (entry.meaning == ExprOp::KeptBy &&
          entry.operands[0].kind == ExprOperand::Symbol)
        if (SectionId id = program.sectionOf(file, entry.result);
            id != kNone && collectable(id))
          dependsOn(id, program.sectionOf(file, entry.operands[0].value));
}

/// The FDEs that keep something alive beside their function: those with an
/// exception table, or whose CIE names a routine.
void LiveGraph::collectRecords() {
  for (uint32_t f = 0; f < frames.size(); ++f) {
    const EhFrame &frame = frames[f];
    for (uint32_t r = 0; r < frame.records.size(); ++r) {
      const EhRecord &record = frame.records[r];
      if (record.isCie())
        continue;
      const EhRecord &cie = frame.records[record.cie];
      uint32_t own = record.function != kNone;
      if (record.relocEnd - record.relocBegin > own ||
          cie.relocBegin != cie.relocEnd)
        records.push_back({describedSection(program, frame, record), f, r});
    }
  }
  std::stable_sort(
      records.begin(), records.end(),
      [](const LiveRecord &a, const LiveRecord &b) { return a.code < b.code; });
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

/// The name of the sections that a __start_ or __stop_ symbol means, or "".
StringRef LiveGraph::sectionMeant(const Symbol &symbol) const {
  StringRef name = symbol.name;
  if (symbol.kind == SymbolKind::Defined || program.config.startStopGc ||
      (!name.consume_front("__start_") && !name.consume_front("__stop_")) ||
      !byIdentifier.contains(name))
    return "";
  return name;
}

void LiveGraph::followSymbol(SymbolId id, LiveLink link, Walk &walk,
                             LinkFn fn) const {
  if (id == kNone)
    return;
  if (const SectionId home = homeOf(id); home != kNone) {
    link.to = home;
    link.offset = program.symbols[id].value;
    return fn(link);
  }
  const StringRef section = sectionMeant(program.symbols[id]);
  if (section.empty() || !walk.names.insert(section).second)
    return;
  link.whole = true;
  link.name = id;
  for (SectionId to : byIdentifier.find(section)->second) {
    link.to = to;
    fn(link);
  }
}

void LiveGraph::followRelocation(const InputFile &file, const Relocation &rel,
                                 SectionId at, Walk &walk, LinkFn fn) const {
  const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
  const ParsedSymbol *local =
      id == kNone ? &file.object->symbols[rel.symbol] : nullptr;
  if (local && local->place != SymbolPlace::Section)
    return;
  const SectionId home = local ? file.sectionBase + local->section : homeOf(id);
  if (home != kNone && saysNothingNew(home, walk))
    return;
  LiveLink link;
  link.relocation = rel;
  link.at = at;
  if (!local)
    return followSymbol(id, link, walk, fn);
  link.to = home;
  // Only a section symbol's addend selects the piece.
  link.offset = local->value;
  if (local->type == ELF::STT_SECTION)
    link.offset += uint64_t(rel.addend);
  fn(link);
}

void LiveGraph::followRecord(const LiveRecord &record, Walk &walk,
                             LinkFn fn) const {
  const EhFrame &frame = frames[record.frame];
  const InputFile &file = program.files[program.sections[frame.section].file];
  const EhRecord &fde = frame.records[record.record];
  for (const EhRecord *r : {&fde, &frame.records[fde.cie]})
    for (uint32_t i = r->relocBegin; i < r->relocEnd; ++i)
      if (i != r->function)
        followRelocation(file, file.object->relocations[i], frame.section, walk,
                         fn);
}

void LiveGraph::forEachLink(SectionId id, Walk &walk, LinkFn fn) const {
  const InputSection &s = program.sections[id];
  const ParsedSection &p = *s.parsed;
  for (auto it = partition_point(
           records, [&](const LiveRecord &r) { return r.code < id; });
       it != records.end() && it->code == id; ++it)
    followRecord(*it, walk, fn);
  if (auto it = dependents.find(id); it != dependents.end())
    for (SectionId dependent : it->second)
      fn(LiveLink{dependent, LiveEdge::Dependent});
  if (s.file == kNone)
    return;
  const InputFile &file = program.files[s.file];
  if (p.group && walk.groups.insert({s.file, p.group}).second)
    for (uint32_t member : file.object->groups[p.group - 1].members)
      if (const SectionId to = file.sectionBase + member;
          program.sections[to].parsed->kind == SectionKind::Regular)
        fn(LiveLink{to, LiveEdge::Group});
  if ((p.isPiece || collectable(id)) &&
      !(p.flags & (ELF::SHF_ALLOC | ELF::SHF_LINK_ORDER)))
    return; // descriptions of a group or a piece need nothing
  for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r)
    followRelocation(file, file.object->relocations[r], id, walk, fn);
}

void LiveGraph::forEachNamed(const Program &program,
                             function_ref<void(LiveRoot::Kind, SymbolId)> fn) {
  fn(LiveRoot::Entry, program.entrySymbol);
  for (const std::string &name : program.config.undefined)
    fn(LiveRoot::Undefined, program.symbols.find(name));
  for (const std::string &name : program.config.requireDefined)
    fn(LiveRoot::RequireDefined, program.symbols.find(name));
  forEachMatch(program.symbols, program.config.undefinedGlobs,
               [&](SymbolId id) { fn(LiveRoot::UndefinedGlob, id); });
  for (StringRef name : program.script.externs)
    fn(LiveRoot::Extern, program.symbols.find(name));
  for (StringRef name : symbolsReadByScript(program))
    fn(LiveRoot::ReadByScript, program.symbols.find(name));
}

void LiveGraph::forEachRoot(
    Walk &walk,
    function_ref<void(const LiveRoot &, const LiveLink &)> fn) const {
  auto followNamed = [&](LiveRoot::Kind kind, SymbolId symbol) {
    followSymbol(symbol, LiveLink(), walk, [&](const LiveLink &link) {
      fn(LiveRoot{kind, symbol}, link);
    });
  };
  forEachNamed(program, followNamed);
  for (StringRef name : {program.config.init, program.config.fini})
    followNamed(LiveRoot::Init, program.symbols.find(name));
  for (SectionId id : program.sections.ids(1))
    if (traits[id] & kOwnRoot)
      fn(LiveRoot{*ownRoot(id)}, LiveLink{id, LiveEdge::Root, /*whole=*/true});
  for (SectionId id : unconditional)
    fn(LiveRoot{LiveRoot::WithUncollected}, LiveLink{id, LiveEdge::Root});
  // Sections that are not collected keep the ones that they refer to.
  for (SectionId id : program.sections.ids(1))
    if (uncollected(id))
      fn(LiveRoot{LiveRoot::Uncollected}, LiveLink{id, LiveEdge::Root});
  // So do records of code that is in no input section.
  for (const LiveRecord &record : records)
    if (record.code == kNone)
      followRecord(record, walk, [&](const LiveLink &link) {
        fn(LiveRoot{LiveRoot::UnwindRecord}, link);
      });
}

SectionId LiveGraph::memoryOf(const InputFile &file,
                              function_ref<bool(SectionId)> lives) const {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const SectionId id = file.sectionBase + i;
    const InputSection &s = program.sections[id];
    if (s.parsed && lives(id) && !discarded(id) &&
        (s.parsed->flags & ELF::SHF_ALLOC) && s.parsed->type != ELF::SHT_NOTE &&
        s.parsed->name != ".eh_frame")
      return id;
  }
  return kNone;
}

//===----------------------------------------------------------------------===//
// --gc-sections
//
// Problem: with a section for each function and object, sections without a
// reference need not be in memory. Roots live without one: the entry,
// -u, KEEP, initialiser tables, retained sections, names that the script reads.
//
// Method: a search in breadth from the roots along the edges of LiveGraph,
// level by level, each in the order of the inputs. Of equal ways to a section
// that of the referring section wins that stands first in the inputs, and
// references win over groups, names and dependents.
//
// Of a mergeable section only the referenced pieces live. Sections that only
// describe others, such as debug information, live with anything of their file
// that takes memory.
//
// Cost: one visit of each live section and relocation, and a sort of each
// level.
//===----------------------------------------------------------------------===//

namespace {

struct Marker {
  const Program &program;
  const LiveGraph graph;
  LiveGraph::Walk walk = LiveGraph::Walk();
  Liveness liveness = Liveness();
  std::vector<SectionId> reached = {}; ///< the next level
  DenseSet<SectionId> needed{};        ///< without SHF_ALLOC; see note()

  bool lives(SectionId id) const { return walk.reached[id]; }

  /// More that a link says of a section than that it lives.
  void note(const LiveLink &link) {
    const SectionId id = link.to;
    if (!graph.tellsMore(id))
      return;
    const uint64_t flags = program.sections[id].parsed->flags;
    // A section without SHF_ALLOC that is a root or referred to by a live one
    // is there for more than its file's sake: the sections it refers to live
    // too.
    if (!(flags & ELF::SHF_ALLOC) && needed.insert(id).second &&
        !graph.collectable(id))
      reached.push_back(id);
    if (!(flags & ELF::SHF_MERGE))
      return;
    // An offset beyond four bytes is behind the last piece, and so is the
    // largest of four bytes.
    if (link.whole)
      liveness.allPieces.insert(id);
    else
      liveness.livePieces[id].push_back(
          uint32_t(std::min<uint64_t>(link.offset, ~0u)));
  }

  /// `from` is kNone: a root.
  void reach(const LiveLink &link, SectionId from) {
    if (link.whole || link.kind == LiveEdge::Reference)
      note(link);
    if (lives(link.to))
      return;
    walk.reached[link.to] = true;
    const bool isRoot = from == kNone && link.kind != LiveEdge::Description;
    liveness.edges[link.to] = {isRoot ? LiveEdge::Root : link.kind, from};
    reached.push_back(link.to);
  }

  void addRoots() {
    graph.forEachRoot(walk, [&](const LiveRoot &root, const LiveLink &link) {
      if (root.kind == LiveRoot::Uncollected)
        return reached.push_back(link.to); // it lives already
      reach(link, {});
      // As in GNU ld the section of a symbol that the user names counts as one
      // that KEEP names: its output section exists even without a byte.
      if (root.isRequested() && link.name == kNone &&
          program.sections[link.to].parsed && !graph.discarded(link.to))
        liveness.requested.push_back(link.to);
    });
  }

  void drain() {
    std::vector<SectionId> level;
    std::vector<std::pair<SectionId, LiveLink>> later; // (from, link)
    while (!reached.empty()) {
      level.swap(reached);
      reached.clear();
      llvm::sort(level);
      for (SectionId from : level)
        graph.forEachLink(from, walk, [&](const LiveLink &link) {
          if (link.kind == LiveEdge::Reference && link.name == kNone)
            reach(link, from);
          else
            later.push_back({from, link});
        });
      for (const auto &[from, link] : later)
        reach(link, from);
      later.clear();
    }
  }

  /// Debug information, .comment and their like live with their file: with any
  /// of its sections that takes memory (GNU ld). So do groups of nothing else.
  void markDescriptions() {
    std::vector<std::vector<SectionId>> described(program.files.size());
    program.parallel.forEach(
        described.size(), program.sections.size() * 32, [&](size_t f) {
          const InputFile &file = program.files[FileId(f)];
          if (graph.memoryOf(file, [&](SectionId id) { return lives(id); }) ==
              kNone)
            return dropDescriptions(file);
          for (const ParsedGroup &group : file.object->groups)
            if (graph.onlyDescribes(file, group))
              for (uint32_t member : group.members)
                if (file.object->sections[member].kind == SectionKind::Regular)
                  described[f].push_back(file.sectionBase + member);
        });
    for (const std::vector<SectionId> &members : described)
      for (SectionId id : members)
        reach({id, LiveEdge::Description}, {});
    drain();
  }

  /// Descriptions of a file of which nothing is left, unless they are needed
  /// for more than its sake.
  void dropDescriptions(const InputFile &file) {
    for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
      const SectionId id = file.sectionBase + i;
      const ParsedSection *p = program.sections[id].parsed;
      if (p && !graph.discarded(id) && !(p->flags & ELF::SHF_ALLOC) &&
          !needed.contains(id) &&
          !(program.target->attributesType &&
            p->type == program.target->attributesType))
        walk.reached[id] = false;
    }
  }

  Liveness run() {
    walk.reached.resize(program.sections.size());
    for (SectionId id : program.sections.ids())
      walk.reached[id] = id.index() == 0 || !graph.collectable(id);
    liveness.edges.resize(program.sections.size());
    addRoots();
    drain();
    markDescriptions();
    liveness.live.assign(walk.reached.begin(), walk.reached.end());
    return std::move(liveness);
  }
};

} // namespace

Liveness markLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames) {
  return Marker{program, LiveGraph(program, placement, frames)}.run();
}

} // namespace xlink
