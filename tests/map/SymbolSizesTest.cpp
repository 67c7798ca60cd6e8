//===- SymbolSizesTest.cpp - sizes that nobody states ---------------------===//
#include "map/LinkMap.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

struct Made {
  const char *name;
  uint64_t offset, size;
  MapSymbol::Kind kind;
  bool local;
};

constexpr auto Function = MapSymbol::Function, Object = MapSymbol::Object,
               None = MapSymbol::None, Section = MapSymbol::Section;

/// "name size" of each symbol of a part of 100 bytes, "?" behind what was
/// inferred.
std::string sizesOf(std::vector<Made> made, uint64_t address = 0x1000) {
  MapPart part;
  part.address = address;
  part.size = 100;
  std::vector<MapSymbol> symbols;
  for (const Made &m : made) {
    MapSymbol &s = symbols.emplace_back();
    s.name = m.name;
    s.address = address + m.offset;
    s.size = m.size;
    s.kind = m.kind;
    s.local = m.local;
  }
  inferSizes(part, symbols);
  std::string text;
  for (const MapSymbol &s : symbols)
    text += (text.empty() ? "" : " ") + s.name.str() + " " +
            std::to_string(s.size) + (s.inferred ? "?" : "");
  return text;
}

TEST(SymbolSizes, UpToWhatBeginsNext) {
  EXPECT_EQ(
      sizesOf({{"f", 0, 0, Function, false}, {"g", 40, 0, Function, true}}),
      "f 40? g 60?");
  EXPECT_EQ(
      sizesOf({{"f", 8, 0, Function, false}, {"x", 12, 4, Object, false}}),
      "f 4? x 4");
  EXPECT_EQ(
      sizesOf({{"_start", 0, 0, None, false}, {"main", 4, 0, None, false}}),
      "_start 4? main 96?");
}

// Labels inside of a function are no functions.
TEST(SymbolSizes, LabelsBeginNothing) {
  EXPECT_EQ(sizesOf({{"f", 0, 0, Function, false},
                     {".Ltmp", 4, 0, None, true},
                     {"loop", 8, 0, None, true},
                     {"$d", 12, 0, None, true},
                     {"g", 20, 0, Function, false}}),
            "f 20? .Ltmp 0 loop 0 $d 0 g 80?");
  // Where there is nothing else, people's labels do.
  EXPECT_EQ(sizesOf({{".text", 0, 0, Section, true},
                     {"first", 0, 0, None, true},
                     {".L1", 4, 0, None, true},
                     {"second", 8, 0, None, true}}),
            ".text 0 first 8? .L1 0 second 92?");
}

// A global label in what a function states to be its own is an entry into it.
TEST(SymbolSizes, InsideOfStatedSizes) {
  EXPECT_EQ(sizesOf({{"f", 0, 50, Function, false},
                     {"entry", 8, 0, None, false},
                     {"g", 60, 0, Function, false}}),
            "f 50 entry 0 g 40?");
  EXPECT_EQ(sizesOf({{"f", 0, ~0ull, Function, false},
                     {"g", 60, 0, Function, false}}),
            "f 18446744073709551615 g 0");
}

TEST(SymbolSizes, SeveralNamesOfOnePlace) {
  EXPECT_EQ(sizesOf({{"a", 0, 0, Function, false},
                     {"b", 0, 0, Function, false},
                     {"c", 10, 0, Function, false},
                     {"d", 10, 0, None, true}}),
            "a 10? b 10? c 90? d 0");
  EXPECT_EQ(sizesOf({{"end", 100, 0, None, false}}), "end 0");
  EXPECT_EQ(sizesOf({{"f", 0, 0, Function, false}}, ~0ull - 99), "f 100?");
}

} // namespace
} // namespace xlink::test
