//===- SizeBudgetTest.cpp - what a program may take -----------------------===//
#include "map/SizeBudget.h"
#include "support/HandMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

std::string textOf(const Diagnostics &diag) {
  std::string all;
  for (const Diagnostic &d : diag.all())
    all += Diagnostics::format(d, /*color=*/false);
  return all;
}

/// A program of two files and a library.
HandMap program() {
  HandMap made;
  made.region("rom", 0x1000, 1000, 0x150).region("ram", 0x8000, 0x100, 0x30);
  made.file("src/main.o").file("lib/libc.a(printf.o)").file("libc.a(puts.o)");
  made.output(".text", "AX", 0x1000, 0);
  made.part("src/main.o", ".text.main", 0x40)
      .symbol("main", 0x30)
      .symbol("_Z3fooi", 0x10)
      .padding(0x10);
  made.part("lib/libc.a(printf.o)", ".text", 0x80).symbol("printf", 0x80);
  made.part("libc.a(puts.o)", ".text", 0x40).symbol("puts", 0x40);
  made.part("", ".got", 0x10);
  made.output(".data", "WA", 0x8000, 1);
  made.map.outputs.back().loadAddress = 0x1120;
  made.map.outputs.back().loadRegion = 0;
  made.part("src/main.o", ".data", 0x30)
      .symbol("buffer_a", 0x10, MapSymbol::Object)
      .symbol("buffer_b", 0x20, MapSymbol::Object);
  made.output(".debug", "", 0).part("src/main.o", ".text.debug", 5000);
  return made;
}

/// The messages of a budget over a program.
std::string checked(StringRef text, const LinkMap &map,
                    const Baseline *baseline = nullptr) {
  Diagnostics diag;
  std::optional<SizeBudget> budget = readSizeBudget("b.txt", text, diag);
  if (budget)
    reportSizeBudget(*budget, useOf(*budget, map), map, baseline, true, diag);
  return textOf(diag);
}

/// Sizes under the limits of a budget.
std::string uses(StringRef text) {
  const HandMap made = program();
  Diagnostics diag;
  std::optional<SizeBudget> budget = readSizeBudget("b.txt", text, diag);
  EXPECT_TRUE(budget) << textOf(diag);
  std::string all;
  for (const LimitUse &use : useOf(*budget, made.map))
    all += (all.empty() ? "" : " ") +
           (use.found ? std::to_string(use.used) : std::string("-")) + "/" +
           std::to_string(use.allowed);
  return all;
}

TEST(SizeBudget, Sizes) {
  EXPECT_EQ(uses("region rom 1K\nregion rom 90%\nregion ram 0x30"),
            "336/1024 336/900 48/48");
  EXPECT_EQ(uses("output .text 1M\noutput .* 10k"), "288/1048576 336/10240");
  EXPECT_EQ(uses("section .text* 1\nsection .text 1\nsection .got 1"),
            "256/1 192/1 16/1");
  EXPECT_EQ(uses("archive libc.a 1\narchive lib/libc.a 1\narchive *.a 1\n"
                 "archive main.o 1"),
            "192/1 128/1 192/1 -/1");
  EXPECT_EQ(uses("object main.o 1\nobject src/main.o 1\nobject ain.o 1\n"
                 "object libc.a(puts.o) 1\nobject *(p*.o) 1\nobject puts.o 1"),
            "112/1 112/1 -/1 64/1 192/1 -/1");
  EXPECT_EQ(uses("symbol main 1\nsymbol 'foo(int)' 1\nsymbol _Z3fooi 1\n"
                 "symbol buffer_? 1\nsymbol p* 1"),
            "48/1 16/1 16/1 48/1 192/1");
}

// What several names cover counts once.
TEST(SizeBudget, NamesForTheSameBytes) {
  HandMap made;
  made.file("a.o").output(".text", "AX", 0).part("a.o", ".text", 40);
  made.symbol("f", 16).symbol("f_alias", 16).symbol("f_tail", 20);
  made.map.symbols[1].address = 0;
  made.map.symbols[2].address = 12;
  Diagnostics diag;
  std::optional<SizeBudget> budget = readSizeBudget("b", "symbol f* 9", diag);
  EXPECT_EQ(useOf(*budget, made.map)[0].used, 32u);
  made.map.symbols[2].size = UINT64_MAX; // whatever the object says
  EXPECT_EQ(useOf(*budget, made.map)[0].used, UINT64_MAX);
}

/// Stacks are no padding, as in the other reports.
TEST(SizeBudget, RoomThatIsSetAside) {
  HandMap made;
  made.region("ram", 0x8000, 0x100, 0x60).file("a.o");
  made.output(".bss", "WAN", 0x8000, 0).part("a.o", ".bss", 0x10).padding(8);
  made.output(".stack", "WAN", 0x8018, 0).padding(0x48);
  made.map.regions[0].reservations.push_back(
      {MapReservation::Stack, ".stack", 0x8018, 0x48});
  EXPECT_EQ(checked("region ram 1", made.map),
            "xlink: error: b.txt:1: region ram takes 96 bytes, 95 more than "
            "its limit of 1\n"
            ">>> 72 bytes: room set aside\n"
            ">>> 16 bytes: a.o:(.bss)\n"
            ">>> 8 bytes: padding\n");
}

TEST(SizeBudget, Form) {
  EXPECT_EQ(uses("# all\n\n  region\trom   0x100  # why\r\n"
                 "symbol \"buf*\" 9 # 8\nsymbol '#' 7"),
            "336/256 48/9 -/7");
}

TEST(SizeBudget, FormErrors) {
  const HandMap made = program();
  const std::string sizes = " is no size: one is written like 512, 0x200, 48K "
                            "or 1M, a share of a region like 90%\n";
  auto refused = [&](StringRef line, const std::string &text) {
    EXPECT_EQ(checked(("# b\n" + line).str(), made.map),
              "xlink: error: b.txt:2: " + text);
  };
  refused("regoin rom 4K", "'regoin' is none of region, output, section, "
                           "archive, object, symbol\n");
  refused("region", "a name is missing behind 'region'\n");
  refused("region ''", "a name is missing behind 'region'\n");
  refused("symbol 'a b 12",
          "the quote in front of a b 12 has no counterpart\n");
  refused("region rom", "a size is missing behind 'rom'\n");
  refused("region rom # 4K", "a size is missing behind 'rom'\n");
  for (const char *size : {"4Q", "K", "0x", "-1", "1.5K", "4K%", "0x1%", "%",
                           "18446744073709551616", "18014398509481984K"})
    refused(std::string("region rom ") + size,
            "'" + std::string(size) + "'" + sizes);
  refused("region rom 101%", "'101%' is more than a region has\n");
  refused("object a.o 50%",
          "'50%' is a share, which only a region's limit can be\n");
  refused("region rom 4 K", "'K' follows the size\n");
  refused("section [a 4", "'[a' is no pattern: a bracket or a backslash has no "
                          "counterpart\n");
  refused(StringRef("\x1b[31m\0 x", 7), "'\\x1b[31m\\x00' is none of region, "
                                        "output, section, archive, object, "
                                        "symbol\n");
}

TEST(SizeBudget, EveryLineIsChecked) {
  EXPECT_EQ(checked("a b c\nregion rom 1\nsymbol x y", program().map),
            "xlink: error: b.txt:1: 'a' is none of region, output, section, "
            "archive, object, symbol\n"
            "xlink: error: b.txt:3: 'y' is no size: one is written like 512, "
            "0x200, 48K or 1M, a share of a region like 90%\n");
  EXPECT_EQ(checked("# nothing\n", program().map),
            "xlink: warning: b.txt: has no limits\n");
}

TEST(SizeBudget, Excess) {
  const HandMap made = program();
  EXPECT_EQ(checked("region rom 336\nregion ram 48\noutput .text 288\nsymbol "
                    "main 1K",
                    made.map),
            "");
  EXPECT_EQ(checked("region rom 335\n", made.map),
            "xlink: error: b.txt:1: region rom takes 336 bytes, 1 more than "
            "its limit of 335\n"
            ">>> 128 bytes: lib/libc.a(printf.o):(.text)\n"
            ">>> 64 bytes: libc.a(puts.o):(.text)\n"
            ">>> 64 bytes: src/main.o:(.text.main)\n"
            ">>> 48 bytes: src/main.o:(.data)\n"
            ">>> 16 bytes: .got\n");
  EXPECT_EQ(
      checked("region rom 30%\nsymbol buf* 0x1\nobject main.o 0", made.map),
      "xlink: error: b.txt:1: region rom takes 336 bytes, 36 more than "
      "its limit of 30% (300)\n"
      ">>> 128 bytes: lib/libc.a(printf.o):(.text)\n"
      ">>> 64 bytes: libc.a(puts.o):(.text)\n"
      ">>> 64 bytes: src/main.o:(.text.main)\n"
      ">>> 48 bytes: src/main.o:(.data)\n"
      ">>> 16 bytes: .got\n"
      "xlink: error: b.txt:2: symbol buf* takes 48 bytes, 47 more than "
      "its limit of 0x1 (1)\n"
      ">>> 32 bytes: buffer_b in src/main.o\n"
      ">>> 16 bytes: buffer_a in src/main.o\n"
      "xlink: error: b.txt:3: object main.o takes 112 bytes, 112 more "
      "than its limit of 0\n"
      ">>> 64 bytes: src/main.o:(.text.main)\n"
      ">>> 48 bytes: src/main.o:(.data)\n");
}

TEST(SizeBudget, NamesOfNothing) {
  const HandMap made = program();
  EXPECT_EQ(checked("region flash 1K\narchive libm.a 0\nsymbol '*main*' 1K\n"
                    "section .text.debug 1",
                    made.map),
            "xlink: warning: b.txt:1: region flash: nothing in the program has "
            "this name\n"
            ">>> the program has the regions rom, ram\n"
            "xlink: warning: b.txt:2: archive libm.a: nothing in the program "
            "has this name\n"
            "xlink: warning: b.txt:4: section .text.debug: nothing in the "
            "program has this name\n");
  EXPECT_EQ(checked("region flash 50%", LinkMap()),
            "xlink: warning: b.txt:1: region flash: nothing in the program has "
            "this name\n"
            ">>> the program has no memory regions\n");
}

/// The program before `foo` and a table grew and `puts` came.
Baseline older() {
  HandMap made;
  made.region("rom", 0x1000, 1000, 0xf8).region("ram", 0x8000, 0x100, 0x30);
  made.file("old/src/main.o").file("lib/libc.a(printf.o)");
  made.output(".text", "AX", 0x1000, 0);
  made.part("old/src/main.o", ".text.main", 0x38)
      .symbol("main", 0x30)
      .symbol("_Z3fooi", 8)
      .padding(0x18);
  made.part("lib/libc.a(printf.o)", ".text", 0x70).symbol("printf", 0x70);
  made.part("", ".got", 8);
  made.output(".data", "WA", 0x8000, 1);
  made.map.outputs.back().loadAddress = 0x10c8;
  made.map.outputs.back().loadRegion = 0;
  made.part("old/src/main.o", ".data", 0x30)
      .symbol("buffer_a", 0x10, MapSymbol::Object)
      .symbol("buffer_b", 0x20, MapSymbol::Object);
  return {std::move(made.map), "old.json"};
}

TEST(SizeBudget, GrowthSinceABaseline) {
  const HandMap made = program();
  const Baseline old = older();
  EXPECT_EQ(checked("region rom 256", made.map, &old),
            "xlink: error: b.txt:1: region rom takes 336 bytes, 80 more than "
            "its limit of 256\n"
            ">>> 128 bytes: lib/libc.a(printf.o):(.text)\n"
            ">>> 64 bytes: libc.a(puts.o):(.text)\n"
            ">>> 64 bytes: src/main.o:(.text.main)\n"
            ">>> 48 bytes: src/main.o:(.data)\n"
            ">>> 16 bytes: .got\n"
            ">>> it has grown by 88 bytes since old.json, where it was 248\n"
            ">>> +64 bytes: puts in libc.a(puts.o)\n"
            ">>> +16 bytes: printf in lib/libc.a(printf.o)\n"
            ">>> +8 bytes: .got\n"
            ">>> +8 bytes: foo(int) in src/main.o\n");
  // Where no symbol says so, input sections do.
  EXPECT_EQ(checked("section .got 8", made.map, &old),
            "xlink: error: b.txt:1: section .got takes 16 bytes, 8 more than "
            "its limit of 8\n"
            ">>> 16 bytes: .got\n"
            ">>> it has grown by 8 bytes since old.json, where it was 8\n"
            ">>> +8 bytes: .got\n");
  EXPECT_EQ(checked("symbol buf* 40", made.map, &old),
            "xlink: error: b.txt:1: symbol buf* takes 48 bytes, 8 more than "
            "its limit of 40\n"
            ">>> 32 bytes: buffer_b in src/main.o\n"
            ">>> 16 bytes: buffer_a in src/main.o\n"
            ">>> it has not grown since old.json, where it was 48\n");
}

TEST(SizeBudget, NewSinceABaseline) {
  const HandMap made = program();
  const Baseline old = older();
  EXPECT_EQ(checked("object libc.a(puts.o) 63", made.map, &old),
            "xlink: error: b.txt:1: object libc.a(puts.o) takes 64 bytes, 1 "
            "more than its limit of 63\n"
            ">>> 64 bytes: libc.a(puts.o):(.text)\n"
            ">>> nothing in old.json has this name\n"
            ">>> +64 bytes: puts in libc.a(puts.o)\n");
}

/// What has no symbols grows too, and may be what has grown most.
TEST(SizeBudget, GrowthWithoutSymbols) {
  auto made = [](uint64_t frames, uint64_t nameless, uint64_t size) {
    HandMap made;
    made.region("rom", 0x1000, 1000, 64 + frames + nameless).file("a.o");
    made.file("b.o").output(".text", "AX", 0x1000, 0);
    made.part("a.o", ".text", size + nameless).symbol("f", size);
    // Another name of the same bytes.
    made.symbol("f_again", size);
    made.map.symbols.back().address = made.map.symbols[0].address;
    made.output(".eh_frame", "A", 0x1800, 0).part("", ".eh_frame", frames);
    return made;
  };
  const HandMap now = made(100, 20, 44);
  const Baseline old{std::move(made(40, 8, 40).map), "old.json"};
  EXPECT_EQ(checked("region rom 1", now.map, &old),
            "xlink: error: b.txt:1: region rom takes 184 bytes, 183 more than "
            "its limit of 1\n"
            ">>> 100 bytes: .eh_frame\n"
            ">>> 64 bytes: a.o:(.text)\n"
            ">>> it has grown by 72 bytes since old.json, where it was 112\n"
            ">>> +60 bytes: .eh_frame\n"
            ">>> +12 bytes: a.o:(.text)\n"
            ">>> +4 bytes: f in a.o\n"
            ">>> +4 bytes: f_again in a.o\n");
}

/// What came from elsewhere has grown by all that it is.
TEST(SizeBudget, GrowthByMoving) {
  auto made = [](bool moved) {
    HandMap made;
    made.file("a.o").file("b.o").output(".text", "AX", 0x1000);
    made.part("a.o", ".text", moved ? 24 : 20).symbol("f", moved ? 24 : 20);
    if (moved)
      made.part("a.o", ".text.g", 48).symbol("g", 48);
    else
      made.part("b.o", ".text.g", 48).symbol("g", 48);
    return made;
  };
  const HandMap now = made(true);
  const Baseline old{std::move(made(false).map), "old.json"};
  EXPECT_EQ(checked("object a.o 60", now.map, &old),
            "xlink: error: b.txt:1: object a.o takes 72 bytes, 12 more than "
            "its limit of 60\n"
            ">>> 48 bytes: a.o:(.text.g)\n"
            ">>> 24 bytes: a.o:(.text)\n"
            ">>> it has grown by 52 bytes since old.json, where it was 20\n"
            ">>> +48 bytes: g in a.o\n"
            ">>> +4 bytes: f in a.o\n");
}

TEST(SizeBudget, Json) {
  Diagnostics diag;
  const HandMap made = program();
  std::optional<SizeBudget> budget =
      readSizeBudget("b.txt", "region rom 30%\n\nsymbol 'no\xff' 1K", diag);
  ASSERT_TRUE(budget);
  EXPECT_EQ(
      formatv("{0}", sizeBudgetJson(*budget, useOf(*budget, made.map))).str(),
      "{\"file\":\"b.txt\",\"limits\":["
      "{\"exceeded\":true,\"found\":true,\"kind\":\"region\",\"limit\":"
      "300,\"line\":1,\"name\":\"rom\",\"used\":336},"
      "{\"exceeded\":false,\"found\":false,\"kind\":\"symbol\",\"limit\":"
      "1024,\"line\":3,\"name\":\"no\xef\xbf\xbd\",\"used\":0}]}");
}

// 100,000 symbols and sections under 100 limits.
TEST(SizeBudget, ManySymbols) {
  HandMap made;
  made.file("a.o").output(".text", "AX", 0);
  for (int i = 0; i < 10000; ++i)
    made.part("a.o", ".text.f" + std::to_string(i), 8)
        .symbol("_ZN1a1b" + std::to_string(i) + "Ev", 8);
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "section .text.f" + std::to_string(i) + "* 900000\nsymbol *x" +
            std::to_string(i) + "* 8\n";
  Diagnostics diag;
  std::optional<SizeBudget> budget = readSizeBudget("b", text, diag);
  const std::vector<LimitUse> uses = useOf(*budget, made.map);
  EXPECT_EQ(uses[2].used, 8u * 1111);
  EXPECT_FALSE(uses[1].found);
}

} // namespace
} // namespace xlink::test
