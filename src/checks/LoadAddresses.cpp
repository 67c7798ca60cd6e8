//===- LoadAddresses.cpp - where initial values are stored ----------------===//
//
// `.data : AT(ADDR(.rodata) + SIZEOF(.rodata)) { ... } > RAM` stores the
// initial values behind .rodata, and no region counts them: they may lie beyond
// the end of the flash. Where the size in front is no multiple of 4, `> RAM AT>
// FLASH` stores them at an address from which some processors cannot copy
// words. Silent where neither the script nor a symbol tells the load address,
// or memcpy copies from it.
//
// Memory that begins where other memory ends is one memory here.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "placement/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

bool isLoaded(const OutputView &out) {
  return out.occupies() && !out.isNoBits() && !out.noload &&
         (out.traits & Load);
}

bool isReadInPlace(const Link &link, const OutputView &out) {
  if (out.flags & ELF::SHF_WRITE)
    return false;
  if (out.region == kNone)
    return true;
  const MemoryCommand &m = link.program.script.memory[out.region.index()];
  return m.hasAttributes && !(m.flags & ELF::SHF_WRITE);
}

bool isFilledAtStart(const OutputView &out) {
  return out.occupies() && !out.noload && !out.overlay &&
         !StringRef(out.name).contains("noinit") &&
         (out.isNoBits() ? (out.flags & ELF::SHF_WRITE) != 0
                         : out.loadAddress != out.address);
}

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

/// Whether start-up code can know where a section is loaded: the script reads
/// LOADADDR, or a symbol has that value. --init-tables checks its sections.
static bool isLoadAddressKnown(const FinishedLink &finished,
                               const OutputView &out) {
  const Program &program = finished.link.program;
  bool known = is_contained(finished.values.globals, out.loadAddress.wrapped());
  forEachCommand(program.script, [&](const ScriptCommand &command) {
    forEachExpression(command, [&](const Expr &root, ExprRole) {
      forEachNode(&root, [&](const Expr &e) {
        known |= e.kind == ExprKind::LoadAddr && e.name == out.name;
      });
    });
  });
  return known;
}

/// Whether all code that refers to a section's load address calls memcpy or the
/// like: that copies from any address.
static bool isCopiedByLibrary(const FinishedLink &finished,
                              const OutputView &out) {
  const ReferredSymbols &references = finished.references();
  const uint64_t load = out.loadAddress.wrapped();
  bool any = false;
  for (const ReferredMark &m : references.marksIn(load, load + 1)) {
    if (m.symbol == kNone)
      return false;
    for (const ReferringPlace &from : references.of(m.symbol)) {
      any = true;
      if (!callsLibrary(finished.link.program, from.section))
        return false;
    }
  }
  return any;
}

void checkLoadAlignment(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  for (const OutputView &out : link.outputsInOrder()) {
    // Start-up code copies words: larger alignments matter where the section
    // runs, not where it is stored.
    const uint64_t align =
        std::min<uint64_t>(out.align, link.program.target->word);
    // ALIGN_WITH_INPUT states how the load address is aligned.
    if (!isLoaded(out) || !out.command || out.command->alignWithInput ||
        out.loadAddress == out.address ||
        out.loadAddress.alignedDown(align) == out.loadAddress ||
        isReadInPlace(link, out) || !isLoadAddressKnown(finished, out) ||
        isCopiedByLibrary(finished, out))
      continue;
    found.add([&] {
      OutputId before;
      for (const OutputView &other : link.outputs())
        if (isLoaded(other) && other.place.loadEnd() <= out.loadAddress &&
            (before == kNone ||
             link.addresses.outputs[before].loadEnd() < other.place.loadEnd()))
          before = other.id;
      const std::string aligned = std::to_string(align);
      Message m{sectionText(out) + " is loaded at " + hex(out.loadAddress) +
                ", which is no multiple of " + aligned +
                ": start-up code that copies words may fault or copy "
                "shifted values"};
      std::string note = "write '" + out.name + " : ALIGN(" + aligned + ")'";
      if (before != kNone)
        note += ", or end '" + link.output(before).name + "' with '. = ALIGN(" +
                aligned + ");'";
      m.notes.push_back(std::move(note));
      return m;
    });
  }
}

} // namespace xlink
