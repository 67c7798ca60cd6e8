//===- RawVector.h - vectors whose new elements are not cleared -----------===//
#ifndef XLINK_BASE_RAWVECTOR_H
#define XLINK_BASE_RAWVECTOR_H

#include <memory>
#include <utility>
#include <vector>

namespace xlink {

/// Leaves elements that nobody gives a value as the memory has them.
template <class T> struct RawAllocator : std::allocator<T> {
  template <class U> struct rebind { using other = RawAllocator<U>; };
  template <class U> void construct(U *) {}
  template <class U, class... Args> void construct(U *at, Args &&...args) {
    ::new (static_cast<void *>(at)) U(std::forward<Args>(args)...);
  }
};

/// For large arrays of plain values of which each is written anyway: to clear
/// them first would touch all of their pages once more, and on one thread.
template <class T> using RawVector = std::vector<T, RawAllocator<T>>;

} // namespace xlink
#endif
