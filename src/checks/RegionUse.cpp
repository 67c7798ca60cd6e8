//===- RegionUse.cpp - memory regions that cannot hold their sections -----===//
//
// Variables in a region `(rx)` are in flash: writing to them changes nothing or
// faults. Two regions that share addresses, each with sections, work until one
// of them has grown.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <map>
#include <utility>

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

/// Whether a region's place is computed from another one's, as the script
/// says: ORIGIN(other) or LENGTH(other).
static bool refersTo(const MemoryCommand &region, const MemoryCommand &other) {
  bool refers = false;
  forEachExpression(region, [&](const Expr &root, ExprRole) {
    forEachNode(&root, [&](const Expr &e) {
      refers |= (e.kind == ExprKind::Origin || e.kind == ExprKind::Length) &&
                (e.name == other.name || is_contained(other.aliases, e.name));
    });
  });
  return refers;
}

void checkRegionOverlaps(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  if (!link.program.config.checkSections)
    return;
  std::vector<bool> used(link.addresses.regions.size());
  for (const OutputView &out : link.outputs())
    if (out.occupies())
      for (RegionId id : {out.region, out.lmaRegion})
        if (id != kNone)
          used[id.index()] = true;
  std::vector<RegionId> ids;
  for (RegionId id : link.addresses.regions.ids())
    if (used[id.index()] && !link.addresses.regions[id].misread &&
        !link.addresses.regions[id].end().isBeyond())
      ids.push_back(id);
  const auto place = [&](RegionId id) -> const RegionPlace & {
    return link.addresses.regions[id];
  };
  llvm::stable_sort(ids, [&](RegionId a, RegionId b) {
    return place(a).origin < place(b).origin;
  });
  RegionId widest; // of those before, the one that ends last
  for (RegionId id : ids) {
    const RegionId other =
        widest == kNone || place(widest).end() < place(id).end()
            ? std::exchange(widest, id)
            : widest;
    if (other == kNone || place(other).end() <= place(id).origin)
      continue;
    const MemoryCommand &a = link.program.script.memory[other.index()],
                        &b = link.program.script.memory[id.index()];
    // One memory under two names has the same bounds.
    if (refersTo(a, b) || refersTo(b, a) || place(id).length == 0 ||
        (place(id).origin == place(other).origin &&
         place(id).end() == place(other).end()))
      continue;
    found.add([&] {
      return Message{
          locationText(b.where) + "regions " + regionText(link, other) +
              " and " + regionText(link, id) + " share addresses",
          {"sections of one will meet those of the other as they grow",
           "if that is meant, compute ORIGIN or LENGTH of one from the "
           "other's, or use REGION_ALIAS"}};
    });
  }
}

void checkSameAddress(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  if (!link.program.config.checkSections || link.program.builtinScript)
    return;
  std::map<uint64_t, OutputId> atAddress;
  for (const OutputView &out : link.outputsInOrder()) {
    // NOLOAD sections reserve room, also where other sections are.
    if (!out.occupies() || out.noload)
      continue;
    const auto [it, fresh] =
        atAddress.try_emplace(out.address.wrapped(), out.id);
    if (fresh || (out.overlay && link.output(it->second).overlay))
      continue;
    found.add([&] {
      const OutputView first = link.output(it->second);
      return Message{
          sectionText(out) + " begins at " + hex(out.address) + ", as '" +
              first.name + "' does",
          {"'" + first.name + "' is loaded to " + hex(first.loadAddress) +
               ", '" + out.name + "' to " + hex(out.loadAddress),
           "sections that take turns in one place are written in OVERLAY; "
           "--no-check-sections allows all of them"}};
    });
  }
}

} // namespace xlink
