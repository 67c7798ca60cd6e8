//===- MergedDiff.h - strings and constants that linkers merged -----------===//
#ifndef XLINK_INSPECT_MERGEDDIFF_H
#define XLINK_INSPECT_MERGEDDIFF_H

#include "inspect/FileDiff.h"
#include "inspect/Pairing.h"

namespace xlink {

/// Whether bytes without a name are entries of SHF_MERGE in both files, which
/// stand in any order.
bool areMerged(const LinkedFile &a, const Chunk &x, const LinkedFile &b,
               const Chunk &y);

/// Whether the same entry stands at two offsets in the sections of such chunks.
bool isSameMerged(const LinkedFile &a, const Chunk &x, uint64_t offsetA,
                  const LinkedFile &b, const Chunk &y, uint64_t offsetB);

/// Compares them as sets. A string that another one ends in is there, too.
ContentDiff compareMerged(const LinkedFile &a, const Chunk &x,
                          const LinkedFile &b, const Chunk &y);

} // namespace xlink
#endif
