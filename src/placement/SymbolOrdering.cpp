//===- SymbolOrdering.cpp -------------------------------------------------===//
//
// Problem: a file lists symbols, and their sections come first, in the order of
// the list, as far as the script's meaning permits.
//
// Method: lld's. A section's rank is that of the first name in the list of any
// symbol, global or local, that it holds. In each input section description the
// sections with a rank move to the front, in order of rank; SORT or
// --sort-section orders the others and equals. Pieces that a machine cuts a
// section into move as one. Sections of SHF_LINK_ORDER follow those they
// describe afterwards.
//
// Cost: one look-up for each symbol of the link, and a sort of the sections
// with a rank; nothing without the option.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace xlink {

bool stayTogether(const Program &program, SectionId a, SectionId b) {
  // The pieces of one section refer to each other by short distances, and empty
  // ones align the next.
  const InputSection &x = program.sections[a], &y = program.sections[b];
  return x.file == y.file && y.parsed->isPiece &&
         x.parsed->name == y.parsed->name;
}

/// Calls fn(rank, id) for each global symbol that the list names, in the order
/// of the symbol table, and fn(rank, file, symbol) for each local one.
template <class Globals, class Locals>
static void forEachOrdered(const Program &program, Globals global,
                           Locals local) {
  StringMap<uint32_t> ranks;
  for (StringRef name : program.symbolOrder)
    ranks.try_emplace(name, uint32_t(ranks.size()));
  for (SymbolId id : program.symbols.ids())
    if (auto it = ranks.find(program.symbols[id].name); it != ranks.end())
      global(it->second, id);
  for (FileId f : program.files.ids())
    for (const ParsedSymbol &s : program.files[f].object->symbols)
      if (s.binding == ELF::STB_LOCAL && !s.name.empty())
        if (auto it = ranks.find(s.name); it != ranks.end())
          local(it->second, f, s);
}

/// By section, kNone: the list names nothing in it.
static IdVector<SectionId, uint32_t> sectionRanks(const Program &program) {
  IdVector<SectionId, uint32_t> ranks(program.sections.size(), kNone);
  forEachOrdered(
      program,
      [&](uint32_t rank, SymbolId id) {
        const Symbol &s = program.symbols[id];
        if (s.kind == SymbolKind::Defined)
          ranks[s.section] = std::min(ranks[s.section], rank);
      },
      [&](uint32_t rank, FileId file, const ParsedSymbol &s) {
        if (s.place != SymbolPlace::Section)
          return;
        const SectionId id = program.files[file].sectionBase + s.section;
        ranks[id] = std::min(ranks[id], rank);
      });
  return ranks;
}

/// Whether the list does not order an output section: code that runs from one
/// section into the next (lld), and, with the built-in script, initialisers.
static bool keepsItsOrder(const Program &program, StringRef name) {
  return name == ".init" || name == ".fini" ||
         (program.builtinScript &&
          (name == ".init_array" || name == ".fini_array" ||
           name == ".preinit_array" || name == ".ctors" || name == ".dtors"));
}

static void orderRange(const Program &program,
                       const IdVector<SectionId, uint32_t> &ranks,
                       MutableArrayRef<SectionId> members) {
  if (none_of(members, [&](SectionId id) { return ranks[id] != kNone; }))
    return;
  struct Unit {
    size_t begin, end;
    uint32_t rank;
  };
  std::vector<Unit> units;
  for (size_t i = 0; i < members.size(); ++i) {
    if (i == 0 || !stayTogether(program, members[i - 1], members[i]))
      units.push_back({i, i, kNone});
    units.back().end = i + 1;
    units.back().rank = std::min(units.back().rank, ranks[members[i]]);
  }
  llvm::stable_sort(
      units, [](const Unit &a, const Unit &b) { return a.rank < b.rank; });
  std::vector<SectionId> result;
  for (const Unit &u : units)
    result.insert(result.end(), members.begin() + u.begin,
                  members.begin() + u.end);
  llvm::copy(result, members.begin());
}

void orderBySymbols(const Program &program, Placement &placement,
                    bool orphans) {
  if (program.symbolOrder.empty())
    return;
  const IdVector<SectionId, uint32_t> ranks = sectionRanks(program);
  for (OutputSection &out : placement.outputs) {
    if (keepsItsOrder(program, out.name))
      continue;
    for (const OutputItem &item : out.items)
      if (!item.command == orphans)
        orderRange(program, ranks,
                   MutableArrayRef(out.members)
                       .slice(item.begin, item.end - item.begin));
  }
  if (!orphans)
    for (auto &[where, members] : placement.possibleMembers)
      if (!keepsItsOrder(program, placement.outputs[where.first].name))
        orderRange(program, ranks, members);
}

void reportUnorderable(const Program &program, const Placement &placement,
                       const Liveness &liveness, Diagnostics &diag) {
  if (program.symbolOrder.empty())
    return;
  std::vector<bool> present(program.symbolOrder.size());
  auto warn = [&](FileId file, const char *kind, StringRef name) {
    diag.warn(WarningGroup::SymbolOrdering, [&] {
      return Message{program.fileName(file) + ": unable to order " + kind +
                     " symbol: " + program.shownName(name)};
    });
  };
  auto isGone = [&](SectionId id) {
    return !program.sections[id].parsed || placement.sections[id].discarded ||
           !liveness.lives(id);
  };
  forEachOrdered(
      program,
      [&](uint32_t rank, SymbolId id) {
        const Symbol &s = program.symbols[id];
        present[rank] = true;
        if (s.slot != kNone)
          return warn(s.scriptDefined ? FileId() : s.file, "synthetic", s.name);
        if (s.kind == SymbolKind::Undefined) {
          if (program.config.unresolved != UnresolvedPolicy::Ignore)
            warn(s.file, "undefined", s.name);
        } else if (s.kind == SymbolKind::Absolute) {
          warn(s.file, "absolute", s.name);
        } else if (s.kind == SymbolKind::Defined && isGone(s.section)) {
          warn(s.file, "discarded", s.name);
        }
      },
      [&](uint32_t rank, FileId file, const ParsedSymbol &s) {
        present[rank] = true;
        if (s.place == SymbolPlace::Absolute)
          warn(file, "absolute", s.name);
        else if (s.place == SymbolPlace::Section &&
                 isGone(program.files[file].sectionBase + s.section))
          warn(file, "discarded", s.name);
      });
  for (size_t rank = 0; rank < present.size(); ++rank)
    if (!present[rank])
      diag.warn(WarningGroup::SymbolOrdering,
                "symbol ordering file: no such symbol: " +
                    program.shownName(program.symbolOrder[rank]));
}

} // namespace xlink
