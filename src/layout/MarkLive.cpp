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
#include "script/ScriptParser.h"
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
  explicit Marker(Link &link) : link(link) {}
  void run();

private:
  void prepare();
  void addRoots();
  bool isRoot(const InputSection &s) const;
  void markSymbol(SymbolId id);
  void markRequested(SymbolId id);
  void markSection(SectionId id);
  void markPiece(SectionId id, uint64_t offset);
  void follow(SectionId id);
  void followReference(const InputFile &file, const Relocation &rel);
  void collectRecords();
  void followRecord(const EhFrame &frame, const EhRecord &record);
  bool collectable(const InputSection &s) const;
  SectionId homeOf(const InputFile &file, uint32_t symbol) const;
  void dependsOn(SectionId id, SectionId home);
  void readExpressions();
  void drain();
  bool holdsMemory(const InputFile &file) const;
  bool describes(const InputSection &s) const;
  void markDescriptions();

  Link &link;
  std::vector<SectionId> stack;
  std::vector<std::vector<SectionId>> dependents; ///< LINK_ORDER, by section
  std::vector<SectionId> unconditional; ///< dependents of what always lives
  std::vector<SectionId> requested;     ///< homes of symbols the user names
  DenseSet<SectionId>
      needed; ///< without SHF_ALLOC, but referred to by what has
  StringMap<std::vector<SectionId>> byIdentifier; ///< for __start_NAME
  /// An FDE that says more than where its function is.
  struct Record {
    SectionId code;
    uint32_t frame, record; ///< into link.ehFrames, and its records
  };
  std::vector<Record> records; ///< sorted by section
};

} // namespace

/// Whether the section takes part in collection at all.
bool Marker::collectable(const InputSection &s) const {
  if (!s.parsed || s.discarded || s.file == kNone)
    return false;
  const ParsedSection &p = *s.parsed;
  // Where a machine says which pieces may go, all others stay; those that only
  // describe code are named by a relocation in the code.
  if (p.keeper)
    return true;
  if (p.isPiece && link.target->removablePieceFlag)
    return (p.flags & link.target->removablePieceFlag) && p.name != ".eh_frame";
  if (p.flags & ELF::SHF_ALLOC)
    return p.name != ".eh_frame";
  return p.flags & (ELF::SHF_LINK_ORDER | ELF::SHF_GROUP);
}

bool Marker::isRoot(const InputSection &s) const {
  const ParsedSection &p = *s.parsed;
  if (s.keep ||
      (link.target->retainFlag && (p.flags & link.target->retainFlag)))
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
  SymbolId id = link.symbolIds[file.symbolBase + symbol];
  if (id != kNone) {
    const Symbol &s = link.symbols[id];
    return s.kind == SymbolKind::Defined ? s.section : kNone;
  }
  const ParsedSymbol &s = file.object->symbols[symbol];
  return s.place == SymbolPlace::Section ? file.sectionBase + s.section : kNone;
}

/// `id` lives with `home`, which may be something that always does.
void Marker::dependsOn(SectionId id, SectionId home) {
  if (home == kNone ||
      (!link.sections[home].discarded && !collectable(link.sections[home]))) {
    unconditional.push_back(id);
    return;
  }
  if (dependents.empty())
    dependents.resize(link.sections.size());
  dependents[home].push_back(id);
}

/// Edges that expressions state.
void Marker::readExpressions() {
  for (const InputFile &file : link.files)
    for (const ExprEntry &entry : file.object->expressions)
      if (entry.meaning == ExprOp::KeptBy &&
          entry.operands[0].kind == ExprOperand::Symbol)
        if (SectionId id = homeOf(file, entry.result);
            id != kNone && collectable(link.sections[id]))
          dependsOn(id, homeOf(file, entry.operands[0].value));
}

void Marker::prepare() {
  for (SectionId id = 1; id < link.sections.size(); ++id) {
    InputSection &s = link.sections[id];
    if (!collectable(s))
      continue;
    const ParsedSection &p = *s.parsed;
    s.live = false;
    const InputFile &file = link.files[s.file];
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
  for (uint32_t f = 0; f < link.ehFrames.size(); ++f) {
    const EhFrame &frame = link.ehFrames[f];
    for (uint32_t r = 0; r < frame.records.size(); ++r) {
      const EhRecord &record = frame.records[r];
      if (record.isCie())
        continue;
      const EhRecord &cie = frame.records[record.cie];
      uint32_t own = record.function != kNone;
      if (record.relocEnd - record.relocBegin > own ||
          cie.relocBegin != cie.relocEnd)
        records.push_back({describedSection(link, frame, record), f, r});
    }
  }
  std::stable_sort(
      records.begin(), records.end(),
      [](const Record &a, const Record &b) { return a.code < b.code; });
}

void Marker::followRecord(const EhFrame &frame, const EhRecord &record) {
  const InputFile &file = link.files[link.sections[frame.section].file];
  for (uint32_t r = record.relocBegin; r < record.relocEnd; ++r)
    if (r != record.function)
      followReference(file, file.object->relocations[r]);
  if (!record.isCie())
    followRecord(frame, frame.records[record.cie]);
}

void Marker::markSection(SectionId id) {
  InputSection &s = link.sections[id];
  if (s.live || s.discarded)
    return;
  s.live = true;
  stack.push_back(id);
}

void Marker::markPiece(SectionId id, uint64_t offset) {
  const InputSection &s = link.sections[id];
  if (!s.discarded && s.parsed && !(s.parsed->flags & ELF::SHF_ALLOC))
    needed.insert(id);
  if (!s.discarded && s.file != kNone && (s.parsed->flags & ELF::SHF_MERGE))
    link.livePieces[id].push_back(uint32_t(std::min<uint64_t>(offset, ~0u)));
  markSection(id);
}

void Marker::markSymbol(SymbolId id) {
  if (id == kNone)
    return;
  const Symbol &s = link.symbols[id];
  if (s.kind == SymbolKind::Defined) {
    markPiece(s.section, s.value);
    return;
  }
  StringRef name = s.name;
  if (name.consume_front("__start_") || name.consume_front("__stop_"))
    if (auto it = byIdentifier.find(name); it != byIdentifier.end())
      for (SectionId section : it->second) {
        if (link.sections[section].parsed->flags & ELF::SHF_MERGE)
          link.allPieces.insert(section);
        markSection(section);
      }
}

/// Marks a symbol that the user names. As in GNU ld its section counts as one
/// that KEEP names: its output section exists even without a byte.
void Marker::markRequested(SymbolId id) {
  markSymbol(id);
  if (id == kNone || link.symbols[id].kind != SymbolKind::Defined)
    return;
  if (InputSection &s = link.sections[link.symbols[id].section];
      s.parsed && !s.discarded)
    requested.push_back(link.symbols[id].section);
}

void Marker::followReference(const InputFile &file, const Relocation &rel) {
  SymbolId id = link.symbolIds[file.symbolBase + rel.symbol];
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
  const InputSection &s = link.sections[id];
  const ParsedSection &p = *s.parsed;
  if (!records.empty())
    for (auto it = std::lower_bound(
             records.begin(), records.end(), id,
             [](const Record &r, SectionId code) { return r.code < code; });
         it != records.end() && it->code == id; ++it) {
      const EhFrame &frame = link.ehFrames[it->frame];
      followRecord(frame, frame.records[it->record]);
    }
  if (!dependents.empty() && id < dependents.size())
    for (SectionId dependent : dependents[id])
      markSection(dependent);
  if (s.file == kNone)
    return;
  const InputFile &file = link.files[s.file];
  if (p.group)
    for (uint32_t member : file.object->groups[p.group - 1].members)
      if (link.sections[file.sectionBase + member].parsed->kind ==
          SectionKind::Regular)
        markSection(file.sectionBase + member);
  if (!(p.flags & ELF::SHF_ALLOC) || (p.flags & ELF::SHF_LINK_ORDER))
    return; // describes others, needs nothing
  for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r)
    followReference(file, file.object->relocations[r]);
}

void Marker::addRoots() {
  markRequested(link.entrySymbol);
  for (const auto *names :
       {&link.config.undefined, &link.config.requireDefined})
    for (const std::string &name : *names)
      markRequested(link.symbols.find(name));
  for (const std::string &pattern : link.config.undefinedGlobs)
    for (SymbolId id = 0; id < link.symbols.size(); ++id)
      if (globMatch({pattern, true}, link.symbols[id].name))
        markSymbol(id);
  for (StringRef name : link.script.externs)
    markRequested(link.symbols.find(name));
  for (StringRef name : symbolsReadByScript(link))
    markSymbol(link.symbols.find(name));
  for (SectionId id = 1; id < link.sections.size(); ++id) {
    InputSection &s = link.sections[id];
    if (!collectable(s) || !isRoot(s))
      continue;
    if (s.parsed->flags & ELF::SHF_MERGE)
      link.allPieces.insert(id);
    markSection(id);
  }
  for (SectionId id : unconditional)
    markSection(id);
  for (SectionId id : requested)
    link.sections[id].keep = true;
  // What is not collected keeps what it refers to, unless it only describes.
  for (SectionId id = 1; id < link.sections.size(); ++id) {
    const InputSection &s = link.sections[id];
    if (s.parsed && !s.discarded && s.file != kNone && !collectable(s) &&
        (s.parsed->flags & ELF::SHF_ALLOC) && s.parsed->name != ".eh_frame")
      stack.push_back(id);
  }
  // So do records of code that is in no input section.
  for (const Record &record : records)
    if (record.code == kNone) {
      const EhFrame &frame = link.ehFrames[record.frame];
      followRecord(frame, frame.records[record.record]);
    }
}

void Marker::drain() {
  while (!stack.empty()) {
    SectionId id = stack.back();
    stack.pop_back();
    follow(id);
  }
}

/// Whether anything of a file lives that takes memory and is more than a note
/// or an unwind table.
bool Marker::holdsMemory(const InputFile &file) const {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const InputSection &s = link.sections[file.sectionBase + i];
    if (s.parsed && s.live && !s.discarded &&
        (s.parsed->flags & ELF::SHF_ALLOC) && s.parsed->type != ELF::SHT_NOTE &&
        s.parsed->name != ".eh_frame")
      return true;
  }
  return false;
}

/// Whether a section takes no memory and is there for its own file's sake.
bool Marker::describes(const InputSection &s) const {
  const ParsedSection &p = *s.parsed;
  return !(p.flags & ELF::SHF_ALLOC) && p.type != ELF::SHT_NOTE && !s.keep &&
         !(link.target->retainFlag && (p.flags & link.target->retainFlag)) &&
         !(link.target->attributesType &&
           p.type == link.target->attributesType);
}

/// Debug information, .comment and their like live with their file: with any
/// of its sections that takes memory (GNU ld). So do groups of nothing else.
void Marker::markDescriptions() {
  for (const InputFile &file : link.files) {
    const std::vector<ParsedSection> &sections = file.object->sections;
    const bool used = holdsMemory(file);
    for (uint32_t i = 1; !used && i < sections.size(); ++i) {
      InputSection &s = link.sections[file.sectionBase + i];
      if (s.parsed && !s.discarded && describes(s) &&
          !needed.contains(file.sectionBase + i))
        s.live = false;
    }
    if (!used)
      continue;
    for (const ParsedGroup &group : file.object->groups)
      if (none_of(group.members, [&](uint32_t member) {
            return sections[member].flags & ELF::SHF_ALLOC;
          }))
        for (uint32_t member : group.members)
          if (sections[member].kind == SectionKind::Regular)
            markSection(file.sectionBase + member);
  }
  drain();
}

void Marker::run() {
  prepare();
  readExpressions();
  collectRecords();
  addRoots();
  drain();
  markDescriptions();
}

void markLive(Link &link) {
  if (link.config.gcSections)
    Marker(link).run();
}

} // namespace xlink
