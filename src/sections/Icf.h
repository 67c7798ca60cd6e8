//===- Icf.h - identical code folding -------------------------------------===//
#ifndef XLINK_SECTIONS_ICF_H
#define XLINK_SECTIONS_ICF_H

#include "model/EhRecords.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// --icf: finds input sections that would be the same in the output, and lets
/// the first of each such class stand for all: Contents::folds, and
/// Contribution::folded. Pieces must have been merged.
void foldIdentical(const Program &program, const Placement &placement,
                   const std::vector<EhFrame> &frames, Contents &contents);

/// The placement without the sections that others stand for, and without what
/// only describes those.
Placement withoutFolded(const Program &program, Placement placement,
                        const Contents &contents);

/// --print-icf-sections: what was folded, as lld prints it.
std::string foldedSectionsText(const Program &program,
                               const Contents &contents);

} // namespace xlink
#endif
