//===- RelocationErrorTest.cpp - what does not reach, word for word -------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

//===----------------------------------------------------------------------===//
// Nyuzi
//===----------------------------------------------------------------------===//

/// A relocation at .text+4 against `symbol`.
Bytes nyuziText(unsigned type, StringRef symbol, StringRef more,
                StringRef addend = "0") {
  return nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 4, Symbol: )" +
                symbol + ", Type: " + std::to_string(type) +
                ", Addend: " + addend + R"( } ] }
  - { Name: .far, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
Symbols:
)" + more + R"(  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)")
                   .str());
}

TEST(RelocationError, Misaligned) {
  LinkHarness links;
  links.file("a.o", nyuziText(3, "odd",
                              "  - { Name: odd, Section: .text, "
                              "Value: 10 }\n"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_NYUZI_BRANCH25 "
                "misaligned: S 0x100a + A 0 - P 0x1004 = 0x6, not a multiple "
                "of 4\n"
                ">>> references 'odd' defined in a.o:(.text+0xa)\n");
}

TEST(RelocationError, OutOfRange) {
  LinkHarness links;
  links.file("a.o", nyuziText(2, "far", "  - { Name: far, Section: .far }\n"));
  expectFailure(links.link({"--section-start=.far=0x400000", "a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_NYUZI_BRANCH20 "
                "out of range: S 0x400000 + A 0 - P 0x1004 = 0x3feffc = "
                "1047551 words; the field holds -524288..524287\n"
                ">>> references 'far' defined in a.o:(.far+0x0)\n"
                ">>> BRANCH25 (an unconditional branch) reaches 16777215 "
                "words\n");
}

// S + A of a 32-bit machine is not reduced: it must fit.
TEST(RelocationError, SumBeyond32Bits) {
  LinkHarness links;
  links.file("a.o", nyuziText(1, "high",
                              "  - { Name: high, Index: SHN_ABS, "
                              "Value: 0xfffffff0 }\n",
                              "16"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_NYUZI_ABS32 out "
                "of range: S 0xfffffff0 + A 0x10 = 0x100000000 = 4294967296 "
                "bytes; the field holds -2147483648..4294967295\n"
                ">>> references 'high'\n");
}

// The pc wraps: a call from the boot ROM to low memory is in range.
TEST(RelocationError, NoneWherePcWraps) {
  LinkHarness links;
  links.file("a.o", nyuziText(3, "low",
                              "  - { Name: low, Index: SHN_ABS, "
                              "Value: 0x100 }\n"));
  OutFile out = quiet(links.link({"-Ttext=0xfffef000", "a.o"}));
  EXPECT_EQ(out.word(0xfffef004) & 0x1ffffff,
            (0x100u - 0xfffef004u) >> 2 & 0x1ffffff);
}

TEST(RelocationError, AddendIsPartOfTheText) {
  LinkHarness links;
  links.file("a.o", nyuziText(3, "near", "  - { Name: near, Section: .text }\n",
                              "-6"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_NYUZI_BRANCH25 "
                "misaligned: S 0x1000 + A -0x6 - P 0x1004 = -0xa, not a "
                "multiple of 4\n"
                ">>> references 'near' defined in a.o:(.text+0x0)\n");
}

TEST(RelocationError, WhereTheSymbolIs) {
  LinkHarness links;
  links.file("a.o", nyuziText(3, "there",
                              "  - { Name: there, Binding: "
                              "STB_GLOBAL }\n",
                              "1"));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .text.there, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: there, Section: .text.there, Value: 4, Binding: STB_GLOBAL }
)"));
  links.file("lib.a", makeArchive({{"b.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: there, Section: .text, Binding: STB_GLOBAL }
)")}}));
  auto text = [](StringRef sum, StringRef place) {
    return ("xlink: error: a.o:(.text+0x4): relocation R_NYUZI_BRANCH25 "
            "misaligned: " +
            sum + ", not a multiple of 4\n>>> references 'there'" + place +
            "\n")
        .str();
  };
  expectFailure(links.link({"a.o", "b.o"}),
                text("S 0x1014 + A 0x1 - P 0x1004 = 0x11",
                     " defined in b.o:(.text.there+0x4)"));
  expectFailure(links.link({"a.o", "lib.a"}),
                text("S 0x1010 + A 0x1 - P 0x1004 = 0xd",
                     " defined in lib.a(b.o):(.text+0x0)"));
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text) } "
                     ".mine 0x2000 : { there = .; *(.far) } }");
  expectFailure(
      links.link({"-T", "x.ld", "a.o"}),
      text("S 0x2000 + A 0x1 - P 0x1004 = 0xffd", " in output section .mine"));
  expectFailure(links.link({"--defsym=there=0x2000", "a.o"}),
                text("S 0x2000 + A 0x1 - P 0x1004 = 0xffd",
                     ", assigned by a script or --defsym"));
}

TEST(RelocationError, UnknownType) {
  StringRef more = "  - { Name: x, Section: .text }\n";
  LinkHarness links;
  links.file("a.o", nyuziText(99, "x", more));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): unknown relocation type 99 "
                "against 'x'\n");
  // Where nothing is loaded it is no reason to refuse a program.
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '0102030405060708' }
  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, Relocations: [ { Offset: 2, Symbol: x, Type: 99 } ] }
Symbols:
  - { Name: x, Section: .text }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  OutFile out = warned(links.link({"b.o"}),
                       "xlink: warning: b.o:(.debug_info+0x2): unknown "
                       "relocation type 99 against 'x': bytes left as they "
                       "are\n");
  EXPECT_EQ(bytesOf(out, ".debug_info"), "0102030405060708");
  quiet(links.link({"--no-warn-relocation", "b.o"}));
}

//===----------------------------------------------------------------------===//
// XS1
//===----------------------------------------------------------------------===//

Bytes xs1Text(unsigned type, StringRef symbol, StringRef definition,
              unsigned poolSize = 8) {
  return xs1((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 0x8 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 4, Symbol: )" +
              symbol + ", Type: " + std::to_string(type) + R"( } ] }
  - { Name: .cp.rodata, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Size: )" +
              std::to_string(poolSize) + R"( }
Symbols:
)" + definition +
              R"(  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)")
                 .str());
}

TEST(RelocationError, ConstantPool) {
  LinkHarness links;
  links.file("a.o", xs1Text(6, "last",
                            "  - { Name: last, Section: .cp.rodata, "
                            "Value: 0x1008 }\n",
                            0x100c));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_CP_REL10 "
                "out of range: S 0x11010 + A 0 - cp 0x10008 = 0x1008 = 1026 "
                "words; the field holds 0..1023\n"
                ">>> references 'last' defined in a.o:(.cp.rodata+0x1008)\n"
                ">>> CP_REL20 (ldw r11, cp[] with prefix) reaches 1048575 "
                "words\n"
                ">>> the cp region has 4108 bytes from 0x10008, of which this "
                "form reaches 4096\n"
                ">>> 4108 bytes: a.o:(.cp.rodata)\n"
                ">>> sections with '.large' in their name stand at the "
                "region's end, and there are none: large data there leaves "
                "room near cp\n");
}

// Distances from a base are not reduced: below it is out of range.
TEST(RelocationError, BelowTheBase) {
  LinkHarness links;
  links.file("a.o", xs1Text(7, "code", "  - { Name: code, Section: .text }\n"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_CP_REL20 "
                "out of range: S 0x10000 + A 0 - cp 0x10008 = -0x8 = -2 words; "
                "the field holds 0..1048575\n"
                ">>> references 'code' defined in a.o:(.text+0x0)\n"
                ">>> the cp region has 8 bytes from 0x10008, all of which this "
                "form reaches: the symbol is not in it\n");
}

TEST(RelocationError, WeakAndUndefinedFromABase) {
  LinkHarness links;
  links.file("a.o",
             xs1Text(5, "maybe", "  - { Name: maybe, Binding: STB_WEAK }\n"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_CP_REL16 "
                "out of range: the symbol is weak and undefined, and its value "
                "0 is not reached from cp 0x10008\n"
                ">>> references 'maybe'\n");
}

// A branch to it is never taken: the field gets 0.
TEST(RelocationError, NoneForAWeakBranch) {
  LinkHarness links;
  links.file("a.o",
             xs1Text(10, "maybe", "  - { Name: maybe, Binding: STB_WEAK }\n"));
  EXPECT_EQ(quiet(links.link({"a.o"})).word(0x10004, 2), 0u);
}

TEST(RelocationError, Branch) {
  LinkHarness links;
  links.file("a.o", xs1Text(8, "far",
                            "  - { Name: far, Index: SHN_ABS, Value: "
                            "0x10106 }\n"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_REL6 out "
                "of range: S 0x10106 + A 0 - P 0x10006 = 0x100 = 128 "
                "halfwords; the field holds -63..63\n"
                ">>> references 'far'\n"
                ">>> REL16 (the form with prefix) reaches 65535 halfwords\n");
}

// -z xs1-place=offset takes P as r_offset: another sum, and the text says so.
TEST(RelocationError, PlaceWithoutBias) {
  LinkHarness links;
  links.file("a.o", xs1Text(8, "far",
                            "  - { Name: far, Index: SHN_ABS, Value: "
                            "0x10106 }\n"));
  expectFailure(links.link({"-z", "xs1-place=offset", "a.o"}),
                "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_REL6 out "
                "of range: S 0x10106 + A 0 - P 0x10004 = 0x102 = 129 "
                "halfwords; the field holds -63..63\n"
                ">>> references 'far'\n"
                ">>> REL16 (the form with prefix) reaches 65535 halfwords\n");
}

//===----------------------------------------------------------------------===//
// DPU, Colossus, Aphelion
//===----------------------------------------------------------------------===//

Bytes dpuText(unsigned type, StringRef value, StringRef addend) {
  return dpu((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 8, Symbol: number, Type: )" +
              std::to_string(type) + ", Addend: " + addend + R"( } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: number, Index: SHN_ABS, Value: )" +
              value + ", Binding: STB_GLOBAL }\n")
                 .str());
}

// The sum and what the address map makes of it.
TEST(RelocationError, MappedAddress) {
  LinkHarness links;
  links.file("a.o", dpuText(129, "0x80000100", "3"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x8): relocation R_DPU_IMM5 out of "
                "range: S 0x80000100 + A 0x3 = 0x80000103, mapped to 0x23 = "
                "35; the field holds -16..31\n"
                ">>> references 'number', absolute, of a.o\n");
  // NR_TASKLETS - 1 with no tasklets is legitimate.
  links.file("b.o", dpuText(129, "0", "-1"));
  OutFile out = quiet(links.link({"b.o"}));
  EXPECT_EQ(out.word(0x80000008, 8), uint64_t(0xf) << 20 | uint64_t(1) << 28);
}

Bytes colossusText(unsigned type, StringRef value) {
  return colossus((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 4, Symbol: number, Type: )" +
                   std::to_string(type) + R"( } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: number, Index: SHN_ABS, Value: )" +
                   value + ", Binding: STB_GLOBAL }\n")
                      .str());
}

TEST(RelocationError, TileMemory) {
  LinkHarness links;
  auto expect = [&](unsigned type, StringRef value, StringRef text) {
    links.file("a.o", colossusText(type, value));
    expectFailure(links.link({"a.o"}),
                  ("xlink: error: a.o:(.text+0x4): relocation R_COLOSSUS_" +
                   text + "\n>>> references 'number', absolute, of a.o\n")
                      .str());
  };
  expect(9, "0x3fffc",
         "RUN out of range: S 0x3fffc + A 0 - TMEM base 0x40000 = -0x4 = -1 "
         "words; the field holds 0..65535");
  expect(8, "0x40002",
         "19_S2 misaligned: S 0x40002 + A 0 = 0x40002, not a multiple of 4");
  expect(2, "0x10000",
         "16 out of range: S 0x10000 + A 0 = 0x10000 = 65536 bytes; the field "
         "holds 0..65535");
  expect(16, "0x200020",
         "16_S5 out of range: S 0x200020 + A 0 = 0x200020 = 65537 units of 32 "
         "bytes; the field holds 0..65535");
  // Bit 31 of a word is nobody's business: DWARF marks with it.
  links.file("b.o", colossusText(4, "0xffffffff"));
  EXPECT_EQ(quiet(links.link({"b.o"})).word(0x40004), 0xffffffffu);
}

TEST(RelocationError, FarCall) {
  LinkHarness links;
  links.file("a.o", aphelion(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: far, Type: 3, Addend: -8 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: far, Index: SHN_ABS, Value: 0x80011008, Binding: STB_GLOBAL }
)"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.text+0x0): relocation R_APHELION_CALL "
                "out of range: S 0x80011008 + A -0x8 - P 0x11000 = 0x80000000 "
                "= 536870912 words; the field holds -536870912..536870911\n"
                ">>> references 'far', absolute, of a.o\n"
                ">>> fcall reaches any address\n");
}

TEST(RelocationError, MisalignedPlace) {
  LinkHarness links;
  links.file("a.o", aphelion(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 16 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 4, Symbol: _start, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.data+0x4): relocation R_APHELION_WORD "
                "misaligned: its place 0x12004 is not a multiple of 8\n"
                ">>> references '_start' defined in a.o:(.text+0x0)\n");
}

} // namespace
} // namespace xlink::test
