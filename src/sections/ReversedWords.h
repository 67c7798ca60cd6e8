//===- ReversedWords.h - constructors in arrays of initialisers -----------===//
//
// .ctors is called from its end, .init_array from its beginning. So the words
// of a .ctors section that a script puts into .init_array stand there in
// reverse order, as GNU ld copies them, with their relocations; likewise those
// of .dtors in .fini_array.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SECTIONS_REVERSEDWORDS_H
#define XLINK_SECTIONS_REVERSEDWORDS_H

#include "model/Link.h"

namespace xlink {

/// The bytes of a word if a placed input section's words are reversed, else 0.
/// Its size may still be no multiple of that, which is an error.
unsigned reversedWordSize(const PartialLink &link, SectionId id);

/// Whether an output section can have such sections at all: a quick test in
/// front of a million sections.
bool holdsReversedWords(const PartialLink &link, OutputId output);

/// Where a byte of a section of `size` bytes is when its words are reversed.
inline uint64_t reversedOffset(uint64_t offset, uint64_t size, unsigned word) {
  return size - word - offset + 2 * (offset % word);
}

} // namespace xlink
#endif
