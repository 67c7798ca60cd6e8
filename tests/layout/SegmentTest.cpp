//===- SegmentTest.cpp - which sections share a program header ------------===//
//
// Sections stand where a test puts them; buildSegments sees nothing else. The
// gABI ("Program Header") wants PT_LOADs in the order of their addresses, file
// and memory congruent, and zeros behind bytes.
//
//===----------------------------------------------------------------------===//
#include "layout/Segments.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::ElementsAre;

namespace {

/// Output sections .a and .b of 16 bytes, at 0x10000 and behind that.
struct TwoSections : testing::Test {
  explicit TwoSections(const char *machine = "nyuzi")
      : h(machine, "SECTIONS { .a : { *(.a) } .b : { *(.b) } }") {
    h.file("a.o").section(".a", "aw", 16, 4).section(".b", "aw", 16, 4);
    h.lay();
    put(".a", 0x10000);
    put(".b", 0x10010);
  }
  void put(StringRef name, uint64_t address) { put(name, address, address); }
  void put(StringRef name, uint64_t address, uint64_t loadAddress) {
    h.at(name).address = address;
    h.at(name).loadAddress = loadAddress;
  }
  /// How many sections each header has.
  std::vector<size_t> build() {
    buildSegments(h.link(), h.addresses);
    std::vector<size_t> counts;
    for (const Segment &s : h.addresses.segments)
      counts.push_back(s.sections.size());
    return counts;
  }
  const Segment &segment(size_t i) { return h.addresses.segments.at(i); }
  HandLaid h;
};

auto shared() { return ElementsAre(2u); }
auto apart() { return ElementsAre(1u, 1u); }

TEST_F(TwoSections, Shared) {
  EXPECT_THAT(build(), shared());
  EXPECT_EQ(segment(0).type, ELF::PT_LOAD);
  EXPECT_EQ(segment(0).flags, ELF::PF_R | ELF::PF_W);
  EXPECT_EQ(segment(0).address, 0x10000u);
  EXPECT_EQ(segment(0).loadAddress, 0x10000u);
  EXPECT_EQ(segment(0).fileSize, 32u);
  EXPECT_EQ(segment(0).memSize, 32u);
  EXPECT_EQ(segment(0).align, h.program.pageSize());
}

TEST_F(TwoSections, OtherPermissions) {
  h.of(".b").flags = sectionFlags("ax");
  EXPECT_THAT(build(), apart());
  EXPECT_EQ(segment(1).flags, ELF::PF_R | ELF::PF_X);
  h.config.separateCode = false;
  EXPECT_THAT(build(), shared());
  EXPECT_EQ(segment(0).flags, ELF::PF_R | ELF::PF_W | ELF::PF_X);
}

// Each change of permissions parts two sections; with --no-rosegment all but
// those between what is only read and code (lld: PF_X is set on what is not
// written).
TEST_F(TwoSections, EachChangeOfPermissions) {
  const StringRef kinds[] = {"a", "aw", "ax", "awx"};
  for (StringRef a : kinds)
    for (StringRef b : kinds) {
      SCOPED_TRACE((a + ", " + b).str());
      h.of(".a").flags = sectionFlags(a);
      h.of(".b").flags = sectionFlags(b);
      h.config.readOnlySegment = true;
      EXPECT_EQ(build().size(), a == b ? 1u : 2u);
      h.config.readOnlySegment = false;
      const bool written = a.contains('w') || b.contains('w');
      EXPECT_EQ(build().size(), a == b || !written ? 1u : 2u);
      uint32_t flags = 0;
      for (const Segment &s : h.addresses.segments)
        flags |= s.flags;
      const bool code = a.contains('x') || b.contains('x');
      EXPECT_EQ(flags,
                ELF::PF_R | (written ? ELF::PF_W : 0) | (code ? ELF::PF_X : 0));
    }
}

TEST_F(TwoSections, OtherRegions) {
  h.at(".b").region = RegionId(0);
  EXPECT_THAT(build(), apart());
  h.config.separateCode = false;
  EXPECT_THAT(build(), shared());
}

TEST_F(TwoSections, OtherDistanceToTheLoadAddress) {
  put(".b", 0x10010, 0x20010);
  EXPECT_THAT(build(), apart());
  EXPECT_EQ(segment(1).loadAddress, 0x20010u);
  h.config.separateCode = false;
  EXPECT_THAT(build(), apart());
  put(".a", 0x10000, 0x20000);
  EXPECT_THAT(build(), shared()) << "one distance is no matter";
}

// "Segments then stand in address order."
TEST_F(TwoSections, AddressesThatGoBack) {
  put(".b", 0xf000);
  EXPECT_THAT(build(), apart());
  EXPECT_EQ(segment(0).address, 0xf000u);
  EXPECT_EQ(segment(1).address, 0x10000u);
}

TEST_F(TwoSections, SectionsThatOverlap) {
  put(".b", 0x1000f);
  EXPECT_THAT(build(), apart());
}

TEST_F(TwoSections, BytesBehindZeros) {
  h.of(".a").type = ELF::SHT_NOBITS;
  EXPECT_THAT(build(), apart());
  h.of(".b").type = ELF::SHT_NOBITS;
  EXPECT_THAT(build(), shared());
  EXPECT_EQ(segment(0).fileSize, 0u);
  EXPECT_EQ(segment(0).memSize, 32u);
}

TEST_F(TwoSections, ZerosBehindBytes) {
  h.of(".b").type = ELF::SHT_NOBITS;
  EXPECT_THAT(build(), shared());
  EXPECT_EQ(segment(0).fileSize, 16u);
  EXPECT_EQ(segment(0).memSize, 32u);
}

// "Nobody wants such gaps as bytes of a file": a page and more.
TEST_F(TwoSections, Gaps) {
  put(".b", 0x1100f);
  EXPECT_THAT(build(), shared());
  EXPECT_EQ(segment(0).fileSize, 0x101fu);
  put(".b", 0x11010);
  EXPECT_THAT(build(), apart());
}

// With small pages a gap is one all the same when it is 4 KB.
TEST_F(TwoSections, GapsOfSmallPages) {
  h.config.maxPageSize = 8;
  put(".b", 0x1100f);
  EXPECT_THAT(build(), shared());
  put(".b", 0x11010);
  EXPECT_THAT(build(), apart());
  h.config.maxPageSize = 0x10000;
  EXPECT_THAT(build(), shared());
}

// GNU ld's rule with -z noseparate-code: a page that nothing stands on.
TEST_F(TwoSections, GapsOfWholePages) {
  h.config.separateCode = false;
  put(".b", 0x11fff);
  EXPECT_THAT(build(), shared());
  put(".b", 0x12000);
  EXPECT_THAT(build(), apart());
}

// "What is written does not follow what is only read on a page of its own."
TEST_F(TwoSections, WrittenBehindRead) {
  h.config.separateCode = false;
  h.of(".a").flags = sectionFlags("a");
  EXPECT_THAT(build(), shared()) << "on one page";
  put(".b", 0x11000);
  EXPECT_THAT(build(), apart());
  h.of(".b").flags = sectionFlags("ax");
  EXPECT_THAT(build(), shared()) << "not written";
}

// With -n and -N pages, permissions and regions do not count; a gap that a file
// need not hold does: a page of 4 KB that nothing stands on, however large
// pages are.
TEST_F(TwoSections, WithoutPages) {
  for (const Paging paging : {Paging::Nmagic, Paging::Omagic})
    for (const uint64_t page : {8, 0x10000})
      for (const bool separate : {false, true}) {
        h.config.paging = paging;
        h.config.maxPageSize = page;
        h.config.separateCode = separate;
        h.of(".a").flags = sectionFlags("a");
        h.at(".b").region = RegionId(0);
        put(".b", 0x11fff);
        EXPECT_THAT(build(), shared()) << page << separate;
        put(".b", 0x12000);
        EXPECT_THAT(build(), apart()) << page << separate;
        put(".b", 0x11000);
        EXPECT_THAT(build(), shared()) << "written, on a page of its own";
        put(".b", 0x10010, 0x20010);
        EXPECT_THAT(build(), apart()) << "at another distance";
        put(".b", 0x1000f);
        EXPECT_THAT(build(), apart()) << "one over the other";
      }
}

// "Empty sections have no bytes to map and separate nothing."
TEST_F(TwoSections, EmptyOnes) {
  h.at(".a").size = 0;
  put(".a", 0x50000);
  EXPECT_THAT(build(), ElementsAre(1u));
  h.at(".b").size = 0;
  EXPECT_THAT(build(), ElementsAre());
}

TEST_F(TwoSections, WhatIsNotLoaded) {
  h.of(".a").flags = 0;
  h.of(".b").kept = false;
  EXPECT_THAT(build(), ElementsAre());
}

// (NOLOAD) is in a segment or not as the machine has it.
TEST_F(TwoSections, NoLoad) {
  h.of(".b").noload = true;
  h.of(".b").type = ELF::SHT_NOBITS;
  EXPECT_THAT(build(), shared());
  h.program.target = findTarget(StringRef("dpu"));
  EXPECT_THAT(build(), ElementsAre(1u));
}

// Headers join the first segment when they fit between the start of the page
// and the first section: 52 bytes and 32 for each program header.
TEST_F(TwoSections, Headers) {
  EXPECT_THAT(build(), shared());
  EXPECT_FALSE(segment(0).hasHeaders);
  put(".a", 0x10000 + 52 + 32 - 4);
  put(".b", 0x10100);
  build();
  EXPECT_FALSE(segment(0).hasHeaders) << "no room by 4 bytes";
  put(".a", 0x10000 + 52 + 32);
  build();
  EXPECT_TRUE(segment(0).hasHeaders);
  EXPECT_EQ(segment(0).address, 0x10000u);
  EXPECT_EQ(segment(0).loadAddress, 0x10000u);
  EXPECT_EQ(segment(0).fileSize, 0x110u);
  EXPECT_EQ(segment(0).memSize, 0x110u);
}

// They have a load address too, and are bytes of the file.
TEST_F(TwoSections, HeadersNeedRoomWhereTheyAreLoaded) {
  put(".a", 0x10080, 0x7f);
  put(".b", 0x10090, 0x8f);
  build();
  EXPECT_FALSE(segment(0).hasHeaders);
  put(".a", 0x10080, 0x80);
  put(".b", 0x10090, 0x90);
  build();
  EXPECT_TRUE(segment(0).hasHeaders);
  h.of(".a").type = h.of(".b").type = ELF::SHT_NOBITS;
  build();
  EXPECT_FALSE(segment(0).hasHeaders);
}

struct TwoSections64 : TwoSections {
  TwoSections64() : TwoSections("aphelion") {}
};

// ELF64: 64 bytes and 56 for each.
TEST_F(TwoSections64, Headers) {
  put(".a", 0x10000 + 64 + 56 - 8);
  put(".b", 0x10100);
  build();
  EXPECT_FALSE(segment(0).hasHeaders);
  put(".a", 0x10000 + 64 + 56);
  build();
  EXPECT_TRUE(segment(0).hasHeaders);
}

// At the end of the address space nothing wraps.
TEST_F(TwoSections64, AtTheEnd) {
  put(".a", ~uint64_t(0) - 31);
  put(".b", ~uint64_t(0) - 15);
  EXPECT_THAT(build(), shared());
  EXPECT_EQ(segment(0).address, ~uint64_t(0) - 0xfff) << "with the headers";
  EXPECT_EQ(segment(0).memSize, 0x1000u);
  EXPECT_EQ(segment(0).fileSize, 0x1000u);
}

TEST_F(TwoSections64, FarApart) {
  put(".a", 0);
  put(".b", ~uint64_t(0) - 15);
  EXPECT_THAT(build(), apart());
}

/// Thread-local sections and one behind them.
struct Threads : testing::Test {
  Threads()
      : h("nyuzi", "SECTIONS { .tdata 0x10000 : { *(.tdata) } "
                   ".tbss : { *(.tbss) } .data : { *(.data) } }") {
    h.file("a.o")
        .section(".tdata", "awT", 8, 8)
        .zeros(".tbss", "awT", 0x20, 16)
        .section(".data", "aw", 4, 4);
    h.lay();
  }
  HandLaid h;
};

// .tbss is in PT_TLS's memory, but takes none of PT_LOAD's.
TEST_F(Threads, HaveASegmentOfTheirOwn) {
  ASSERT_EQ(h.addresses.segments.size(), 3u);
  const Segment &tls = h.addresses.segments[2];
  EXPECT_EQ(tls.type, ELF::PT_TLS);
  EXPECT_EQ(tls.flags, ELF::PF_R);
  EXPECT_EQ(tls.address, 0x10000u);
  EXPECT_EQ(tls.fileSize, 8u);
  EXPECT_EQ(tls.memSize, 0x30u) << "8 bytes, to a multiple of 16, and 0x20";
  EXPECT_EQ(tls.align, 16u);
  EXPECT_EQ(h.addresses.segments[0].sections.size(), 2u);
  EXPECT_EQ(h.addresses.segments[0].fileSize, 8u);
  EXPECT_LE(h.addresses.segments[0].memSize, 16u) << "up to .tbss at most";
}

// With -z noseparate-code they do not part what stands around them.
TEST_F(Threads, ZerosPartNothing) {
  h.config.separateCode = false;
  buildSegments(h.link(), h.addresses);
  ASSERT_EQ(h.addresses.segments.size(), 2u);
  const Segment &load = h.addresses.segments[0];
  EXPECT_EQ(load.sections.size(), 3u);
  EXPECT_EQ(load.memSize, h.at(".data").end().sizeFrom(load.address));
}

TEST(SegmentHeaders, Size) {
  HandMade small("nyuzi"), large("aphelion");
  EXPECT_EQ(headersSize(small.program, 0), 52u);
  EXPECT_EQ(headersSize(small.program, 3), 52u + 3 * 32);
  EXPECT_EQ(headersSize(large.program, 3), 64u + 3 * 56);
}

//===----------------------------------------------------------------------===//
// Offsets in the file
//===----------------------------------------------------------------------===//

/// A PT_LOAD with pages of 4 KB.
Segment segmentAt(uint64_t address, uint64_t fileSize, uint64_t memSize) {
  Segment s;
  s.type = ELF::PT_LOAD;
  s.address = address;
  s.fileSize = fileSize;
  s.memSize = memSize;
  s.align = 0x1000;
  return s;
}

// gABI: "p_vaddr should equal p_offset, modulo p_align"; the next such offset.
TEST(PlaceInFile, Congruent) {
  HandMade made("aphelion");
  SegmentPlace p =
      placeInFile(made.program, segmentAt(0x5234, 0x10, 0x10), 0x300);
  EXPECT_EQ(p.offset, 0x1234u);
  EXPECT_EQ(p.end, 0x1244u);
  p = placeInFile(made.program, segmentAt(0x5300, 0x10, 0x10), 0x300);
  EXPECT_EQ(p.offset, 0x300u);
  p = placeInFile(made.program, segmentAt(0x52ff, 0x10, 0x10), 0x300);
  EXPECT_EQ(p.offset, 0x12ffu);
}

TEST(PlaceInFile, AlignedToNothing) {
  HandMade made("aphelion");
  for (const uint64_t align : {0, 1}) {
    Segment s = segmentAt(0x5234, 0x10, 0x10);
    s.align = align;
    EXPECT_EQ(placeInFile(made.program, s, 0x301).offset, 0x301u) << align;
  }
}

// What holds the headers begins with the file.
TEST(PlaceInFile, Headers) {
  HandMade made("aphelion");
  Segment s = segmentAt(0x5000, 0x500, 0x500);
  s.hasHeaders = true;
  const SegmentPlace p = placeInFile(made.program, s, 0x300);
  EXPECT_EQ(p.offset, 0u);
  EXPECT_EQ(p.end, 0x500u);
  s.fileSize = 0x200;
  EXPECT_EQ(placeInFile(made.program, s, 0x300).end, 0x300u)
      << "the file does not shrink";
}

// "A segment without bytes needs no room, only an offset inside the file,
// congruent where there is one."
TEST(PlaceInFile, NoBytes) {
  HandMade made("aphelion");
  SegmentPlace p = placeInFile(made.program, segmentAt(0x5234, 0, 9), 0x1300);
  EXPECT_EQ(p.offset, 0x1234u);
  EXPECT_EQ(p.end, 0x1300u);
  p = placeInFile(made.program, segmentAt(0x5400, 0, 9), 0x1300);
  EXPECT_EQ(p.offset, 0x400u);
  p = placeInFile(made.program, segmentAt(0x5400, 0, 9), 0x300);
  EXPECT_EQ(p.offset, 0u) << "there is none";
}

// Nyuzi's loader reads words: sizes in the file are multiples of 4, and memory
// is no smaller.
TEST(PlaceInFile, PaddedSizes) {
  HandMade padded("nyuzi"), plain("aphelion");
  const Segment s = segmentAt(0x5000, 5, 5);
  SegmentPlace p = placeInFile(padded.program, s, 0x1000);
  EXPECT_EQ(p.fileSize, 8u);
  EXPECT_EQ(p.memSize, 8u);
  EXPECT_EQ(p.end, 0x1008u);
  EXPECT_EQ(
      placeInFile(padded.program, segmentAt(0x5000, 5, 32), 0x1000).memSize,
      32u);
  p = placeInFile(plain.program, s, 0x1000);
  EXPECT_EQ(p.fileSize, 5u);
  EXPECT_EQ(p.memSize, 5u);
}

} // namespace
