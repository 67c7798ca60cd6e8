//===- Contributions.h - contributions of input sections ------------------===//
//
// Which sections live, which parts of them stay where equal pieces are stored
// once or records of dropped functions go, and how large that makes each: made
// by --gc-sections, by cutting unwind tables and by merging. No addresses.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_CONTRIBUTIONS_H
#define XLINK_MODEL_CONTRIBUTIONS_H

#include "base/Address.h"
#include "model/Ids.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <iterator>
#include <utility>

namespace xlink {

/// A CIE, or an FDE, which names its CIE and describes one function's frame.
struct EhRecord {
  uint64_t begin = 0, end = 0; ///< its bytes in the section
  uint32_t cie = kNone;        ///< FDE: index of its CIE's record; kNone: a CIE
  /// Its relocations, a range of ParsedObject::relocations.
  uint32_t relocBegin = 0, relocEnd = 0;
  /// FDE: the relocation of the function's address; kNone: it has none.
  uint32_t function = kNone;
  uint8_t lengthSize = 4; ///< bytes of the length: 4, or 12 in the 64-bit form

  bool isCie() const { return cie == kNone; }
  /// Where the word stands that leads from an FDE to its CIE.
  uint64_t ciePointer() const { return begin + lengthSize; }
};

/// One .eh_frame section of an input, taken apart.
struct EhFrame {
  SectionId section;
  std::vector<EhRecord> records; ///< by offset; terminators left out
  bool terminated = false;       ///< it had a terminator
};

/// Why a section lives.
struct LiveEdge {
  enum Kind : uint8_t {
    None,       ///< it does not, or nothing is ever collected
    Root,       ///< the entry, -u, KEEP, tables of initialisers ...
    Reference,  ///< `from` refers to it
    Dependent,  ///< it describes `from`, or `from` says that it keeps it
    Group,      ///< it is in the section group of `from`
    Description ///< something of its file takes memory
  } kind = None;
  SectionId from; ///< kNone: a root
};

/// The result of --gc-sections.
struct Liveness {
  /// By SectionId; empty: everything lives.
  std::vector<bool> live;
  /// The edge that made each collectable section live first; empty as `live`.
  IdVector<SectionId, LiveEdge> edges;
  /// Offsets that live relocations refer to in mergeable sections, and such
  /// sections of which every piece lives.
  llvm::DenseMap<SectionId, std::vector<uint32_t>> livePieces;
  llvm::DenseSet<SectionId> allPieces;
  /// Homes of symbols that the user names: they count as matched by KEEP.
  std::vector<SectionId> requested;

  bool lives(SectionId id) const { return live.empty() || live[id.index()]; }
};

/// Where the pieces of one mergeable input section went.
struct MergedInput {
  std::vector<uint32_t> starts; ///< piece offsets in the input, ascending
  /// Of each piece an index into MergeGroup::places; kNone: it is nowhere.
  std::vector<uint32_t> places;
  /// Which pieces are runs of zeros, each of them an empty string; ascending.
  std::vector<uint32_t> zeros;
};

/// Where a piece stands, and all that equal it.
struct MergedPlace {
  uint32_t home;   ///< index of the member that holds it
  uint32_t offset; ///< in that member's contribution
};

/// Mergeable sections of one output section that share entry size and
/// alignment: of equal pieces the first stays. The remaining pieces stand
/// behind each other without a gap.
struct MergeGroup {
  uint64_t entsize = 0;
  /// The first member of which something remains, which is aligned for all;
  /// kNone: each stands for itself.
  uint32_t first = kNone;
  std::vector<SectionId> members;  ///< in order
  std::vector<MergedInput> inputs; ///< parallel to members
  /// In no particular order, with some between them that no piece has.
  std::vector<MergedPlace> places;
};

/// A run of an input section's bytes that stays.
struct KeptRange {
  uint64_t begin, end; ///< in the input section
  uint64_t to;         ///< where it begins in the contribution
};

/// A 32-bit word in a section's contribution that the linker computes.
struct LinkerWord {
  uint64_t at;        ///< offset in the contribution
  SectionId target;   ///< the distance back to a byte of that section, or
  uint64_t value = 0; ///< that byte's offset in the input; kNone: itself
};

/// An input section of which only parts stay: it contributes the ranges one
/// behind the other, then zeros up to the size of its contribution.
struct CutSection {
  std::vector<KeptRange> kept; ///< ascending
  std::vector<LinkerWord> words;

  /// The range that holds the input's byte `offset`, or null.
  const KeptRange *find(uint64_t offset) const {
    const KeptRange *range = rangeBefore(offset);
    return range && offset < range->end ? range : nullptr;
  }
  /// Where the input's byte `offset` is; of a dropped one, the next kept byte.
  uint64_t offsetOf(uint64_t offset) const {
    const KeptRange *range = rangeBefore(offset);
    return range ? range->to + std::min(offset, range->end) - range->begin : 0;
  }

private:
  /// The last range that begins at `offset` or before, or null.
  const KeptRange *rangeBefore(uint64_t offset) const {
    const auto after =
        llvm::upper_bound(kept, offset, [](uint64_t value, const KeptRange &r) {
          return value < r.begin;
        });
    return after == kept.begin() ? nullptr : &*std::prev(after);
  }
};

/// The contribution of one input section.
struct Contribution {
  Size size; ///< bytes it takes
  /// Index into Contributions::merges when its pieces may be in other sections.
  uint32_t merge = kNone;
  uint32_t mergeIndex = 0; ///< its index in that group's members
  uint32_t cut =
      kNone;        ///< index into Contributions::cuts: only parts of it stay
  SectionId folded; ///< the identical section that stands for it; kNone: none
};

struct Contributions {
  /// Whether a section stands right behind others of its group.
  bool followsMerged(const Contribution &c) const {
    return c.merge != kNone && c.mergeIndex > merges[c.merge].first;
  }

  Liveness liveness;
  IdVector<SectionId, Contribution> sections;
  std::vector<MergeGroup> merges;
  std::vector<CutSection> cuts;
  /// --icf: sections that stand for identical ones, and those, by class in the
  /// order of the output.
  std::vector<std::pair<SectionId, SectionId>> folds;
  /// GOT slots: sorted (Program::symbolKey, offset).
  std::vector<std::pair<uint64_t, uint64_t>> gotSlots;

  /// The section that is in the output for this one: itself, unless an
  /// identical one stands for it.
  SectionId standIn(SectionId id) const {
    const SectionId folded = sections[id].folded;
    return folded == kNone ? id : folded;
  }
};

} // namespace xlink
#endif
