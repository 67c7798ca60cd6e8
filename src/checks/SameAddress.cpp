//===- SameAddress.cpp - sections that begin at one address ---------------===//
//
// Two sections with different load addresses that begin at one address
// overwrite each other when start-up code copies them.
//
// Silent: OVERLAY, NOLOAD, --no-check-sections, the built-in scripts.
//
// Cost: n log n in the output sections.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include <map>

using namespace llvm;

namespace xlink {

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
