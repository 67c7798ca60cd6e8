//===- ContentDiff.h - the bytes of a pair of functions or objects --------===//
#ifndef XLINK_INSPECT_CONTENTDIFF_H
#define XLINK_INSPECT_CONTENTDIFF_H

#include "inspect/FileDiff.h"
#include "inspect/MovedConstants.h"
#include "inspect/References.h"

namespace xlink {

/// Compares the bytes of pairs of chunks.
class ContentComparer {
public:
  ContentComparer(const Side &a, const Side &b, const References &references)
      : a(a), b(b), references(references), constants(a, b) {}

  /// Fills in everything but names and the source line. Chunks in which
  /// MovedConstants may be come behind those that refer to them.
  ContentDiff compare(const Chunk &x, const Chunk &y);
  /// Of a chunk that only one file has; when all others are compared.
  ContentDiff compareAlone(const Chunk &chunk, bool isA) const;

private:
  Verdict judge(Spot x, Spot y, bool guess);
  uint64_t takeMoved(const Chunk &x, const Chunk &y, uint64_t offset,
                     ContentDiff &diff) const;
  void compareEqual(const Chunk &x, const Chunk &y, ContentDiff &diff);
  void compareResized(const Chunk &x, const Chunk &y, ContentDiff &diff);
  void compareRelocations(const Chunk &x, const Chunk &y, ContentDiff &diff);
  void addField(const Chunk &x, const Chunk &y, uint64_t offset,
                const Verdict &verdict, ContentDiff &diff) const;

  const Side &a, &b;
  const References &references;
  MovedConstants constants;
};

} // namespace xlink
#endif
