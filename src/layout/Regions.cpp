//===- Regions.cpp --------------------------------------------------------===//
#include "layout/Regions.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// A section of the built-in script that an option gives an address: within its
/// region the next sections follow it; outside the built-in memory map it
/// stands alone.
static bool standsAlone(const Parts &parts, ScriptRun &run, const Facts &facts,
                        OutputId id, Address address) {
  const OutputSectionCommand &c = *parts.placement.outputs[id].command;
  const RegionId region = facts.regionNamed(c.region);
  if (region == kNone)
    return true;
  const MemoryCommand &m = parts.program.script.memory[region.index()];
  const Address origin = run.number(m.origin.get(), 0);
  return address < origin || address >= origin + run.number(m.length.get(), 0);
}

/// An orphan's regions are those of its anchor, which may be an earlier orphan;
/// AT> alone serves both addresses.
static void shareRegions(const Parts &parts, Facts &facts) {
  for (OutputId id : parts.placement.outputs.ids()) {
    const OutputSection &out = parts.placement.outputs[id];
    if (out.command || out.orphanAfter == kNone)
      continue;
    OutputFacts &f = facts.outputs[id];
    f.region = facts.outputs[out.orphanAfter].region;
    f.lmaRegion = facts.outputs[out.orphanAfter].lmaRegion;
    if (f.region == kNone)
      f.region = f.lmaRegion;
  }
}

void nameRegions(const Parts &parts, ScriptRun &run, Facts &facts,
                 Diagnostics *diag) {
  auto find = [&](StringRef name, const OutputSectionCommand &c) {
    const RegionId region = facts.regionNamed(name);
    if (region != kNone || !diag)
      return region;
    const Script &script = parts.program.script;
    diag->error(locationText(wordPlace(script, name, c.where)) +
                undeclaredRegion(script, name));
    return region;
  };
  const Program &program = parts.program;
  // One that steps back by its ONLY_IF still passes regions on (GNU ld).
  for (OutputId id : parts.placement.outputs.ids()) {
    const OutputSection &out = parts.placement.outputs[id];
    OutputFacts &f = facts.outputs[id];
    const OutputSectionCommand *c = out.command;
    if (!c)
      continue;
    if (program.builtinScript && f.startOption != kNone &&
        standsAlone(parts, run, facts, id,
                    run.number(program.options.starts[f.startOption].get(), 0)))
      continue;
    StringRef lmaRegion = out.overlay ? out.overlay->lmaRegion : c->lmaRegion;
    StringRef region = out.overlay ? out.overlay->region : c->region;
    if (!lmaRegion.empty())
      f.lmaRegion = find(lmaRegion, *c);
    // AT> alone serves both addresses (GNU ld).
    if (region.empty() && !c->address)
      region = lmaRegion;
    if (!region.empty())
      f.region = find(region, *c);
  }
  shareRegions(parts, facts);
}

/// Whether a section has an address of its own, for load regions.
static bool hasOwnAddress(OutputId id, const OutputSection &out,
                          const OutputFacts &facts) {
  const OutputSectionCommand *c = out.command;
  if (c ? c->lma || c->address : !wantsRegion(facts.traits))
    return true;
  return out.overlay &&
         (id != out.overlayFirst || out.overlay->address || out.overlay->lma);
}

void handOnLoadRegions(const Parts &parts, Facts &facts) {
  OutputId before;
  parts.placement.forEachOutput([&](OutputId id, const OutputSection &out) {
    OutputFacts &f = facts.outputs[id];
    if (before != kNone && f.lmaRegion == kNone && f.startOption == kNone &&
        !hasOwnAddress(id, out, f) &&
        f.region == facts.outputs[before].region && !out.forCommon &&
        !parts.placement.outputs[before].forCommon)
      f.lmaRegion = facts.outputs[before].lmaRegion;
    before = id;
  });
}

/// `w` stands for data: GNU ld's data, and all memory that is neither read-only
/// nor code.
bool attributesFit(const MemoryCommand &region, StringRef name,
                   uint32_t traits) {
  if (name == ".text" && traits)
    traits |= ReadOnly;
  if ((traits & (Alloc | ReadOnly | Code)) == Alloc)
    traits |= Data;
  uint64_t flags = 0;
  if (traits & Alloc)
    flags |= ELF::SHF_ALLOC;
  if (traits & Data)
    flags |= ELF::SHF_WRITE;
  if (traits & Code)
    flags |= ELF::SHF_EXECINSTR;
  const bool readOnly = traits & ReadOnly, loaded = traits & Load;
  const bool wanted = (flags & region.flags) ||
                      (region.wantReadOnly && readOnly) ||
                      (region.wantLoaded && loaded);
  const bool refused = (flags & region.negFlags) ||
                       (region.excludeReadOnly && readOnly) ||
                       (region.excludeLoaded && loaded);
  return region.hasAttributes && wanted && !refused;
}

RegionId regionByAttributes(const Script &script, StringRef name,
                            uint32_t traits) {
  for (size_t i = 0; i < script.memory.size(); ++i)
    if (attributesFit(script.memory[i], name, traits))
      return RegionId(i);
  return kNone;
}

RegionId RegionChoice::byAttributes(StringRef name, uint32_t traits) {
  auto [it, first] = known.try_emplace({traits, name == ".text"});
  if (first)
    it->second = regionByAttributes(script, name, traits);
  return it->second;
}

} // namespace xlink
