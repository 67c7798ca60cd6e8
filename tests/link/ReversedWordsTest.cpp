//===- ReversedWordsTest.cpp - .ctors in .init_array ----------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kScript[] =
    "SECTIONS { .text 0x1000 : { *(.text) } "
    ".init_array 0x2000 : { *(.ctors) } .fini_array : { *(.dtors) } }";

/// An object with a table of that content and those relocations.
std::string table(StringRef name, StringRef content, StringRef relocations) {
  return (R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: )" +
          name +
          ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], "
          "AddressAlign: 8, Content: '" +
          content + "' }\n  - { Name: .rela" + name +
          ", Type: SHT_RELA, Info: " + name + ", Relocations: [ " +
          relocations + R"( ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)")
      .str();
}

TEST(ReversedWords, OfEightBytes) {
  OutFile out =
      quiet(LinkHarness()
                .file("a.o",
                      aphelion(table(
                          ".ctors",
                          "000000000000000001000000000000000200000000000000",
                          "{ Offset: 0, Symbol: _start, Type: 1 }, "
                          "{ Offset: 8, Symbol: _start, Type: 1, Addend: 4 }")))
                .file("s.ld", kScript)
                .link({"-T", "s.ld", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".init_array"), "0200000000000000"
                                         "0410000000000000"
                                         "0010000000000000");
  EXPECT_EQ(out.section(".init_array")->type, uint32_t(ELF::SHT_INIT_ARRAY));
}

TEST(ReversedWords, FieldsMoveWithTheirWord) {
  // A field of four bytes in the second half of a word stays there.
  OutFile out = quiet(
      LinkHarness()
          .file("a.o", nyuzi(table(".dtors", "00000000ffffffff",
                                   "{ Offset: 0, Symbol: _start, Type: 1 }")))
          .file("s.ld", kScript)
          .link({"-T", "s.ld", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".fini_array"), "ffffffff00100000");
  EXPECT_EQ(out.section(".fini_array")->type, uint32_t(ELF::SHT_FINI_ARRAY));
}

TEST(ReversedWords, OneWordStays) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(table(".ctors", "ffffff", "")))
                          .file("s.ld", kScript)
                          .link({"-T", "s.ld", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".init_array"), "ffffff");
}

TEST(ReversedWords, SizeIsNoMultiple) {
  expectFailure(
      LinkHarness()
          .file("a.o", nyuzi(table(".ctors", "ffffffffffff", "")))
          .file("s.ld", kScript)
          .link({"-T", "s.ld", "a.o"}),
      "xlink: error: a.o:(.ctors): size 0x6 is not a multiple of 4; its words "
      "are reversed in '.init_array'\n");
}

TEST(ReversedWords, FieldIsInTwoWords) {
  expectFailure(
      LinkHarness()
          .file("a.o",
                aphelion(table(".ctors", "00000000000000000000000000000000",
                               "{ Offset: 4, Symbol: _start, Type: 2 }")))
          .file("s.ld", kScript)
          .link({"-T", "s.ld", "a.o"}),
      "xlink: error: a.o:(.ctors+0x4): R_APHELION_WORD_UNALIGNED is not inside "
      "of one word; the words of '.ctors' are reversed in '.init_array'\n");
}

} // namespace
} // namespace xlink::test
