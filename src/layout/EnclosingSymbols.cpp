//===- EnclosingSymbols.cpp -----------------------------------------------===//
//
// Problem: messages name the function of a place, perhaps for a hundred
// thousand places, and a file may have as many functions. Symbols can contain
// each other.
//
// Method: a file's functions and objects are sorted by their beginnings, each
// with the largest end of all up to it. A query goes back from its place to the
// first symbol that contains it, or to one up to which all have ended.
//
// Cost: sorting the functions of the queried files; a binary search for each
// query, and few steps back unless symbols contain many others.
//
//===----------------------------------------------------------------------===//
#include "layout/EnclosingSymbols.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace xlink {

uint64_t EnclosingSymbols::beginOf(const ParsedSymbol &s) const {
  const uint32_t unit = program.target->instruction;
  return s.type == ELF::STT_FUNC && unit ? s.value - s.value % unit : s.value;
}

/// One without a size extends to the section's end.
uint64_t EnclosingSymbols::endOf(const ParsedSymbol &s) const {
  return s.size ? Size(beginOf(s)) + s.size : Size(~uint64_t(0));
}

std::vector<EnclosingSymbols::Entry>
EnclosingSymbols::entriesOf(const ParsedObject &object) const {
  auto isLabel = [&](const ParsedSymbol &s) {
    return labels && s.type == ELF::STT_NOTYPE && !s.name.starts_with(".L") &&
           !s.name.starts_with("$") &&
           (object.sections[s.section].flags & ELF::SHF_EXECINSTR);
  };
  std::vector<Entry> entries;
  for (const ParsedSymbol &s : object.symbols)
    if (s.place == SymbolPlace::Section && !s.name.empty() &&
        (s.type == ELF::STT_FUNC || (s.type == ELF::STT_OBJECT && !labels) ||
         isLabel(s)))
      entries.push_back({&s});
  // Of those that begin together the first one of the table comes last.
  llvm::sort(entries, [&](const Entry &a, const Entry &b) {
    return std::tuple(a.symbol->section, beginOf(*a.symbol), b.symbol) <
           std::tuple(b.symbol->section, beginOf(*b.symbol), a.symbol);
  });
  const Entry none{nullptr};
  for (size_t i = 0; i < entries.size(); ++i) {
    Entry &e = entries[i];
    const bool first =
        i == 0 || entries[i - 1].symbol->section != e.symbol->section;
    const Entry &before = first ? none : entries[i - 1];
    const bool label = e.symbol->type == ELF::STT_NOTYPE;
    e.label = label ? e.symbol : before.label;
    e.end = std::max(before.end, label ? 0 : endOf(*e.symbol));
  }
  return entries;
}

const ParsedSymbol *EnclosingSymbols::find(SectionId section, uint64_t offset) {
  const InputSection &s = program.sections[section];
  if (s.file == kNone)
    return nullptr;
  auto [found, fresh] = byFile.try_emplace(s.file);
  if (fresh)
    found->second = entriesOf(*program.files[s.file].object);
  const std::vector<Entry> &entries = found->second;
  auto it = llvm::partition_point(entries, [&](const Entry &e) {
    return std::pair(e.symbol->section, beginOf(*e.symbol)) <=
           std::pair(s.index, offset);
  });
  if (it == entries.begin() || std::prev(it)->symbol->section != s.index)
    return nullptr;
  const ParsedSymbol *const label = std::prev(it)->label;
  while (it != entries.begin()) {
    const Entry &e = *--it;
    if (e.symbol->section != s.index || e.end <= offset)
      break;
    if (e.symbol->type != ELF::STT_NOTYPE && endOf(*e.symbol) > offset)
      return e.symbol;
  }
  return label;
}

void EnclosingSymbols::addReferences(const FirstPlaces &places,
                                     std::vector<std::string> &notes) {
  for (const FirstPlaces::Place &place : places.first) {
    const ParsedSymbol *in = find(place.section, place.offset);
    notes.push_back("referenced by " +
                    program.place(place.section, place.offset) +
                    (in ? " in " + program.shownName(in->name) : "") +
                    program.atLine(place.section, place.offset));
  }
}

} // namespace xlink
