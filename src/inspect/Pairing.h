//===- Pairing.h - the common parts of two files --------------------------===//
#ifndef XLINK_INSPECT_PAIRING_H
#define XLINK_INSPECT_PAIRING_H

#include "inspect/LinkedFile.h"
#include "map/Pairs.h"

namespace xlink {

/// Sections of one name, in their order. The null sections have no partner.
Pairs pairSections(const LinkedFile &a, const LinkedFile &b);

/// Symbols of one name. Of several, those of one source file and section come
/// first, then those with equal contents, then their order by address. Marks
/// have no partner.
Pairs pairSymbols(const LinkedFile &a, const LinkedFile &b);

/// Segments of one type, first those with equal permissions and addresses, then
/// with equal permissions, then others, in order.
Pairs pairSegments(const LinkedFile &a, const LinkedFile &b);

/// A range of a loaded section that is compared as one: a function, an object,
/// or bytes between them.
struct Atom {
  uint32_t section = 0;
  uint64_t begin = 0; ///< in the section
  uint64_t size = 0;
  uint32_t symbol = kNoIndex; ///< kNoIndex: no name
  uint64_t end() const { return begin + size; }
};

/// All sections with SHF_ALLOC, cut into atoms without gaps.
struct AtomTable {
  std::vector<Atom> atoms;       ///< by section, then by offset
  std::vector<uint32_t> firstOf; ///< by section, and the end of the last
  /// The atom that begins at a symbol, or kNoIndex.
  std::vector<uint32_t> ofSymbol;

  /// The atom with that byte of the section, or kNoIndex.
  uint32_t at(uint32_t section, uint64_t offset) const;
  /// The previous and the next atom of the section, or kNoIndex.
  uint32_t before(uint32_t atom) const;
  uint32_t behind(uint32_t atom) const;
};

/// Cuts one of two files at its symbols. An atom has the size of its symbol; a
/// symbol without a size begins an atom only if it has a partner, and ends at
/// the partner's size or the next symbol. `partner`: of the file's symbols, in
/// `other`. `whole`: sections that stay uncut.
AtomTable makeAtoms(const LinkedFile &file,
                    const std::vector<uint32_t> &partner,
                    const LinkedFile &other,
                    const std::vector<bool> &whole = {});

/// Both files in atoms, and the pairs of these.
struct AtomPairs {
  AtomTable a, b;
  Pairs pairs;
};
/// Atoms of paired symbols are pairs, and nameless ones next to pairs. A file
/// without symbols is cut as the other one, where sections have equal sizes.
AtomPairs pairAtoms(const LinkedFile &a, const LinkedFile &b,
                    const Pairs &symbols, const Pairs &sections);

} // namespace xlink
#endif
