//===- TailMerge.h - strings that end others ------------------------------===//
#ifndef XLINK_SECTIONS_TAILMERGE_H
#define XLINK_SECTIONS_TAILMERGE_H

#include "base/Parallel.h"
#include "model/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace xlink {

/// A string or a constant of mergeable sections, of which there may be many
/// copies.
struct SectionPiece {
  llvm::StringRef bytes;  ///< of the first copy; a string has no terminator
  uint8_t alignLog2 = 0;  ///< the most that a copy asks for
  uint32_t whole = kNone; ///< the piece that ends in it; kNone: it stays
};

/// Finds strings that can be read at the end of others, as aligned as they
/// ask, and sets `whole` of them: the index of a string that is none of them.
/// `unit`: bytes of a character.
void mergeTails(const Parallel &parallel,
                llvm::MutableArrayRef<SectionPiece> pieces, uint64_t unit);

} // namespace xlink
#endif
