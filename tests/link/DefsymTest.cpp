//===- DefsymTest.cpp - symbols from the command line ---------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes program() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: chosen, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: table, Section: .text, Value: 8, Binding: STB_GLOBAL }
  - { Name: chosen, Binding: STB_GLOBAL }
)");
}

struct Links {
  LinkHarness harness;
  Links() { harness.file("a.o", program()); }
  OutFile link(std::vector<std::string> arguments) {
    return quiet(harness.link(arguments));
  }
};

TEST(Defsym, NumbersAndExpressions) {
  Links links;
  EXPECT_EQ(links.link({"--defsym=chosen=0x20", "a.o"}).value("chosen"), 0x20u);
  EXPECT_EQ(links.link({"--defsym", "chosen=4+5*2", "a.o"}).value("chosen"),
            14u);
  EXPECT_EQ(links.link({"--defsym=chosen=64K", "a.o"}).value("chosen"),
            0x10000u);
  OutFile out = links.link({"--defsym=chosen=table+4", "a.o"});
  EXPECT_EQ(out.value("chosen"), out.value("table") + 4);
  EXPECT_EQ(out.word(out.section(".data")->address), out.value("table") + 4);
}

TEST(Defsym, NumberIsAbsoluteAddressIsNot) {
  Links links;
  EXPECT_EQ(homeOf(links.link({"--defsym=chosen=5", "a.o"}), "chosen"), "ABS");
  EXPECT_EQ(homeOf(links.link({"--defsym=chosen=table", "a.o"}), "chosen"),
            ".text");
}

TEST(Defsym, LastOneWins) {
  Links links;
  EXPECT_EQ(links.link({"--defsym=chosen=1", "a.o", "--defsym=chosen=2"})
                .value("chosen"),
            2u);
}

// The DPU driver's command line has -T first and the sizes behind it.
TEST(Defsym, BeforeAndAfterAScript) {
  Links links;
  links.harness.file("x.ld", R"(
MEMORY { ram : ORIGIN = base, LENGTH = size * 2 }
chosen = 0x100;
SECTIONS { .text : { *(.text) } > ram  .data : { *(.data) } > ram }
)");
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"--defsym=base=0x4000", "--defsym=size=64",
                                 "-T", "x.ld", "a.o"},
        std::vector<std::string>{"-T", "x.ld", "--defsym=base=0x4000",
                                 "--defsym=size=64", "a.o"}}) {
    OutFile out = links.link(arguments);
    EXPECT_EQ(out.section(".text")->address, 0x4000u);
    EXPECT_EQ(out.value("size"), 64u);
    EXPECT_EQ(homeOf(out, "size"), "ABS");
  }
  // Among assignments of one name the last on the command line counts.
  std::vector<std::string> rest = {"--defsym=base=0x4000", "--defsym=size=64",
                                   "a.o"};
  std::vector<std::string> after = {"-T", "x.ld", "--defsym=chosen=7"};
  after.insert(after.end(), rest.begin(), rest.end());
  EXPECT_EQ(links.link(after).value("chosen"), 7u);
  std::vector<std::string> before = {"--defsym=chosen=7", "-T", "x.ld"};
  before.insert(before.end(), rest.begin(), rest.end());
  EXPECT_EQ(links.link(before).value("chosen"), 0x100u);
}

TEST(Defsym, OverridesAnObjectsDefinition) {
  Links links;
  OutFile out =
      links.link({"--defsym=table=0x30", "--defsym=chosen=table", "a.o"});
  EXPECT_EQ(out.value("table"), 0x30u);
  EXPECT_EQ(out.value("chosen"), 0x30u);
}

TEST(Defsym, PullsNoMember) {
  Links links;
  links.harness.file("lib.a", makeArchive({{"chosen.o", nyuzi(R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '99' }
Symbols:
  - { Name: chosen, Section: .rodata, Binding: STB_GLOBAL }
)")}}));
  OutFile out = links.link({"--defsym=chosen=3", "a.o", "lib.a"});
  EXPECT_EQ(out.value("chosen"), 3u);
  EXPECT_FALSE(out.section(".rodata"));
}

TEST(Defsym, UndefinedOperand) {
  Links links;
  Linked linked = links.harness.link({"--defsym=chosen=nowhere+1", "a.o"});
  expectFailure(linked,
                "xlink: error: option '--defsym=chosen=nowhere+1': undefined "
                "symbol 'nowhere'\n");
}

TEST(Defsym, Malformed) {
  Links links;
  expectFailure(links.harness.link({"--defsym=chosen", "a.o"}),
                "xlink: error: option '--defsym': 'chosen' is not "
                "SYMBOL=EXPRESSION\n");
  Linked linked = links.harness.link({"--defsym=chosen=1+", "a.o"});
  EXPECT_EQ(linked.status, 1);
}

} // namespace
} // namespace xlink::test
