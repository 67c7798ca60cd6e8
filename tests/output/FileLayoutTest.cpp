//===- FileLayoutTest.cpp - what stands where in the output file ----------===//
//
// gABI ("Program Header", "Section Header"): offsets of loaded bytes agree with
// their addresses modulo the alignment of the segment, and sections of one
// segment keep their distances. A raw image holds what is loaded, from the
// lowest load address on.
//
//===----------------------------------------------------------------------===//
#include "output/FileLayout.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// Code, data with zeros behind it, and what no segment holds.
struct Image : testing::TestWithParam<const char *> {
  void lay(const std::string &sections) {
    h.emplace(GetParam(), "SECTIONS { " + sections + " }");
    h->file("a.o")
        .section(".text", "ax", 16, 4)
        .section(".data", "aw", 8, 4)
        .zeros(".bss", "aw", 0x40, 4)
        .section(".comment", "", 3)
        .section(".debug_line", "", 8, 8);
    h->lay();
  }
  FileLayout elf() { return layOutElf(h->link()); }
  uint64_t offset(const FileLayout &file, StringRef name) {
    return file.offsets[h->id(name)];
  }
  std::optional<HandLaid> h;
};
INSTANTIATE_TEST_SUITE_P(BothClasses, Image,
                         testing::Values("nyuzi", "aphelion"));

const char *const kScript = ".text 0x10000 : { *(.text) } "
                            ".data 0x11230 : { *(.data) } .bss : { *(.bss) } "
                            ".comment 0 : { *(.comment) }";

TEST_P(Image, LoadedBytesAreCongruent) {
  lay(kScript);
  const FileLayout file = elf();
  ASSERT_EQ(file.segments.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const Segment &s = h->addresses.segments[i];
    EXPECT_EQ(file.segments[i].offset % s.align, s.address.wrapped() % s.align)
        << i;
    EXPECT_GE(file.segments[i].offset, file.begin);
  }
  EXPECT_EQ(offset(file, ".text"), 0x1000u);
  EXPECT_EQ(offset(file, ".data"), 0x1230u);
  EXPECT_EQ(file.segments[1].fileSize, 8u);
  EXPECT_EQ(file.segments[1].memSize, 0x48u);
}

TEST_P(Image, HeadersComeFirst) {
  lay(kScript);
  EXPECT_EQ(elf().begin, headersSize(h->program, 2));
}

// The rest in layout order, each aligned as it asks.
TEST_P(Image, WhatIsNotLoaded) {
  lay(kScript);
  const FileLayout file = elf();
  EXPECT_EQ(offset(file, ".comment"), 0x1238u);
  EXPECT_EQ(offset(file, ".debug_line"), 0x1240u);
  EXPECT_EQ(file.end, 0x1248u);
  EXPECT_EQ(offset(file, ".bss"), 0x1238u)
      << "in its segment, behind the bytes";
}

TEST_P(Image, SectionHeaders) {
  lay(kScript);
  h->of(".data").kept = false;
  const FileLayout file = elf();
  EXPECT_EQ(file.sectionCount, 5u) << "the null one too";
  EXPECT_EQ(file.headers[h->id(".text")], 1u);
  EXPECT_EQ(file.headers[h->id(".data")], 0u) << "none";
  EXPECT_EQ(file.headers[h->id(".bss")], 2u);
  EXPECT_EQ(file.headers[h->id(".comment")], 3u);
}

TEST_P(Image, BytesThatAreWritten) {
  lay(kScript);
  const FileLayout file = elf();
  EXPECT_TRUE(file.written[h->id(".text")]);
  EXPECT_TRUE(file.written[h->id(".comment")]);
  EXPECT_FALSE(file.written[h->id(".bss")]);
  h->at(".text").size = 0;
  EXPECT_FALSE(elf().written[h->id(".text")]);
}

// Sections of one segment stand as their load addresses do.
TEST_P(Image, Gaps) {
  lay(".text 0x10000 : { *(.text) } .more 0x10100 : { *(.data) } "
      ".bss 0x50000 : { *(.bss) }");
  h->of(".more").flags = sectionFlags("ax");
  h->settle();
  buildSegments(h->link(), h->addresses);
  const FileLayout file = elf();
  EXPECT_EQ(offset(file, ".more") - offset(file, ".text"), 0x100u);
}

//===----------------------------------------------------------------------===//
// Raw images
//===----------------------------------------------------------------------===//

// From the lowest load address to the highest; no headers, no debug sections.
TEST_P(Image, Raw) {
  lay(".text 0x10000 : { *(.text) } .data 0x20000 : AT(0xff00) { *(.data) } "
      ".bss : { *(.bss) }");
  const FileLayout file = layOutBytes(h->link(), true);
  EXPECT_EQ(offset(file, ".data"), 0u);
  EXPECT_EQ(offset(file, ".text"), 0x100u);
  EXPECT_EQ(file.end, 0x110u);
  EXPECT_EQ(file.begin, 0u);
  EXPECT_FALSE(file.written[h->id(".bss")]);
  EXPECT_FALSE(file.written[h->id(".comment")]);
  ASSERT_EQ(file.segments.size(), h->addresses.segments.size());
  for (const SegmentPlace &segment : file.segments)
    EXPECT_EQ(segment.offset, 0u) << "nothing is mapped from an image";
}

TEST_P(Image, RawWithoutBytes) {
  lay(".bss 0x10000 : { *(.bss) }");
  h->of(".text").kept = h->of(".data").kept = false;
  EXPECT_EQ(layOutBytes(h->link(), true).end, 0u);
}

TEST(RawImage, UpToTheEndOf64Bits) {
  HandLaid h("aphelion", "SECTIONS { .low 0xfffffffffffff000 : { BYTE(0) } "
                         ".x 0xfffffffffffffff0 : { *(.x) } }");
  h.file("a.o").section(".x", "ax", 16);
  h.lay();
  const FileLayout file = layOutBytes(h.link(), true);
  EXPECT_EQ(file.offsets[h.id(".x")], 0xff0u);
  EXPECT_EQ(file.end, 0x1000u);
}

// What would be larger than any file is the largest number, which nobody
// writes, and not a small one.
TEST(RawImage, LargerThanAnyFile) {
  HandLaid h("aphelion", "SECTIONS { .low 0 : { BYTE(0) } "
                         ".x 0xfffffffffffffff0 : { *(.x) } }");
  h.file("a.o").section(".x", "ax", 16);
  h.lay();
  EXPECT_EQ(layOutBytes(h.link(), true).end, ~uint64_t(0));
}

} // namespace
