//===- MapComparisonTest.cpp - what changed between two maps --------------===//
#include "map/MapComparison.h"
#include "map/Pairs.h"
#include "support/HandMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

const ComparisonNames kNames{"old.json", "new.json"};

/// A program before and after: a function has grown, one shrunk, one gone, one
/// new, one moved; a library is in another directory; a region has another
/// length.
HandMap older() {
  HandMap made("old.elf");
  made.region("rom", 0x1000, 0x1000, 0x8c).region("ram", 0x8000, 0x100, 0x20);
  made.file("build-1/a.o").file("build-1/lib.a(m.o)").file("gone.o");
  made.output(".text", "AX", 0x1000, 0);
  made.part("build-1/a.o", ".text", 0x40)
      .symbol("_start", 0x10)
      .symbol("_Z5growsi", 0x20)
      .symbol("~local", 8)
      .symbol("shrinks", 8)
      .padding(4);
  made.part("build-1/lib.a(m.o)", ".text", 0x40).symbol("moves", 0x40);
  made.part("gone.o", ".text", 8).symbol("vanishes", 8);
  made.output(".bss", "WAN", 0x8000, 1);
  made.part("build-1/a.o", ".bss", 0x20)
      .symbol("buffer", 0x20, MapSymbol::Object);
  made.output(".debug_info", "", 0).part("build-1/a.o", ".debug_info", 99);
  return made;
}

HandMap newer() {
  HandMap made("new.elf");
  made.region("rom", 0x1000, 0x800, 0xa4).region("ram", 0x8000, 0x100, 0x20);
  made.file("build-2/a.o").file("build-2/lib.a(m.o)").file("new|`file.o");
  made.output(".text", "AX", 0x1000, 0);
  made.part("build-2/a.o", ".text", 0x4a)
      .symbol("_start", 0x10)
      .symbol("_Z5growsi", 0x2c)
      .symbol("~local", 8)
      .symbol("shrinks", 6)
      .padding(2);
  made.part("build-2/lib.a(m.o)", ".text", 0x40).symbol("moves", 0x40);
  made.part("new|`file.o", ".text", 0x18).symbol("appears", 0x18);
  made.output(".bss", "WAN", 0x8000, 1);
  made.part("build-2/a.o", ".bss", 0x20)
      .symbol("buffer", 0x20, MapSymbol::Object);
  made.output(".debug_info", "", 0).part("build-2/a.o", ".debug_info", 999);
  return made;
}

TEST(MapComparison, Text) {
  const HandMap before = older(), after = newer();
  EXPECT_EQ(
      comparisonText(compareMaps(before.map, after.map), kNames),
      R"(Sizes in bytes, from old.json (old.elf, nyuzi) to new.json (new.elf, nyuzi)

      Change         Old         New  Memory
         +24         140         164  code
           0           0           0  data with initial values
           0          32          32  data without
         +24         172         196  all, +14.0 %

      Change         Old         New        Free  Memory region
         +24         140         164        1884  rom, length 4096 -> 2048
           0          32          32         224  ram

      Change         Old         New  Output section
         +24         140         164  .text

      Change         Old         New  Object
         +24           -          24  new|`file.o
         +10          96         106  build-2/a.o
          -8           8           -  gone.o
          -2           4           2  (padding)

      Change         Old         New  Function or variable
         +24           -          24  appears in new|`file.o
         +12          32          44  grows(int) in build-2/a.o
          -8           8           -  vanishes in gone.o
          -2           8           6  shrinks in build-2/a.o

Functions and variables: 1 grew by 12 bytes, 1 shrank by 2 bytes, 1 appeared with 24 bytes, 1 vanished with 8 bytes, 2 only moved

moved by +0xc: 1 symbol in .text, local
moved by +0x8: 1 symbol in .text, moves
)");
}

TEST(MapComparison, Markdown) {
  const HandMap before = older(), after = newer();
  EXPECT_EQ(
      comparisonText(compareMaps(before.map, after.map), kNames,
                     /*markdown=*/true),
      R"(**Size: +24 bytes** (172 -> 196, +14.0 %); functions and variables: 1 grew by 12 bytes, 1 shrank by 2 bytes, 1 appeared with 24 bytes, 1 vanished with 8 bytes, 2 only moved

| Region | Old | New | Change | Free |
|---|---:|---:|---:|---:|
| `rom`, length 4096 -> 2048 | 140 | 164 | +24 | 1884 |
| `ram` | 32 | 32 | 0 | 224 |

<details><summary>Sections, objects, functions and variables</summary>

| Output section | Old | New | Change |
|---|---:|---:|---:|
| `.text` | 140 | 164 | +24 |

| Object | Old | New | Change |
|---|---:|---:|---:|
| `` new\|`file.o `` | - | 24 | +24 |
| `build-2/a.o` | 96 | 106 | +10 |
| `gone.o` | 8 | - | -8 |
| (padding) | 4 | 2 | -2 |

| Grew or shrank | Old | New | Change |
|---|---:|---:|---:|
| `grows(int)` in `build-2/a.o` | 32 | 44 | +12 |
| `shrinks` in `build-2/a.o` | 8 | 6 | -2 |

| New | Old | New | Change |
|---|---:|---:|---:|
| `appears` in `` new\|`file.o `` | - | 24 | +24 |

| Gone | Old | New | Change |
|---|---:|---:|---:|
| `vanishes` in `gone.o` | 8 | - | -8 |

</details>
)");
}

constexpr const char *kJson = R"json({
  "archives": [],
  "equal": false,
  "format": "xlink map comparison",
  "memory": {
    "code": {
      "change": 24,
      "new": 164,
      "old": 140
    },
    "data": {
      "change": 0,
      "new": 0,
      "old": 0
    },
    "total": {
      "change": 24,
      "new": 196,
      "old": 172
    },
    "zero": {
      "change": 0,
      "new": 32,
      "old": 32
    }
  },
  "moved": [
    {
      "file": "build-2/a.o",
      "name": "local",
      "newAddress": "0x103c",
      "oldAddress": "0x1030",
      "oldFile": "build-1/a.o",
      "size": 8
    },
    {
      "file": "build-2/lib.a(m.o)",
      "name": "moves",
      "newAddress": "0x104c",
      "oldAddress": "0x1044",
      "oldFile": "build-1/lib.a(m.o)",
      "size": 64
    }
  ],
  "new": {
    "file": "new.json",
    "machine": "nyuzi",
    "output": "new.elf"
  },
  "objects": [
    {
      "change": 24,
      "name": "new|`file.o",
      "new": 24,
      "old": null
    },
    {
      "change": 10,
      "name": "build-2/a.o",
      "new": 106,
      "old": 96
    },
    {
      "change": -8,
      "name": "gone.o",
      "new": null,
      "old": 8
    },
    {
      "change": -2,
      "kind": "padding",
      "new": 2,
      "old": 4
    }
  ],
  "old": {
    "file": "old.json",
    "machine": "nyuzi",
    "output": "old.elf"
  },
  "outputs": [
    {
      "change": 24,
      "name": ".text",
      "new": 164,
      "old": 140
    }
  ],
  "regions": [
    {
      "change": 24,
      "name": "rom",
      "new": 164,
      "newLength": 2048,
      "old": 140,
      "oldLength": 4096
    },
    {
      "change": 0,
      "name": "ram",
      "new": 32,
      "newLength": 256,
      "old": 32,
      "oldLength": 256
    }
  ],
  "symbols": [
    {
      "change": 24,
      "file": "new|`file.o",
      "name": "appears",
      "new": 24,
      "old": null
    },
    {
      "change": 12,
      "file": "build-2/a.o",
      "name": "_Z5growsi",
      "new": 44,
      "old": 32,
      "oldFile": "build-1/a.o"
    },
    {
      "change": -8,
      "file": "gone.o",
      "name": "vanishes",
      "new": null,
      "old": 8
    },
    {
      "change": -2,
      "file": "build-2/a.o",
      "name": "shrinks",
      "new": 6,
      "old": 8,
      "oldFile": "build-1/a.o"
    }
  ],
  "unnamed": [],
  "version": 1
})json";

json::Value parsed(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  EXPECT_TRUE(bool(value)) << toString(value.takeError());
  return value ? std::move(*value) : json::Value(nullptr);
}

TEST(MapComparison, Json) {
  const HandMap before = older(), after = newer();
  const json::Value made =
      parsed(comparisonJson(compareMaps(before.map, after.map), kNames));
  EXPECT_EQ(formatv("{0:2}", made).str(), kJson);
}

TEST(MapComparison, NamesAsInTheFile) {
  const HandMap before = older(), after = newer();
  const MapComparison made = compareMaps(before.map, after.map);
  const ComparisonNames names{"a", "b", /*demangle=*/false};
  for (const std::string &text :
       {comparisonText(made, names),
        comparisonText(made, names, /*markdown=*/true)}) {
    EXPECT_NE(text.find("_Z5growsi"), std::string::npos);
    EXPECT_EQ(text.find("grows(int)"), std::string::npos);
  }
}

TEST(MapComparison, NoDifference) {
  const HandMap before = older(), after = older();
  const MapComparison same = compareMaps(before.map, after.map);
  EXPECT_TRUE(same.equal());
  EXPECT_EQ(comparisonText(same, {"a", "b"}),
            "Sizes in bytes, from a (old.elf, nyuzi) to b (old.elf, nyuzi)\n"
            "no difference\n");
  EXPECT_EQ(comparisonText(same, {"a", "b"}, /*markdown=*/true),
            "**Size: no difference** (172 bytes)\n");
  EXPECT_EQ(
      *parsed(comparisonJson(same, {"a", "b"})).getAsObject()->get("equal"),
      json::Value(true));
}

TEST(MapComparison, EmptyMaps) {
  const LinkMap nothing;
  const HandMap something = older();
  EXPECT_TRUE(compareMaps(nothing, nothing).equal());
  const MapComparison made = compareMaps(nothing, something.map);
  EXPECT_EQ(made.total.change(), 172);
  EXPECT_EQ(made.regions.size(), 2u);
  EXPECT_EQ(made.symbols.size(), 7u);
  EXPECT_EQ(compareMaps(something.map, nothing).total.change(), -172);
  EXPECT_FALSE(compareMaps(something.map, nothing).equal());
}

/// Names and sizes of what changed, "f 1->2", and of what moved.
std::string changes(const HandMap &before, const HandMap &after) {
  const MapComparison made = compareMaps(before.map, after.map);
  std::string text;
  auto size = [](std::optional<uint64_t> s) {
    return s ? std::to_string(*s) : "-";
  };
  for (const SizeChange &c : made.symbols)
    text += (text.empty() ? "" : ", ") + c.name + " " + size(c.before) + "->" +
            size(c.after);
  text += text.empty() ? "|" : " |";
  for (const SizeChange &c : made.moved)
    text += " " + c.name;
  return text;
}

// Several local symbols of a file have one name: those of one size are the
// same ones, whichever stands in front.
TEST(MapComparison, LocalDuplicates) {
  HandMap before, after;
  before.file("a.o").file("b.o").output(".text", "AX", 0);
  after.file("a.o").file("b.o").output(".text", "AX", 0);
  before.part("a.o", ".text", 100).symbol("~tmp", 4).symbol("~tmp", 8);
  before.part("b.o", ".text", 100).symbol("~tmp", 16);
  after.part("a.o", ".text", 100).symbol("~tmp", 12).symbol("~tmp", 4);
  after.symbol("~tmp", 8);
  after.part("b.o", ".text", 100).symbol("~tmp", 20);
  EXPECT_EQ(changes(before, after), "tmp -->12, tmp 16->20 | tmp tmp");
}

// A compiler counts the local variables of functions; a global function is
// the same one in whatever file it is.
TEST(MapComparison, NamesAndFilesThatChange) {
  HandMap before, after;
  before.file("a.o").file("b.o").output(".bss", "WAN", 0);
  after.file("a.o").file("b.o").output(".bss", "WAN", 0);
  before.part("a.o", ".bss", 8).symbol("~count.12", 4).symbol("~x.1", 4);
  before.symbol("global", 9).symbol("~local", 5).symbol("label", 0);
  after.part("b.o", ".bss", 8).symbol("global", 9).symbol("~local", 5);
  after.part("a.o", ".bss", 8).symbol("~y.1", 4).symbol("~count.13", 4);
  after.symbol("other label", 0);
  EXPECT_EQ(changes(before, after),
            "local 5->-, local -->5, x.1 4->-, y.1 -->4 | count.13 global");
}

TEST(MapComparison, Paths) {
  auto match = [](std::vector<std::string> before,
                  std::vector<std::string> after) {
    std::string text;
    for (uint32_t i : matchPaths(before, after))
      text += i == LinkMap::kNoIndex ? "-" : std::to_string(i);
    return text;
  };
  EXPECT_EQ(match({"a.o", "b.o"}, {"b.o", "a.o"}), "10");
  EXPECT_EQ(match({"x/a.o", "x/b.o"}, {"y/b.o", "y/a.o"}), "10");
  // The longest common end counts.
  EXPECT_EQ(match({"x/p/a.o", "x/q/a.o"}, {"y/q/a.o", "y/p/a.o"}), "10");
  // Which is which nobody knows, unless there are as many.
  EXPECT_EQ(match({"x/a.o"}, {"p/a.o", "q/a.o"}), "-");
  EXPECT_EQ(match({"x/a.o", "y/a.o"}, {"p/a.o", "q/a.o"}), "01");
  // What is called the same is the same, several times too.
  EXPECT_EQ(match({"l.a(m.o)", "l.a(m.o)"}, {"l.a(m.o)"}), "0-");
  EXPECT_EQ(match({"x/l.a(m.o)", "x/k.a(m.o)"}, {"k.a(m.o)", "l.a(m.o)"}),
            "10");
  EXPECT_EQ(match({"a.o", "", "/"}, {"ba.o", "", "x/"}), "-1-");
}

TEST(MapComparison, OutputsOfOneName) {
  HandMap before, after;
  before.file("a.o").output(".t", "A", 0).part("a.o", ".t", 4);
  after.file("a.o").output(".t", "A", 0).part("a.o", ".t", 4);
  after.output(".t", "A", 4).part("a.o", ".t", 6);
  after.output(".u", "A", 10).part("a.o", ".u", 1);
  const MapComparison made = compareMaps(before.map, after.map);
  ASSERT_EQ(made.outputs.size(), 2u);
  EXPECT_EQ(made.outputs[0].name, ".t");
  EXPECT_EQ(made.outputs[0].change(), 6);
  EXPECT_EQ(made.outputs[1].name, ".u");
}

/// The text of a comparison from a line that begins so on.
std::string textFrom(StringRef line, const HandMap &before,
                     const HandMap &after) {
  const std::string text =
      comparisonText(compareMaps(before.map, after.map), kNames);
  const size_t at = text.find("\n" + line.str());
  return at == std::string::npos ? text : text.substr(at + 1);
}

// Together what moved together, those of most symbols first.
TEST(MapComparison, Moves) {
  HandMap before, after;
  before.file("a.o").output(".text", "AX", 0x100).part("a.o", ".text", 0x80);
  after.file("a.o").output(".text", "AX", 0x100).part("a.o", ".text", 0x80);
  before.symbol("first", 0x10).symbol("_Z1fv", 8).symbol("g", 8);
  after.symbol("_Z1fv", 8).symbol("g", 8).symbol("first", 0x10);
  before.output(".data", "AW", 0x200).part("a.o", ".data", 8).symbol("d", 8);
  after.output(".data", "AW", 0x1f0).part("a.o", ".data", 8).symbol("d", 8);
  EXPECT_EQ(textFrom("moved", before, after),
            "moved by -0x10: 2 symbols in .text, f() to g\n"
            "moved by +0x10: 1 symbol in .text, first\n"
            "moved by -0x10: 1 symbol in .data, d\n");
}

TEST(MapComparison, ManyMoves) {
  HandMap before, after;
  before.file("a.o").output(".text", "AX", 0);
  after.file("a.o").output(".text", "AX", 0);
  for (int i = 0; i < 30; ++i) {
    before.part("a.o", ".text", 8).symbol("f" + std::to_string(i), 8);
    after.part("a.o", ".text", 12).symbol("f" + std::to_string(i), 8);
  }
  EXPECT_EQ(textFrom("moved by 9", before, after),
            "moved by 9 other distances: 9 symbols\n");
}

// Room for stacks is no padding, which somebody could save.
TEST(MapComparison, RoomThatIsSetAside) {
  auto made = [](uint64_t stack) {
    HandMap made;
    made.region("ram", 0x8000, 0x100, 0x18 + stack).file("a.o");
    made.output(".bss", "WAN", 0x8000, 0).part("a.o", ".bss", 0x10).padding(8);
    made.output(".stack", "WAN", 0x8018, 0).padding(stack);
    made.map.regions[0].reservations.push_back(
        {MapReservation::Stack, ".stack", 0x8018, stack});
    return made;
  };
  const HandMap before = made(0x20), after = made(0x48);
  EXPECT_EQ(
      textFrom("      Change         Old         New  Object", before, after),
      "      Change         Old         New  Object\n"
      "         +40          32          72  (room set aside)\n");
  const MapComparison comparison = compareMaps(before.map, after.map);
  const json::Value value = parsed(comparisonJson(comparison, kNames));
  EXPECT_EQ(
      *value.getAsObject()->getArray("objects"),
      (json::Array{json::Object{
          {"kind", "reserved"}, {"old", 32}, {"new", 72}, {"change", 40}}}));
}

// The page links to files and symbols, of which several may have one name.
TEST(MapComparison, NumbersForThePage) {
  HandMap before, after;
  before.file("x/a.o").output(".text", "AX", 0).part("x/a.o", ".text", 0x80);
  after.file("b.o").file("y/a.o").output(".text", "AX", 0);
  before.symbol("~f", 8).symbol("~f", 16).symbol("gone", 4);
  after.part("y/a.o", ".text", 0x40).symbol("~f", 8).symbol("~f", 20);
  const std::string text = comparisonOfPage(compareMaps(before.map, after.map));
  const json::Value value = parsed(text);
  const json::Object &page = *value.getAsObject();
  EXPECT_EQ(text.find("moved"), std::string::npos);
  EXPECT_EQ(*page.getArray("objects"),
            (json::Array{json::Object{{"name", "y/a.o"},
                                      {"number", 1},
                                      {"old", 128},
                                      {"new", 64},
                                      {"change", -64}}}));
  const json::Array &symbols = *page.getArray("symbols");
  ASSERT_EQ(symbols.size(), 2u);
  EXPECT_EQ(symbols[0].getAsObject()->getInteger("number"), 1);
  EXPECT_EQ(symbols[1].getAsObject()->getString("name"), "gone");
  EXPECT_FALSE(symbols[1].getAsObject()->getInteger("number"));
}

// A table for people has some rows and a sum of the others.
TEST(MapComparison, ManyRows) {
  HandMap before, after;
  after.file("a.o").output(".text", "AX", 0).part("a.o", ".text", 10000);
  for (int i = 1; i <= 30; ++i)
    after.symbol("f" + std::to_string(i), i);
  const std::string text =
      comparisonText(compareMaps(before.map, after.map), kNames);
  EXPECT_NE(text.find("         +11           -          11  f11 in a.o\n"
                      "         +55                          in 10 others\n"),
            std::string::npos)
      << text;
  const std::string markdown = comparisonText(
      compareMaps(before.map, after.map), kNames, /*markdown=*/true);
  EXPECT_NE(markdown.find("| 10 others | | | +55 |\n"), std::string::npos);
}

TEST(MapComparison, HugeSizes) {
  HandMap before, after;
  before.file("a.o").output(".a", "A", 0).part("a.o", ".a", UINT64_MAX);
  before.output(".b", "A", 0).part("a.o", ".b", UINT64_MAX);
  after.file("a.o");
  const MapComparison made = compareMaps(before.map, after.map);
  EXPECT_EQ(made.total.before, UINT64_MAX);
  EXPECT_EQ(made.total.change(), -INT64_MAX);
  EXPECT_EQ(difference(0, UINT64_MAX), INT64_MAX);
  EXPECT_EQ(saturatingSum(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(saturatingSum(-INT64_MAX, -INT64_MAX), -INT64_MAX);
  // Sizes that objects make up.
  for (int i = 0; i < 30; ++i)
    before.symbol("f" + std::to_string(i), UINT64_MAX, MapSymbol::Object);
  const std::string text =
      comparisonText(compareMaps(before.map, after.map), kNames);
  EXPECT_NE(text.find("-9223372036854775807                          in 10 "
                      "others\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("30 vanished with 18446744073709551615 bytes"),
            std::string::npos);
}

} // namespace
} // namespace xlink::test
