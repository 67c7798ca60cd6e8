//===- LiveGraph.cpp ------------------------------------------------------===//
//
// Problem: which sections keep which alive is known to one place, and walked
// along by several: the collection itself, which wants to know what lives, and
// the questions why something does and why not.
//
// Method: a relocation is an edge from its section to that of its symbol, also
// where it writes nothing: objects use such relocations to tie sections
// together. A section that describes another one (SHF_LINK_ORDER) lives with
// that, whatever names it; the members of a group follow each other. Of an
// unwind table, each record is an edge from the function that it is about to
// the tables and routines that it names. A name __start_S or __stop_S means all
// sections called S. Whoever walks gets each edge as it comes, none is stored.
//
// Sections and symbols of a large link do not fit into a cache. Several threads
// look at them once, and leave what walks ask of each in a byte or an id.
//
// Cost: one look at each section, symbol and unwind record; a walk sees each
// relocation of what it walks through once.
//
//===----------------------------------------------------------------------===//
#include "sections/LiveGraph.h"
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

LiveGraph::LiveGraph(const Program &program, const Placement &placement,
                     const std::vector<EhFrame> &frames)
    : program(program), placement(placement), frames(frames) {
  lookAtAll();
  readSections();
  readExpressions();
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

/// The traits of a section.
uint8_t LiveGraph::look(SectionId id) const {
  const InputSection &s = program.sections[id];
  if (!s.parsed || discarded(id) || s.file == kNone)
    return 0;
  const ParsedSection &p = *s.parsed;
  const bool takesMemory = p.flags & ELF::SHF_ALLOC;
  uint8_t found = 0;
  if ((p.flags & ELF::SHF_MERGE) || !takesMemory)
    found |= kTellsMore;
  if (!mayGo(id)) {
    if (takesMemory && p.name != ".eh_frame")
      found |= kUncollected;
    else if (!takesMemory && ownRoot(id))
      found |= kOwnRoot;
    return found;
  }
  found |= kCollectable;
  if (ownRoot(id))
    found |= kOwnRoot;
  if ((p.flags & ELF::SHF_LINK_ORDER) || program.moreOf(id).keeper)
    found |= kTied;
  if (!p.name.empty() && !isDigit(p.name[0]) &&
      all_of(p.name, [](char c) { return isAlnum(c) || c == '_'; }))
    found |= kIdentifier;
  return found;
}

void LiveGraph::lookAtAll() {
  constexpr size_t bytesEach = 256; // which take about as long to read
  traits.extend(program.sections.size());
  program.parallel.forEach(
      traits.size(), traits.size() * bytesEach,
      [&](size_t i) { traits[SectionId(i)] = look(SectionId(i)); });
  homes.extend(program.symbols.size());
  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    const Symbol &s = program.symbols[id];
    homes[id] = s.kind == SymbolKind::Defined ? s.section : SectionId();
  });
}

/// By name alone, as files have them that say nothing by the type. Most names
/// are told apart by their second character.
static bool isNameOfInitialisers(StringRef name) {
  if (!name.consume_front(".") || name.empty())
    return false;
  switch (name.front()) {
  case 'i':
    return name == "init" || name.starts_with("init_array");
  case 'f':
    return name == "fini" || name.starts_with("fini_array");
  case 'p':
    return name.starts_with("preinit_array");
  case 'j':
    return name == "jcr";
  case 'c':
    return name == "ctors" || name.starts_with("ctors.");
  case 'd':
    return name == "dtors" || name.starts_with("dtors.");
  default:
    return false;
  }
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
  if (dependents.empty())
    dependents.resize(program.sections.size());
  dependents[home].push_back(id);
}

/// Edges that expressions state.
void LiveGraph::readExpressions() {
  for (const InputFile &file : program.files)
    for (const ExprEntry &entry : file.object->expressions)
      if (entry.meaning == ExprOp::KeptBy &&
          entry.operands[0].kind == ExprOperand::Symbol)
        if (SectionId id = program.sectionOf(file, entry.result);
            id != kNone && collectable(id))
          dependsOn(id, program.sectionOf(file, entry.operands[0].value));
}

void LiveGraph::readSections() {
  for (SectionId id : program.sections.ids(1)) {
    if (!(traits[id] & (kTied | kIdentifier)))
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
    if (traits[id] & kIdentifier)
      byIdentifier[p.name].push_back(id);
  }
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
      [](const Record &a, const Record &b) { return a.code < b.code; });
}

bool LiveGraph::onlyDescribes(const InputFile &file,
                              const ParsedGroup &group) const {
  return none_of(group.members, [&](uint32_t member) {
    return file.object->sections[member].flags & ELF::SHF_ALLOC;
  });
}

} // namespace xlink
