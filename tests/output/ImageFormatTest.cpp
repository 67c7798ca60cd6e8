//===- ImageFormatTest.cpp - images as text -------------------------------===//
//
// What is expected is what GNU objcopy 2.44 writes from an ELF file with the
// same bytes at the same addresses, unless a test says otherwise.
//
//===----------------------------------------------------------------------===//
#include "output/Images.h"
#include <gtest/gtest.h>
#include <string>

using namespace llvm;

namespace xlink::test {
namespace {

/// Blocks of bytes by address, in a format; lines end in '\n' alone.
struct Sample {
  struct Block {
    uint64_t address;
    std::vector<uint8_t> bytes;
  };
  std::vector<Block> blocks;
  uint64_t entry = 0;
  std::string name = "o.srec";

  std::string as(OutputFormat format) const {
    Image image;
    image.name = name;
    image.entry = entry;
    for (const Block &block : blocks)
      image.blocks.push_back({block.address, block.bytes});
    if (!blocks.empty())
      image.begin = blocks.front().address;
    std::string text, lines;
    for (uint8_t byte : findImageFormat(format)->write(image))
      text += char(byte);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\r') {
        EXPECT_EQ(text.substr(i, 2), "\r\n");
      } else {
        lines += text[i];
      }
    return lines;
  }
};

std::vector<uint8_t> counting(uint8_t count) {
  std::vector<uint8_t> bytes;
  for (uint8_t i = 1; i <= count; ++i)
    bytes.push_back(i);
  return bytes;
}

Sample farSample() {
  return {{{0x1000, counting(19)},
           {0x1020, {0xaa, 0xbb, 0xcc}},
           {0xfffe8, std::vector<uint8_t>(40, 0x55)},
           {0x12345678, {0xee}}},
          0x1000};
}

TEST(IntelHex, SegmentsThenLinearAddresses) {
  EXPECT_EQ(farSample().as(OutputFormat::IntelHex),
            ":101000000102030405060708090A0B0C0D0E0F1058\n"
            ":03101000111213A7\n"
            ":03102000AABBCC9C\n"
            ":02000002F0000C\n"
            ":10FFE80055555555555555555555555555555555B9\n"
            ":08FFF800555555555555555559\n"
            ":020000020000FC\n"
            ":020000040010EA\n"
            ":1000000055555555555555555555555555555555A0\n"
            ":020000041234B4\n"
            ":01567800EE43\n"
            ":0400000300001000E9\n"
            ":00000001FF\n");
}

// A line does not go over a multiple of 64 KiB.
TEST(IntelHex, LinesInsideOfSegments) {
  Sample s{{{0x2fffe, std::vector<uint8_t>(40, 0x55)}, {0x34567, {0xee}}},
           0x34561};
  EXPECT_EQ(s.as(OutputFormat::IntelHex),
            ":020000022000DC\n"
            ":02FFFE00555557\n"
            ":020000023000CC\n"
            ":1000000055555555555555555555555555555555A0\n"
            ":100010005555555555555555555555555555555590\n"
            ":06002000555555555555DC\n"
            ":01456700EE65\n"
            ":040000033000456123\n"
            ":00000001FF\n");
}

TEST(IntelHex, StartOfThirtyTwoBits) {
  Sample s{{{0x3456, {0xee}}}, 0x1234561};
  EXPECT_EQ(s.as(OutputFormat::IntelHex), ":01345600EE87\n"
                                          ":04000005012345612D\n"
                                          ":00000001FF\n");
}

TEST(IntelHex, UpToTheLastAddress) {
  Sample s{{{0xfffffffc, {1, 2, 3, 4}}}};
  EXPECT_EQ(s.as(OutputFormat::IntelHex), ":02000004FFFFFC\n"
                                          ":04FFFC0001020304F7\n"
                                          ":00000001FF\n");
}

TEST(SRecords, OfThirtyTwoBits) {
  EXPECT_EQ(farSample().as(OutputFormat::SRecord),
            "S00900006F2E73726563AC\n"
            "S315000010000102030405060708090A0B0C0D0E0F1052\n"
            "S30800001010111213A1\n"
            "S30800001020AABBCC96\n"
            "S315000FFFE855555555555555555555555555555555A4\n"
            "S315000FFFF85555555555555555555555555555555594\n"
            "S30D00100008555555555555555532\n"
            "S30612345678EEF7\n"
            "S70500001000EA\n");
}

// One type for the whole file.
TEST(SRecords, OfTwentyFourBits) {
  Sample s{{{0x1010, {0x11, 0x12, 0x13}}, {0x34567, {0xee}}}, 0x34561};
  EXPECT_EQ(s.as(OutputFormat::SRecord), "S00900006F2E73726563AC\n"
                                         "S207001010111213A2\n"
                                         "S205034567EE5D\n"
                                         "S80403456152\n");
}

TEST(SRecords, OfSixteenBits) {
  Sample s{{{0x1000, counting(19)}, {0x3456, {0xee}}}, 0x1000};
  // The first 40 characters of the name.
  s.name = "o-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl.srec";
  EXPECT_EQ(s.as(OutputFormat::SRecord),
            "S02B00006F2D6162636465666768696A6B6C6D6E6F707172737475767778797A3"
            "0313233343536373839616249\n"
            "S11310000102030405060708090A0B0C0D0E0F1054\n"
            "S1061010111213A3\n"
            "S1043456EE83\n"
            "S9031000EC\n");
}

// objcopy writes S1 and S9, where the entry becomes 0x4561.
TEST(SRecords, TheEntryCountsToo) {
  Sample s{{{0x3456, {0xee}}}, 0x1234561};
  EXPECT_EQ(s.as(OutputFormat::SRecord), "S00900006F2E73726563AC\n"
                                         "S30600003456EE81\n"
                                         "S7050123456130\n");
}

TEST(Verilog, AddressesOfBytes) {
  EXPECT_EQ(farSample().as(OutputFormat::Verilog),
            "@00001000\n"
            "01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10\n"
            "11 12 13\n"
            "@00001020\n"
            "AA BB CC\n"
            "@000FFFE8\n"
            "55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55\n"
            "55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55\n"
            "55 55 55 55 55 55 55 55\n"
            "@12345678\n"
            "EE\n");
}

TEST(Verilog, AddressesOfSixtyFourBits) {
  Sample s{{{0xfffffff0, {1}}, {0x100001020, {0xaa}}}};
  EXPECT_EQ(s.as(OutputFormat::Verilog), "@FFFFFFF0\n01\n"
                                         "@0000000100001020\nAA\n");
}

TEST(ImageFormats, OfNothing) {
  Sample s;
  EXPECT_EQ(s.as(OutputFormat::Binary), "");
  EXPECT_EQ(s.as(OutputFormat::IntelHex), ":00000001FF\n");
  EXPECT_EQ(s.as(OutputFormat::SRecord), "S00900006F2E73726563AC\n"
                                         "S9030000FC\n");
  EXPECT_EQ(s.as(OutputFormat::Verilog), "");
}

TEST(ImageFormats, EveryFormatButElfHasARow) {
  for (const OutputFormatName &row : kOutputFormats)
    EXPECT_EQ(findImageFormat(row.format) != nullptr,
              row.format != OutputFormat::Elf)
        << row.name;
}

} // namespace
} // namespace xlink::test
