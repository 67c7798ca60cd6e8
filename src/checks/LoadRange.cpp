//===- LoadRange.cpp - initial values beyond the end of the flash ---------===//
//
// `.data : AT(ADDR(.rodata) + SIZEOF(.rodata)) { ... } > RAM` stores the
// initial values behind .rodata, and no region counts them: they may lie beyond
// the end of the flash. Memory that begins where other memory ends is one
// memory here.
//
// Silent: sections that a region counts, whose overflow is an error of its own.
//
// Cost: a look at the regions for each section that no region counts.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"

using namespace llvm;

namespace xlink {

/// The region in which the memory ends that holds an address; kNone: no region
/// has it.
static RegionId lastRegionOf(const Link &link, Address address) {
  const auto &regions = link.addresses.regions;
  RegionId last;
  for (bool grows = true; grows;) {
    grows = false;
    for (RegionId id : regions.ids()) {
      const RegionPlace &r = regions[id];
      const Address behind = last == kNone ? address : regions[last].end();
      if (r.misread || behind < r.origin || behind >= r.end())
        continue;
      last = id;
      grows = true;
    }
  }
  return last;
}

/// Whether the regions' own check sees where it is loaded.
static bool isCounted(const OutputView &out) {
  return out.lmaRegion != kNone ||
         (out.region != kNone && out.loadAddress == out.address);
}

void checkLoadRanges(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  for (const OutputView &out : link.outputsInOrder()) {
    if (!isLoaded(out) || isCounted(out))
      continue;
    const RegionId id = lastRegionOf(link, out.loadAddress);
    if (id == kNone)
      continue;
    const Address end = link.addresses.regions[id].end();
    if (out.place.loadEnd() <= end)
      continue;
    found.add([&] {
      const std::string region =
          link.program.script.memory[id.index()].name.str();
      Message m{sectionText(out) + " is loaded at " + hex(out.loadAddress) +
                ".." + hex(out.place.loadEnd()) + "; region '" + region +
                "' ends at " + hex(end)};
      if (out.command && out.command->lma)
        m.notes.push_back("AT(...) takes room in no region; 'AT> " + region +
                          "' in its place does");
      return m;
    });
  }
}

} // namespace xlink
