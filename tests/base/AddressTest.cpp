//===- AddressTest.cpp - sums that cannot wrap ----------------------------===//
#include "base/Address.h"
#include "gtest/gtest.h"
#include <concepts>

using namespace xlink;

namespace {

constexpr uint64_t kLast = ~uint64_t(0);
constexpr uint64_t k4G = uint64_t(1) << 32;

// 2^32 is an address like any other; whether a machine has it is its space's
// question.
TEST(Address, SumsAt4G) {
  EXPECT_EQ(Address(k4G - 1) + 1, Address(k4G));
  EXPECT_EQ((Address(k4G - 1) + 1).value(), k4G);
  EXPECT_LT(Address(k4G - 1), Address(k4G));
  EXPECT_TRUE(Address(k4G).isByte());
}

TEST(Address, SumsAtTheEnd) {
  const Address end = Address(kLast) + 1;
  EXPECT_EQ(end, Address::end());
  EXPECT_TRUE(end.isEnd());
  EXPECT_FALSE(end.isByte());
  EXPECT_FALSE(end.isBeyond());
  EXPECT_GT(end, Address(kLast));
  EXPECT_EQ(end.wrapped(), 0u) << "as script expressions see it";
  EXPECT_TRUE(Address(kLast).isByte());
  EXPECT_EQ(Address(kLast).value(), kLast);
}

TEST(Address, SumsBeyond) {
  const Address beyond = Address(kLast) + 2;
  EXPECT_TRUE(beyond.isBeyond());
  EXPECT_GT(beyond, Address::end());
  EXPECT_EQ(beyond.wrapped(), 1u);
  // What goes beyond can come back: the distance is not lost.
  EXPECT_EQ(beyond - 2, Address(kLast));
  EXPECT_EQ((Address(kLast) + kLast) - kLast, Address(kLast));
}

TEST(Address, DifferencesBelowZero) {
  const Address before = Address(7) - 8;
  EXPECT_TRUE(before.isNegative());
  EXPECT_FALSE(before.isByte());
  EXPECT_LT(before, Address(0));
  EXPECT_EQ(before.wrapped(), kLast) << "as script expressions see it";
  EXPECT_EQ(before + 8, Address(7));
  EXPECT_FALSE((Address(7) - 7).isNegative());
  EXPECT_EQ(Address::end() - 1, Address(kLast));
}

// However often a sum is doubled, it does not come round.
TEST(Address, SumsStayAtTheLimit) {
  Address up = kLast, down = Address(0) - kLast;
  for (unsigned i = 0; i < 200; ++i) {
    const Address nextUp = up.mapped(0, up), nextDown = down.mapped(0, down);
    EXPECT_GE(nextUp, up);
    EXPECT_LE(nextDown, down);
    up = nextUp;
    down = nextDown;
  }
  EXPECT_TRUE(up.isBeyond());
  EXPECT_TRUE(down.isNegative());
  EXPECT_EQ(up + kLast, up);
  EXPECT_EQ(down - kLast, down);
  EXPECT_EQ(up.alignedTo(uint64_t(1) << 63), up);
}

// "Where this one is mapped by what maps `from` to `to`."
TEST(Address, Mapped) {
  EXPECT_EQ(Address(0x1010).mapped(0x1000, 0x8000), Address(0x8010));
  EXPECT_EQ(Address(0x8010).mapped(0x8000, 0x1000), Address(0x1010));
  EXPECT_TRUE(Address(0x10).mapped(0x1000, 0).isNegative());
  EXPECT_EQ(Address(0x2000).mapped(0x10, Address(0x10).mapped(0x1000, 0)),
            Address(0x1000))
      << "a distance is kept outside of the address space too";
  EXPECT_EQ(Address(kLast).mapped(0, 1), Address::end());
  EXPECT_EQ(Address(kLast).mapped(kLast, 0), Address(0));
}

TEST(Address, AddsInPlace) {
  Address a = 0x10;
  a += 0x20;
  EXPECT_EQ(a, Address(0x30));
  a += kLast;
  EXPECT_TRUE(a.isBeyond());
}

TEST(Address, AlignedTo) {
  EXPECT_EQ(Address(0).alignedTo(16), Address(0));
  EXPECT_EQ(Address(1).alignedTo(1), Address(1));
  EXPECT_EQ(Address(1).alignedTo(16), Address(16));
  EXPECT_EQ(Address(16).alignedTo(16), Address(16));
  EXPECT_EQ(Address(17).alignedTo(16), Address(32));
  EXPECT_EQ(Address(k4G - 1).alignedTo(4), Address(k4G));
  // The next multiple may be the end, or behind it, but never 0.
  EXPECT_EQ(Address(kLast).alignedTo(2), Address::end());
  EXPECT_EQ(Address(1).alignedTo(uint64_t(1) << 63),
            Address(uint64_t(1) << 63));
  EXPECT_EQ(Address((uint64_t(1) << 63) + 1).alignedTo(uint64_t(1) << 63),
            Address::end());
  EXPECT_EQ(Address::end().alignedTo(0x1000), Address::end());
  EXPECT_TRUE((Address::end() + 1).alignedTo(0x1000).isBeyond());
}

// "The distance up from `start`, at most the largest number; 0 for a place
// below `start`."
TEST(Address, SizeFrom) {
  EXPECT_EQ(Address(7).sizeFrom(3), 4u);
  EXPECT_EQ(Address(7).sizeFrom(8), 0u);
  EXPECT_EQ(Address::end().sizeFrom(1), kLast);
  EXPECT_EQ(Address::end().sizeFrom(0), kLast);
  EXPECT_EQ((Address::end() + kLast + kLast).sizeFrom(Address::end()), kLast);
  EXPECT_EQ(Address(0).sizeFrom(Address(0) - 5), 5u);
}

// "The last multiple of a power of two."
TEST(Address, AlignedDown) {
  EXPECT_EQ(Address(0x1fff).alignedDown(0x1000), Address(0x1000));
  EXPECT_EQ(Address(0x1000).alignedDown(0x1000), Address(0x1000));
  EXPECT_EQ(Address::end().alignedDown(0x1000), Address::end());
  EXPECT_EQ((Address(0) - 1).alignedDown(16), Address(0) - 16);
}

// "At the largest number of 64 bits it stays."
TEST(Size, Sums) {
  EXPECT_EQ(Size(2) + 3, 5u);
  EXPECT_EQ(2 + Size(3), 5u);
  EXPECT_EQ(Size(kLast) + 1, kLast);
  EXPECT_EQ(1 + Size(kLast), kLast);
  EXPECT_EQ(Size(kLast) + Size(kLast), kLast);
  Size size = kLast - 1;
  size += 1;
  EXPECT_EQ(size, kLast);
  size += 1;
  EXPECT_EQ(size, kLast);
  EXPECT_TRUE((Address(1) + size).isEnd());
}

TEST(Size, AlignedTo) {
  EXPECT_EQ(Size(0).alignedTo(16), 0u);
  EXPECT_EQ(Size(1).alignedTo(16), 16u);
  EXPECT_EQ(Size(16).alignedTo(16), 16u);
  EXPECT_EQ(Size(kLast).alignedTo(1), kLast);
  EXPECT_EQ(Size(kLast - 2).alignedTo(16), kLast) << "and not 0";
}

#ifndef NDEBUG
TEST(SizeDeathTest, NobodyTakesAwayMoreThanThereIs) {
  EXPECT_EQ(Size(5) - 5, 0u);
  EXPECT_DEATH((void)(Size(5) - 6), "other.n <= n");
}
#endif

// What would wrap does not compile.
template <class A, class B>
concept Add = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Subtract = requires(A a, B b) {
  a - b;
};
static_assert(!Add<Address, Address>);
static_assert(!Add<uint64_t, Address>);
static_assert(!Subtract<Address, Address>);
static_assert(!std::convertible_to<Address, uint64_t>);
static_assert(std::same_as<decltype(Size() + 1), Size>);
static_assert(std::same_as<decltype(uint64_t(1) + Size()), Size>);
static_assert(std::same_as<decltype(Size() - uint64_t(1)), Size>);

// "begin < end, and where there are bytes they end at the end at most."
TEST(AddressSpace, HoldsIn32Bits) {
  const AddressSpace space{false};
  EXPECT_EQ(space.end(), Address(k4G));
  EXPECT_TRUE(space.holds(0, k4G));
  EXPECT_FALSE(space.holds(0, k4G + 1));
  EXPECT_TRUE(space.holds(k4G - 1, 1));
  EXPECT_FALSE(space.holds(k4G - 1, 2));
  EXPECT_TRUE(space.holds(k4G - 1, 0));
  EXPECT_FALSE(space.holds(k4G, 0)) << "no byte could stand there";
  EXPECT_FALSE(space.holds(kLast, 1));
  EXPECT_FALSE(space.holds(Address(0) - 1, 1));
}

TEST(AddressSpace, HoldsIn64Bits) {
  const AddressSpace space{true};
  EXPECT_EQ(space.end(), Address::end());
  EXPECT_TRUE(space.holds(k4G, k4G));
  EXPECT_TRUE(space.holds(1, kLast));
  EXPECT_FALSE(space.holds(2, kLast));
  EXPECT_TRUE(space.holds(kLast, 1));
  EXPECT_FALSE(space.holds(kLast, 2));
  EXPECT_TRUE(space.holds(kLast, 0));
  EXPECT_FALSE(space.holds(Address::end(), 0));
}

TEST(Address, Hex) {
  EXPECT_EQ(hex(Address(0)), "0x0");
  EXPECT_EQ(hex(Address(0x1c)), "0x1c");
  EXPECT_EQ(hex(Address(k4G)), "0x100000000");
  EXPECT_EQ(hex(Address(kLast)), "0xffffffffffffffff");
  EXPECT_EQ(hex(Address::end()), "0x10000000000000000");
  // A number there would look like one that is right.
  EXPECT_EQ(hex(Address(kLast) + 0x10), "beyond 64 bits");
  EXPECT_EQ(hex(Address(0) - 1), "below 0");
  EXPECT_EQ(hex(Size(0x1c)), "0x1c");
}

// Sums are known while a program is compiled, too.
static_assert(Address(kLast) + 1 == Address::end());
static_assert(Address(5).alignedTo(4) == Address(8));

} // namespace
