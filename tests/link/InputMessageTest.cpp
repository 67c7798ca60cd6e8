//===- InputMessageTest.cpp - inputs that are something else --------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kObject[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

// A text file among the inputs counts as a script. What is no script gives one
// error, not one for each of its lines.
TEST(InputMessage, TextThatIsNoScript) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("README.md",
             StringRef("# xlink\n\nxlink is a linker.\nSee `-h`.\n"));
  expectFailure(links.link({"a.o", "README.md"}),
                "xlink: error: README.md: neither object nor archive; as a "
                "linker script: 3:1: unknown command 'xlink'\n"
                ">>> xlink is a linker.\n"
                ">>> ^\n");
  // What one can read goes on to count.
  links.file("more.ld", StringRef("x = 5;"));
  EXPECT_EQ(quiet(links.link({"a.o", "more.ld"})).value("x"), 5u);
}

// `.vectors` without parentheses names a file.
TEST(InputMessage, PatternWithoutParentheses) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("a.ld", StringRef("SECTIONS {\n  .text : { KEEP(.vectors) "
                               "*(.text) }\n}\n"));
  expectFailure(
      links.link({"-T", "a.ld", "a.o"}),
      "xlink: error: a.ld:2:13: no file '.vectors'; sections are written "
      "KEEP(*(.vectors))\n");
  links.file("c.ld", StringRef("SECTIONS { .text : { .text } }"));
  expectFailure(links.link({"-T", "c.ld", "a.o"}),
                "xlink: error: c.ld:1:22: no file '.text'; sections are "
                "written *(.text)\n");
  links.file("b.ld", StringRef("SECTIONS { .text : { b.o *(.text) } }"));
  expectFailure(links.link({"-T", "b.ld", "a.o"}),
                "xlink: error: b.ld:1:22: cannot open b.o: No such file or "
                "directory\n");
}

TEST(InputMessage, RegionMisspelt) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("a.ld", StringRef("MEMORY { sram : ORIGIN = 0, LENGTH = 1K }\n"
                               "SECTIONS { .text : { *(.text) } > srma }"));
  expectFailure(
      links.link({"-T", "a.ld", "a.o"}),
      "xlink: error: a.ld:2:35: memory region 'srma' is not declared; "
      "did you mean 'sram'?\n");
}

// The built-in scripts name what memory holds: debug information is no orphan
// that anybody could have forgotten.
TEST(InputMessage, DebugInformationIsExpected) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  quiet(links.link({"--orphan-handling=error", "a.o"}));
  links.file("a.ld", StringRef("SECTIONS { .text : { *(.text) } }"));
  expectFailure(links.link({"--orphan-handling=error", "-T", "a.ld", "a.o"}),
                "xlink: error: section '.debug_info' of a.o matches no pattern "
                "of the linker script\n");
}

// GCC's objects that only its plugin can read would add nothing to a program.
TEST(InputMessage, SlimLtoObject) {
  LinkHarness links;
  links.file("slim.o", nyuzi(R"(
Sections:
  - { Name: .gnu.lto_.symtab.1, Type: SHT_PROGBITS, Flags: [ SHF_EXCLUDE ], Size: 4 }
Symbols:
  - { Name: __gnu_lto_slim, Index: SHN_COMMON, Value: 1, Size: 1, Type: STT_OBJECT, Binding: STB_GLOBAL }
)"));
  expectFailure(links.link({"slim.o"}),
                "xlink: error: slim.o: holds no machine code, only what GCC's "
                "-flto reads\n"
                ">>> compile with -fno-lto, or with -ffat-lto-objects\n");
}

// One cause, one error: who names a region that could not be read is right.
TEST(InputMessage, RegionWithAMalformedLength) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject));
  links.file("a.ld", "MEMORY { ram : ORIGIN = 0x1000, LENGTH = 4KB }\n"
                     "SECTIONS { .all : { *(.text) *(.data) } > ram }\n");
  expectFailure(links.link({"-T", "a.ld", "a.o"}),
                "xlink: error: a.ld:1:42: malformed number: '4KB'\n"
                ">>> MEMORY { ram : ORIGIN = 0x1000, LENGTH = 4KB }\n"
                ">>>                                          ^\n");
}

} // namespace
} // namespace xlink::test
