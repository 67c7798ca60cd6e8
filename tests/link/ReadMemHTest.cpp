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

struct Memory {
  LinkHarness links;
  Memory() {
    links.file("a.o", nyuzi(kProgram));
    links.file("bare.ld", "SECTIONS { . = 0x100; .text : { *(.text) } "
                          ".data : { *(.data) } .bss : { *(.bss) } }");
    links.file("odd.ld", "SECTIONS { .text 0x102 : SUBALIGN(1) { *(.text) } "
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
  Linked elf = memory.links.link({"a.o"});
  const OutFile out(elf.image());
  ASSERT_EQ(out.segments.front().address, 0u);
  const uint64_t entry = out.entry;
  ASSERT_LT(entry, 0x400u);
  const std::string text = memory.text({});
  char branch[9];
  snprintf(branch, sizeof(branch), "%02x0000f6", unsigned(entry / 4));
  // Behind it the header stands as it was.
  EXPECT_EQ(lines(text, 0, 2),
            std::string("@00000000\n") + branch + "\n01010100\n");
  // Words in the order of their bytes, the last one filled up; .bss is zeros.
  EXPECT_NE(text.find("\n11111111\n12121212\n"), std::string::npos);
  EXPECT_EQ(StringRef(text).take_back(27), "78563400\n00000000\n00000000\n");
}

// The program is loaded elsewhere than where it runs: addresses count from the
// base.
TEST(ReadMemH, Base) {
  Memory memory;
  const std::string low = memory.text({});
  EXPECT_EQ(memory.text({"--image-base=0x20000", "--readmemh-base=0x20000"}),
            low);
  EXPECT_EQ(lines(memory.text({"--image-base=0x20000"}), 0, 0), "@00008000\n");
}

// Without a header there is no branch, and so no other entry.
TEST(ReadMemH, CodeAtTheBeginning) {
  Memory memory;
  EXPECT_EQ(memory.text({"-T", "bare.ld", "-e", "first"}), "@00000040\n"
                                                           "11111111\n"
                                                           "12121212\n"
                                                           "78563400\n"
                                                           "00000000\n"
                                                           "00000000\n");
  expectFailure(memory.link({"-T", "bare.ld"}),
                "xlink: error: execution starts at 0x100, where the image "
                "begins, but the entry is at 0x104: there is no ELF header to "
                "be replaced by a branch\n");
}

TEST(ReadMemH, WhatDoesNotFit) {
  Memory memory;
  expectFailure(memory.link({"-e", "0x10000000"}),
                "xlink: error: execution starts at 0x0, where the image "
                "begins, but the entry is at 0x10000000, which no branch "
                "reaches\n");
  expectFailure(memory.link({"-e", "0x102"}),
                "xlink: error: execution starts at 0x0, where the image "
                "begins, but the entry is at 0x102, which no branch reaches\n");
  expectFailure(memory.link({"-T", "odd.ld", "-e", "first"}),
                "xlink: error: the segment that is loaded to 0x102 begins "
                "inside a word of 4 bytes\n");
  expectFailure(
      memory.link({"-T", "bare.ld", "-e", "first", "--readmemh-base=0x200"}),
      "xlink: error: the segment that is loaded to 0x100 lies below "
      "the base, 0x200\n");
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
            "xlink: error: the image would hold 268435468 bytes of zeros for "
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
