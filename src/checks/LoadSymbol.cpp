//===- LoadSymbol.cpp - start-up code that copies from the wrong place ----===//
//
// Problem: .data runs in RAM and is stored in flash; start-up code copies it,
// from a symbol of the script. The symbol is not where the values are: `_etext`
// stands in front of .ARM.exidx, an orphan or padding that was put between it
// and .data, or it is .data's address in RAM. Variables have wrong values on
// the board, though every address in the map is right: all are shifted, or RAM
// is copied to itself. Or nothing copies, since the program is loaded to where
// it runs, and `.data : AT(_etext)` is rounded in another way than its address.
//
// Method, silence and cost: Copies.
//
//===----------------------------------------------------------------------===//
#include "checks/Copies.h"
#include "layout/Checks.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

/// "'.ARM.exidx' (8 bytes, an orphan) stands between: ..."
static std::string betweenText(const Link &link, const ReferredMark &mark,
                               const OutputView &out) {
  std::vector<std::string> names;
  for (const OutputView &q : link.outputs())
    if (isLoaded(q) && q.loadAddress < out.loadAddress &&
        Address(mark.value) < q.place.loadEnd())
      names.push_back("'" + q.name + "' (" + std::to_string(q.size) + " bytes" +
                      (q.command ? "" : ", an orphan") + ")");
  return join(names, " and ") + (names.size() == 1 ? " stands" : " stand") +
         " between: all initial values are shifted";
}

static Message besideText(const Link &link, const Stored &s) {
  const OutputView out = link.output(s.id);
  const bool behind = out.loadAddress < out.address;
  return {sectionText(out) + " is loaded at " + hex(out.loadAddress) +
              ", but runs at " + hex(out.address) + ", " +
              std::to_string(behind ? -distanceOf(out) : distanceOf(out)) +
              " bytes " + (behind ? "behind" : "in front of") +
              " it, and nothing copies it: all initial values are shifted",
          {"the address and AT() are aligned in different ways; without AT() "
           "the section is loaded where it runs"}};
}

void checkLoadSymbols(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  for (const Stored &s : finished.copies().all()) {
    if (s.state == Stored::Beside)
      found.add([&] { return besideText(link, s); });
    if (s.state != Stored::Near && s.state != Stored::Itself)
      continue;
    found.add([&] {
      const Program &program = link.program;
      const OutputView out = link.output(s.id);
      const std::string name =
          program.shownName(program.symbols[s.mark->symbol].name);
      Message m{"'" + out.name + "' is loaded at " + hex(out.loadAddress) +
                ", but start-up code copies from " +
                markText(program, *s.mark) + " (referred to by " +
                placeOf(program, s.mark->from) + ")"};
      const OutputId before = finished.copies().order.before(out);
      if (s.state == Stored::Itself) {
        m.notes.push_back("that is where '" + out.name +
                          "' runs: its initial values never leave the flash");
      } else if (before != kNone && Address(s.mark->value) < out.loadAddress) {
        const OutputView front = link.output(before);
        m.notes.push_back(
            Address(s.mark->value) < front.place.loadEnd()
                ? betweenText(link, *s.mark, out)
                : countOf(out.loadAddress.sizeFrom(Address(s.mark->value)),
                          "byte of padding stands", "bytes of padding stand") +
                      " between: all initial values are shifted");
      } else {
        m.notes.push_back("all initial values are shifted");
      }
      m.notes.push_back("'" + name + " = LOADADDR(" + out.name +
                        ");' in the script is always right");
      return m;
    });
  }
}

} // namespace xlink
