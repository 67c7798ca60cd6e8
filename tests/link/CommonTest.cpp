//===- CommonTest.cpp - tentative definitions -----------------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A COMMON symbol `buffer`.
Bytes common(unsigned size, unsigned align) {
  return nyuzi("Symbols:\n  - { Name: buffer, Index: SHN_COMMON, Binding: "
               "STB_GLOBAL, Type: STT_OBJECT, Value: " +
               std::to_string(align) + ", Size: " + std::to_string(size) +
               " }\n");
}
Bytes defined(StringRef binding) {
  return nyuzi((R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '11111111' }
Symbols:
  - { Name: buffer, Section: .data, Size: 4, Binding: )" +
                binding + " }\n")
                   .str());
}

TEST(Common, LargestSizeStrictestAlignment) {
  LinkHarness links;
  links.file("a.o", common(8, 32)).file("b.o", common(24, 4));
  for (auto files : {std::vector<std::string>{"-e", "0", "a.o", "b.o"},
                     std::vector<std::string>{"-e", "0", "b.o", "a.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(homeOf(out, "buffer"), ".bss");
    EXPECT_EQ(out.symbol("buffer")->size, 24u);
    EXPECT_EQ(out.value("buffer") % 32, 0u);
    EXPECT_EQ(out.section(".bss")->size, 24u);
    EXPECT_EQ(out.section(".bss")->align, 32u);
    EXPECT_EQ(out.section(".bss")->type, ELF::SHT_NOBITS);
  }
}

TEST(Common, ADefinitionWins) {
  LinkHarness links;
  links.file("a.o", common(64, 4)).file("b.o", defined("STB_GLOBAL"));
  for (auto files : {std::vector<std::string>{"-e", "0", "a.o", "b.o"},
                     std::vector<std::string>{"-e", "0", "b.o", "a.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(homeOf(out, "buffer"), ".data");
    EXPECT_EQ(out.symbol("buffer")->size, 4u);
    EXPECT_FALSE(out.section(".bss"));
  }
}

TEST(Common, StrongerThanAWeakDefinition) {
  LinkHarness links;
  links.file("a.o", common(64, 4)).file("b.o", defined("STB_WEAK"));
  for (auto files : {std::vector<std::string>{"-e", "0", "a.o", "b.o"},
                     std::vector<std::string>{"-e", "0", "b.o", "a.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(homeOf(out, "buffer"), ".bss");
    EXPECT_EQ(out.symbol("buffer")->size, 64u);
  }
}

// GNU ld and lld: a member that really defines the name replaces COMMON, and it
// does so wherever the archive stands; one that has COMMON itself does not.
TEST(Common, AMemberOverrides) {
  LinkHarness links;
  links.file("a.o", common(64, 4));
  links.file("real.a", makeArchive({{"m.o", defined("STB_GLOBAL")}}));
  links.file("tentative.a", makeArchive({{"m.o", common(128, 4)}}));
  for (auto files : {std::vector<std::string>{"-e", "0", "a.o", "real.a"},
                     std::vector<std::string>{"-e", "0", "real.a", "a.o"}})
    EXPECT_EQ(homeOf(quiet(links.link(files)), "buffer"), ".data");
  for (auto files :
       {std::vector<std::string>{"-e", "0", "a.o", "tentative.a"},
        std::vector<std::string>{"-e", "0", "tentative.a", "a.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(out.symbol("buffer")->size, 64u);
  }
}

// A weak definition would lose against COMMON, so nobody asks for its member.
TEST(Common, AMemberWithAWeakDefinitionStaysOut) {
  LinkHarness links;
  links.file("a.o", common(64, 4));
  links.file("weak.a", makeArchive({{"m.o", defined("STB_WEAK")}}));
  for (auto files : {std::vector<std::string>{"-e", "0", "a.o", "weak.a"},
                     std::vector<std::string>{"-e", "0", "weak.a", "a.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(homeOf(out, "buffer"), ".bss");
    EXPECT_FALSE(out.section(".data"));
  }
}

// Placed as input sections named COMMON, in the order of the first mention.
TEST(Common, ByPattern) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: second, Index: SHN_COMMON, Value: 4, Size: 4, Binding: STB_GLOBAL }
  - { Name: first, Index: SHN_COMMON, Value: 4, Size: 4, Binding: STB_GLOBAL }
)"));
  links.file("x.ld", "SECTIONS { .zero 0x100 : { *(COMMON) *(.bss) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(layoutOf(out), ".zero 100 c\n");
  EXPECT_EQ(out.value("second"), 0x100u);
  EXPECT_EQ(out.value("first"), 0x104u);
}

// Without a pattern COMMON joins .bss, or makes one.
TEST(Common, WithoutPattern) {
  LinkHarness links;
  links.file("a.o", common(8, 8));
  links.file("x.ld", "SECTIONS { .bss 0x100 : { *(.bss) } }");
  EXPECT_EQ(
      homeOf(quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"})), "buffer"),
      ".bss");
  links.file("y.ld", "SECTIONS { .text 0x100 : { *(.text) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "y.ld", "a.o"}));
  EXPECT_EQ(out.section(homeOf(out, "buffer"))->type, ELF::SHT_NOBITS);
}

} // namespace
} // namespace xlink::test
