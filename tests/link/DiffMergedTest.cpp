//===- DiffMergedTest.cpp - --diff of strings that linkers merged ---------===//
#include "link/DiffFiles.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Strings, and pointers to the first one of each object.
Bytes strings(const std::string &bytes, const std::string &name) {
  return nyuzi(
      R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: ')" +
      bytes + R"(' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: .rodata, Type: 1 } ] }
Symbols:
  - { Name: .rodata, Type: STT_SECTION, Section: .rodata }
  - { Name: )" +
      name + R"(, Section: .text, Binding: STB_GLOBAL, Type: STT_FUNC, Size: 4 }
  - { Name: p)" +
      name +
      R"(, Section: .data, Binding: STB_GLOBAL, Type: STT_OBJECT, Size: 4 }
)");
}

/// One, two and a third string, with those of the second object in front or
/// behind.
Bytes linkOf(const std::string &third, bool turned) {
  LinkHarness links;
  links.file("a.o", strings("6f6e6500", "_start"));
  links.file("b.o", strings("74776f00" + third, "other"));
  links.file("t.ld",
             turned
                 ? "SECTIONS { .text 0x1000 : { *(.text) } .rodata : { "
                   "*b.o(.rodata) *a.o(.rodata) } .data 0x2000 : { *(.data) } }"
                 : "SECTIONS { .text 0x1000 : { *(.text) } .rodata : { "
                   "*a.o(.rodata) *b.o(.rodata) } .data 0x2000 : { *(.data) } "
                   "}");
  const Linked result =
      links.linkAsGiven({"-o", "out", "-T", "t.ld", "a.o", "b.o"});
  EXPECT_EQ(result.errors, "");
  return result.image();
}

// What refers to them follows: "one" and "two" stand elsewhere.
TEST(DiffMerged, AnotherOrder) {
  expectDiff(
      diffOf(linkOf("7800", false), linkOf("7800", true)),
      R"(2 files differ: 1 range merged in another order; 0 bytes really differ, 2 because of moved targets

Section .rodata
  bytes without a name: the same strings or constants, merged in another way

Section .data
  because of moved targets: 2 bytes in 2 functions or objects, probably: no relocations tell
)");
}

TEST(DiffMerged, AnotherString) {
  expectDiff(
      diffOf(linkOf("7800", false), linkOf("7900", true)),
      R"(2 files differ: 1 range without a name changed; 4 bytes really differ, 2 because of moved targets

Section .rodata
  bytes without a name changed: strings or constants, in any order
    gone: "x"
    new: "y"

Section .data
  because of moved targets: 2 bytes in 2 functions or objects, probably: no relocations tell
)");
}

} // namespace
} // namespace xlink::test
