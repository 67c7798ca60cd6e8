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

} // namespace xlink
