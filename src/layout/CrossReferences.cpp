//===- CrossReferences.cpp - NOCROSSREFS ----------------------------------===//
//
// Problem: code in one overlay must not refer to another one that may not be in
// memory; scripts state this by lists of output sections.
//
// Method: each list is a set of output sections, and every relocation of a
// member is checked against it. Links without such lists pay nothing.
//
// Cost: one visit of the relocations of the listed sections.
//
//===----------------------------------------------------------------------===//
#include "layout/SymbolValues.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace xlink {

namespace {
struct List {
  std::vector<OutputId> outputs;
  DenseSet<OutputId> targets; ///< forbidden targets
  bool toFirst = false;       ///< only references to the first are prohibited
};
} // namespace

static std::vector<List> collectLists(const Link &link) {
  std::vector<List> lists;
  StringMap<OutputId> outputByName; // of several sections of a name, the first
  auto add = [&](ArrayRef<StringRef> names, bool toFirst) {
    const auto &outputs = link.placement.outputs;
    if (outputByName.empty())
      for (OutputId id : outputs.ids())
        outputByName.try_emplace(outputs[id].name, id);
    List &list = lists.emplace_back();
    list.toFirst = toFirst;
    for (StringRef name : names) {
      const auto found = outputByName.find(name);
      const OutputId id =
          found == outputByName.end() ? OutputId() : found->second;
      if (id != kNone && (!toFirst || list.outputs.empty()))
        list.targets.insert(id);
      list.outputs.push_back(id);
    }
  };
  for (const NoCrossRefs &n : link.program.script.noCrossRefs)
    add(n.sections, n.toFirst);
  for (const CommandPtr &command : link.program.script.commands) {
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
  SymbolId id = link.program.symbolIds[file.symbolBase + symbol];
  if (id != kNone) {
    const BoundSymbol s = link.symbol(id);
    if (s.kind == SymbolKind::Output)
      return s.output;
    return s.kind == SymbolKind::Defined
               ? link.placement.sections[s.section].output
               : OutputId();
  }
  const ParsedSymbol &sym = file.object->symbols[symbol];
  return sym.place == SymbolPlace::Section
             ? link.placement.sections[file.sectionBase + sym.section].output
             : OutputId();
}

static void checkMember(const Link &link, const List &list, OutputId from,
                        SectionId id, Diagnostics &diag) {
  const InputSection &s = link.program.sections[id];
  if (!link.placed(id) || s.file == kNone)
    return;
  const InputFile &file = link.program.files[s.file];
  for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
    const Relocation &rel = file.object->relocations[r];
    if (!link.keepsByte(id, rel.offset))
      continue;
    OutputId to = targetOutput(link, file, rel.symbol);
    if (to == kNone || to == from || !list.targets.contains(to))
      continue;
    diag.error([&] {
      const ParsedSymbol &sym = file.object->symbols[rel.symbol];
      const auto &outputs = link.placement.outputs;
      const std::string line = link.program.sourceLine(id, rel.offset);
      std::vector<std::string> notes;
      if (!line.empty())
        notes.push_back("at " + line);
      return Message{link.program.place(id, rel.offset) +
                         ": prohibited cross reference from '" +
                         outputs[from].name + "' to '" +
                         (sym.name.empty() ? outputs[to].name
                                           : link.program.shownName(sym.name)) +
                         "' in '" + outputs[to].name + "'",
                     std::move(notes)};
    });
  }
}

void checkCrossReferences(const Link &link, Diagnostics &diag) {
  for (const List &list : collectLists(link))
    for (size_t i = list.toFirst ? 1 : 0; i < list.outputs.size(); ++i)
      if (OutputId from = list.outputs[i]; from != kNone)
        for (SectionId id : link.placement.outputs[from].members)
          checkMember(link, list, from, id, diag);
}

} // namespace xlink
