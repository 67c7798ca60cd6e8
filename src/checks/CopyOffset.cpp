//===- CopyOffset.cpp - one loop that copies several sections -------------===//
//
// Problem: one loop copies several sections, but padding between them is not
// the same in flash and RAM: from the second one on values are shifted. Or dot
// is aligned in front of the symbol where the copy begins in RAM, and its
// source is the padding.
//
// Method, silence and cost: Copies.
//
//===----------------------------------------------------------------------===//
#include "checks/Copies.h"
#include "layout/Checks.h"

using namespace llvm;

namespace xlink {

static Message paddedText(const Link &link, const Stored &s) {
  const OutputView out = link.output(s.id);
  const std::string padding =
      std::to_string(s.mark->value - out.address.wrapped());
  return {sectionText(out) + " begins with " + padding +
              " bytes of padding in flash too, but start-up code copies from "
              "there, " +
              hex(out.loadAddress) + ", to behind it, " +
              markText(link.program, *s.mark) +
              ": all initial values are shifted",
          {"referred to by " + placeOf(link.program, s.mark->from),
           "align the section itself, '" + out.name +
               " : ALIGN(...)', in place of dot in front of the symbol"}};
}

void checkCopyOffsets(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  for (const Stored &s : finished.copies().all()) {
    if (s.state == Stored::Padded)
      found.add([&] { return paddedText(link, s); });
    if (s.state != Stored::Shifted)
      continue;
    found.add([&] {
      const OutputView out = link.output(s.id), first = link.output(s.before);
      const auto gap = [](Address a, Address b) {
        return std::to_string(uint64_t(a.sizeFrom(b)));
      };
      return Message{
          sectionText(out) + " begins " + gap(out.address, first.address) +
              " bytes behind '" + first.name + "' in RAM, but is stored " +
              gap(out.loadAddress, first.loadAddress) +
              " bytes behind it: one loop that copies both shifts its initial "
              "values",
          {"'" + first.name + "' is loaded at " + hex(first.loadAddress) +
               ", '" + out.name + "' at " + hex(out.loadAddress),
           "put both into one output section, or give each symbols and a copy "
           "of its own"}};
    });
  }
}

} // namespace xlink
