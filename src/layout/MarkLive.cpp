//===- MarkLive.cpp -------------------------------------------------------===//
//
// Problem: with a section for each function and object, what nothing refers to
// need not be in memory. Roots are what runs without being called: the entry,
// -u, KEEP, initialiser tables, retained sections, names that the script reads.
//
// Method: mark from the roots along relocations with an explicit stack. A
// relocation that writes nothing is an edge too: objects use them to tie
// sections together. Of a mergeable section only the referenced pieces live.
// Sections that only describe others (debug information, SHF_LINK_ORDER) keep
// nothing alive and follow what they describe, or live with anything of their
// file that takes memory; the members of a section group
// live and die together. Of an unwind table, each record follows its function,
// and the tables and routines that the record names live with it.
//
// Cost: one visit of each live section and relocation.
//
//===----------------------------------------------------------------------===//
#include "layout/MarkLive.h"
#include "layout/EhFrame.h"
#include "resolve/ScriptSymbols.h"
#include "resolve/SymbolGlobs.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

class Marker {
public:
  Marker(const Program &program, const Placement &placement,
         const std::vector<EhFrame> &frames)
      : program(program), placement(placement), frames(frames) {}
  Liveness run();

private:
  void prepare();
  void addRoots();
  bool isRoot(SectionId id) const;
  void markSymbol(SymbolId id);
  void markRequested(SymbolId id);
  void markSection(SectionId id, LiveEdge::Kind kind);
  void markPiece(SectionId id, uint64_t offset);
  void follow(SectionId id);
  void followReference(const InputFile &file, const Relocation &rel);
  void collectRecords();
  void followRecord(const EhFrame &frame, const EhRecord &record);
  bool collectable(SectionId id) const;
  SectionId homeOf(const InputFile &file, uint32_t symbol) const;
  void dependsOn(SectionId id, SectionId home);
  void readExpressions();
  void drain();
  bool holdsMemory(const InputFile &file) const;
  bool describes(SectionId id) const;
  bool discarded(SectionId id) const {
    return placement.sections[id].discarded;
  }
  void markDescriptions();

  const Program &program;
  const Placement &placement;
  const std::vector<EhFrame> &frames;
  Liveness liveness;
  std::vector<SectionId> stack;
  SectionId following; ///< whose references are looked at
  IdVector<SectionId, std::vector<SectionId>> dependents; ///< LINK_ORDER
  std::vector<SectionId> unconditional; ///< dependents of what always lives
  DenseSet<SectionId> requested;        ///< Liveness::requested, to be asked
  DenseSet<SectionId>
      needed; ///< without SHF_ALLOC, but referred to by what has
  /// For __start_NAME, until one of them is referred to.
  StringMap<std::vector<SectionId>> byIdentifier;
  DenseSet<std::pair<FileId, uint32_t>> groups; ///< that a member has marked
  /// An FDE that says more than where its function is.
  struct Record {
    SectionId code;
    uint32_t frame, record; ///< into frames, and its records
  };
  std::vector<Record> records; ///< sorted by section
};

} // namespace

/// Whether the section takes part in collection at all.
bool Marker::collectable(SectionId id) const {
  const InputSection &s = program.sections[id];
  if (!s.parsed || discarded(id) || s.file == kNone)
    return false;
  const ParsedSection &p = *s.parsed;
  // Where a machine says which pieces may go, all others stay; those that only
  // describe code are named by a relocation in the code.
  if (p.keeper)
    return true;
  if (p.isPiece && program.target->removablePieceFlag)
    return (p.flags & program.target->removablePieceFlag) &&
           p.name != ".eh_frame";
  if (p.flags & ELF::SHF_ALLOC)
    return p.name != ".eh_frame";
  return p.flags & (ELF::SHF_LINK_ORDER | ELF::SHF_GROUP);
}

bool Marker::isRoot(SectionId id) const {
  const ParsedSection &p = *program.sections[id].parsed;
  if (placement.sections[id].keep ||
      (program.target->retainFlag && (p.flags & program.target->retainFlag)))
    return true;
  switch (p.type) {
  case ELF::SHT_INIT_ARRAY:
  case ELF::SHT_FINI_ARRAY:
  case ELF::SHT_PREINIT_ARRAY:
    return true;
  case ELF::SHT_NOTE:
    return !p.group; // notes of a group go with it
  default:
    break;
  }
  StringRef name = p.name;
  return name == ".init" || name == ".fini" || name == ".jcr" ||
         name == ".ctors" || name.starts_with(".ctors.") || name == ".dtors" ||
         name.starts_with(".dtors.") || name.starts_with(".init_array") ||
         name.starts_with(".fini_array") || name.starts_with(".preinit_array");
}

/// The section of a symbol's definition; kNone for what is no section's.
SectionId Marker::homeOf(const InputFile &file, uint32_t symbol) const {
  SymbolId id = program.symbolIds[file.symbolBase + symbol];
  if (id != kNone) {
    const Symbol &s = program.symbols[id];
    return s.kind == SymbolKind::Defined ? s.section : kNone;
  }
  const ParsedSymbol &s = file.object->symbols[symbol];
  return s.place == SymbolPlace::Section ? file.sectionBase + s.section : kNone;
}

/// `id` lives with `home`, which may be something that always does.
void Marker::dependsOn(SectionId id, SectionId home) {
  if (home == kNone || (!discarded(home) && !collectable(home))) {
    unconditional.push_back(id);
    return;
  }
  if (dependents.empty())
    dependents.resize(program.sections.size());
  dependents[home].push_back(id);
}

/// Edges that expressions state.
void Marker::readExpressions() {
  for (const InputFile &file : program.files)
    for (const ExprEntry &entry : file.object->expressions)
      if (entry.meaning == ExprOp::KeptBy &&
          entry.operands[0].kind == ExprOperand::Symbol)
        if (SectionId id = homeOf(file, entry.result);
            id != kNone && collectable(id))
          dependsOn(id, homeOf(file, entry.operands[0].value));
}

void Marker::prepare() {
  liveness.live.assign(program.sections.size(), true);
  liveness.edges.resize(program.sections.size());
  for (SectionId id : program.sections.ids(1)) {
    const InputSection &s = program.sections[id];
    if (!collectable(id))
      continue;
    const ParsedSection &p = *s.parsed;
    liveness.live[id.index()] = false;
    const InputFile &file = program.files[s.file];
    if (p.flags & ELF::SHF_LINK_ORDER)
      if (p.link && p.link < file.object->sections.size())
        dependsOn(id, file.sectionBase + p.link);
    if (p.keeper)
      if (SectionId home = homeOf(file, p.keeper); home != id)
        dependsOn(id, home);
    if (!p.name.empty() && !isDigit(p.name[0]) &&
        all_of(p.name, [](char c) { return isAlnum(c) || c == '_'; }))
      byIdentifier[p.name].push_back(id);
  }
}

/// The FDEs that keep something alive beside their function: those with an
/// exception table, or whose CIE names a routine.
void Marker::collectRecords() {
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
      [](const Record &a, const Record &b) { return a.code < b.code; });
}

void Marker::followRecord(const EhFrame &frame, const EhRecord &record) {
  const InputFile &file = program.files[program.sections[frame.section].file];
  for (uint32_t r = record.relocBegin; r < record.relocEnd; ++r)
    if (r != record.function)
      followReference(file, file.object->relocations[r]);
  if (!record.isCie())
    followRecord(frame, frame.records[record.cie]);
}

void Marker::markSection(SectionId id, LiveEdge::Kind kind) {
  if (liveness.lives(id) || discarded(id))
    return;
  liveness.live[id.index()] = true;
  liveness.edges[id] = {
      kind == LiveEdge::Reference && following == kNone ? LiveEdge::Root : kind,
      following};
  stack.push_back(id);
}

void Marker::markPiece(SectionId id, uint64_t offset) {
  const InputSection &s = program.sections[id];
  if (!discarded(id) && s.parsed && !(s.parsed->flags & ELF::SHF_ALLOC))
    needed.insert(id);
  if (!discarded(id) && s.file != kNone && (s.parsed->flags & ELF::SHF_MERGE))
    liveness.livePieces[id].push_back(
        uint32_t(std::min<uint64_t>(offset, ~0u)));
  markSection(id, LiveEdge::Reference);
}

void Marker::markSymbol(SymbolId id) {
  if (id == kNone)
    return;
  const Symbol &s = program.symbols[id];
  if (s.kind == SymbolKind::Defined) {
    markPiece(s.section, s.value);
    return;
  }
  if (program.config.startStopGc)
    return;
  StringRef name = s.name;
  if (name.consume_front("__start_") || name.consume_front("__stop_"))
    if (auto it = byIdentifier.find(name); it != byIdentifier.end()) {
      for (SectionId section : it->second) {
        ++liveness.steps;
        if (program.sections[section].parsed->flags & ELF::SHF_MERGE)
          liveness.allPieces.insert(section);
        markSection(section, LiveEdge::Reference);
      }
      byIdentifier.erase(it); // once is enough
    }
}

/// Marks a symbol that the user names. As in GNU ld its section counts as one
/// that KEEP names: its output section exists even without a byte.
void Marker::markRequested(SymbolId id) {
  markSymbol(id);
  if (id == kNone || program.symbols[id].kind != SymbolKind::Defined)
    return;
  if (SectionId home = program.symbols[id].section;
      program.sections[home].parsed && !discarded(home))
    liveness.requested.push_back(home);
}

void Marker::followReference(const InputFile &file, const Relocation &rel) {
  SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
  if (id != kNone)
    return markSymbol(id);
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  if (sym.place != SymbolPlace::Section)
    return;
  // Only a section symbol's addend selects the piece.
  uint64_t offset = sym.value;
  if (sym.type == ELF::STT_SECTION)
    offset += uint64_t(rel.addend);
  markPiece(file.sectionBase + sym.section, offset);
}

void Marker::follow(SectionId id) {
  const InputSection &s = program.sections[id];
  const ParsedSection &p = *s.parsed;
  if (!records.empty())
    for (auto it = std::lower_bound(
             records.begin(), records.end(), id,
             [](const Record &r, SectionId code) { return r.code < code; });
         it != records.end() && it->code == id; ++it) {
      const EhFrame &frame = frames[it->frame];
      followRecord(frame, frame.records[it->record]);
    }
  if (!dependents.empty())
    for (SectionId dependent : dependents[id])
      markSection(dependent, LiveEdge::Dependent);
  if (s.file == kNone)
    return;
  const InputFile &file = program.files[s.file];
  if (p.group && groups.insert({s.file, p.group}).second)
    for (uint32_t member : file.object->groups[p.group - 1].members) {
      ++liveness.steps;
      if (program.sections[file.sectionBase + member].parsed->kind ==
          SectionKind::Regular)
        markSection(file.sectionBase + member, LiveEdge::Group);
    }
  if (!(p.flags & ELF::SHF_ALLOC) || (p.flags & ELF::SHF_LINK_ORDER))
    return; // describes others, needs nothing
  for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r)
    followReference(file, file.object->relocations[r]);
}

void Marker::addRoots() {
  markRequested(program.entrySymbol);
  for (const auto *names :
       {&program.config.undefined, &program.config.requireDefined})
    for (const std::string &name : *names)
      markRequested(program.symbols.find(name));
  SymbolGlobs globs(program.symbols);
  globs.forEach(program.config.undefinedGlobs,
                [&](SymbolId id) { markSymbol(id); });
  for (StringRef name : program.script.externs)
    markRequested(program.symbols.find(name));
  for (StringRef name : symbolsReadByScript(program))
    markSymbol(program.symbols.find(name));
  for (SectionId id : program.sections.ids(1)) {
    if (!collectable(id) || !isRoot(id))
      continue;
    if (program.sections[id].parsed->flags & ELF::SHF_MERGE)
      liveness.allPieces.insert(id);
    markSection(id, LiveEdge::Root);
  }
  for (SectionId id : unconditional)
    markSection(id, LiveEdge::Root);
  requested.insert(liveness.requested.begin(), liveness.requested.end());
  // What is not collected keeps what it refers to, unless it only describes.
  for (SectionId id : program.sections.ids(1)) {
    const InputSection &s = program.sections[id];
    if (s.parsed && !discarded(id) && s.file != kNone && !collectable(id) &&
        (s.parsed->flags & ELF::SHF_ALLOC) && s.parsed->name != ".eh_frame")
      stack.push_back(id);
  }
  // So do records of code that is in no input section.
  for (const Record &record : records)
    if (record.code == kNone) {
      const EhFrame &frame = frames[record.frame];
      followRecord(frame, frame.records[record.record]);
    }
}

void Marker::drain() {
  while (!stack.empty()) {
    SectionId id = stack.back();
    stack.pop_back();
    following = id;
    follow(id);
    following = kNone;
  }
}

/// Whether anything of a file lives that takes memory and is more than a note
/// or an unwind table.
bool Marker::holdsMemory(const InputFile &file) const {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const SectionId id = file.sectionBase + i;
    const InputSection &s = program.sections[id];
    if (s.parsed && liveness.lives(id) && !discarded(id) &&
        (s.parsed->flags & ELF::SHF_ALLOC) && s.parsed->type != ELF::SHT_NOTE &&
        s.parsed->name != ".eh_frame")
      return true;
  }
  return false;
}

/// Whether a section takes no memory and is there for its own file's sake.
bool Marker::describes(SectionId id) const {
  const ParsedSection &p = *program.sections[id].parsed;
  return !(p.flags & ELF::SHF_ALLOC) && p.type != ELF::SHT_NOTE &&
         !placement.sections[id].keep && !requested.contains(id) &&
         !(program.target->retainFlag &&
           (p.flags & program.target->retainFlag)) &&
         !(program.target->attributesType &&
           p.type == program.target->attributesType);
}

/// Debug information, .comment and their like live with their file: with any
/// of its sections that takes memory (GNU ld). So do groups of nothing else.
void Marker::markDescriptions() {
  for (const InputFile &file : program.files) {
    const std::vector<ParsedSection> &sections = file.object->sections;
    const bool used = holdsMemory(file);
    for (uint32_t i = 1; !used && i < sections.size(); ++i) {
      const SectionId id = file.sectionBase + i;
      if (program.sections[id].parsed && !discarded(id) && describes(id) &&
          !needed.contains(id))
        liveness.live[id.index()] = false;
    }
    if (!used)
      continue;
    for (const ParsedGroup &group : file.object->groups)
      if (none_of(group.members, [&](uint32_t member) {
            return sections[member].flags & ELF::SHF_ALLOC;
          }))
        for (uint32_t member : group.members)
          if (sections[member].kind == SectionKind::Regular)
            markSection(file.sectionBase + member, LiveEdge::Description);
  }
  drain();
}

Liveness Marker::run() {
  prepare();
  readExpressions();
  collectRecords();
  addRoots();
  drain();
  markDescriptions();
  return std::move(liveness);
}

Liveness findLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames) {
  return Marker(program, placement, frames).run();
}

Liveness markLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames) {
  if (!program.config.gcSections)
    return Liveness();
  return Marker(program, placement, frames).run();
}

} // namespace xlink
