//===- BaseGroups.cpp -----------------------------------------------------===//
#include "layout/BaseGroups.h"
#include "base/Diagnostics.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

uint32_t baseGroupOf(const Target &target, const OutputSection &out,
                     uint64_t flags) {
  ArrayRef<BaseSymbol> bases = target.baseSymbols;
  for (uint32_t i = 0; i < bases.size(); ++i)
    if (flags & bases[i].sectionFlag)
      return i;
  if (!out.members.empty())
    return kNone;
  for (uint32_t i = 0; i < bases.size(); ++i) {
    if (!bases[i].section)
      continue;
    std::string family = StringRef(bases[i].section).rsplit('.').first.str();
    if (!family.empty() && StringRef(out.name).starts_with(family + "."))
      return i;
  }
  return kNone;
}

void alignBaseGroups(const Parts &parts, Facts &facts) {
  ArrayRef<BaseSymbol> bases = parts.program.target->baseSymbols;
  facts.baseStarts.assign(bases.size(), kNone);
  if (bases.empty())
    return;
  std::vector<uint64_t> align;
  for (const BaseSymbol &base : bases)
    align.push_back(base.minAlign);
  parts.placement.forEachOutput([&](OutputId id, const OutputSection &) {
    const OutputFacts &f = facts.outputs[id];
    if (!f.kept || f.baseGroup == kNone)
      return;
    align[f.baseGroup] = std::max(align[f.baseGroup], f.inputAlign);
    if (facts.baseStarts[f.baseGroup] == kNone)
      facts.baseStarts[f.baseGroup] = id;
  });
  for (size_t g = 0; g < bases.size(); ++g)
    if (OutputId first = facts.baseStarts[g]; first != kNone)
      facts.outputs[first].groupAlign =
          std::max(facts.outputs[first].groupAlign, align[g]);
}

std::vector<std::string> describeBaseGroup(const Link &link, uint32_t group,
                                           uint64_t reach) {
  const BaseSymbol &base = link.program.target->baseSymbols[group];
  const uint64_t begin = link.geometry.baseValues[group];
  uint64_t end = begin;
  bool last = false; // something stands at the end already
  std::vector<SectionId> parts;
  for (OutputId id : link.placement.outputs.ids()) {
    const OutputView out = link.output(id);
    if (!out.kept || out.facts.baseGroup != group)
      continue;
    end = std::max(end, out.address + out.size);
    last |= base.lastMark && StringRef(out.name).contains(base.lastMark);
    for (SectionId member : out.members)
      if (link.placed(member) && link.contents.sections[member].size)
        parts.push_back(member);
  }
  const std::string name = base.shortName;
  std::string text = "the " + name + " region has " +
                     std::to_string(end - begin) + " bytes from " + hex(begin);
  text += reach < end - begin
              ? ", of which this form reaches " + std::to_string(reach)
              : ", all of which this form reaches: the symbol is not in it";
  std::vector<std::string> notes = {text};
  // A symbol outside of the region is not brought nearer by what is inside.
  if (reach >= end - begin)
    return notes;
  for (std::string &note : link.largestNotes(std::move(parts), 3))
    notes.push_back(std::move(note));
  if (base.lastMark)
    notes.push_back(std::string("sections with '") + base.lastMark +
                    "' in their name stand at the region's end" +
                    (last ? "" : ", and there are none") +
                    ": large data there leaves room near " + name);
  return notes;
}

} // namespace xlink
