//===- ScriptMessageTest.cpp - what the layout says of a script -----------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kObject[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 32 }
  - { Name: .vectors, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 12 }
  - { Name: .info, Type: SHT_PROGBITS, Size: 3 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Link: .symtab, EntSize: 12, Relocations: [ { Offset: 4, Symbol: var, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: var, Section: .data, Binding: STB_GLOBAL }
)";

Linked linkScript(StringRef script, std::vector<std::string> options = {}) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("x.ld", script);
  std::vector<std::string> arguments = {"-m", "nyuzi", "-T", "x.ld"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back("a.o");
  return links.link(arguments);
}

TEST(ScriptMessage, RegionOverflow) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 16\n"
                           " ram : ORIGIN = 0x8000, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".text : { *(.text .vectors .rodata) } >rom\n"
                           ".data : { *(.data .bss) } >ram }\n"),
                "xlink: error: section '.text' will not fit in region 'rom': "
                "overflowed by 20 bytes\n"
                ">>> region 'rom': 0x10 (16) bytes at 0x1000, used 0x24 (36)\n"
                ">>> 16 bytes: a.o:(.text)\n"
                ">>> 12 bytes: a.o:(.vectors)\n"
                ">>> 8 bytes: a.o:(.rodata)\n"
                ">>> regions with room: 'ram' 4056 bytes\n"
                ">>> --gc-sections would remove 20 bytes that nothing reaches: "
                "20 of .text\n");
}

/// What (INFO) would load takes room in its region all the same.
TEST(ScriptMessage, RegionOverflowOfInfo) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 16\n"
                           " ram : ORIGIN = 0x8000, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".text : { *(.text) } >rom\n"
                           ".note (INFO) : { *(.rodata) } >rom\n"
                           ".data : { *(.data .vectors .bss) } >ram }\n"),
                "xlink: error: section '.note' will not fit in region 'rom': "
                "overflowed by 8 bytes\n"
                ">>> region 'rom': 0x10 (16) bytes at 0x1000, used 0x18 (24)\n"
                ">>> 16 bytes: a.o:(.text)\n"
                ">>> 8 bytes: a.o:(.rodata)\n"
                ">>> regions with room: 'ram' 4044 bytes\n"
                ">>> --gc-sections would remove 8 bytes that nothing reaches: "
                "8 of .note\n");
}

TEST(ScriptMessage, LoadRegionOverflow) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 0x28\n"
                           " ram : ORIGIN = 0x8000, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".text : { *(.text .vectors .rodata) } >rom\n"
                           ".data : { *(.data) } >ram AT>rom\n"
                           ".bss : { *(.bss) } >ram }\n"),
                "xlink: error: section '.data' will not fit in region 'rom': "
                "overflowed by 4 bytes\n"
                ">>> region 'rom': 0x28 (40) bytes at 0x1000, used 0x2c (44)\n"
                ">>> 16 bytes: a.o:(.text)\n"
                ">>> 12 bytes: a.o:(.vectors)\n"
                ">>> 8 bytes: a.o:(.rodata)\n"
                ">>> 8 bytes: a.o:(.data)\n"
                ">>> regions with room: 'ram' 4056 bytes\n"
                ">>> --gc-sections would remove 20 bytes that nothing reaches: "
                "20 of .text\n");
}

TEST(ScriptMessage, OutsideOfRegion) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".text 0x800 : { *(.text .vectors .rodata) } >rom\n"
                           ".data 0x1800 : { *(.data .bss) } >rom }\n"),
                "xlink: error: address 0x800 of section '.text' is not within "
                "region 'rom' [0x1000, 0x1fff]\n");
  // What follows is outside too, and no news.
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".text 0x20 : { *(.text .vectors .rodata) } >rom\n"
                           ".data : { *(.data .bss) } >rom }\n"),
                "xlink: error: address 0x20 of section '.text' is not within "
                "region 'rom' [0x1000, 0x1fff]\n");
}

TEST(ScriptMessage, VirtualOverlap) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                 ".data 0x1010 : { *(.data .bss) } }\n"),
      "xlink: error: section .text virtual address range overlaps with .data\n"
      ">>> .text range is [0x1000, 0x1023]\n"
      ">>> .data range is [0x1010, 0x1037]\n");
}

/// Sections that begin at one address are overlays; one that reaches into them
/// from elsewhere is worth a warning.
TEST(ScriptMessage, OverlapBesideOverlays) {
  Linked linked = linkScript("ENTRY(_start)\n"
                             "SECTIONS {\n"
                             ".text 0x1000 : { *(.text) }\n"
                             ".a 0x2000 : AT(0x3000) { *(.vectors) }\n"
                             ".b 0x2000 : AT(0x4000) { *(.rodata) }\n"
                             ".data 0x2004 : AT(0x5000) { *(.data .bss) } }\n");
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors,
            "xlink: warning: section .b virtual address range overlaps with "
            ".data\n"
            ">>> .b range is [0x2000, 0x2007]\n"
            ">>> .data range is [0x2004, 0x202b]\n");
}

TEST(ScriptMessage, LoadOverlap) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                 ".data 0x2000 : AT(0x1010) { *(.data .bss) } }\n"),
      "xlink: error: section .text load address range overlaps with .data\n"
      ">>> .text range is [0x1000, 0x1023]\n"
      ">>> .data range is [0x1010, 0x1037]\n");
}

TEST(ScriptMessage, BackwardsDot) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) . = 4; }\n"
                 ".data : { *(.data .bss) } }\n"),
      "xlink: error: x.ld:3:44: cannot move the location counter backwards "
      "(from 0x1024 to 0x1004) in section '.text'\n");
}

TEST(ScriptMessage, UndeclaredRegion) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) } >rom\n"
                 ".data : { *(.data .bss) } }\n"),
      "xlink: error: x.ld:3:47: memory region 'rom' is not declared\n");
}

TEST(ScriptMessage, NoRegion) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                 "SECTIONS {\n"
                 ".text : { *(.text .vectors .rodata) } >rom\n"
                 ".data : { *(.data .bss) } }\n"),
      "xlink: error: x.ld:5:1: no memory region for section '.data'\n");
}

TEST(ScriptMessage, NoRegionUnchecked) {
  warned(linkScript("ENTRY(_start)\n"
                    "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                    "SECTIONS {\n"
                    ".text : { *(.text .vectors .rodata) } >rom\n"
                    ".data : { *(.data .bss) } }\n",
                    {"--no-check-sections"}),
         "xlink: warning: x.ld:5:1: no memory region for section '.data': it "
         "follows the "
         "location counter\n");
}

TEST(ScriptMessage, NothingConverges) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                 ".data (ADDR(.data) == 0x3000 ? 0x2000 : 0x3000) : { *(.data "
                 ".bss) } }\n"),
      "xlink: error: address assignment did not converge in 64 rounds\n"
      ">>> still moving: section '.data': 0x3000, then 0x2000\n");
}

TEST(ScriptMessage, RegionThatGrows) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "MEMORY { r (!rwx) : ORIGIN = 0, LENGTH = LENGTH(r) + 1 }\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                 ".data 0x2000 : { *(.data .bss) } }\n"),
      "xlink: error: address assignment did not converge in 64 rounds\n"
      ">>> still moving: region 'r': 0x3f, then 0x40\n");
}

TEST(ScriptMessage, SymbolThatGrows) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data 0x2000 : { *(.data .bss) } }\n"
                           "x = y + 1; y = x;\n"),
                "xlink: error: address assignment did not converge in 64 "
                "rounds\n"
                ">>> still moving: symbol 'x': 0x3f, then 0x40\n");
}

TEST(ScriptMessage, DotBeyondReason) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".data 0x100 : { *(.data .bss) }\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) . += 1 "
                           "<< 40; BYTE(1) } }\n"),
                "xlink: error: section '.text' at 0x1000 with size "
                "0x10000000025 does not fit the machine's address space\n"
                "xlink: error: the output would hold 1099511631751 bytes of "
                "padding, most of it at section '.text'\n"
                ">>> a location counter or an alignment jumps too far; NOLOAD "
                "sections and separate memory regions take no file space\n");
}

TEST(ScriptMessage, UndeclaredPhdr) {
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "PHDRS { text PT_LOAD; }\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : { *(.text .vectors .rodata) } :nope\n"
                 ".data : { *(.data .bss) } :text }\n"),
      "xlink: error: x.ld:4:47: section '.text' is assigned to the program "
      "header 'nope', which PHDRS does not declare\n");
}

TEST(ScriptMessage, NoPhdrUsed) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "PHDRS { text PT_LOAD; }\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) } }\n"),
                "xlink: error: no sections assigned to phdrs\n");
}

// Not even --no-check-sections lets two sections have the same bytes of a file.
TEST(ScriptMessage, FileOverlap) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "PHDRS { text PT_LOAD; }\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text) } :text\n"
                           ".data 0x1008 : { *(.data) }\n"
                           "/DISCARD/ : { *(.vectors .rodata .bss) } }\n",
                           {"--no-check-sections"}),
                "xlink: error: section .text file range overlaps with .data\n"
                ">>> .text range in its segment is [0x0, 0xf]\n"
                ">>> .data range in its segment is [0x8, 0xf]\n");
}

/// One header cannot map sections at two distances of VMA and LMA.
TEST(ScriptMessage, TwoDistancesInASegment) {
  Linked linked = linkScript("ENTRY(_start)\n"
                             "PHDRS { p1 PT_LOAD; }\n"
                             "SECTIONS {\n"
                             ".text 0x1000 : { *(.text .vectors) } :p1\n"
                             ".data 0x8000 : AT(0x2000) { *(.data) }\n"
                             ".bss : AT(0x3000) { *(.bss .rodata) } }\n");
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors,
            "xlink: warning: section '.data' cannot be loaded where segment "
            "'p1' maps it\n"
            ">>> the segment maps 0x1000 to 0x1000\n"
            ">>> the section is loaded at 0x2000 and stands at 0x8000\n");
}

TEST(ScriptMessage, TwoLoadAddresses) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { rom : ORIGIN = 0, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".text : AT(0x1000) { *(.text) } > rom AT> rom }\n",
                           {"--no-warn-orphan"}),
                "xlink: error: x.ld:4:1: section has both a load address and "
                "a load region\n"
                ">>> .text : AT(0x1000) { *(.text) } > rom AT> rom }\n"
                ">>> ^\n");
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "MEMORY { rom : ORIGIN = 0, LENGTH = 4K }\n"
                 "SECTIONS {\n"
                 "OVERLAY : AT(0x800) { .o { *(.text) } } AT> rom }\n",
                 {"--no-warn-orphan"}),
      "xlink: error: x.ld:4:1: OVERLAY has both a load address and "
      "a load region\n"
      ">>> OVERLAY : AT(0x800) { .o { *(.text) } } AT> rom }\n"
      ">>> ^\n");
}

TEST(ScriptMessage, InsertNowhere) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS { .i : { BYTE(1) } }\n"
                           "INSERT AFTER .nowhere;\n"),
                "xlink: error: x.ld:3:1: section '.nowhere' of INSERT is not "
                "in any script\n");
}

TEST(ScriptMessage, FailedAssertion) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) }\n"
                           "ASSERT(SIZEOF(.text) > 1000, \"too small\") }\n"),
                "xlink: error: x.ld:5:1: assertion failed: too small\n");
}

TEST(ScriptMessage, UndefinedSymbol) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) }\n"
                           "x = nowhere + 1; }\n"),
                "xlink: error: x.ld:5:5: undefined symbol 'nowhere'\n");
}

TEST(ScriptMessage, UndefinedSection) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) }\n"
                           "x = SIZEOF(.nope); }\n"),
                "xlink: error: x.ld:5:5: undefined section '.nope'\n");
}

TEST(ScriptMessage, OddAlignment) {
  OutFile out = warned(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : ALIGN(3) { *(.text .vectors .rodata) }\n"
                 ".data : { *(.data .bss) } }\n"),
      "xlink: warning: x.ld:3:22: alignment 0x3 is not a power of two: 0x4 is "
      "used\n");
  EXPECT_EQ(out.section(".text")->address, 0x1000u);
  expectFailure(
      linkScript("ENTRY(_start)\n"
                 "SECTIONS {\n"
                 ".text 0x1000 : ALIGN(0x8000000000000001) {\n"
                 "  *(.text .vectors .rodata) }\n"
                 ".data : { *(.data .bss) } }\n"),
      "xlink: error: x.ld:3:22: alignment 0x8000000000000001 is too large\n");
}

TEST(ScriptMessage, DivisionByZero) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) }\n"
                           "x = 1 / (SIZEOF(.text) - 36); }\n"),
                "xlink: error: x.ld:5:7: division by zero\n");
}

TEST(ScriptMessage, UnknownFlag) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { INPUT_SECTION_FLAGS(SHF_NOPE) "
                           "*(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) } }\n"),
                "xlink: error: x.ld:3:18: unknown section flag 'SHF_NOPE'\n");
}

TEST(ScriptMessage, ProhibitedReference) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "NOCROSSREFS(.text .data)\n"
                           "SECTIONS {\n"
                           ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                           ".data : { *(.data .bss) } }\n"),
                "xlink: error: a.o:(.text+0x4): prohibited cross reference "
                "from '.text' to 'var' in '.data'\n");
}

TEST(ScriptMessage, NearPattern) {
  warned(linkScript("ENTRY(_start)\n"
                    "SECTIONS {\n"
                    ".text 0x1000 : { KEEP(*(.vectros)) *(.text .rodata) }\n"
                    ".data : { *(.data .bss) } }\n"),
         "xlink: warning: x.ld:3:25: pattern '.vectros' of KEEP matches no "
         "section; did you mean '.vectors'?\n");
}

// The misspelt section is gone: what only KEEP would have kept.
TEST(ScriptMessage, NearPatternOfDropped) {
  warned(linkScript("ENTRY(_start)\n"
                    "SECTIONS {\n"
                    ".text 0x1000 : { KEEP(*(.vectros)) *(.text .rodata) }\n"
                    ".data : { *(.data .bss) } }\n",
                    {"--gc-sections"}),
         "xlink: warning: x.ld:3:25: pattern '.vectros' of KEEP matches no "
         "section; did you mean '.vectors'?\n"
         ">>> '.vectors' of a.o was dropped by --gc-sections\n");
}

// The misspelt section joins the output section of its own name.
TEST(ScriptMessage, NearPatternOfSameOutput) {
  warned(linkScript("ENTRY(_start)\n"
                    "SECTIONS {\n"
                    ".vectors 0x1000 : { KEEP(*(.vectros)) }\n"
                    ".text : { *(.text .rodata) }\n"
                    ".data : { *(.data .bss) } }\n"),
         "xlink: warning: x.ld:3:28: pattern '.vectros' of KEEP matches no "
         "section; did you mean '.vectors'?\n");
}

// What another pattern took is meant by that one.
TEST(ScriptMessage, NearPatternOfTaken) {
  quiet(linkScript("ENTRY(_start)\n"
                   "SECTIONS {\n"
                   ".text 0x1000 : { KEEP(*(.vectros)) *(.text .rodata) }\n"
                   ".data : { *(.data .bss .vectors) } }\n"));
}

TEST(ScriptMessage, UnmatchedPatterns) {
  warned(linkScript("ENTRY(_start)\n"
                    "SECTIONS {\n"
                    ".text 0x1000 : { *(.init) *(.text .vectors .rodata) "
                    "KEEP(*(.fini*)) }\n"
                    ".data : { *(.data .bss) } }\n",
                    {"--warn-unmatched"}),
         "xlink: warning: x.ld:3:20: pattern '.init' matches no section\n"
         "xlink: warning: x.ld:3:60: pattern '.fini*' of KEEP matches no "
         "section\n");
}

TEST(ScriptMessage, OrphanInRegion) {
  warned(linkScript("ENTRY(_start)\n"
                    "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                    "SECTIONS {\n"
                    ".text : { *(.text .rodata) } >rom\n"
                    ".data : { *(.data .bss) } >rom }\n"),
         "xlink: warning: section '.vectors' matches no pattern and went to "
         "region 'rom'\n");
}

TEST(ScriptMessage, RegionWithoutAlloc) {
  warned(linkScript("ENTRY(_start)\n"
                    "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                    "SECTIONS {\n"
                    ".text : { *(.text .vectors .rodata) } >rom\n"
                    ".data : { *(.data .bss) } >rom\n"
                    ".info : { *(.info) } >rom }\n"),
         "xlink: warning: x.ld:6:1: section '.info' has no SHF_ALLOC and takes "
         "no room in region 'rom'\n");
}

TEST(ScriptMessage, KeptWithoutAlloc) {
  const char script[] = "ENTRY(_start)\n"
                        "SECTIONS {\n"
                        ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                        ".data : { *(.data .bss) }\n"
                        ".info : { KEEP(*(.info)) } }\n";
  warned(linkScript(script),
         "xlink: warning: x.ld:5:11: KEEP of a.o:(.info), which has no "
         "SHF_ALLOC and is not in memory\n");
  quiet(linkScript(script, {"--no-warn-script"}));
}

// The script says itself that it is for no memory.
TEST(ScriptMessage, KeptForNoMemory) {
  for (const char *head : {".info 0", ".info (INFO)"})
    quiet(linkScript("ENTRY(_start)\n"
                     "SECTIONS {\n"
                     ".text 0x1000 : { *(.text .vectors .rodata) }\n"
                     ".data : { *(.data .bss) }\n" +
                     std::string(head) + " : { KEEP(*(.info)) } }\n"));
}

// Kinds of sections that never are in memory, whatever a script makes of them.
TEST(ScriptMessage, DescriptionsInRegions) {
  for (const char *name :
       {".debug_info", ".mdebug", ".stab", ".reginfo", ".ARM.attributes"})
    for (const char *pattern : {"*(.info)", "KEEP(*(.info))"})
      for (const char *region : {"", " > rom"})
        quiet(linkScript("ENTRY(_start)\n"
                         "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                         "SECTIONS {\n"
                         ".text : { *(.text .vectors .rodata) } >rom\n"
                         ".data : { *(.data .bss) } >rom\n" +
                         std::string(name) + " : { " + pattern + " }" + region +
                         " }\n"));
}

// Every group of warnings has a name that turns it off.
TEST(ScriptMessage, WarningsOff) {
  const char script[] = "ENTRY(_start)\n"
                        "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 4K }\n"
                        "SECTIONS {\n"
                        ".text : { *(.text) KEEP(*(.vectros)) } >rom\n"
                        ".data : { *(.data .bss) *(.init) } >rom\n"
                        ".info : { *(.info) } >rom }\n";
  warned(linkScript(script, {"--warn-unmatched", "--no-warn-script"}),
         "xlink: warning: section '.rodata' matches no pattern and went to "
         "region 'rom'\n"
         "xlink: warning: section '.vectors' matches no pattern and went to "
         "region 'rom'\n");
  warned(linkScript(script, {"--warn-unmatched", "--no-warn-orphan"}),
         "xlink: warning: x.ld:4:27: pattern '.vectros' of KEEP matches no "
         "section; did you mean '.vectors'?\n"
         "xlink: warning: x.ld:5:27: pattern '.init' matches no section\n"
         "xlink: warning: x.ld:6:1: section '.info' has no SHF_ALLOC and takes "
         "no room in region 'rom'\n");
  quiet(linkScript(
      script, {"--warn-unmatched", "--no-warn-orphan", "--no-warn-script"}));
}

TEST(ScriptMessage, FullRegions) {
  expectFailure(linkScript("ENTRY(_start)\n"
                           "MEMORY { a : ORIGIN = 0x1000, LENGTH = 16\n"
                           " b : ORIGIN = 0x2000, LENGTH = 8\n"
                           " ram : ORIGIN = 0x8000, LENGTH = 4K }\n"
                           "SECTIONS {\n"
                           ".a : { *(.text .vectors .rodata) } >a\n"
                           ".b : { *(.vectors .rodata) } >b\n"
                           ".data : { *(.data .bss) } >ram }\n",
                           {"--enable-non-contiguous-regions"}),
                "xlink: error: section '.b' will not fit in region 'b': "
                "overflowed by 12 bytes\n"
                ">>> region 'b': 0x8 (8) bytes at 0x2000, used 0x14 (20)\n"
                ">>> 12 bytes: a.o:(.vectors)\n"
                ">>> 8 bytes: a.o:(.rodata)\n"
                ">>> regions with room: 'ram' 4056 bytes\n"
                ">>> --gc-sections would remove 20 bytes that nothing reaches: "
                "20 of .b\n");
}

TEST(ScriptMessage, MovesBetweenRegions) {
  warned(linkScript("ENTRY(_start)\n"
                    "MEMORY { a : ORIGIN = 0x1000, LENGTH = 16\n"
                    " b : ORIGIN = 0x2000, LENGTH = 32\n"
                    " ram : ORIGIN = 0x8000, LENGTH = 4K }\n"
                    "SECTIONS {\n"
                    ".a : { *(.text .vectors .rodata) } >a\n"
                    ".b : { *(.vectors .rodata) } >b\n"
                    ".data : { *(.data .bss) } >ram }\n",
                    {"--enable-non-contiguous-regions",
                     "--enable-non-contiguous-regions-warnings"}),
         "xlink: warning: --enable-non-contiguous-regions may move "
         "a.o:(.rodata) from '.a' to '.b'\n"
         "xlink: warning: --enable-non-contiguous-regions may move "
         "a.o:(.vectors) from '.a' to '.b'\n");
}

TEST(ScriptMessage, SectionsThatMovedOn) {
  OutFile out = quiet(linkScript("ENTRY(_start)\n"
                                 "MEMORY { a : ORIGIN = 0x1000, LENGTH = 20\n"
                                 " b : ORIGIN = 0x2000, LENGTH = 32\n"
                                 " ram : ORIGIN = 0x8000, LENGTH = 4K }\n"
                                 "SECTIONS {\n"
                                 ".a : { *(.text .vectors .rodata) } >a\n"
                                 ".b : { *(.rodata) *(.vectors) } >b\n"
                                 ".data : { *(.data .bss) } >ram }\n",
                                 {"--enable-non-contiguous-regions"}));
  EXPECT_EQ(layoutOf(out), ".a 1000 10\n.b 2000 14\n.data 8000 28\n");
}

// Names that differ by a number or that every toolchain has are no mistakes.
TEST(ScriptMessage, NamesThatDifferOnPurpose) {
  quiet(linkScript("ENTRY(_start)\n"
                   "SECTIONS {\n"
                   ".text 0x1000 : { *(.text .vectors1 .rodata) }\n"
                   ".d : { *(.sdata .data1 .sbss) } }\n"));
}

TEST(ScriptOutput, NameAndFormat) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("x.ld", "OUTPUT(image.bin) OUTPUT_FORMAT(binary) ENTRY(_start)\n"
                     "SECTIONS { .text 0x1000 : { *(.text .rodata .vectors) } "
                     ".data : { *(.data .bss) } /DISCARD/ : { *(.info) } }");
  // -o is stronger; the format stays.
  Linked linked = links.link({"-T", "x.ld", "a.o"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.image().size(), 0x24u + 40);
  // Even where it says what would be the name without it.
  linked = links.linkAsGiven({"-o", "a.out", "-T", "x.ld", "a.o"});
  EXPECT_EQ(linked.files.count("a.out"), 1u);
  linked = links.linkAsGiven({"-T", "x.ld", "a.o"});
  EXPECT_EQ(linked.files.count("image.bin"), 1u);
  // So is --oformat.
  linked = links.linkAsGiven({"--oformat=elf", "-T", "x.ld", "a.o"});
  ASSERT_EQ(linked.files.count("image.bin"), 1u) << linked.errors;
  EXPECT_EQ(OutFile(linked.files["image.bin"]).entry, 0x1000u);
}

} // namespace
} // namespace xlink::test
