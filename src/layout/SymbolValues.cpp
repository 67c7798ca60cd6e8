//===- SymbolValues.cpp ---------------------------------------------------===//
//
// Problem: millions of relocations ask for the value of (file, symbol index).
// Following file -> symbol -> section -> output section for each of them costs
// three times what one array does.
//
// Method: globals first, by SymbolId; then, file by file in parallel, one value
// and one kind for each symbol index.
//
// Cost: one pass over all symbols, 9 bytes each.
//
//===----------------------------------------------------------------------===//
#include "layout/SymbolValues.h"
#include "layout/AddressAssignment.h"
#include "layout/MergeSections.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

static ValueKind kindOf(const Link &link, const Symbol &s) {
  switch (s.kind) {
  case SymbolKind::Defined:
    return link.sections[s.section].output != kNone &&
                   link.sections[s.section].live &&
                   !link.sections[s.section].discarded &&
                   !isDeadPiece(link, s.section, s.value)
               ? ValueKind::Normal
               : ValueKind::Discarded;
  case SymbolKind::Absolute:
  case SymbolKind::Output:
    return s.unresolved ? ValueKind::Unresolved : ValueKind::Normal;
  default:
    return s.strongReference ? ValueKind::Undefined : ValueKind::UndefinedWeak;
  }
}

static void computeFile(Link &link, FileId f,
                        const std::vector<ValueKind> &globalKind) {
  const InputFile &file = link.files[f];
  const ParsedObject &object = *file.object;
  for (uint32_t i = 0; i < object.symbols.size(); ++i) {
    uint32_t slot = file.symbolBase + i;
    uint64_t &address = link.valueAddress[slot];
    ValueKind &kind = link.valueKind[slot];
    SymbolId id = link.symbolIds[slot];
    if (id != kNone) {
      address = link.globalAddress[id];
      kind = globalKind[id];
      continue;
    }
    const ParsedSymbol &sym = object.symbols[i];
    if (sym.place == SymbolPlace::Absolute) {
      address = sym.value;
      continue;
    }
    if (sym.place != SymbolPlace::Section) {
      // Symbol 0, and nameless undefined locals, are 0.
      continue;
    }
    SectionId section = file.sectionBase + sym.section;
    const InputSection &s = link.sections[section];
    if (!s.placed())
      kind = ValueKind::Discarded;
    else if (s.merge != kNone && sym.type == ELF::STT_SECTION)
      kind = ValueKind::Merged;
    else if (isDeadPiece(link, section, sym.value))
      kind = ValueKind::Discarded;
    else
      address = sectionAddress(link, section, sym.value);
  }
}

void computeSymbolValues(Link &link) {
  link.globalAddress.resize(link.symbols.size());
  std::vector<ValueKind> kinds(link.symbols.size());
  for (SymbolId id = 0; id < link.symbols.size(); ++id) {
    link.globalAddress[id] = symbolAddress(link, link.symbols[id]);
    kinds[id] = kindOf(link, link.symbols[id]);
    if (kinds[id] != ValueKind::Normal)
      link.globalAddress[id] = 0;
  }
  link.valueAddress.assign(link.symbolIds.size(), 0);
  link.valueKind.assign(link.symbolIds.size(), ValueKind::Normal);
  link.parallel.forEach(link.files.size(), link.symbolIds.size() * 32,
                        [&](size_t f) { computeFile(link, FileId(f), kinds); });
  for (const LocalResult &r : link.localResults) {
    link.valueAddress[r.slot] = r.value;
    link.valueKind[r.slot] =
        r.unresolved ? ValueKind::Unresolved : ValueKind::Normal;
  }
}

//===----------------------------------------------------------------------===//
// Undefined symbols
//===----------------------------------------------------------------------===//

/// The function or object whose bytes contain a place, for messages.
static std::string enclosing(const ParsedObject &object, uint32_t section,
                             uint64_t offset) {
  const ParsedSymbol *best = nullptr;
  for (const ParsedSymbol &s : object.symbols)
    if (s.place == SymbolPlace::Section && s.section == section &&
        !s.name.empty() && s.type != ELF::STT_SECTION && s.value <= offset &&
        (s.size == 0 || offset < s.value + s.size) &&
        (s.type == ELF::STT_FUNC || s.type == ELF::STT_OBJECT) &&
        (!best || s.value > best->value))
      best = &s;
  return best ? " in " + best->name.str() : "";
}

void reportUndefined(Link &link) {
  if (link.config.unresolved == UnresolvedPolicy::Ignore)
    return;
  bool any = false;
  for (SymbolId id = 0; id < link.symbols.size() && !any; ++id) {
    const Symbol &s = link.symbols[id];
    any = s.kind == SymbolKind::Undefined && s.strongReference;
  }
  if (!any)
    return;
  struct Uses {
    std::vector<std::string> places;
    uint64_t count = 0;
  };
  std::map<SymbolId, Uses> undefined;
  std::vector<SymbolId> order;
  for (FileId f = 0; f < link.files.size(); ++f) {
    const InputFile &file = link.files[f];
    for (uint32_t i = 0; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      if (!link.sections[file.sectionBase + i].placed())
        continue;
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
        const Relocation &rel = file.object->relocations[r];
        if (!link.keepsByte(link.sections[file.sectionBase + i], rel.offset))
          continue;
        SymbolId id = link.symbolIds[file.symbolBase + rel.symbol];
        if (id == kNone || link.valueKind[file.symbolBase + rel.symbol] !=
                               ValueKind::Undefined)
          continue;
        if (file.object->symbols[rel.symbol].binding == ELF::STB_WEAK)
          continue;
        const RelocationRow *row = findRelocation(*link.target, rel.type);
        if (!row || row->formula == Formula::None)
          continue;
        Uses &uses = undefined[id];
        if (uses.count++ == 0)
          order.push_back(id);
        if (uses.places.size() < 3)
          uses.places.push_back("referenced by " +
                                link.place(file.sectionBase + i, rel.offset) +
                                enclosing(*file.object, i, rel.offset));
      }
    }
  }
  std::vector<StringRef> candidates;
  if (!order.empty())
    for (SymbolId id = 0; id < link.symbols.size(); ++id)
      if (link.symbols[id].isDefined())
        candidates.push_back(link.symbols[id].name);
  for (SymbolId id : order) {
    Uses &uses = undefined[id];
    std::vector<std::string> notes = std::move(uses.places);
    if (uses.count > 3)
      notes.push_back("referenced " + std::to_string(uses.count - 3) +
                      " more times");
    std::string text = "undefined symbol: " + link.symbols[id].name.str();
    if (!link.diag.saturated()) {
      std::string near = nearestSpelling(link.symbols[id].name, candidates);
      if (!near.empty()) {
        const Symbol &s = link.symbols[link.symbols.find(near)];
        notes.push_back("did you mean: " + near);
        notes.push_back("defined in: " + link.fileName(s.file));
      }
    }
    if (link.config.unresolved == UnresolvedPolicy::Warn)
      link.diag.warn(WarningGroup::Symbol, text, std::move(notes));
    else
      link.diag.error(text, std::move(notes));
  }
}

} // namespace xlink
