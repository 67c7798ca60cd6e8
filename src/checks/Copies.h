//===- Copies.h - sections that start-up code has to copy -----------------===//
#ifndef XLINK_CHECKS_COPIES_H
#define XLINK_CHECKS_COPIES_H

#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"

namespace xlink {

/// A section that start-up code has to copy.
struct Stored {
  OutputId id;
  enum State : uint8_t {
    Alone,   ///< nothing refers to where it is stored
    Reached, ///< a mark does, or the loop of its neighbour
    Shifted, ///< that loop has another distance
    Near,    ///< a mark is near
    Itself,  ///< a mark for its load address is its address
    Padded,  ///< the copy goes to behind the padding that it begins with
    Beside   ///< it runs a few bytes beside where it is stored
  } state = Alone;
  const ReferredMark *mark = nullptr; ///< of Near, Itself and Padded
  OutputId before = {};               ///< the neighbour, of Shifted
  uint64_t loopEnd = 0; ///< of Reached: the address up to which its loop copies
  bool follows = false; ///< the loop of the section below may go on to its end
};

/// Loaded sections by where they are stored.
class LoadOrder {
public:
  /// `link` must outlive it.
  explicit LoadOrder(const Link &link);
  /// The section that is stored directly in front of `out`; kNone: there is
  /// none.
  OutputId before(const OutputView &out) const;

private:
  const Link &link;
  std::vector<OutputId> ids;
};

/// All of them, by address.
class Copies {
public:
  explicit Copies(const FinishedLink &finished);

  const std::vector<Stored> &all() const { return sections; }
  const LoadOrder order;
  static bool isReached(const Stored &s) {
    return s.state == Stored::Reached || s.state == Stored::Padded;
  }

private:
  std::vector<Stored> sections;
};

/// From the address of a section to its load address, modulo 2^64.
uint64_t distanceOf(const OutputView &out);

} // namespace xlink
#endif
