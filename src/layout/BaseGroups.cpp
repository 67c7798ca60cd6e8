//===- BaseGroups.cpp -----------------------------------------------------===//
#include "layout/BaseGroups.h"
#include "base/Diagnostics.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

uint32_t otherBase(const Link &link, const InputFile &file, uint32_t symbol,
                   uint32_t base) {
  const SymbolId id = link.program.symbolIds[file.symbolBase + symbol];
  if (id == kNone)
    return kNone;
  const BoundSymbol s = link.symbol(id);
  if (s.kind != SymbolKind::Defined || !link.placed(s.section) ||
      &link.program.files[s.file] == &file)
    return kNone;
  const uint32_t group =
      link.info.outputs[link.section(s.section).output].baseGroup;
  return group == base ? uint32_t(kNone) : group;
}

const BaseGroupNotes::Measure &BaseGroupNotes::measure(uint32_t group) {
  const auto [it, fresh] = measures.try_emplace(group);
  Measure &m = it->second;
  if (!fresh)
    return m;
  const char *lastMark = link.program.target->baseSymbols[group].lastMark;
  const Address begin = link.addresses.baseValues[group];
  Address end = begin;
  std::vector<SectionId> members;
  for (const OutputView &out : link.outputs()) {
    if (!out.kept || out.info.baseGroup != group)
      continue;
    end = std::max(end, out.address + out.size);
    m.last |= lastMark && StringRef(out.name).contains(lastMark);
    for (SectionId member : out.members)
      if (link.placed(member) && link.sizeOf(member))
        members.push_back(member);
  }
  m.size = end.sizeFrom(begin);
  m.largest = link.largestNotes(std::move(members), 3);
  return m;
}

std::vector<std::string> BaseGroupNotes::describe(uint32_t group,
                                                  uint64_t reach) {
  const BaseSymbol &base = link.program.target->baseSymbols[group];
  const Measure &m = measure(group);
  const std::string name = base.shortName;
  std::string text = "the " + name + " region has " + std::to_string(m.size) +
                     " bytes from " + hex(link.addresses.baseValues[group]);
  text += reach < m.size
              ? ", of which this form reaches " + std::to_string(reach)
              : ", all of which this form reaches: the symbol is not in it";
  std::vector<std::string> notes = {text};
  // Moving sections inside the region brings a symbol outside no nearer.
  if (reach >= m.size)
    return notes;
  notes.insert(notes.end(), m.largest.begin(), m.largest.end());
  if (base.lastMark)
    notes.push_back(std::string("sections with '") + base.lastMark +
                    "' in their name stand at the region's end" +
                    (m.last ? "" : ", and there are none") +
                    ": large data there leaves room near " + name);
  return notes;
}

} // namespace xlink
