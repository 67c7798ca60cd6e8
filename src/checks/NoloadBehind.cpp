//===- NoloadBehind.cpp - (NOLOAD) with a load address in flash -----------===//
//
// A (NOLOAD) section directly behind `> RAM AT> FLASH` inherits AT> FLASH: it
// has a load address in flash, and tools that write flash clear that place or
// refuse the file. Where .bss inherits one, as in most programs, such tools are
// not in use. Silent for memory without `w`: a window through which flash is
// read. Cost: a look at each output section, and at the inputs of those that
// inherit.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <utility>

using namespace llvm;

namespace xlink {

void checkNoloadPlaces(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const auto name = [&](RegionId region) {
    return link.program.script.memory[region.index()].name.str();
  };
  // A window through which flash is read may well reserve room of it.
  const auto isRam = [&](const OutputView &o) {
    const MemoryCommand &m = link.program.script.memory[o.region.index()];
    return !m.hasAttributes || (m.flags & ELF::SHF_WRITE);
  };
  const auto states = [](const OutputView &o) {
    return o.command && !o.command->lmaRegion.empty();
  };
  const auto inherits = [&](const OutputView &o) {
    return o.kept && o.isAlloc() && o.size != 0 && o.lmaRegion != kNone &&
           o.region != kNone && o.lmaRegion != o.region && !states(o);
  };
  const bool bssInherits = any_of(link.outputs(), [&](const OutputView &o) {
    return inherits(o) &&
           (StringRef(o.name).ends_with("bss") ||
            any_of(o.members, [&](SectionId id) {
              const InputSection &s = link.program.sections[id];
              return link.placed(id) &&
                     (isCommon(s) || is_contained({".bss", ".sbss"},
                                                  familyOf(s.parsed->name)));
            }));
  });
  OutputId before;
  for (const OutputView &out : link.outputsInOrder()) {
    if (!out.kept || !out.isAlloc() || out.region == kNone)
      continue;
    const OutputId front = std::exchange(before, out.id);
    if (!out.noload || !out.occupies() || out.lmaRegion == kNone ||
        out.lmaRegion == out.region || !isRam(out) ||
        (!states(out) &&
         (bssInherits || front == kNone || !states(link.output(front)) ||
          !isLoaded(link.output(front)))))
      continue;
    found.add([&] {
      return Message{
          sectionText(out) + " has no contents, but a load address in '" +
              name(out.lmaRegion) + "', " + hex(out.loadAddress) +
              ": tools that write flash may clear that place or refuse the "
              "file",
          {states(out) ? "it is written 'AT> " + name(out.lmaRegion) + "'"
                       : "it inherits 'AT> " + name(out.lmaRegion) +
                             "' from '" + link.output(front).name + "'",
           "write '> " + name(out.region) + " AT> " + name(out.region) + "'"}};
    });
  }
}

} // namespace xlink
