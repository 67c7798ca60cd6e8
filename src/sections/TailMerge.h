//===- TailMerge.h - strings that end others ------------------------------===//
#ifndef XLINK_SECTIONS_TAILMERGE_H
#define XLINK_SECTIONS_TAILMERGE_H

#include "base/Parallel.h"
#include "sections/MergeTable.h"
#include "llvm/Support/Endian.h"

namespace xlink {

constexpr uint64_t kTailBytes = 7;

/// Seven bytes of a string from its end, and how many there are, more than
/// seven being eight: in the order of these numbers strings are sorted by their
/// ends, those that end others first.
inline uint64_t tailKey(llvm::StringRef bytes) {
  const uint64_t size = bytes.size();
  if (size >= 8)
    return (llvm::support::endian::read64le(bytes.end() - 8) & ~uint64_t(255)) |
           8;
  uint64_t key = size;
  for (uint64_t i = 0; i < size; ++i)
    key |= uint64_t(uint8_t(bytes[i])) << (64 - 8 * (size - i));
  return key;
}

/// Finds strings that can be read at the end of others, as aligned as they
/// ask, and sets `whole` of them: the number of a string that is none of them.
/// `unit`: bytes of a character.
void mergeTails(const Parallel &parallel, MergeTable &pieces, uint64_t unit);

} // namespace xlink
#endif
