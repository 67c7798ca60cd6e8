//===- Icf.h - identical code folding -------------------------------------===//
#ifndef XLINK_SECTIONS_ICF_H
#define XLINK_SECTIONS_ICF_H

#include "model/EhRecords.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// --icf: finds input sections that would be the same in the output, and lets
/// the first of each such class stand for all: Contributions::folds, and
/// Contribution::folded. Pieces must have been merged.
void foldIdentical(const Program &program, const Placement &placement,
                   const std::vector<EhFrame> &frames,
                   Contributions &contributions);

/// The placement without the sections that others stand for, and without what
/// only describes those.
Placement withoutFolded(const Program &program, Placement placement,
                        const Contributions &contributions);

/// --print-icf-sections: what was folded, as lld prints it.
std::string foldedSectionsText(const Program &program,
                               const Contributions &contributions);

} // namespace xlink
#endif
