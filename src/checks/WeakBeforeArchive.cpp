//===- WeakBeforeArchive.cpp - a handler that stays in its archive --------===//
//
// Problem: the program's handler is in an archive: a weak definition satisfies
// all references, and no member is taken for it.
//
// Method: the resolver notes which archives offer a strong definition of a weak
// one's name (Program::strongOffers).
//
// Silent: an archive about weak definitions of its own, and -l about those of
// another -l: the C library's parts are made so. A member whose other functions
// nothing calls is a driver that is not in use: its handler may stay out.
//
// Cost: linear in these offers.
//
//===----------------------------------------------------------------------===//
#include "checks/Handlers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

void checkWeakBeforeArchive(const FinishedLink &finished, Findings &found) {
  const Program &program = finished.link.program;
  for (const StrongOffer &offer : program.strongOffers) {
    const auto uses = finished.references().of(offer.symbol);
    if (uses.empty() ||
        (offer.hasOthers && all_of(uses, [&](const ReferringPlace &from) {
           return from.section != kNone &&
                  isNamedLikeTable(program, from.section);
         })))
      continue;
    const Handlers &handlers = finished.handlers();
    found.add([&] {
      return Message{
          "weak '" + handlers.definition(offer.symbol) +
              " stays in use: no reference takes " + printable(offer.member) +
              ", which has a strong definition",
          {handlers.use(offer.symbol), "link the member's object itself, or "
                                       "put --whole-archive in front of "
                                       "its archive"}};
    });
  }
}

} // namespace xlink
