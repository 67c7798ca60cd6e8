//===- MergeSections.h - SHF_MERGE ----------------------------------------===//
#ifndef XLINK_LAYOUT_MERGESECTIONS_H
#define XLINK_LAYOUT_MERGESECTIONS_H

#include "model/Link.h"

namespace xlink {

/// Merges equal constants and strings (suffixes too) among the SHF_MERGE
/// sections of each output section that share flags, entry size and alignment.
/// The result is one made section, standing where the group's first member
/// stood; members keep size 0 and their pieces' new places. Does nothing with
/// -O0.
void mergeSections(Link &link);

/// Offset of byte `offset` of merged section `id` in its group's made section.
uint64_t mergedOffset(const Link &link, SectionId id, uint64_t offset);

/// Whether byte `offset` of an input section belongs to a piece of a merged
/// section that --gc-sections left out. Only what describes memory refers to
/// one.
bool isDeadPiece(const Link &link, SectionId id, uint64_t offset);

} // namespace xlink
#endif
