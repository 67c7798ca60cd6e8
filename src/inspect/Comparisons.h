//===- Comparisons.h - the comparisons that a FileDiff is made of ---------===//
#ifndef XLINK_INSPECT_COMPARISONS_H
#define XLINK_INSPECT_COMPARISONS_H

#include "inspect/FileDiff.h"
#include "inspect/References.h"

namespace xlink {

/// Adds the fields of the ELF headers that differ.
void compareHeaders(const Side &a, const Side &b, std::vector<ValueDiff> &list);
/// Adds the properties of segments that differ, and segments without partner.
void compareSegments(const LinkedFile &a, const LinkedFile &b,
                     const Pairs &pairs, std::vector<ValueDiff> &list);
/// Compares the headers of two sections, and the bytes of those that are not
/// compared by atoms.
void compareSection(const LinkedFile &a, const ElfSection &s,
                    const LinkedFile &b, const ElfSection &t,
                    SectionDiff &diff);
/// Compares two symbols, except for size and value.
void compareSymbol(const LinkedFile &a, const ElfSymbol &s, const LinkedFile &b,
                   const ElfSymbol &t, std::vector<ValueDiff> &list);

SectionDiff::Kind sectionKind(const ElfSection &section);

/// Compares the bytes of two atoms: everything but names and source lines.
ContentDiff compareAtoms(const Side &a, const Atom &x, const Side &b,
                         const Atom &y, const References &references);

} // namespace xlink
#endif
