//===- CrossReferences.cpp - NOCROSSREFS ----------------------------------===//
//
// Problem: code in one overlay must not refer to another one that may not be in
// memory; scripts say so with lists of output sections.
//
// Method: each list is a set of output sections, and every relocation of a
// member is checked against it. Links without such lists pay nothing.
//
// Cost: one visit of the relocations of the listed sections.
//
//===----------------------------------------------------------------------===//
#include "layout/SymbolValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {
struct List {
  std::vector<OutputId> outputs;
  bool toFirst = false; ///< only references to the first are prohibited
};
} // namespace

static std::vector<List> collectLists(const Link &link) {
  std::vector<List> lists;
  auto add = [&](ArrayRef<StringRef> names, bool toFirst) {
    List &list = lists.emplace_back();
    list.toFirst = toFirst;
    for (StringRef name : names) {
      OutputId found = kNone;
      for (OutputId id = 0; id < link.outputs.size() && found == kNone; ++id)
        if (link.outputs[id].name == name)
          found = id;
      list.outputs.push_back(found);
    }
  };
  for (const NoCrossRefs &n : link.script.noCrossRefs)
    add(n.sections, n.toFirst);
  for (const CommandPtr &command : link.script.commands) {
    if (command->kind != CommandKind::Overlay)
      continue;
    auto &overlay = static_cast<const OverlayCommand &>(*command);
    if (!overlay.noCrossRefs)
      continue;
    std::vector<StringRef> names;
    for (const auto &section : overlay.sections)
      names.push_back(section->name);
    add(names, false);
  }
  return lists;
}

/// The output section a relocation's symbol stands in, or kNone.
static OutputId targetOutput(const Link &link, const InputFile &file,
                             uint32_t symbol) {
  SymbolId id = link.symbolIds[file.symbolBase + symbol];
  if (id != kNone) {
    const Symbol &s = link.symbols[id];
    if (s.kind == SymbolKind::Output)
      return s.section;
    return s.kind == SymbolKind::Defined ? link.sections[s.section].output
                                         : kNone;
  }
  const ParsedSymbol &sym = file.object->symbols[symbol];
  return sym.place == SymbolPlace::Section
             ? link.sections[file.sectionBase + sym.section].output
             : kNone;
}

static void checkMember(Link &link, const List &list, OutputId from,
                        SectionId id) {
  const InputSection &s = link.sections[id];
  if (!s.placed() || s.file == kNone)
    return;
  const InputFile &file = link.files[s.file];
  for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
    const Relocation &rel = file.object->relocations[r];
    if (!link.keepsByte(s, rel.offset))
      continue;
    OutputId to = targetOutput(link, file, rel.symbol);
    if (to == kNone || to == from)
      continue;
    bool prohibited = list.toFirst ? to == list.outputs.front()
                                   : is_contained(list.outputs, to);
    if (!prohibited)
      continue;
    const ParsedSymbol &sym = file.object->symbols[rel.symbol];
    link.diag.error(
        link.place(id, rel.offset) + ": prohibited cross reference from '" +
        link.outputs[from].name + "' to '" +
        (sym.name.empty() ? link.outputs[to].name : sym.name.str()) + "' in '" +
        link.outputs[to].name + "'");
  }
}

void checkCrossReferences(Link &link) {
  for (const List &list : collectLists(link))
    for (size_t i = list.toFirst ? 1 : 0; i < list.outputs.size(); ++i)
      if (OutputId from = list.outputs[i]; from != kNone)
        for (SectionId id : link.outputs[from].members)
          checkMember(link, list, from, id);
}

} // namespace xlink
