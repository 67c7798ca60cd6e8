//===- EnclosingSymbols.cpp -----------------------------------------------===//
//
// Problem: messages name the function of a place, perhaps for a hundred
// thousand places, and a file may have as many functions. Symbols can contain
// each other: the outer one continues behind the end of the inner one.
//
// Method: one sweep over a file's functions and objects in the order of their
// beginnings, with a stack of those that have not ended; on top is the one that
// began last. Where the top changes, a range begins. A query is a binary search
// among the ranges.
//
// Cost: sorting the functions of the queried files. Each of them is pushed once
// and popped once.
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

static constexpr uint64_t kOpenEnd = ~uint64_t(0);

/// One without a size extends to the section's end.
static uint64_t endOf(const ParsedSymbol &s) {
  return s.size ? Size(s.value) + s.size : Size(kOpenEnd);
}

bool EnclosingSymbols::isLabel(const ParsedObject &object,
                               const ParsedSymbol &s) const {
  return labels && s.type == ELF::STT_NOTYPE && !s.name.starts_with(".L") &&
         !s.name.starts_with("$") &&
         (object.sections[s.section].flags & ELF::SHF_EXECINSTR);
}

std::vector<EnclosingSymbols::Stretch>
EnclosingSymbols::stretchesOf(const ParsedObject &object) {
  std::vector<const ParsedSymbol *> symbols;
  for (const ParsedSymbol &s : object.symbols)
    if (s.place == SymbolPlace::Section && !s.name.empty() &&
        (s.type == ELF::STT_FUNC || (s.type == ELF::STT_OBJECT && !labels) ||
         isLabel(object, s)))
      symbols.push_back(&s);
  stepCount += object.symbols.size();
  // Of those that begin together the first one of the table comes last, on top.
  llvm::sort(symbols, [](const ParsedSymbol *a, const ParsedSymbol *b) {
    return std::tie(a->section, a->value, b) <
           std::tie(b->section, b->value, a);
  });
  std::vector<Stretch> stretches;
  std::vector<const ParsedSymbol *> open;
  const ParsedSymbol *label = nullptr; ///< the last of the section
  // Symbols that end before `limit` leave the stack.
  auto close = [&](uint64_t limit) {
    while (!open.empty() && endOf(*open.back()) <= limit) {
      const uint32_t section = open.back()->section;
      const uint64_t end = endOf(*open.back());
      while (!open.empty() && endOf(*open.back()) <= end)
        open.pop_back();
      stretches.push_back({section, end, open.empty() ? label : open.back()});
    }
  };
  auto endSection = [&] {
    close(kOpenEnd - 1);
    open.clear();
    label = nullptr;
  };
  for (const ParsedSymbol *s : symbols) {
    if (!stretches.empty() && stretches.back().section != s->section)
      endSection();
    close(s->value);
    if (s->type == ELF::STT_NOTYPE)
      label = s;
    else
      open.push_back(s);
    if (open.empty() || open.back() == s)
      stretches.push_back({s->section, s->value, s});
  }
  endSection();
  return stretches;
}

const ParsedSymbol *EnclosingSymbols::find(SectionId section, uint64_t offset) {
  const InputSection &s = program.sections[section];
  if (s.file == kNone)
    return nullptr;
  auto [it, fresh] = byFile.try_emplace(s.file);
  if (fresh)
    it->second = stretchesOf(*program.files[s.file].object);
  const std::vector<Stretch> &list = it->second;
  const auto next =
      std::upper_bound(list.begin(), list.end(), std::pair(s.index, offset),
                       [](const auto &place, const Stretch &x) {
                         return place < std::pair(x.section, x.begin);
                       });
  if (next == list.begin() || std::prev(next)->section != s.index)
    return nullptr;
  return std::prev(next)->symbol;
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

void EnclosingSymbols::addMore(const FirstPlaces &places,
                               std::vector<std::string> &notes) {
  const uint64_t more = places.count - places.first.size();
  if (more)
    notes.push_back("referenced " + countOf(more, "more time", "more times"));
}

} // namespace xlink
