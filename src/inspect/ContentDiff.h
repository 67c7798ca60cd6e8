//===- ContentDiff.h - the bytes of a pair of functions or objects --------===//
#ifndef XLINK_INSPECT_CONTENTDIFF_H
#define XLINK_INSPECT_CONTENTDIFF_H

#include "inspect/FileDiff.h"
#include "inspect/References.h"

namespace xlink {

/// Compares the bytes of two atoms: everything but names and source lines.
ContentDiff compareAtoms(const Side &a, const Atom &x, const Side &b,
                         const Atom &y, const References &references);

} // namespace xlink
#endif
