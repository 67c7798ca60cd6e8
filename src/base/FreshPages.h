//===- FreshPages.h - memory that is about to be filled -------------------===//
#ifndef XLINK_BASE_FRESHPAGES_H
#define XLINK_BASE_FRESHPAGES_H

#include "base/Parallel.h"
#include <cstddef>
#include <cstdint>

namespace xlink {

/// Has the system hand out the pages of memory all of which is written soon,
/// on several threads where it is much; of little memory does nothing. Changes
/// no byte, and where the system refuses, pages come as they are written.
void bringIn(const Parallel &parallel, void *begin, size_t bytes);
/// The same of all elements of an array.
template <class Array> void bringIn(const Parallel &parallel, Array &array) {
  bringIn(parallel, array.data(), array.size() * sizeof(*array.data()));
}

/// The same of a vector that grows by small steps, on the thread that asks.
class PagesAhead {
public:
  /// It is going to be of that size. What is reserved for more is filled too,
  /// sooner or later; elements may have moved since the last time.
  template <class Vector> void reach(Vector &vector, size_t size) {
    if (size > vector.capacity())
      return; // it moves first
    const auto *const first = vector.data();
    const uintptr_t end = uintptr_t(first + size);
    const uintptr_t limit = uintptr_t(first + vector.capacity());
    if (end > filled || limit < filled) [[unlikely]]
      fill(uintptr_t(first), uintptr_t(first + vector.size()), end, limit);
  }

private:
  /// `used`: up to here there are elements.
  void fill(uintptr_t first, uintptr_t used, uintptr_t end, uintptr_t limit);

  uintptr_t filled = 0; ///< up to here pages are there
};

} // namespace xlink
#endif
