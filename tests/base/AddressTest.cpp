//===- AddressTest.cpp - sums that cannot wrap ----------------------------===//
#include "base/Address.h"
#include "gtest/gtest.h"

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
  EXPECT_EQ(beyond.below(2), Address(kLast));
  EXPECT_EQ((Address(kLast) + kLast).below(kLast), Address(kLast));
}

// "Where no sum leads back from."
TEST(Address, SumsStayAtTheLimit) {
  Address far = Address::beyond();
  EXPECT_EQ(far + 1, far);
  EXPECT_EQ(far + kLast, far);
  EXPECT_EQ(far.alignedTo(uint64_t(1) << 63), far);
  EXPECT_TRUE(far.isBeyond());
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

// "The distance up from `start`; what does not exist is nothing."
TEST(Address, From) {
  EXPECT_EQ(Address(7).from(3), 4u);
  EXPECT_EQ(Address(7).from(7), 0u);
  EXPECT_EQ(Address(7).from(8), std::nullopt);
  EXPECT_EQ(Address::end().from(1), kLast);
  EXPECT_EQ(Address::end().from(0), std::nullopt) << "2^64 is no uint64_t";
  EXPECT_EQ(Address::end().from(Address::end()), 0u);
}

// "That distance, at most the largest number; 0 for a place below `start`."
TEST(Address, SizeFrom) {
  EXPECT_EQ(Address(7).sizeFrom(3), 4u);
  EXPECT_EQ(Address(7).sizeFrom(8), 0u);
  EXPECT_EQ(Address::end().sizeFrom(1), kLast);
  EXPECT_EQ(Address::end().sizeFrom(0), kLast);
  EXPECT_EQ(Address::beyond().sizeFrom(Address::end()), kLast);
}

TEST(Address, Below) {
  EXPECT_EQ(Address(7).below(7), Address(0));
  EXPECT_EQ(Address(7).below(8), std::nullopt);
  EXPECT_EQ(Address::end().below(1), Address(kLast));
}

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
}

// Sums are known while a program is compiled, too.
static_assert(Address(kLast) + 1 == Address::end());
static_assert(Address(5).alignedTo(4) == Address(8));

} // namespace
