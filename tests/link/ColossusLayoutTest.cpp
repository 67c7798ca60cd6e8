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
