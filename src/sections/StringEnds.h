//===- StringEnds.h - strings that end others -----------------------------===//
#ifndef XLINK_SECTIONS_STRINGENDS_H
#define XLINK_SECTIONS_STRINGENDS_H

#include "sections/DistinctPieces.h"

namespace xlink {

/// Finds strings that can be read at the end of others, as aligned as they
/// ask, and sets `whole` of them: the number of a string that is none of them.
/// `unit`: bytes of a character.
void shareStringEnds(const Parallel &parallel, DistinctPieces &pieces,
                     uint64_t unit);

} // namespace xlink
#endif
