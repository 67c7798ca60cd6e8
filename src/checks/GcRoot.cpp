//===- GcRoot.cpp - --gc-sections without a root --------------------------===//
//
// Without any root everything is dropped, and the output is empty.
//
// Silent: some section with bytes stays.
//
// Cost: up to the first section that stays.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"

using namespace llvm;

namespace xlink {

bool keepsNothing(const Link &link) {
  const Program &program = link.program;
  if (!program.config.gcSections || program.config.relocatable)
    return false;
  bool dropped = false;
  for (SectionId id : program.sections.ids(1)) {
    if (!takesMemory(program.sections[id]) ||
        link.placement.sections[id].discarded)
      continue;
    if (link.placed(id))
      return false;
    dropped = true;
  }
  return dropped;
}

void checkGcRoots(const FinishedLink &finished, Findings &found) {
  if (!keepsNothing(finished.link))
    return;
  found.add([&] {
    const Program &program = finished.link.program;
    Message m{"--gc-sections keeps nothing: there is no root, and so nothing "
              "is reached"};
    const StringRef entry = program.entryName();
    uint64_t number = 0;
    if (program.entrySymbol == kNone && entry.getAsInteger(0, number)) {
      const std::string near = finished.link.nearestDefined(entry);
      m.notes.push_back(
          "no entry symbol '" + program.shownName(entry) + "' is defined" +
          (near.empty() ? ""
                        : "; did you mean '" + program.shownName(near) + "'?"));
    }
    m.notes.push_back("name a root: ENTRY(symbol) or KEEP in the script, "
                      "-e symbol, -u symbol");
    return m;
  });
}

} // namespace xlink
