//===- ThreadLocalTest.cpp - the template of thread-local data ------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kThreads[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .tdata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 8, Content: '0102030405060708' }
  - { Name: .tbss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 64, Size: 16 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: zero, Type: 1 } ] }
Symbols:
  - { Name: here, Section: .tbss, Value: 4, Type: STT_TLS }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: data, Section: .tdata, Type: STT_TLS, Binding: STB_GLOBAL }
  - { Name: zero, Section: .tbss, Value: 8, Type: STT_TLS, Binding: STB_GLOBAL }
)";

TEST(ThreadLocal, SegmentIsAlignedForZerosToo) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", aphelion(kThreads))
                          .link({"-Ttext=0x11000", "-Tdata=0x12048", "a.o"}));
  EXPECT_EQ(out.section(".tdata")->align, 64u);
  EXPECT_EQ(out.section(".tdata")->address % 64, 0u);
  ASSERT_EQ(out.segments.back().type, uint32_t(ELF::PT_TLS));
  EXPECT_EQ(out.segments.back().align, 64u);
  EXPECT_EQ(out.segments.back().fileSize, 8u);
  EXPECT_EQ(out.segments.back().memSize, 0x50u);
}

TEST(ThreadLocal, SymbolsCountFromTheTemplate) {
  OutFile out =
      quiet(LinkHarness().file("a.o", aphelion(kThreads)).link({"a.o"}));
  EXPECT_EQ(out.value("data"), 0u);
  EXPECT_EQ(out.value("zero"), 0x48u);
  EXPECT_EQ(out.value("here"), 0x44u);
  // What a relocation writes is an address all the same.
  const uint64_t begin = out.section(".tdata")->address;
  EXPECT_EQ(out.word(out.section(".data")->address, 8), begin + 0x48);
}

// Two sections side by side in the script that are not so in memory.
TEST(ThreadLocal, BytesInOneSegment) {
  LinkHarness links;
  links.file("a.o", aphelion(kThreads)).file("b.o", aphelion(R"(
Sections:
  - { Name: .tdata.b, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 8, Content: '0102030405060708' }
)"));
  links.file("x.ld", R"(
MEMORY { rom : ORIGIN = 0x10000, LENGTH = 64K
         ram : ORIGIN = 0x80000, LENGTH = 64K }
SECTIONS {
  .text : { *(.text) } > rom
  .first : { *(.tdata) } > rom
  .tdata : { *(.tdata.b) } > ram
  .tbss : { *(.tbss) } > ram
  .data : { *(.data) } > ram
})");
  expectFailure(links.link({"-T", "x.ld", "a.o", "b.o"}),
                "xlink: error: thread-local section '.tdata' is in another "
                "segment than '.first': what has bytes is copied in one "
                "piece\n");
}

// The template's bytes are copied in one piece, and zeros stand behind them.
TEST(ThreadLocal, BytesInOnePiece) {
  auto laidOut = [](StringRef sections) {
    LinkHarness links;
    links.file("a.o", aphelion(kThreads))
        .file("x.ld",
              ("SECTIONS { .text 0x10000 : { *(.text) } " + sections + " }")
                  .str());
    return links.link({"-T", "x.ld", "a.o"});
  };
  expectFailure(laidOut(".tbss : { *(.tbss) } .tdata : { *(.tdata) } "
                        ".data : { *(.data) }"),
                "xlink: error: thread-local section '.tdata' stands behind "
                "'.tbss': what has bytes comes first, without a gap\n");
  expectFailure(laidOut(".tdata : { *(.tdata) } .data : { *(.data) } "
                        ".more : { BYTE(1) *(.tbss) }"),
                "xlink: error: thread-local section '.more' stands behind "
                "'.data': what has bytes comes first, without a gap\n");
  // What is between bytes and zeros only takes room; .tbss asks for 64.
  OutFile out = quiet(laidOut(".tdata : { *(.tdata) } .data : { *(.data) } "
                              ".tbss : { *(.tbss) }"));
  EXPECT_EQ(out.value("data"), 0u);
  EXPECT_EQ(out.section(".tdata")->address % 64, 0u);
  EXPECT_EQ(out.value("zero") % 64, 8u);
}

} // namespace
} // namespace xlink::test
