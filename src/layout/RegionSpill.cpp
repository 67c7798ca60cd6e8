//===- RegionSpill.cpp - --enable-non-contiguous-regions ------------------===//
//
// Problem: memory in several pieces; a section that a region has no room for
// should go to the next pattern of the script that matches it.
//
// Method: addresses are assigned as if there was room. The first output section
// with a member beyond its region's end gives up that member and all behind it
// (GNU ld), each to the next pattern that takes it, and addresses are assigned
// anew. A section without another pattern stays, and its region overflows.
//
// Cost: nothing without the option; with it, one assignment of all addresses
// for each output section that gives something up.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/Placement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

/// Takes sections out of an output section.
static void removeMembers(OutputSection &out, const DenseSet<SectionId> &gone) {
  std::vector<SectionId> rest;
  for (OutputItem &item : out.items) {
    uint32_t begin = uint32_t(rest.size());
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (!gone.contains(out.members[i]))
        rest.push_back(out.members[i]);
    item.begin = begin;
    item.end = uint32_t(rest.size());
  }
  out.members = std::move(rest);
}

/// Puts a section into a description, where it would stand had it been there
/// from the beginning.
static void insertMember(Link &link, OutputId output, uint32_t itemIndex,
                         SectionId id) {
  OutputSection &out = link.outputs[output];
  OutputItem &item = out.items[itemIndex];
  uint32_t at = item.begin;
  for (SectionId possible : link.possibleMembers[{output, itemIndex}]) {
    if (possible == id)
      break;
    if (at < item.end && out.members[at] == possible)
      ++at;
  }
  out.members.insert(out.members.begin() + at, id);
  ++item.end;
  for (OutputItem &behind :
       MutableArrayRef(out.items).drop_front(itemIndex + 1)) {
    ++behind.begin;
    ++behind.end;
  }
}

/// The next place for a section behind where it is.
static const LaterMatch *nextMatch(Link &link, SectionId id) {
  auto it = link.laterMatches.find(id);
  if (it == link.laterMatches.end() || it->second.empty())
    return nullptr;
  return &it->second.front();
}

bool moveOverflowing(Link &link) {
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    OutputSection &out = link.outputs[command.output];
    if (out.region == kNone || !out.kept)
      continue;
    const MemoryRegion &region = link.regions[out.region];
    uint64_t end = region.origin + region.length;
    bool full = false;
    DenseSet<SectionId> gone;
    std::vector<SectionId> moved;
    for (SectionId id : out.members) {
      const InputSection &s = link.sections[id];
      if (!s.placed() || s.size == 0)
        continue;
      full |= out.address + s.offset + s.size > end;
      if (full && nextMatch(link, id)) {
        gone.insert(id);
        moved.push_back(id);
      }
    }
    if (moved.empty())
      continue;
    removeMembers(out, gone);
    for (SectionId id : moved) {
      LaterMatch to = *nextMatch(link, id);
      auto &rest = link.laterMatches[id];
      rest.erase(rest.begin());
      link.sections[id].output = to.output;
      if (to.output == kNone)
        link.sections[id].discarded = true;
      else
        insertMember(link, to.output, to.item, id);
    }
    for (OutputSection &o : link.outputs) {
      o.type = 0;
      o.entsize = 0;
      o.align = 1;
      o.link = o.region = o.lmaRegion = kNone;
      o.noload = o.addressed = false;
    }
    finishOutputs(link);
    return true;
  }
  return false;
}

} // namespace xlink
