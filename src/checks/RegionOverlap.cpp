//===- RegionOverlap.cpp - regions that share addresses -------------------===//
//
// Two regions that share addresses, each with sections, work until one of them
// has grown.
//
// Silent: one's place is computed from the other's; both have the same bounds,
// one memory under two names; --no-check-sections.
//
// Cost: a sort of the regions in use.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;

namespace xlink {

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

} // namespace xlink
