//===- MergeSections.h - SHF_MERGE ----------------------------------------===//
#ifndef XLINK_LAYOUT_MERGESECTIONS_H
#define XLINK_LAYOUT_MERGESECTIONS_H

#include "model/Link.h"
#include <optional>

namespace xlink {

/// Merges equal constants and strings (suffixes too) among the SHF_MERGE
/// sections of each output section that share entry size and alignment. Each
/// piece stays in the section where it first stood; sections shrink to what
/// remains in them (InputSection::size, cut). Does nothing with -O0.
void mergeSections(Link &link);

/// A byte of what a section contributes.
struct MergedPlace {
  SectionId section;
  uint64_t offset;
};

/// Where byte `offset` of merged section `id` went; nothing if its piece is not
/// in the output, because nothing that lives refers to it.
std::optional<MergedPlace> mergedPlace(const Link &link, SectionId id,
                                       uint64_t offset);

/// Whether byte `offset` of an input section belongs to a piece of a merged
/// section that --gc-sections left out. Only what describes memory refers to
/// one.
bool isDeadPiece(const Link &link, SectionId id, uint64_t offset);

} // namespace xlink
#endif
