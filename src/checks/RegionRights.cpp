//===- RegionRights.cpp - variables in read-only regions ------------------===//
//
// Variables in a region `(rx)` are in flash: writing to them changes nothing or
// faults.
//
// Silent: NOLOAD sections, scripts none of whose regions is said to be written,
// writable sections that may be meant for flash: settings, tables that
// relocations changed.
//
// Cost: linear in the input sections of such regions.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// Whether sections of a name hold variables. Others that are writable may be
/// meant for flash: settings, tables that relocations changed.
static bool isOfVariables(StringRef name) {
  return is_contained({".data", ".bss", ".sdata", ".sbss", ".noinit"},
                      familyOf(name)) &&
         !name.starts_with(".data.rel.ro");
}

/// The first input section with variables; kNone: there is none.
static SectionId firstOfVariables(const Link &link, const OutputView &out) {
  for (SectionId id : out.members) {
    const SectionView s = link.section(id);
    if (s.placed() && s.size != 0 && (s.parsed->flags & ELF::SHF_WRITE) &&
        (isCommon(link.program.sections[id]) || isOfVariables(s.parsed->name)))
      return id;
  }
  return {};
}

void checkRegionRights(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  // A script whose regions all lack the attribute does not say which are RAM.
  const bool saysRam =
      any_of(link.program.script.memory, [](const MemoryCommand &m) {
        return !m.hasAttributes || (m.flags & ELF::SHF_WRITE);
      });
  if (link.program.builtinScript || !saysRam)
    return;
  for (const OutputView &out : link.outputsInOrder()) {
    // NOLOAD marks memory that is not plain RAM: the script knows.
    if (!out.occupies() || out.noload || out.region == kNone ||
        !(out.flags & ELF::SHF_WRITE))
      continue;
    const MemoryCommand &region =
        link.program.script.memory[out.region.index()];
    // Attributes that only exclude say nothing of writing.
    const bool readOnly = region.wantReadOnly ||
                          (region.flags & ELF::SHF_EXECINSTR) ||
                          (region.negFlags & ELF::SHF_WRITE);
    if (!region.hasAttributes || (region.flags & ELF::SHF_WRITE) || !readOnly)
      continue;
    const SectionId written = firstOfVariables(link, out);
    if (written == kNone)
      continue;
    found.add([&] {
      return Message{
          sectionText(out) + " is writable, but its region '" +
              region.name.str() + "' lacks the attribute 'w'",
          {link.program.sectionName(written) +
               " has variables; in read-only memory writes to them are lost",
           "name a region of RAM behind '>', or add 'w' to the attributes of "
           "'" +
               region.name.str() + "'"}};
    });
  }
}

} // namespace xlink
