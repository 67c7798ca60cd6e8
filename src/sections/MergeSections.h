//===- MergeSections.h - SHF_MERGE ----------------------------------------===//
#ifndef XLINK_SECTIONS_MERGESECTIONS_H
#define XLINK_SECTIONS_MERGESECTIONS_H

#include "model/Link.h"

namespace xlink {

/// Whether the pieces of a section may be merged: GNU ld's conditions, and that
/// the bytes depend on nothing that relocations or the program write.
bool isMergeable(const PartialLink &link, SectionId id);

/// Merges equal constants and strings (suffixes too) among the SHF_MERGE
/// sections of each output section that share entry size and alignment. Each
/// piece stays in the section where it first stood; sections shrink to what
/// remains in them, and stand where the first of them does. Does nothing with
/// -O0.
void mergeSections(const Program &program, Placement &placement,
                   Contributions &contributions);

} // namespace xlink
#endif
