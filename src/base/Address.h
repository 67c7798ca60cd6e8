//===- Address.h - sums that cannot wrap ----------------------------------===//
//
// Problem: a section may end exactly where the address space does, at 2^64,
// which no uint64_t holds, and numbers of scripts and inputs add up to more
// than that. A sum that wraps is a small address, and looks right.
//
// Method: an Address is a number of 128 bits: a place, the end, or beyond. Sums
// of what there can be do not reach its limits, where they would stay. A
// difference of two addresses is a size or nothing. So a pass adds without
// looking and asks once.
//
// The values of script expressions are something else: they are modulo 2^64 by
// definition (GNU ld manual, "Expressions"), and plain numbers.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_ADDRESS_H
#define XLINK_BASE_ADDRESS_H

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace xlink {

/// A place in an address space of up to 2^64 bytes, its end, or beyond it.
class Address {
  __extension__ typedef unsigned __int128 Wide;

public:
  constexpr Address() = default;
  constexpr Address(uint64_t value) : n(value) {}
  /// Behind the last byte of 64 bits.
  static constexpr Address end() { return Address(kEnd, 0); }
  /// Where no sum leads back from.
  static constexpr Address beyond() { return Address(kMost, 0); }

  constexpr bool isEnd() const { return n == kEnd; }
  constexpr bool isBeyond() const { return n > kEnd; }
  /// Whether a byte can stand there.
  constexpr bool isByte() const { return n < kEnd; }
  /// As script expressions see it, modulo 2^64: 0 at the end.
  constexpr uint64_t wrapped() const { return uint64_t(n); }
  /// The number of a place that is no further than the last byte.
  constexpr uint64_t value() const {
    assert(isByte());
    return uint64_t(n);
  }

  constexpr Address operator+(uint64_t size) const {
    return Address(std::min<Wide>(n + size, kMost), 0);
  }
  constexpr Address &operator+=(uint64_t size) { return *this = *this + size; }
  /// The distance up from `start`; what does not exist is nothing.
  constexpr std::optional<uint64_t> from(Address start) const {
    if (*this < start || n - start.n > UINT64_MAX)
      return std::nullopt;
    return uint64_t(n - start.n);
  }
  /// That distance, at most the largest number; 0 for a place below `start`.
  constexpr uint64_t sizeFrom(Address start) const {
    if (*this < start)
      return 0;
    return uint64_t(std::min<Wide>(n - start.n, UINT64_MAX));
  }
  /// The place that many bytes below; nothing where there is none.
  constexpr std::optional<Address> below(uint64_t size) const {
    return n < size ? std::nullopt : std::optional(Address(n - size, 0));
  }
  /// The next multiple of a power of two.
  constexpr Address alignedTo(uint64_t alignment) const {
    assert(alignment && !(alignment & (alignment - 1)));
    return Address(
        std::min<Wide>((n + alignment - 1) & ~Wide(alignment - 1), kMost), 0);
  }
  friend constexpr auto operator<=>(const Address &, const Address &) = default;

private:
  static constexpr Wide kEnd = Wide(1) << 64;
  static constexpr Wide kMost = Wide(1) << 126;
  constexpr Address(Wide n, int) : n(n) {}

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
    return begin < end() && (size == 0 || begin + size <= end());
  }
};

/// "0x1c", also of the end; what is beyond has no number.
std::string hex(Address address);

} // namespace xlink
#endif
