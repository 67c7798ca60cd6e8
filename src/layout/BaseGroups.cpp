//===- BaseGroups.cpp -----------------------------------------------------===//
#include "layout/BaseGroups.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

uint32_t baseGroupOf(const Link &link, const OutputSection &out) {
  ArrayRef<BaseSymbol> bases = link.target->baseSymbols;
  for (uint32_t i = 0; i < bases.size(); ++i)
    if (out.flags & bases[i].sectionFlag)
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

OutputId baseGroupStart(const Link &link, uint32_t group) {
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone && link.outputs[command.output].kept &&
        baseGroupOf(link, link.outputs[command.output]) == group)
      return command.output;
  return kNone;
}

void alignBaseGroups(Link &link) {
  for (uint32_t g = 0; g < link.target->baseSymbols.size(); ++g) {
    OutputId first = baseGroupStart(link, g);
    if (first == kNone)
      continue;
    uint64_t align = link.target->baseSymbols[g].minAlign;
    for (const OutputSection &out : link.outputs)
      if (out.kept && baseGroupOf(link, out) == g)
        for (SectionId id : out.members)
          if (link.sections[id].placed())
            align = std::max<uint64_t>(align, link.sections[id].align);
    link.outputs[first].align = std::max(link.outputs[first].align, align);
  }
}

std::vector<std::string> describeBaseGroup(const Link &link, uint32_t group,
                                           uint64_t reach) {
  const BaseSymbol &base = link.target->baseSymbols[group];
  const uint64_t begin = link.baseValues[group];
  uint64_t end = begin;
  bool last = false; // something stands at the end already
  std::vector<SectionId> parts;
  for (const OutputSection &out : link.outputs) {
    if (!out.kept || baseGroupOf(link, out) != group)
      continue;
    end = std::max(end, out.address + out.size);
    last |= base.lastMark && StringRef(out.name).contains(base.lastMark);
    for (SectionId id : out.members)
      if (link.sections[id].placed() && link.sections[id].size)
        parts.push_back(id);
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
