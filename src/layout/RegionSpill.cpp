//===- RegionSpill.cpp - --enable-non-contiguous-regions ------------------===//
//
// Problem: memory in several pieces; a section without room in its region
// should go to the next pattern of the script that matches it.
//
// Method: GNU ld's, within the rounds of address assignment. A section that
// would end behind its region's end moves on to the next place that takes it,
// which the same round reaches later; dot then stands at the region's end, so
// that all behind it in that output section moves on too, and alignment and dot
// moves there count as room taken for the rest of the round. A first round, in
// which every output section counts, finds those with inputs; they stay, even
// if all of these move on. A section without another place stays, and its
// region overflows.
//
// A machine can ask for first fit instead, for code only: dot stays where the
// section found no room, and later sections may fit.
//
// Cost: nothing without the option; with it a round more, and one for each in
// which something moved. Moving takes one look at all sections that may come to
// a place.
//
//===----------------------------------------------------------------------===//
#include "layout/RegionSpill.h"
#include "placement/Placement.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace xlink {

/// Puts sections into a description, at the places that they would have had
/// from the beginning.
static void insertMembers(Placement &placement, OutputId output,
                          uint32_t itemIndex,
                          const DenseSet<SectionId> &added) {
  OutputSection &out = placement.outputs[output];
  OutputItem &item = out.items[itemIndex];
  std::vector<SectionId> members;
  uint32_t at = item.begin;
  for (SectionId possible : placement.possibleMembers[{output, itemIndex}])
    if (added.contains(possible))
      members.push_back(possible);
    else if (at < item.end && out.members[at] == possible)
      members.push_back(out.members[at++]);
  members.insert(members.end(), out.members.begin() + at,
                 out.members.begin() + item.end);
  const uint32_t grown = uint32_t(members.size()) - (item.end - item.begin);
  out.members.erase(out.members.begin() + item.begin,
                    out.members.begin() + item.end);
  out.members.insert(out.members.begin() + item.begin, members.begin(),
                     members.end());
  item.end += grown;
  for (OutputItem &behind :
       MutableArrayRef(out.items).drop_front(itemIndex + 1)) {
    behind.begin += grown;
    behind.end += grown;
  }
}

bool canMoveOn(const Placement &placement, SectionId id) {
  auto it = placement.laterMatches.find(id);
  return it != placement.laterMatches.end() && !it->second.empty();
}

void moveOn(const Program &program, Placement &placement, OutputId from,
            ArrayRef<SectionId> sections,
            function_ref<void(OutputId)> changed) {
  const DenseSet<SectionId> moved(sections.begin(), sections.end());
  removeMembers(placement.outputs[from],
                [&](SectionId id) { return moved.contains(id); });
  changed(from);
  bool anyLost = false;
  std::map<std::pair<OutputId, uint32_t>, DenseSet<SectionId>> added;
  for (SectionId id : sections) {
    placement.passedOver[id].push_back(from);
    auto &places = placement.laterMatches[id];
    const LaterMatch to = places.back();
    places.pop_back();
    SectionPlace &place = placement.sections[id];
    place.output = to.output;
    place.item = to.item;
    if (to.output == kNone)
      place.discarded = anyLost = true;
    else
      added[{to.output, to.item}].insert(id);
  }
  for (const auto &[to, ids] : added) {
    insertMembers(placement, to.first, to.second, ids);
    changed(to.first);
  }
  if (anyLost)
    for (OutputId id : dropDependents(program, placement))
      changed(id);
}

} // namespace xlink
