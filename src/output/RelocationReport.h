//===- RelocationReport.h - errors of relocations as messages -------------===//
//
// Relocations are applied on many threads, and a program that does not fit can
// have a hundred thousand that fail. So a worker records numbers, in a list for
// each chunk that it renders; behind the barrier, in the order of the output,
// reportProblems() makes text of those that will be shown.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_OUTPUT_RELOCATIONREPORT_H
#define XLINK_OUTPUT_RELOCATIONREPORT_H

#include "arch/Relocation.h"
#include "base/Diagnostics.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// Something wrong with one relocation.
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

/// In the order in which they were found.
using RelocationProblems = std::vector<RelocationProblem>;

/// Reports the problems of all lists, in order. A message is composed only when
/// it will be shown.
void reportProblems(const Link &link, llvm::ArrayRef<RelocationProblems> lists,
                    Diagnostics &diag);

/// The group of the section of a symbol that `file` names, if it is another one
/// than `base`; else kNone. Symbols that the file defines itself are exempt, as
/// its compiler knew the section: compilers of XC count from cp to constants
/// that they put into the data region.
uint32_t otherBase(const Link &link, const InputFile &file, uint32_t symbol,
                   uint32_t base);

} // namespace xlink
#endif
