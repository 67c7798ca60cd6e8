//===- Address.h - sums that cannot wrap ----------------------------------===//
//
// Problem: a section may end exactly where the address space does, at 2^64,
// which no uint64_t holds, and numbers of scripts and inputs add up to more
// than that. A sum that wraps is a small address, and looks right.
//
// Method: an Address is a number of 128 bits: a place, the end, or outside of
// the address space, from where a sum can lead back. Sums of a link's
// numbers do not reach its limits, where they would stay. A Size is a number of
// bytes that reads as a plain number but does not add as one: at the largest
// number of 64 bits it stays, which no address space holds behind any of its
// places but the first. So a pass adds without looking and asks once.
//
// The values of script expressions are something else: they are modulo 2^64 by
// definition (GNU ld manual, "Expressions"), and plain numbers.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_ADDRESS_H
#define XLINK_BASE_ADDRESS_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cassert>
#include <compare>
#include <concepts>
#include <cstdint>
#include <string>

namespace xlink {

/// A number of bytes: the size of something, or an offset in it.
class Size {
public:
  constexpr Size() = default;
  constexpr Size(uint64_t bytes) : n(bytes) {}
  constexpr operator uint64_t() const { return n; }

  constexpr Size operator+(Size other) const {
    return n > UINT64_MAX - other.n ? UINT64_MAX : n + other.n;
  }
  constexpr Size &operator+=(Size other) { return *this = *this + other; }
  /// The rest of it, which is not negative.
  constexpr Size operator-(Size other) const {
    assert(other.n <= n);
    return other.n <= n ? n - other.n : 0;
  }
  /// The next multiple of a power of two.
  constexpr Size alignedTo(uint64_t alignment) const {
    assert(alignment && !(alignment & (alignment - 1)));
    const uint64_t rest = n & (alignment - 1);
    return rest ? *this + (alignment - rest) : *this;
  }

  // With a plain number too it is a Size that comes out.
  friend constexpr Size operator+(Size a, std::integral auto b) {
    return a + Size(uint64_t(b));
  }
  friend constexpr Size operator+(std::integral auto a, Size b) {
    return Size(uint64_t(a)) + b;
  }
  friend constexpr Size operator-(Size a, std::integral auto b) {
    return a - Size(uint64_t(b));
  }
  friend constexpr Size operator-(std::integral auto a, Size b) {
    return Size(uint64_t(a)) - b;
  }

private:
  uint64_t n = 0;
};

/// A place in an address space of up to 2^64 bytes, its end, or outside of it.
class Address {
  __extension__ typedef __int128 Wide;

public:
  constexpr Address() = default;
  constexpr Address(uint64_t value) : n(value) {}
  /// Behind the last byte of 64 bits.
  static constexpr Address end() { return Address(kEnd, 0); }

  constexpr bool isEnd() const { return n == kEnd; }
  constexpr bool isBeyond() const { return n > kEnd; }
  /// Whether a byte can stand there.
  constexpr bool isByte() const { return n >= 0 && n < kEnd; }
  constexpr bool isNegative() const { return n < 0; }
  /// As script expressions see it, modulo 2^64: 0 at the end.
  constexpr uint64_t wrapped() const { return uint64_t(n); }
  /// The number of a place where a byte can stand.
  constexpr uint64_t value() const {
    assert(isByte());
    return uint64_t(n);
  }

  constexpr Address operator+(Size size) const {
    return Address(n + uint64_t(size), 0);
  }
  constexpr Address &operator+=(Size size) { return *this = *this + size; }
  constexpr Address operator-(Size size) const {
    return Address(n - uint64_t(size), 0);
  }
  constexpr Address &operator-=(Size size) { return *this = *this - size; }
  /// This place, moved as far as `to` is from `from`.
  constexpr Address mapped(Address from, Address to) const {
    return Address(n + (to.n - from.n), 0);
  }
  /// The distance up from `start`, at most the largest number; 0 for a place
  /// below `start`.
  constexpr Size sizeFrom(Address start) const {
    if (*this < start)
      return 0;
    return uint64_t(std::min<Wide>(n - start.n, UINT64_MAX));
  }
  /// The next multiple of a power of two.
  constexpr Address alignedTo(uint64_t alignment) const {
    return (*this + (alignment - 1)).alignedDown(alignment);
  }
  /// The last multiple of a power of two.
  constexpr Address alignedDown(uint64_t alignment) const {
    assert(alignment && !(alignment & (alignment - 1)));
    return Address(n & ~Wide(alignment - 1), 0);
  }
  friend constexpr auto operator<=>(const Address &, const Address &) = default;

private:
  static constexpr Wide kEnd = Wide(1) << 64;
  static constexpr Wide kMost = Wide(1) << 120; ///< sums of three fit
  constexpr Address(Wide n, int) : n(std::clamp(n, -kMost, kMost)) {}

  Wide n = 0;
};

/// A machine's address space.
struct AddressSpace {
  bool is64;

  constexpr Address end() const {
    return is64 ? Address::end() : Address(uint64_t(1) << 32);
  }
  /// Whether so many bytes have addresses from `begin` on. No bytes need a
  /// place where one could stand.
  constexpr bool holds(Address begin, uint64_t size) const {
    return !begin.isNegative() && begin < end() &&
           (size == 0 || begin + size <= end());
  }
};

/// "0x1c", also of the end; outside places have no number.
std::string hex(Address address);
std::string hex(Size size);

} // namespace xlink
#endif
