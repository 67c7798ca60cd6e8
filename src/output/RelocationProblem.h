//===- RelocationProblem.h - what a worker finds wrong --------------------===//
//
// Relocations are applied on many threads, and a program that does not fit can
// have a hundred thousand that fail. So a worker writes down numbers, one
// record a problem, in a list for each run of bytes that it renders; behind the
// barrier, in the order of the output, a RelocationReport makes text of those
// that will be shown.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_OUTPUT_RELOCATIONPROBLEM_H
#define XLINK_OUTPUT_RELOCATIONPROBLEM_H

#include "arch/Relocation.h"
#include "model/Ids.h"
#include <cstdint>
#include <vector>

namespace xlink {

struct RelocationProblem {
  enum Kind : uint8_t {
    UnknownType,  ///< of a section that is loaded
    IgnoredType,  ///< a warning: unknown, of a section that is not loaded
    Discarded,    ///< its symbol is in a section that is not in the output
    BeyondMerged, ///< it points behind a mergeable section
    Unresolved,   ///< a warning: its symbol is a result that has no value
    Recursive,    ///< a warning: such a result, which depends on itself
    OtherBase,    ///< a warning: its symbol is in another base's group
    SlotAddend,   ///< a warning: an addend to the offset of a GOT slot
    Fault,        ///< evaluate() refuses `operands`
    SplitWord,    ///< its field crosses a word, and words are reversed
    OddWords,     ///< the section to reverse is no multiple of words
  } kind;
  SectionId section;
  uint32_t relocation = kNone; ///< into ParsedObject::relocations
  RelocationOperands operands = {};
};

using RelocationProblems = std::vector<RelocationProblem>;

} // namespace xlink
#endif
