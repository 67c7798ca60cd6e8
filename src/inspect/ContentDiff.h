//===- ContentDiff.h - the bytes of a pair of functions or objects --------===//
#ifndef XLINK_INSPECT_CONTENTDIFF_H
#define XLINK_INSPECT_CONTENTDIFF_H

#include "inspect/FileDiff.h"
#include "inspect/References.h"

namespace xlink {

/// Compares the bytes of pairs of chunks.
class ContentComparer {
public:
  ContentComparer(const Side &a, const Side &b, const References &references)
      : a(a), b(b), references(references) {}

  /// Fills in everything but names and the source line.
  ContentDiff compare(const Chunk &x, const Chunk &y) const;

private:
  void compareEqual(const Chunk &x, const Chunk &y, ContentDiff &diff) const;
  void compareResized(const Chunk &x, const Chunk &y, ContentDiff &diff) const;
  void compareRelocations(const Chunk &x, const Chunk &y,
                          ContentDiff &diff) const;
  void addField(const Chunk &x, const Chunk &y, uint64_t offset,
                const Verdict &verdict, ContentDiff &diff) const;

  const Side &a, &b;
  const References &references;
};

} // namespace xlink
#endif
