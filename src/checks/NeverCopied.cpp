//===- NeverCopied.cpp - sections that start-up code forgets --------------===//
//
// Problem: a section besides .data (.ccmram, .RamFunc) is stored in flash and
// runs in RAM, and start-up code knows .data alone. The section holds the old
// contents of RAM: a call into it ends in a fault.
//
// Method and cost: Copies. Silent where start-up code copies nothing by
// symbols, and for sections at the same distance behind a section that is
// copied, with a mark at their end.
//
//===----------------------------------------------------------------------===//
#include "checks/Copies.h"
#include "layout/Checks.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

void checkNeverCopied(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const std::vector<Stored> &sections = finished.copies().all();
  const auto other = find_if(sections, Copies::isReached);
  if (other == sections.end())
    return; // by symbols nothing is copied
  for (const Stored &s : sections) {
    const OutputView copied = link.output(s.id);
    if (s.state != Stored::Alone || isReadInPlace(link, copied) || s.follows)
      continue;
    found.add([&] {
      const OutputView out = link.output(s.id);
      return Message{
          sectionText(out) + " runs at " + hex(out.address) +
              " and is stored at " + hex(out.loadAddress) +
              ", which nothing refers to: start-up code never copies its " +
              std::to_string(out.size) + " bytes",
          {"as it does those of '" + link.output(other->id).name + "'",
           "copy it from a symbol that is LOADADDR(" + out.name +
               "), or join it to a section that is copied"}};
    });
  }
}

} // namespace xlink
