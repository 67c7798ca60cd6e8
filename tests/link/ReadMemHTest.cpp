//===- ReadMemHTest.cpp - --oformat readmemh ------------------------------===//
//
// What is expected of programs whose header is loaded is what the elf2hex of
// Nyuzi's tool chain writes, but for its first line, a comment.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '1111111112121212' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '785634' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Value: 4, Binding: STB_GLOBAL }
  - { Name: first, Section: .text, Binding: STB_GLOBAL }
)";

// With it the header's segment is loaded.
constexpr const char *kConstants = R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: 'c0c1c2c3' }
Symbols: []
)";

struct Memory {
  LinkHarness links;
  Memory() {
    links.file("a.o", nyuzi(kProgram));
    links.file("rodata.o", nyuzi(kConstants));
    links.file("bare.ld", "SECTIONS { . = 0; .text : { *(.text) } "
                          ".data : { *(.data) } .bss : { *(.bss) } }");
    links.file("odd.ld", "SECTIONS { .text 2 : SUBALIGN(1) { *(.text) } "
                         "/DISCARD/ : { *(.data .bss) } }");
  }
  Linked link(std::vector<std::string> options) const {
    options.insert(options.end(), {"--oformat=readmemh", "a.o"});
    return links.link(options);
  }
  std::string text(std::vector<std::string> options) const {
    Linked linked = link(std::move(options));
    EXPECT_EQ(linked.errors, "");
    return std::string(linked.image().begin(), linked.image().end());
  }
};

/// Its lines from the first to the last, counted from 0.
std::string lines(const std::string &text, size_t first, size_t last) {
  SmallVector<StringRef> all;
  StringRef(text).split(all, '\n');
  std::string result;
  for (size_t i = first; i <= last && i < all.size(); ++i)
    result += all[i].str() + "\n";
  return result;
}

// The ELF header is loaded to address 0, and its first word is a branch.
TEST(ReadMemH, BranchOverTheHeader) {
  Memory memory;
  Linked elf = memory.links.link({"a.o", "rodata.o"});
  const OutFile out(elf.image());
  EXPECT_EQ(segmentsOf(out), "LOAD R-- 0 98 98\n"
                             "LOAD R-X 1000 8 8\n"
                             "LOAD RW- 2000 4 c\n");
  EXPECT_EQ(out.entry, 0x1004u);
  const std::string text = memory.text({"rodata.o"});
  // Behind it the header stands as it was.
  EXPECT_EQ(lines(text, 0, 2), "@00000000\n010400f6\n01010100\n");
  // Words in the order of their bytes, the last one filled up; .bss is zeros.
  EXPECT_EQ(StringRef(text).split("c0c1c2c3\n").second, "@00000400\n"
                                                        "11111111\n"
                                                        "12121212\n"
                                                        "@00000800\n"
                                                        "78563400\n"
                                                        "00000000\n"
                                                        "00000000\n");
}

// The program is loaded elsewhere than where it runs: addresses count from the
// base.
TEST(ReadMemH, Base) {
  Memory memory;
  const std::string low = memory.text({"rodata.o"});
  const std::string high = memory.text(
      {"rodata.o", "--image-base=0x20000", "--readmemh-base=0x20000"});
  EXPECT_EQ(lines(high, 0, 2), lines(low, 0, 2));
  EXPECT_EQ(lines(memory.text({"rodata.o", "--image-base=0x20000"}), 0, 1),
            "@00008000\n010400f6\n");
}

// Without a header in memory the branch stands alone.
TEST(ReadMemH, BranchInFrontOfTheProgram) {
  Memory memory;
  EXPECT_EQ(memory.text({}), "@00000000\n"
                             "010400f6\n"
                             "@00000400\n"
                             "11111111\n"
                             "12121212\n"
                             "@00000800\n"
                             "78563400\n"
                             "00000000\n"
                             "00000000\n");
  EXPECT_EQ(memory.text({"--image-base=0x20000", "--readmemh-base=0x20000"}),
            memory.text({}));
}

// Where there is no room for one, execution must begin with the first word.
TEST(ReadMemH, CodeAtTheBeginning) {
  Memory memory;
  EXPECT_EQ(memory.text({"-T", "bare.ld", "-e", "first"}), "@00000000\n"
                                                           "11111111\n"
                                                           "12121212\n"
                                                           "@00000002\n"
                                                           "78563400\n"
                                                           "00000000\n"
                                                           "00000000\n");
  expectFailure(memory.link({"-T", "bare.ld", "-e", "_start"}),
                "xlink: error: execution starts at 0x0, but the entry is at "
                "0x4: there is no ELF header to be replaced by a branch\n");
}

TEST(ReadMemH, WhatDoesNotFit) {
  Memory memory;
  expectFailure(memory.link({"rodata.o", "-e", "0x10000000"}),
                "xlink: error: execution starts at 0x0, but the entry is at "
                "0x10000000, which no branch reaches\n");
  expectFailure(memory.link({"rodata.o", "-e", "0x102"}),
                "xlink: error: execution starts at 0x0, but the entry is at "
                "0x102, which no branch reaches\n");
  expectFailure(memory.link({"-T", "odd.ld", "-e", "4"}),
                "xlink: error: the segment that is loaded to 0x2 begins "
                "inside a word of 4 bytes\n");
  expectFailure(memory.link({"--readmemh-base=0x1800", "-e", "first"}),
                "xlink: error: the segment that is loaded to 0x1000 lies below "
                "the base, 0x1800\n");
  expectFailure(memory.link({"--readmemh-base=x"}),
                "xlink: error: option '--readmemh-base': 'x' is not an address "
                "of 32 bits\n");
}

TEST(ReadMemH, TooManyZeros) {
  Memory memory;
  memory.links.file("huge.ld",
                    "SECTIONS { .text 0x100 : { *(.text) } .data : { "
                    "*(.data) } .bss : { *(.bss) . += 0x10000000; } "
                    "}");
  Linked linked = memory.link({"-T", "huge.ld", "-e", "first"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(linked.files.empty());
  EXPECT_EQ(linked.errors,
            "xlink: error: the image would hold 268435464 bytes of zeros for "
            "sections without bytes; with --image or --oformat=verilog it "
            "holds none\n");
}

TEST(ReadMemH, OtherMachines) {
  LinkHarness links;
  links.file("a.o", aphelion(kProgram));
  expectFailure(links.link({"--oformat=readmemh", "a.o"}),
                "xlink: error: option '--oformat': 'readmemh' is not an output "
                "format of aphelion (elf, binary, ihex, srec, verilog)\n");
}

} // namespace
} // namespace xlink::test
