//===- MovedConstants.h - constants without names that stand elsewhere ----===//
#ifndef XLINK_INSPECT_MOVEDCONSTANTS_H
#define XLINK_INSPECT_MOVEDCONSTANTS_H

#include "inspect/Side.h"
#include <map>
#include <optional>
#include <set>

namespace xlink {

/// Which constants without names stand in another place, as the fields tell
/// that refer to them.
class MovedConstants {
public:
  MovedConstants(const Side &a, const Side &b) : a(a), b(b) {}

  /// A field refers to one thing in A and to the other one in B, and both are
  /// the same; `probably`: no relocation says so.
  void note(const Reference &inA, const Reference &inB, bool probably);

  /// What is known of a word that differs, at an offset in a pair of chunks.
  enum class Word {
    Changed,       ///< nothing
    Moved,         ///< what stood there moved away, what stands there came
    ProbablyMoved, ///< the same, but no relocation says so
  };
  Word at(const Chunk &x, const Chunk &y, uint64_t offset) const;

  /// How much of a chunk that only one file has stands elsewhere in the other
  /// one.
  struct Bytes {
    uint64_t moved = 0;
    uint64_t probably = 0; ///< of these
  };
  Bytes in(const Chunk &chunk, bool isA) const;

  /// Whether a chunk may hold such constants.
  static bool areIn(const Side &side, const Chunk &chunk);

private:
  /// Where a constant stands in the other file.
  struct Elsewhere {
    uint64_t address;
    bool probably;
  };
  using Moves = std::map<uint64_t, Elsewhere>;
  static std::optional<bool> isMoved(const Moves &moves, const Side &side,
                                     const Side &other, uint64_t address);

  const Side &a, &b;
  Moves leaving, coming;      ///< by the address in A, and by that in B
  std::set<uint64_t> staying; ///< in A: fields refer to the same place in B
};

} // namespace xlink
#endif
