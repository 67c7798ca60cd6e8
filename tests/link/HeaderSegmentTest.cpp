//===- HeaderSegmentTest.cpp - FILEHDR and PHDRS of a script --------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kBody[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '1111111122222222' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '33333333' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

Linked linkWith(StringRef script) {
  LinkHarness links;
  links.file("a.o", nyuzi(kBody)).file("x.ld", script);
  return links.link({"-T", "x.ld", "a.o"});
}
const std::string kSections = "SECTIONS { .text 0x1000 : { *(.text) } :one\n"
                              "  .data 0x3000 : { *(.data) } :two }";

// As in GNU ld: the headers stand at the beginning of the file.
TEST(HeaderSegment, NotBehindAnother) {
  for (const char *words : {"FILEHDR", "PHDRS", "FILEHDR PHDRS"})
    expectFailure(
        linkWith(std::string("PHDRS { one PT_LOAD; two PT_LOAD ") + words +
                 "; }\n" + kSections),
        "xlink: error: x.ld:1:22: segment 'two' cannot hold headers: the "
        "PT_LOAD before it, 'one', holds none\n");
}

// Both hold the file from its beginning on; sections share no bytes of it.
TEST(HeaderSegment, Two) {
  OutFile out = quiet(
      linkWith("PHDRS { one PT_LOAD FILEHDR PHDRS; two PT_LOAD FILEHDR; }\n" +
               kSections));
  EXPECT_EQ(bytesOf(out, ".text"), "1111111122222222");
  EXPECT_EQ(bytesOf(out, ".data"), "33333333");
  EXPECT_EQ(segmentsOf(out), "LOAD R-X 0 1008 1008\n"
                             "LOAD RW- 1000 2004 2004\n");
}

TEST(HeaderSegment, NoRoom) {
  expectFailure(linkWith("PHDRS { one PT_LOAD FILEHDR PHDRS; two PT_LOAD; }\n"
                         "SECTIONS { .text 0x10 : { *(.text) } :one\n"
                         "  .data 0x3000 : { *(.data) } :two }"),
                "xlink: error: x.ld:1:9: segment 'one' has no room for "
                "headers\n"
                ">>> they would stand below its first section, which is at "
                "0x10\n");
}

TEST(HeaderSegment, PhdrWithoutLoad) {
  expectFailure(linkWith("PHDRS { top PT_PHDR PHDRS; one PT_LOAD; two PT_LOAD; "
                         "}\n" +
                         kSections),
                "xlink: error: x.ld:1:9: no PT_LOAD with PHDRS covers segment "
                "'top'\n");
}

// What stands in PT_PHDR are the program headers, whatever :phdr says.
TEST(HeaderSegment, PhdrOfASection) {
  OutFile out = quiet(linkWith(
      "PHDRS { top PT_PHDR PHDRS; one PT_LOAD FILEHDR PHDRS; two PT_LOAD; }\n"
      "SECTIONS { .text 0x1000 : { *(.text) } :top :one\n"
      "  .data 0x3000 : { *(.data) } :two }"));
  ASSERT_EQ(out.segments.size(), 3u);
  EXPECT_EQ(out.segments[0].type, 6u); // PT_PHDR
  EXPECT_EQ(out.segments[0].offset, 52u);
  EXPECT_EQ(out.segments[0].fileSize, 3 * 32u);
}

} // namespace
} // namespace xlink::test
