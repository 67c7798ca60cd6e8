//===- ColossusLayoutTest.cpp - the default layout of the Colossus IPU ----===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string program(unsigned codeSize, unsigned dataSize) {
  return R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: )" +
         std::to_string(dataSize) + R"( }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: )" +
         std::to_string(codeSize) + R"( }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _start, Type: 9 } ] }
Symbols:
  - { Name: _start, Section: .text, Value: 4, Binding: STB_GLOBAL }
)";
}

TEST(ColossusLayout, CodeFirstNoPages) {
  OutFile out =
      quiet(LinkHarness().file("a.o", colossus(program(8, 4))).link({"a.o"}));
  EXPECT_EQ(layoutOf(out), ".text 40000 8\n"
                           ".rodata 40008 4\n"
                           ".data 4000c 4\n"
                           ".bss 40010 4\n");
  for (const OutSegment &s : out.segments)
    EXPECT_GE(s.address, 0x40000u) << "headers are not loaded";
}

// The architecture comes from e_flags or --mcpu, and with it the base of memory
// and of RUN fields.
TEST(ColossusLayout, Architectures) {
  struct {
    const char *cpu;
    uint32_t flag;
    uint64_t base;
  } architectures[] = {
      {"ipu1", 1, 0x40000}, {"ipu2", 2, 0x4C000}, {"ipu21", 0x21, 0x4C000}};
  for (const auto &a : architectures) {
    LinkHarness links;
    links.file("flagged.o", colossus(program(8, 4), a.flag));
    links.file("plain.o", colossus(program(8, 4)));
    OutFile byFlag = quiet(links.link({"flagged.o"}));
    EXPECT_EQ(byFlag.section(".text")->address, a.base) << a.cpu;
    EXPECT_EQ(byFlag.word(a.base), 1u) << a.cpu;
    EXPECT_EQ(byFlag.flags, a.flag) << a.cpu;
    OutFile byOption =
        quiet(links.link({std::string("--mcpu=") + a.cpu, "plain.o"}));
    EXPECT_EQ(byOption.section(".text")->address, a.base) << a.cpu;
    quiet(links.link({"-mllvm", std::string("--mcpu=") + a.cpu, "plain.o"}));
  }
}

TEST(ColossusLayout, DifferentArchitectures) {
  LinkHarness links;
  auto object =
      [](StringRef symbol, uint32_t flags) {
        return colossus((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: )" + symbol + ", Section: .text, Binding: STB_GLOBAL }\n")
                            .str(),
                        flags);
      };
  links.file("none.o", object("none", 0));
  links.file("one.o", object("_start", 1));
  links.file("two.o", object("two", 2));
  quiet(links.link({"none.o", "one.o"}));
  const char *text = "incompatible architectures: one.o is for ipu1, two.o is "
                     "for ipu2\n";
  OutFile out = warned(links.link({"none.o", "one.o", "two.o"}),
                       std::string("xlink: warning: ") + text);
  EXPECT_EQ(out.flags, 1u);
  expectFailure(links.link({"--fatal-warnings", "one.o", "two.o"}),
                std::string("xlink: error: ") + text);
  quiet(links.link({"--no-warn-flags", "one.o", "two.o"}));
}

TEST(ColossusLayout, CodeInRegion1) {
  LinkHarness links;
  links.file("a.o", colossus(program(0x20008, 4)));
  expectFailure(links.link({"a.o"}),
                "xlink: error: code in interleaved memory (region 1): section "
                "'.text' is at [0x40000, 0x60007]\n"
                ">>> interleaved memory (region 1) is [0x60000, 0x7ffff]\n");
  // Data may lie there.
  links.file("b.o", colossus(program(8, 0x30000)));
  quiet(links.link({"b.o"}));
  // A larger tile has room.
  quiet(links.link({"--mcpu=ipu2", "a.o"}));
  // Scripts are checked as well.
  links.file("c.o", colossus(program(8, 4)));
  links.file("x.ld", "SECTIONS { .text 0x70000 : { *(.text) } "
                     ".data 0x40000 : { *(.data) *(.rodata) *(.bss) } }");
  Linked linked = links.link({"-T", "x.ld", "c.o"});
  EXPECT_TRUE(StringRef(linked.errors)
                  .starts_with("xlink: error: code in interleaved memory "
                               "(region 1): section '.text' is at [0x70000, "
                               "0x70007]\n"))
      << linked.errors;
}

// The supervisor reads 64 bytes ahead, and none of them may be in memory that
// does not execute.
TEST(ColossusLayout, CodeThatIsReadAhead) {
  LinkHarness links;
  links.file("fits.o", colossus(program(0x1ffc0, 4)));
  quiet(links.link({"fits.o"}));
  links.file("a.o", colossus(program(0x1ffc4, 4)));
  expectFailure(
      links.link({"a.o"}),
      "xlink: error: code in the last 64 bytes of executable memory (region "
      "0): section '.text' is at [0x40000, 0x5ffc3]\n"
      ">>> executable memory (region 0) ends at 0x60000; code may end at "
      "0x5ffc0, as the processor reads 64 bytes ahead\n"
      ">>> the first section that reaches there: a.o:(.text) at [0x40000, "
      "0x5ffc3]\n");
  quiet(links.link({"--mcpu=ipu21", "a.o"}));
}

TEST(ColossusLayout, CodeOutsideOfTheTile) {
  LinkHarness links;
  links.file("a.o", colossus(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  auto linkIn = [&](const std::string &origin) {
    links.file("x.ld", "MEMORY { code : ORIGIN = " + origin +
                           ", LENGTH = 8 }\n"
                           "SECTIONS { .text : { *(.text) } > code }");
    return links.link({"-T", "x.ld", "a.o"});
  };
  const std::pair<const char *, const char *> outside[] = {
      {"0x1000", "[0x1000, 0x1007]"},
      {"0x3fffc", "[0x3fffc, 0x40003]"},
      {"0x80000", "[0x80000, 0x80007]"}};
  for (const auto &[origin, range] : outside)
    expectFailure(linkIn(origin),
                  std::string("xlink: error: code outside of executable "
                              "memory: section '.text' is at ") +
                      range +
                      "\n>>> executable memory (region 0) is [0x40000, "
                      "0x5ffff]\n");
  quiet(linkIn("0x40000"));
  // Who gives an address is taken at his word, but for half of a tile.
  links.file("y.ld", "SECTIONS { .text 0x1000 : { *(.text) } }");
  quiet(links.link({"-T", "y.ld", "a.o"}));
  quiet(links.link({"-Ttext=0x1000", "a.o"}));
  expectFailure(links.link({"-Ttext=0x3fffc", "a.o"}),
                "xlink: error: code outside of executable memory: section "
                "'.text' is at [0x3fffc, 0x40003]\n"
                ">>> executable memory (region 0) is [0x40000, 0x5ffff]\n");
}

/// Three functions.
const char kFunctions[] = R"(
Sections:
  - { Name: .text.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 90 }
  - { Name: .text.b, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 80 }
  - { Name: .text.c, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 32 }
Symbols:
  - { Name: _start, Section: .text.a, Binding: STB_GLOBAL }
  - { Name: b, Section: .text.b, Binding: STB_GLOBAL }
  - { Name: c, Section: .text.c, Binding: STB_GLOBAL }
)";

/// Two pieces of memory for code, as a script says it.
std::string pieces(const std::string &one, const std::string &two) {
  return "ENTRY(_start)\n"
         "MEMORY { one (rx) : " +
         one + "\n two (rx) : " + two +
         " }\n"
         "SECTIONS { .one : { *(.text.*) } > one\n"
         "  .two : { *(.text.*) } > two }\n";
}

// Code that a region has no room for goes to the next one; what is behind it
// stays if it fits.
TEST(ColossusLayout, CodeFillsRegions) {
  LinkHarness links;
  links.file("a.o", colossus(kFunctions));
  links.file("x.ld", pieces("ORIGIN = 0x40000, LENGTH = 128",
                            "ORIGIN = 0x50000, LENGTH = 80"));
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_EQ(layoutOf(out), ".one 40000 7c\n.two 50000 50\n");
  EXPECT_EQ(out.value("b"), 0x50000u);
  EXPECT_EQ(out.value("c"), 0x4005cu);
  // The option is GNU ld's: what is behind moves on too.
  links.file("y.ld", pieces("ORIGIN = 0x40000, LENGTH = 128",
                            "ORIGIN = 0x50000, LENGTH = 112"));
  out = quiet(
      links.link({"-T", "y.ld", "--enable-non-contiguous-regions", "a.o"}));
  EXPECT_EQ(out.value("c"), 0x50050u);
  // Nothing has to move: there is no second section.
  links.file("z.ld", pieces("ORIGIN = 0x40000, LENGTH = 4K",
                            "ORIGIN = 0x50000, LENGTH = 80"));
  out = quiet(links.link({"-T", "z.ld", "a.o"}));
  EXPECT_EQ(layoutOf(out), ".one 40000 d0\n");
}

// What is read ahead counts where a region ends with the memory.
TEST(ColossusLayout, CodeFillsRegionsAsFarAsItMay) {
  LinkHarness links;
  links.file("a.o", colossus(kFunctions));
  links.file("x.ld", pieces("ORIGIN = 0x5ff00, LENGTH = 256",
                            "ORIGIN = 0x50000, LENGTH = 80"));
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_EQ(layoutOf(out), ".one 5ff00 b0\n.two 50000 20\n");
  EXPECT_EQ(out.value("c"), 0x50000u);
}

TEST(ColossusLayout, CodeFitsNoRegion) {
  LinkHarness links;
  links.file("a.o", colossus(kFunctions));
  links.file("y.ld", pieces("ORIGIN = 0x40000, LENGTH = 100",
                            "ORIGIN = 0x50000, LENGTH = 72"));
  expectFailure(links.link({"-T", "y.ld", "a.o"}),
                "xlink: error: a.o:(.text.b) does not fit in any of its "
                "regions: 80 bytes, aligned to 8\n"
                ">>> region 'one': 100 bytes at 0x40000, 10 bytes left for "
                "code\n"
                ">>> region 'two': 72 bytes at 0x50000, 72 bytes left for "
                "code\n");
}

// Only a second region is room: a pattern that takes the rest is none.
TEST(ColossusLayout, CodeStaysInItsRegion) {
  LinkHarness links;
  links.file("a.o", colossus(kFunctions));
  links.file("x.ld", "ENTRY(_start)\n"
                     "MEMORY { one (rx) : ORIGIN = 0x40000, LENGTH = 128\n"
                     " two : ORIGIN = 0x50000, LENGTH = 4K }\n"
                     "SECTIONS { .one : { *(.text.*) } > one\n"
                     ".rest : { *(*) } > one }\n");
  expectFailure(links.link({"-T", "x.ld", "a.o"}),
                "xlink: error: section '.one' will not fit in region 'one': "
                "overflowed by 80 bytes\n"
                ">>> region 'one': 0x80 (128) bytes at 0x40000, used 0xd0 "
                "(208)\n"
                ">>> 90 bytes: a.o:(.text.a)\n"
                ">>> 80 bytes: a.o:(.text.b)\n"
                ">>> 32 bytes: a.o:(.text.c)\n"
                ">>> regions with room: 'two' 4096 bytes\n"
                ">>> --gc-sections would remove 112 bytes that nothing "
                "reaches: 112 of .one\n");
}

// Fields keep what the objects hold; undefined symbols are errors all the same.
TEST(ColossusLayout, RelocationsIgnored) {
  LinkHarness links;
  links.file("a.o", colossus(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0403020108070605' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _start, Type: 4 }, { Offset: 4, Symbol: far, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: far, Index: SHN_ABS, Value: 0x1000, Binding: STB_GLOBAL }
)"));
  EXPECT_EQ(
      bytesOf(quiet(links.link({"--ignore-relocations", "a.o"})), ".text"),
      "0403020108070605");
  EXPECT_EQ(links.link({"a.o"}).status, 1);
  links.file("b.o", colossus(program(8, 4)));
  links.file("c.o", colossus(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: gone, Type: 4 } ] }
Symbols:
  - { Name: gone, Binding: STB_GLOBAL }
)"));
  EXPECT_EQ(links.link({"--ignore-relocations", "b.o", "c.o"}).status, 1);
}

// What the vendor's clang passes: its script is found along -L, and objects
// without an architecture get it from the command line.
TEST(ColossusLayout, DriversCommandLine) {
  LinkHarness links;
  links.file("crt_ipu21.o", colossus(program(8, 4), 0x21));
  links.file("ldscripts/ipu21.x",
             "ENTRY(_start) SECTIONS { . = 0x4c010; .text : { *(.text) } "
             ".data : { *(.data) *(.rodata) *(.bss) } }");
  OutFile out = quiet(
      links.link({"-Llib", "-Lldscripts", "crt_ipu21.o", "--script=ipu21.x",
                  "-mllvm", "--mcpu=ipu21", "-mllvm", "-max-nops-in-rpt=1"}));
  EXPECT_EQ(out.section(".text")->address, 0x4c010u);
  // A cpu that another machine's LLVM knows is none of the linker's.
  links.file("n.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  quiet(links.link({"-mllvm", "--mcpu=any", "n.o"}));
  expectFailure(links.link({"-mllvm", "--mcpu=any", "--mcpu=any", "n.o"}),
                "xlink: error: unknown --mcpu value 'any' for nyuzi: this "
                "machine has no variants\n");
  expectFailure(links.link({"-mllvm", "--mcpu=ipu3", "crt_ipu21.o"}),
                "xlink: error: unknown --mcpu value 'ipu3' for colossus; "
                "valid values: ipu1, ipu2, ipu21\n");
}

TEST(ColossusLayout, TileIsFull) {
  LinkHarness links;
  links.file("a.o", colossus(program(8, 0x40000)));
  Linked linked = links.link({"a.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.errors)
                  .starts_with("xlink: error: section '.data' will not fit in "
                               "region 'tile': overflowed by "))
      << linked.errors;
}

TEST(ColossusLayout, OsAbiIsTheFirstObjects) {
  Bytes object = colossus(program(8, 4));
  setOsAbi(object, 255);
  LinkHarness links;
  links.file("a.o", object);
  EXPECT_EQ(quiet(links.link({"a.o"})).osabi, 255u);
}

} // namespace
} // namespace xlink::test
