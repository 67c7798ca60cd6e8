//===- Regions.cpp --------------------------------------------------------===//
#include "layout/Regions.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// A section of the built-in script that an option gives an address: within its
/// region the next sections follow it; outside the built-in memory map it
/// stands alone.
static bool standsAlone(const PartialLink &partial, ScriptRun &run,
                        const OutputInfo &info, OutputId id, Address address) {
  const OutputSectionCommand &c = *partial.placement.outputs[id].command;
  const RegionId region = info.regionNamed(c.region);
  if (region == kNone)
    return true;
  const MemoryCommand &m = partial.program.script.memory[region.index()];
  const Address origin = run.number(m.origin.get(), 0);
  return address < origin || address >= origin + run.number(m.length.get(), 0);
}

/// An orphan's regions are those of its anchor, which may be an earlier orphan;
/// AT> alone serves both addresses.
static void shareRegions(const PartialLink &partial, OutputInfo &info) {
  for (OutputId id : partial.placement.outputs.ids()) {
    const OutputSection &out = partial.placement.outputs[id];
    if (out.command || out.orphanAfter == kNone)
      continue;
    OutputSectionInfo &f = info.outputs[id];
    f.region = info.outputs[out.orphanAfter].region;
    f.lmaRegion = info.outputs[out.orphanAfter].lmaRegion;
    if (f.region == kNone)
      f.region = f.lmaRegion;
  }
}

void nameRegions(const PartialLink &partial, ScriptRun &run, OutputInfo &info,
                 Diagnostics *diag) {
  auto find = [&](StringRef name, const OutputSectionCommand &c) {
    const RegionId region = info.regionNamed(name);
    if (region != kNone || !diag)
      return region;
    const Script &script = partial.program.script;
    diag->error(locationText(wordPlace(script, name, c.where)) +
                undeclaredRegion(script, name));
    return region;
  };
  const Program &program = partial.program;
  // One that steps back by its ONLY_IF still passes regions on (GNU ld).
  for (OutputId id : partial.placement.outputs.ids()) {
    const OutputSection &out = partial.placement.outputs[id];
    OutputSectionInfo &f = info.outputs[id];
    const OutputSectionCommand *c = out.command;
    if (!c)
      continue;
    if (program.builtinScript && f.startOption != kNone &&
        standsAlone(partial, run, info, id,
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
  shareRegions(partial, info);
}

/// Whether a section has an address of its own, for load regions.
static bool hasOwnAddress(OutputId id, const OutputSection &out,
                          const OutputSectionInfo &info) {
  const OutputSectionCommand *c = out.command;
  if (c ? c->lma || c->address : !wantsRegion(info.traits))
    return true;
  return out.overlay &&
         (id != out.overlayFirst || out.overlay->address || out.overlay->lma);
}

void handOnLoadRegions(const PartialLink &partial, OutputInfo &info) {
  OutputId before;
  partial.placement.forEachOutput([&](OutputId id, const OutputSection &out) {
    OutputSectionInfo &f = info.outputs[id];
    if (before != kNone && f.lmaRegion == kNone && f.startOption == kNone &&
        !hasOwnAddress(id, out, f) && f.region == info.outputs[before].region &&
        !out.forCommon && !partial.placement.outputs[before].forCommon)
      f.lmaRegion = info.outputs[before].lmaRegion;
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

std::optional<ExecutableRun> executableRun(const Program &program, Address at) {
  std::optional<ExecutableRun> run;
  for (const MemoryRange &range : program.state.executable) {
    if (!run || run->end != Address(range.begin)) {
      if (run && at < run->end)
        break;
      run = {Address(range.begin), Address(range.end), {}, range.name};
    }
    run->end = Address(range.end);
  }
  if (!run || at < run->begin || at >= run->end)
    return std::nullopt;
  const Size room = run->end.sizeFrom(run->begin);
  run->codeEnd =
      run->begin +
      (room - std::min<Size>(room, Size(program.target->prefetchBytes)));
  return run;
}

} // namespace xlink
