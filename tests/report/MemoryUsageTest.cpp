//===- MemoryUsageTest.cpp - --print-memory-usage on values ---------------===//
#include "map/LinkMap.h"
#include "report/Reports.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace llvm;
using namespace xlink;

namespace {

/// The details of a map, as text or as JSON.
std::string details(const LinkMap &map, bool asJson = false) {
  std::string text, json;
  raw_string_ostream textOut(text), jsonOut(json);
  json::OStream out(jsonOut);
  writeMemoryDetails(textOut, out, map);
  return asJson ? json : text;
}

/// The row of a region of such a length that is used so far.
std::string row(uint64_t used, uint64_t length) {
  LinkMap map;
  map.regions.push_back({"ram", 0x1000, length, used, 0, false, {}});
  const std::string text = memoryUsageText(map);
  return text.substr(text.find('\n') + 1);
}

// "In the largest unit that divides it, 0 included."
TEST(MemoryUsage, Units) {
  EXPECT_THAT(row(1024, 2048), testing::HasSubstr("1 KB         2 KB"));
  EXPECT_THAT(row(1025, 2048), testing::HasSubstr("1025 B         2 KB"));
  EXPECT_THAT(row(3 << 20, 1 << 30), testing::HasSubstr("3 MB         1 GB"));
  EXPECT_THAT(row(0, 1024), testing::HasSubstr("0 B         1 KB"));
  EXPECT_THAT(row(0, 1024), testing::EndsWith("  0.00%"));
  EXPECT_THAT(row(0, uint64_t(1) << 63), testing::HasSubstr("8589934592 GB"));
  EXPECT_THAT(row(UINT64_MAX, UINT64_MAX),
              testing::HasSubstr("18446744073709551615 B"));
}

TEST(MemoryUsage, Header) {
  EXPECT_EQ(memoryUsageText({}),
            "Memory region         Used Size  Region Size  %age Used");
  EXPECT_EQ(details({}), "");
}

/// A region of 1000 bytes with an output section of 300, of which 44 are
/// padding, and one of 100 that is loaded there and runs in another region.
LinkMap twoRegions() {
  LinkMap map;
  map.regions.push_back({"rom", 0x1000, 1000, 400, 100, false, {}});
  map.regions.push_back({"ram",
                         0x8000,
                         0,
                         100,
                         0,
                         true,
                         {{MapReservation::Stack, ".stack", 0x8100, 2048}}});
  for (const char *name : {"a.o", "b.o", "c.o", "d.o", "e.o", "f.o"}) {
    map.files.emplace_back().path = name;
    map.parts.emplace_back().file = uint32_t(map.files.size() - 1);
    map.parts.back().size = 16 << (map.files.size() == 2 ? 4 : 0);
  }
  map.parts[5].size = 4;
  map.parts.emplace_back().size = 44;
  map.parts.back().kind = MapPart::Padding;
  map.parts.emplace_back().size = 100;
  map.parts.back().kind = MapPart::Data;
  map.parts.back().output = 1;
  MapOutput text{.name = ".text", .address = 0x1000, .loadAddress = 0x1000};
  text.size = 368;
  text.flags = 6;
  text.region = 0;
  text.parts = 7;
  map.outputs.push_back(text);
  MapOutput data{.name = ".data", .address = 0x8000, .loadAddress = 0x1170};
  data.size = 100;
  data.flags = 3;
  data.region = 1;
  data.loadRegion = 0;
  data.firstPart = 7;
  data.parts = 1;
  map.outputs.push_back(data);
  return map;
}

TEST(MemoryUsage, Details) {
  EXPECT_EQ(details(twoRegions()),
            "\n\nrom, 0x1000 to 0x13e7\n"
            "  free                  600 B    60.00%\n"
            "  loaded only           100 B    10.00%\n"
            "  padding                44 B     4.40%\n"
            "  largest               256 B    25.60%  b.o\n"
            "                        100 B    10.00%  the script's data\n"
            "                         16 B     1.60%  a.o\n"
            "                         16 B     1.60%  c.o\n"
            "                         16 B     1.60%  d.o\n"
            "                         20 B     2.00%  2 more\n"
            "\nram, 0x8000 to 0x8000, the machine's\n"
            "  too much              100 B\n"
            "  stack                  2 KB  .stack at 0x8100\n"
            "  largest               100 B  the script's data");
}

/// Room in front of, between and behind sections counts as used: the lines of
/// a block sum to that.
TEST(MemoryUsage, Gaps) {
  LinkMap map = twoRegions();
  map.regions[0].used = 600;
  map.outputs[0].address = 0x1010;     // 16 in front
  map.outputs[1].loadAddress = 0x1190; // 16 between, 100 behind
  EXPECT_THAT(details(map),
              testing::HasSubstr("  padding               176 B    17.60%\n"));
}

/// A stack with a symbol in a section, and a heap that takes the rest: each
/// byte is in one line.
TEST(MemoryUsage, EachByteOnce) {
  LinkMap map = twoRegions();
  map.regions[0].used = 468;
  map.regions[0].reservations = {
      {MapReservation::Stack, ".stack", 0x1070, 256}, // b.o has it
      {MapReservation::Heap, "heap", 0x11d4, 500}};
  uint64_t at = 0x1000;
  for (size_t i : {0, 2, 3, 4, 5, 6, 1}) {
    map.parts[i].address = at;
    at += map.parts[i].size;
  }
  EXPECT_THAT(details(map),
              testing::StartsWith(
                  "\n\nrom, 0x1000 to 0x13e7\n"
                  "  free                   32 B     3.20%\n"
                  "  loaded only           100 B    10.00%\n"
                  "  stack                 256 B    25.60%  .stack at 0x1070\n"
                  "  heap                  500 B    50.00%  heap at 0x11d4\n"
                  "  padding                44 B     4.40%\n"
                  "  largest               100 B    10.00%  the script's data\n"
                  "                         16 B     1.60%  a.o\n"
                  "                         16 B     1.60%  c.o\n"
                  "                         16 B     1.60%  d.o\n"
                  "                         16 B     1.60%  e.o\n"
                  "                          4 B     0.40%  1 more\n"));
}

TEST(MemoryUsage, Json) {
  LinkMap map;
  map.regions.push_back({"ram",
                         0x8000,
                         100,
                         150,
                         0,
                         true,
                         {{MapReservation::Heap, "heap", 0x8100, 2048}}});
  EXPECT_EQ(details(map, /*asJson=*/true),
            R"({"outside":{"contributors":[],"padding":0},"regions":[)"
            R"({"builtin":true,"contributors":[],"excess":50,"free":0,)"
            R"("length":100,"loadOnly":0,"name":"ram","origin":"0x8000",)"
            R"("padding":150,"percent":150,"reservations":[)"
            R"({"address":"0x8100","kind":"heap","name":"heap","size":2048}],)"
            R"("used":150}]})");
}

} // namespace
