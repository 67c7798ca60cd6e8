//===- ByteOrderTest.cpp - numbers and records in both byte orders --------===//
#include "base/ByteOrder.h"
#include <gtest/gtest.h>
#include <vector>

using namespace llvm;

namespace xlink {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(ByteOrder, Numbers) {
  const uint8_t bytes[] = {0x81, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(read16(bytes, false), 0x0281u);
  EXPECT_EQ(read16(bytes, true), 0x8102u);
  EXPECT_EQ(read32(bytes, false), 0x04030281u);
  EXPECT_EQ(read32(bytes, true), 0x81020304u);
  EXPECT_EQ(read64(bytes, false), 0x0807060504030281u);
  EXPECT_EQ(read64(bytes, true), 0x8102030405060708u);
  Bytes to(4);
  write32(to.data(), 0x11223344, false);
  EXPECT_EQ(to, Bytes({0x44, 0x33, 0x22, 0x11}));
  write32(to.data(), 0x11223344, true);
  EXPECT_EQ(to, Bytes({0x11, 0x22, 0x33, 0x44}));
}

// The lowest bytes count, in any number of them.
TEST(ByteOrder, AsManyBytesAsThereIsRoomFor) {
  for (size_t size : {0, 1, 2, 3, 4, 8}) {
    Bytes little(size), big(size);
    writeNumber(0x1122334455667788, little, false);
    writeNumber(0x1122334455667788, big, true);
    for (size_t i = 0; i < size; ++i) {
      EXPECT_EQ(little[i], 0x88 - 0x11 * i);
      EXPECT_EQ(big[size - 1 - i], 0x88 - 0x11 * i);
    }
  }
}

// What a writer wrote is what a reader reads, in records of all four kinds.
TEST(ByteOrder, Records) {
  for (bool is64 : {false, true})
    for (bool isBig : {false, true}) {
      Bytes bytes(24);
      RecordWriter to(bytes.data(), is64, isBig);
      to.byte(0x99);
      to.half(0x1234);
      to.number(0xfedcba98);
      to.word(0xffffffff80000001);
      to.word(7);
      const Bytes begin = {0x99, 0x12, 0x34, 0xfe, 0xdc, 0xba, 0x98};
      if (isBig)
        EXPECT_TRUE(std::equal(begin.begin(), begin.end(), bytes.begin()));
      EXPECT_EQ(bytes[is64 ? 23 : 15], 0); // no more than its size
      RecordReader from(bytes.data(), is64, isBig);
      EXPECT_EQ(from.byte(), 0x99);
      EXPECT_EQ(from.half(), 0x1234);
      EXPECT_EQ(from.number(), 0xfedcba98);
      EXPECT_EQ(from.signedWord(), -0x7fffffff);
      EXPECT_EQ(from.word(), 7u);
    }
}

} // namespace
} // namespace xlink
