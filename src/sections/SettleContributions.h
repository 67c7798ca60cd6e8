//===- SettleContributions.h - contributions of the input sections --------===//
#ifndef XLINK_SECTIONS_SETTLECONTRIBUTIONS_H
#define XLINK_SECTIONS_SETTLECONTRIBUTIONS_H

#include "base/Diagnostics.h"
#include "base/Parallel.h"
#include "model/Link.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xlink {

/// The contents of live, placed sections: unwind tables without records of
/// dropped code, equal pieces stored once, used GOT slots. Moves sections with
/// such pieces together.
Contributions settleContributions(const Program &program, Placement &placement,
                                  Liveness liveness,
                                  const std::vector<EhFrame> &frames);

//===----------------------------------------------------------------------===//
// SHF_MERGE
//===----------------------------------------------------------------------===//

/// Whether the pieces of a section may be merged: GNU ld's conditions, and that
/// the bytes depend on nothing that relocations or the program write.
bool isMergeable(const PartialLink &link, SectionId id);

/// Merges equal constants and strings (suffixes too) among the SHF_MERGE
/// sections of each output section that share entry size and alignment. Each
/// piece stays in the section where it first stood; sections shrink to the
/// rest, and stand where the first of them does. Does nothing with
/// -O0.
void mergeSections(const Program &program, Placement &placement,
                   Contributions &contributions);

/// A string or a constant of mergeable sections, of which there may be many
/// copies.
struct SectionPiece {
  explicit SectionPiece(llvm::StringRef bytes, uint8_t alignLog2 = 0)
      : bytes(bytes), tail(tailKey(bytes)), alignLog2(alignLog2) {}
  /// The last eight bytes, the last one highest; zeros if there are fewer.
  static uint64_t tailKey(llvm::StringRef bytes);

  llvm::StringRef bytes;  ///< of the first copy; a string has no terminator
  uint64_t tail;          ///< tailKey, made while the bytes are in a cache
  uint32_t whole = kNone; ///< the piece that ends in it; kNone: it stays
  uint8_t alignLog2;      ///< the most that a copy asks for
};

/// Finds strings that can be read at the end of others, as aligned as they
/// ask, and sets `whole` of them: the index of a string that is none of them.
/// `unit`: bytes of a character.
void mergeTails(const Parallel &parallel,
                llvm::MutableArrayRef<SectionPiece> pieces, uint64_t unit);

//===----------------------------------------------------------------------===//
// --icf
//===----------------------------------------------------------------------===//

/// Finds input sections that would be the same in the output, and lets the
/// first of each such class stand for all: Contributions::folds, and
/// Contribution::folded. Pieces must have been merged.
void foldIdentical(const Program &program, const Placement &placement,
                   const std::vector<EhFrame> &frames,
                   Contributions &contributions);

/// The placement without the sections that others stand for, and without
/// the sections that only describe those.
Placement withoutFolded(const Program &program, Placement placement,
                        const Contributions &contributions);

/// --print-icf-sections, as lld prints them.
std::string foldedSectionsText(const Program &program,
                               const Contributions &contributions);

//===----------------------------------------------------------------------===//
// Constructors in arrays of initialisers
//===----------------------------------------------------------------------===//

/// .ctors is called from its end, .init_array from its beginning. So the words
/// of a .ctors section that a script puts into .init_array stand there in
/// reverse order, as GNU ld copies them, with their relocations; likewise those
/// of .dtors in .fini_array. Returns the bytes of a word if a placed input
/// section's words are reversed, else 0. Its size may still be no multiple of
/// that, which is an error.
unsigned reversedWordSize(const PartialLink &link, SectionId id);

/// Whether an output section can have such sections at all: a quick test in
/// front of a million sections.
bool holdsReversedWords(const PartialLink &link, OutputId output);

/// Where a byte of a section of `size` bytes is when its words are reversed.
inline uint64_t reversedOffset(uint64_t offset, uint64_t size, unsigned word) {
  return size - word - offset + 2 * (offset % word);
}

//===----------------------------------------------------------------------===//
// .eh_frame
//===----------------------------------------------------------------------===//

/// Reads the .eh_frame sections that have a place in the output or may get one.
/// A section that is no sequence of records is an error.
std::vector<EhFrame> readEhFrames(const Program &program,
                                  const Placement &placement,
                                  Diagnostics &diag);

/// The section whose code an FDE describes: kNone if that is no input section
/// (an absolute address), 0, which is never placed, if the link uses another
/// copy of the code.
SectionId describedSection(const Program &program, const EhFrame &frame,
                           const EhRecord &fde);

/// Leaves out FDEs of code that is not in the output and CIEs that no FDE
/// needs; of equal CIEs of one output section the first stays, except with -O0.
/// At most one terminator stays, behind the last record.
void cutEhFrames(const Program &program, const Placement &placement,
                 const std::vector<EhFrame> &frames,
                 Contributions &contributions);

} // namespace xlink
#endif
