//===- Undefined.cpp - names that nothing defines -------------------------===//
//
// Problem: of a name that nothing defines, people want to know who needs it and
// what they may have meant.
//
// Method: every relocation of a placed section whose symbol is undefined counts
// for its name; places and spellings are only looked up for what will be shown.
//
// Cost: nothing without such names; else one visit of each relocation, and for
// each message one look at the symbols of three files and at all names.
//
//===----------------------------------------------------------------------===//
#include "layout/SymbolValues.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

namespace {

/// Where an undefined name is needed.
struct Uses {
  struct Place {
    SectionId section;
    uint64_t offset;
  };
  SymbolId symbol;
  std::vector<Place> first; ///< at most three
  uint64_t count = 0;
};

} // namespace

/// The function or object whose bytes contain a place, for messages.
static std::string enclosing(const Program &program, const Uses::Place &place) {
  const InputSection &section = program.sections[place.section];
  const ParsedSymbol *best = nullptr;
  for (const ParsedSymbol &s : program.files[section.file].object->symbols)
    if (s.place == SymbolPlace::Section && s.section == section.index &&
        !s.name.empty() && s.value <= place.offset &&
        (s.size == 0 || place.offset - s.value < s.size) &&
        (s.type == ELF::STT_FUNC || s.type == ELF::STT_OBJECT) &&
        (!best || s.value > best->value))
      best = &s;
  return best ? " in " + best->name.str() : "";
}

static bool anyUndefined(const Program &program) {
  for (SymbolId id : program.symbols.ids())
    if (const Symbol &s = program.symbols[id];
        s.kind == SymbolKind::Undefined && s.strongReference)
      return true;
  return false;
}

/// Undefined names that relocations need, in the order of their first use.
static std::vector<Uses> collectUses(const Link &link,
                                     const SymbolValues &values) {
  const Program &program = link.program;
  std::vector<Uses> list;
  DenseMap<SymbolId, uint32_t> indexOf;
  auto use = [&](const InputFile &file, SectionId id, const Relocation &rel) {
    const uint32_t slot = file.symbolBase + rel.symbol;
    const SymbolId symbol = program.symbolIds[slot];
    if (symbol == kNone || values.kind[slot] != ValueKind::Undefined ||
        !link.keepsByte(id, rel.offset) ||
        file.object->symbols[rel.symbol].binding == ELF::STB_WEAK)
      return;
    const RelocationRow *row = findRelocation(*program.target, rel.type);
    if (!row || row->formula == Formula::None)
      return;
    auto [it, fresh] = indexOf.try_emplace(symbol, uint32_t(list.size()));
    if (fresh)
      list.emplace_back().symbol = symbol;
    Uses &uses = list[it->second];
    if (uses.count++ < 3)
      uses.first.push_back({id, rel.offset});
  };
  for (const InputFile &file : program.files)
    for (uint32_t i = 0; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      if (link.placed(file.sectionBase + i))
        for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
          use(file, file.sectionBase + i, file.object->relocations[r]);
    }
  return list;
}

static std::vector<std::string> notesFor(const Link &link, const Uses &uses,
                                         ArrayRef<StringRef> candidates) {
  const Program &program = link.program;
  std::vector<std::string> notes;
  for (const Uses::Place &place : uses.first)
    notes.push_back("referenced by " +
                    program.place(place.section, place.offset) +
                    enclosing(program, place));
  if (uses.count > 3)
    notes.push_back("referenced " + std::to_string(uses.count - 3) +
                    " more times");
  std::string near =
      nearestSpelling(program.symbols[uses.symbol].name, candidates);
  if (!near.empty()) {
    notes.push_back("did you mean: " + near);
    notes.push_back(
        "defined in: " +
        program.fileName(program.symbols[program.symbols.find(near)].file));
  }
  return notes;
}

void reportUndefined(const Link &link, const SymbolValues &values,
                     Diagnostics &diag) {
  const Program &program = link.program;
  const UnresolvedPolicy policy = program.config.unresolved;
  if (policy == UnresolvedPolicy::Ignore || !anyUndefined(program))
    return;
  const std::vector<Uses> list = collectUses(link, values);
  std::vector<StringRef> candidates;
  if (!list.empty())
    for (SymbolId id : program.symbols.ids())
      if (link.symbol(id).isDefined())
        candidates.push_back(program.symbols[id].name);
  for (const Uses &uses : list) {
    auto compose = [&] {
      return Message{"undefined symbol: " +
                         program.symbols[uses.symbol].name.str(),
                     notesFor(link, uses, candidates)};
    };
    if (policy == UnresolvedPolicy::Warn)
      diag.warn(WarningGroup::Symbol, compose);
    else
      diag.error(compose);
  }
}

} // namespace xlink
