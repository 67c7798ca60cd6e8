//===- LayoutCheckTest.cpp - what a layout must not do --------------------===//
#include "layout/Checks.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// Messages about a layout that stands.
std::string messagesOf(HandLaid &h, uint64_t entry = 0) {
  checkLayout(h.link(), entry, /*afterErrors=*/false, h.diag);
  return h.messages();
}

/// .a and .b of 16 bytes, by such statements.
struct Two : testing::Test {
  std::string check(const std::string &sections, const char *machine = "nyuzi",
                    const std::string &before = "") {
    h.emplace(machine, before + "SECTIONS { " + sections + " }");
    h->file("a.o").section(".a", "ax", 16, 4).section(".b", "ax", 16, 4);
    h->lay();
    EXPECT_EQ(h->messages(), "");
    return messagesOf(*h);
  }
  std::optional<HandLaid> h;
};

//===----------------------------------------------------------------------===//
// Sections that share addresses
//===----------------------------------------------------------------------===//

TEST_F(Two, BesideEachOther) {
  EXPECT_EQ(check(".a 0x100 : { *(.a) } .b 0x110 : { *(.b) }"), "");
}

// "Equal VMA and LMA overlap once, not twice."
TEST_F(Two, Overlap) {
  const std::string text =
      "xlink: error: section .a virtual address range overlaps with .b\n"
      ">>> .a range is [0x100, 0x10f]\n"
      ">>> .b range is [0x10c, 0x11b]\n"
      ">>> the script states addresses: ";
  EXPECT_EQ(check(".a 0x100 : { *(.a) } .b 0x10c : { *(.b) }"),
            text + ".a at a.ld:1:12, .b at a.ld:1:33\n");
  EXPECT_EQ(check(".b 0x10c : { *(.b) } .a 0x100 : { *(.a) }"),
            text + ".a at a.ld:1:33, .b at a.ld:1:12\n")
      << "whichever comes first";
  h->config.checkSections = false;
  EXPECT_EQ(messagesOf(*h), "");
}

// "Load addresses must never meet."
TEST_F(Two, OverlapWhereTheyAreLoaded) {
  EXPECT_EQ(check(".a 0x100 : AT(0x1000) { *(.a) } "
                  ".b 0x200 : AT(0x1008) { *(.b) }"),
            "xlink: error: section .a load address range overlaps with .b\n"
            ">>> .a range is [0x1000, 0x100f]\n"
            ">>> .b range is [0x1008, 0x1017]\n"
            ">>> the script states addresses: .a at a.ld:1:12, .b at "
            "a.ld:1:44\n");
  h->of(".b").type = ELF::SHT_NOBITS;
  EXPECT_EQ(messagesOf(*h), "") << "zeros are not loaded";
}

// "Where sections begin at exactly the same VMA the script makes overlays."
TEST_F(Two, Overlays) {
  EXPECT_EQ(check(".a 0x100 : AT(0x1000) { *(.a) } "
                  ".b 0x100 : AT(0x1010) { *(.b) }"),
            "");
  EXPECT_EQ(check("OVERLAY 0x100 : { .a { *(.a) } .b { *(.b) } }"), "");
}

// "Other sections that overlap in such a script are worth a warning."
TEST_F(Two, OverlapBesideOverlays) {
  EXPECT_EQ(check("OVERLAY 0x100 : { .a { *(.a) } .b { *(.b) } } "
                  ".c 0x108 : AT(0x2000) { LONG(0) }"),
            "xlink: warning: section .b virtual address range overlaps with "
            ".c\n"
            ">>> .b range is [0x100, 0x10f]\n"
            ">>> .c range is [0x108, 0x10b]\n"
            ">>> the script states addresses: .c at a.ld:1:58\n");
}

TEST_F(Two, WhatTakesNoMemoryOverlapsNothing) {
  check(".a 0x100 : { *(.a) } .b 0x108 : { *(.b) }");
  h->of(".b").flags = 0;
  EXPECT_EQ(messagesOf(*h), "");
  h->of(".b").flags = sectionFlags("a");
  h->at(".b").size = 0;
  EXPECT_EQ(messagesOf(*h), "");
}

//===----------------------------------------------------------------------===//
// The address space
//===----------------------------------------------------------------------===//

TEST_F(Two, UpToTheEnd) {
  EXPECT_EQ(check(".a 0xfffffff0 : { *(.a) } .b 0x100 : { *(.b) }"), "");
  EXPECT_EQ(check(".a 0xfffffffffffffff0 : { *(.a) } .b 0x100 : { *(.b) }",
                  "aphelion"),
            "");
}

TEST_F(Two, BehindTheEndOf32Bits) {
  EXPECT_EQ(check(".b 0x100 : { *(.b) } .a 0xfffffff4 : { *(.a) }"),
            "xlink: error: section '.a' at 0xfffffff4 with size 0x10 does not "
            "fit the machine's address space\n");
  EXPECT_EQ(check(".b 0x100 : { *(.b) } .a 0xfffffff4 : { *(.a) }", "aphelion"),
            "");
}

TEST_F(Two, BehindTheEndOf64Bits) {
  EXPECT_EQ(
      check(".a 0xfffffffffffffff4 : { *(.a) } .b : { *(.b) }", "aphelion"),
      "xlink: error: a.ld:1:12: section '.a' at 0xfffffffffffffff4 ends "
      "behind the machine's address space\n"
      ">>> 16 bytes: a.o:(.a)\n"
      "xlink: error: a.ld:1:46: section '.b' begins behind the machine's "
      "address space\n"
      ">>> 16 bytes: a.o:(.b)\n");
}

TEST_F(Two, LoadedBehindTheEnd) {
  EXPECT_EQ(check(".b 0x100 : { *(.b) } .a 0x200 : AT(0xfffffff4) { *(.a) }"),
            "xlink: error: section '.a' with size 0x10, loaded at 0xfffffff4, "
            "does not fit the machine's address space\n");
  EXPECT_EQ(check(".a 0x200 : AT(0xfffffffffffffff0) { *(.a) } .b : { *(.b) }",
                  "aphelion"),
            "xlink: error: section '.b' with size 0x10 would be loaded outside "
            "of the machine's address space\n");
}

// Numbers that ELF32 has no room for: not those below zero, nor the end.
TEST_F(Two, Words) {
  const std::string numbers = "huge = 0x100000001; end = 0x100000000; "
                              "below = -1; .a : { *(.a) } .b : { *(.b) }";
  EXPECT_EQ(check(numbers), "xlink: error: symbol 'huge' is 0x100000001, which "
                            "an ELF32 file has no room for\n");
  EXPECT_EQ(check(numbers, "aphelion"), "");
}

TEST_F(Two, EntryAddress) {
  check(".a : { *(.a) } .b : { *(.b) }");
  EXPECT_EQ(messagesOf(*h, 0xffffffff), "");
  EXPECT_EQ(messagesOf(*h, uint64_t(1) << 32),
            "xlink: error: the entry address 0x100000000 does not fit the "
            "machine's address space\n");
}

TEST_F(Two, Alignment) {
  check(".a : { *(.a) } .b : { *(.b) }");
  h->at(".b").align = uint64_t(1) << 32;
  EXPECT_EQ(messagesOf(*h),
            "xlink: error: section '.b' is aligned to 0x100000000, which an "
            "ELF32 file has no room for\n");
}

//===----------------------------------------------------------------------===//
// Other rules
//===----------------------------------------------------------------------===//

// Memory that holds data but cannot execute.
TEST_F(Two, Code) {
  check(".a 0x100 : { *(.a) } .b 0x200 : { *(.b) }");
  h->program.state.noCode = {0x110, 0x200, "slow memory"};
  EXPECT_EQ(messagesOf(*h), "");
  h->program.state.noCode = {0x10f, 0x200, "slow memory"};
  EXPECT_EQ(messagesOf(*h),
            "xlink: error: code in slow memory: section '.a' is at [0x100, "
            "0x10f]\n"
            ">>> slow memory is [0x10f, 0x1ff]\n");
  h->of(".a").flags = sectionFlags("aw");
  EXPECT_EQ(messagesOf(*h), "") << "data may be there";
}

// Ranges that touch are one run; the last bytes of a run are read ahead.
TEST_F(Two, ExecutableMemory) {
  check(".a 0x100 : { *(.a) } .b 0x200 : { *(.b) }");
  h->of(".b").flags = sectionFlags("aw");
  auto &ranges = h->program.state.executable;
  ranges = {{0x100, 0x108, "low"}, {0x108, 0x110, "high"}, {0x200, 0x300, "b"}};
  EXPECT_EQ(messagesOf(*h), "");
  ranges = {{0x80, 0x90, "other"}, {0x100, 0x108, "low"}, {0x109, 0x200, "b"}};
  EXPECT_EQ(messagesOf(*h),
            "xlink: error: code outside of executable memory: section '.a' is "
            "at [0x100, 0x10f]\n"
            ">>> other is [0x80, 0x8f]\n"
            ">>> low is [0x100, 0x107]\n"
            ">>> b is [0x109, 0x1ff]\n");
  Target reads = *h->program.target;
  reads.prefetchBytes = 4;
  h->program.target = &reads;
  ranges = {{0x80, 0x108, "low"}, {0x108, 0x114, "high"}};
  EXPECT_EQ(messagesOf(*h), "");
  ranges = {{0x80, 0x108, "low"}, {0x108, 0x113, "high"}};
  EXPECT_EQ(messagesOf(*h),
            "xlink: error: code in the last 4 bytes of low: section '.a' is "
            "at [0x100, 0x10f]\n"
            ">>> low ends at 0x113; code may end at 0x10f, as the processor "
            "reads 4 bytes ahead\n"
            ">>> the first section that reaches there: a.o:(.a) at [0x100, "
            "0x10f]\n");
}

TEST_F(Two, OptionsForNothing) {
  h.emplace("nyuzi", "SECTIONS { .a : { *(.a) } .none : { } }");
  h->config.sectionStart = {{".a", "100", "--section-start"},
                            {".none", "200", "--section-start"},
                            {".text", "300", "-Ttext", "text"}};
  h->file("a.o").section(".a", "ax", 16, 4);
  h->lay();
  EXPECT_EQ(h->at(".a").address, 0x100u);
  EXPECT_EQ(messagesOf(*h), "xlink: warning: option '--section-start': there "
                            "is no section '.none'\n");
}

/// Thread-local sections in such an order.
std::string threadLocal(const std::string &sections) {
  HandLaid h("nyuzi", "SECTIONS { " + sections + " }");
  h.file("a.o")
      .section(".tdata", "awT", 4)
      .section(".tmore", "awT", 4)
      .zeros(".tbss", "awT", 4)
      .section(".data", "aw", 4);
  h.lay();
  return messagesOf(h);
}

// "Bytes, which are copied, then zeros."
TEST(ThreadLocal, Order) {
  const std::string data = ".tdata : { *(.tdata) } ",
                    more = ".tmore : { *(.tmore) } ",
                    zeros = ".tbss : { *(.tbss) } ",
                    other = ".data : { *(.data) } ";
  auto behind = [](const char *name) {
    return std::string("xlink: error: thread-local section '.tmore' stands "
                       "behind '") +
           name + "': what has bytes comes first, without a gap\n";
  };
  EXPECT_EQ(threadLocal(data + more + zeros + other), "");
  EXPECT_EQ(threadLocal(other + data + more + zeros), "");
  EXPECT_EQ(threadLocal(data + zeros + more + other), behind(".tbss"));
  EXPECT_EQ(threadLocal(data + other + more + zeros), behind(".data"));
}

/// What a script's own memory gets to hold.
TEST(PlacementCheck, NoAlloc) {
  HandLaid h("nyuzi", "MEMORY { ram : ORIGIN = 0, LENGTH = 64 }\n"
                      "SECTIONS { .n : { *(.n) } >ram "
                      ".debug_x : { *(.debug_x) } >ram }");
  h.file("a.o").section(".n", "", 4).section(".debug_x", "", 4);
  h.lay();
  EXPECT_EQ(messagesOf(h), "xlink: warning: a.ld:2:12: section '.n' has no "
                           "SHF_ALLOC and takes no room in region 'ram'\n")
      << "debug information is expected to";
}

TEST(PlacementCheck, Kept) {
  HandLaid h("nyuzi", "SECTIONS { .n : { KEEP(*(.n)) } .i (INFO) : { "
                      "KEEP(*(.i)) } .z 0 : { KEEP(*(.z)) } }");
  h.file("a.o").section(".n", "", 4).section(".i", "", 4).section(".z", "", 4);
  h.lay();
  EXPECT_EQ(messagesOf(h),
            "xlink: warning: a.ld:1:19: KEEP of a.o:(.n), which has no "
            "SHF_ALLOC and is not in memory\n");
}

TEST(PlacementCheck, Orphans) {
  HandLaid h("nyuzi", "MEMORY { ram (a) : ORIGIN = 0, LENGTH = 64 }\n"
                      "SECTIONS { .text : { *(.text) } }");
  h.file("a.o").section(".text", "ax", 4).section(".orphan", "aw", 4);
  h.lay();
  EXPECT_EQ(messagesOf(h),
            "xlink: warning: a.o:(.orphan): no pattern matches this "
            "section, which went to region 'ram'\n");
}

//===----------------------------------------------------------------------===//
// PHDRS
//===----------------------------------------------------------------------===//

struct Phdrs : Two {
  std::string check(const std::string &phdrs, const std::string &sections) {
    return Two::check(sections, "nyuzi", "PHDRS { " + phdrs + " }\n");
  }
};

TEST_F(Phdrs, Good) {
  EXPECT_EQ(check("p PT_LOAD;", ".a 0x100 : { *(.a) } :p .b : { *(.b) }"), "");
  ASSERT_EQ(h->addresses.segments.size(), 1u);
  EXPECT_EQ(h->addresses.segments[0].sections.size(), 2u);
  EXPECT_EQ(h->addresses.segments[0].flags, ELF::PF_R | ELF::PF_X);
}

TEST_F(Phdrs, Unknown) {
  EXPECT_EQ(check("p PT_LOAD;", ".a : { *(.a) } :p .b : { *(.b) } :q"),
            "xlink: error: a.ld:2:46: section '.b' is assigned to the program "
            "header 'q', which PHDRS does not declare\n");
}

TEST_F(Phdrs, Missing) {
  EXPECT_EQ(check("p PT_LOAD;", ".a : { *(.a) } .b : { *(.b) }"),
            "xlink: error: PHDRS declares segments, but no section is in one\n"
            ">>> write ':SEGMENT' behind the '}' of an output section\n");
}

TEST_F(Phdrs, NoRoomForHeaders) {
  EXPECT_EQ(check("p PT_LOAD FILEHDR PHDRS;",
                  ".a 0x10 : { *(.a) } :p .b : { *(.b) }"),
            "xlink: error: a.ld:1:9: segment 'p' has no room for headers\n"
            ">>> they would stand below its first section, which is at 0x10\n");
  EXPECT_EQ(check("p PT_LOAD FILEHDR PHDRS;",
                  ".a SIZEOF_HEADERS : { *(.a) } :p .b : { *(.b) }"),
            "");
}

TEST_F(Phdrs, HeadersComeFirst) {
  EXPECT_EQ(check("p PT_LOAD; q PT_LOAD PHDRS;",
                  ".a 0x1000 : { *(.a) } :p .b 0x5000 : { *(.b) } :q"),
            "xlink: error: a.ld:1:20: segment 'q' cannot hold headers: the "
            "PT_LOAD before it, 'p', holds none\n");
}

TEST_F(Phdrs, PhdrHeader) {
  EXPECT_EQ(check("h PT_PHDR PHDRS; p PT_LOAD;",
                  ".a 0x1000 : { *(.a) } :p .b : { *(.b) }"),
            "xlink: error: a.ld:1:9: no PT_LOAD holds the headers that segment "
            "'h' describes\n"
            ">>> write FILEHDR and PHDRS behind the PT_LOAD that is to hold "
            "them\n");
}

TEST_F(Phdrs, OneDistance) {
  EXPECT_EQ(check("p PT_LOAD;", ".a 0x1000 : { *(.a) } :p "
                                ".b 0x2000 : AT(0x1010) { *(.b) }"),
            "xlink: warning: section '.b' cannot be loaded where segment 'p' "
            "maps it\n"
            ">>> the segment maps 0x1000 to 0x1000\n"
            ">>> the section is loaded at 0x1010 and stands at 0x2000\n");
}

TEST_F(Phdrs, BehindTheEnd) {
  EXPECT_EQ(check("p PT_LOAD AT(0xfffffff0);",
                  ".a 0x1000 : { *(.a) } :p .b : { *(.b) }"),
            "xlink: error: a.ld:1:9: segment 'p' at 0x1000 with size 0x20, "
            "loaded at 0xfffffff0, does not fit the machine's address space\n");
}

} // namespace
