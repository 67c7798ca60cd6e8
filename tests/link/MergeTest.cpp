//===- MergeTest.cpp - equal constants and strings are stored once --------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Constants of four bytes; .data refers to each through the section symbol.
Bytes constants(StringRef content, std::vector<int> addends) {
  std::string relocations;
  for (size_t i = 0; i < addends.size(); ++i)
    relocations += "      - { Offset: " + std::to_string(4 * i) +
                   ", Symbol: .rodata.cst4, Type: 1, Addend: " +
                   std::to_string(addends[i]) + " }\n";
  return nyuzi((R"(
Sections:
  - { Name: .rodata.cst4, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: ')" +
                content + R"(' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: )" +
                std::to_string(4 * addends.size()) + R"( }
  - Name: .rela.data
    Type: SHT_RELA
    Info: .data
    Relocations:
)" + relocations +
                R"(Symbols:
  - { Name: .rodata.cst4, Type: STT_SECTION, Section: .rodata.cst4 }
)")
                   .str());
}

/// The words of .data read as addresses of words.
std::string pointedAt(const OutFile &out) {
  std::string text;
  const OutSection *data = out.section(".data");
  for (uint64_t at = 0; data && at < data->size; at += 4) {
    char digits[16];
    snprintf(digits, sizeof digits, "%08x ",
             unsigned(out.word(out.word(data->address + at))));
    text += digits;
  }
  return text;
}

TEST(Merge, Constants) {
  LinkHarness links;
  links.file("a.o", constants("111111112222222211111111", {0, 4, 8}));
  links.file("b.o", constants("3333333322222222", {0, 4}));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  EXPECT_EQ(bytesOf(out, ".rodata"), "111111112222222233333333");
  EXPECT_EQ(pointedAt(out), "11111111 22222222 11111111 33333333 22222222 ");
  EXPECT_EQ(out.section(".rodata")->flags, ELF::SHF_ALLOC | ELF::SHF_MERGE);
  EXPECT_EQ(out.section(".rodata")->entsize, 4u);
}

TEST(Merge, NotAtO0) {
  LinkHarness links;
  links.file("a.o", constants("111111112222222211111111", {0, 4, 8}));
  OutFile out = quiet(links.link({"-O0", "-e", "0", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".rodata"), "111111112222222211111111");
  EXPECT_EQ(pointedAt(out), "11111111 22222222 11111111 ");
}

// An addend may point into a piece, and to the end of the section.
TEST(Merge, AddendInsideAPiece) {
  LinkHarness links;
  links.file("a.o", constants("11111111aabbccdd", {6, 8}));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  uint64_t rodata = out.section(".rodata")->address;
  EXPECT_EQ(out.word(out.section(".data")->address), rodata + 6);
  EXPECT_EQ(out.word(out.section(".data")->address + 4), rodata + 8);
}

TEST(Merge, AddendBeyondTheSection) {
  LinkHarness links;
  links.file("a.o", constants("1111111122222222", {9}));
  expectFailure(links.link({"-e", "0", "a.o"}),
                "xlink: error: a.o:(.data+0x0): relocation refers to offset "
                "0x9 of mergeable section a.o:(.rodata.cst4), which ends at "
                "0x8\n");
  links.file("b.o", constants("1111111122222222", {-1}));
  Linked linked = links.link({"-e", "0", "b.o"});
  EXPECT_EQ(linked.status, 1);
}

// A named symbol stands for its piece; its addend counts from there.
TEST(Merge, NamedSymbolAndAddend) {
  LinkHarness links;
  links.file("a.o", constants("22222222", {0}));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .rodata.cst4, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: '3333333322222222' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: two, Type: 1 }, { Offset: 4, Symbol: two, Type: 1, Addend: -4 } ] }
Symbols:
  - { Name: two, Section: .rodata.cst4, Value: 4 }
)"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  uint64_t rodata = out.section(".rodata")->address;
  EXPECT_EQ(out.value("two"), rodata);
  uint64_t data = out.section(".data")->address;
  EXPECT_EQ(out.word(data + 4), rodata);
  EXPECT_EQ(out.word(data + 8), uint32_t(rodata - 4));
}

/// Strings in .rodata.str; .data points at each offset given.
Bytes strings(StringRef content, std::vector<int> offsets, unsigned entsize = 1,
              unsigned align = 1) {
  std::string relocations;
  for (size_t i = 0; i < offsets.size(); ++i)
    relocations += "      - { Offset: " + std::to_string(4 * i) +
                   ", Symbol: .rodata.str, Type: 1, Addend: " +
                   std::to_string(offsets[i]) + " }\n";
  return nyuzi((R"(
Sections:
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], AddressAlign: )" +
                std::to_string(align) + ", EntSize: " +
                std::to_string(entsize) + ", Content: '" + content + R"(' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: )" +
                std::to_string(4 * offsets.size()) + R"( }
  - Name: .rela.data
    Type: SHT_RELA
    Info: .data
    Relocations:
)" + relocations +
                R"(Symbols:
  - { Name: .rodata.str, Type: STT_SECTION, Section: .rodata.str }
)")
                   .str());
}

/// The strings that the words of .data point at, "a|b|".
std::string stringsPointedAt(const OutFile &out, unsigned width = 1) {
  std::string text;
  const OutSection *data = out.section(".data");
  for (uint64_t at = 0; data && at < data->size; at += 4) {
    uint64_t p = out.word(data->address + at);
    while (uint64_t c = out.word(p, width)) {
      text += char(c);
      p += width;
    }
    text += '|';
  }
  return text;
}

TEST(Merge, StringsShareTails) {
  LinkHarness links;
  // "foobar\0bar\0" and "bar\0xbar\0"
  links.file("a.o", strings("666f6f6261720062617200", {0, 7, 8}));
  links.file("b.o", strings("626172007862617200", {0, 4, 6}));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  EXPECT_EQ(stringsPointedAt(out), "foobar|bar|ar|bar|xbar|ar|");
  // "foobar" and "xbar" remain; "bar" is the tail of one of them.
  EXPECT_EQ(out.section(".rodata")->size, 7u + 5u);
  EXPECT_EQ(out.section(".rodata")->flags,
            ELF::SHF_ALLOC | ELF::SHF_MERGE | ELF::SHF_STRINGS);
}

TEST(Merge, StringsStayApartAtO0) {
  LinkHarness links;
  links.file("a.o", strings("666f6f6261720062617200", {0, 7}));
  OutFile out = quiet(links.link({"-O0", "-e", "0", "a.o"}));
  EXPECT_EQ(stringsPointedAt(out), "foobar|bar|");
  EXPECT_EQ(out.section(".rodata")->size, 11u);
}

// Strings of 16-bit characters end at a zero character, not at a zero byte.
TEST(Merge, WideStrings) {
  LinkHarness links;
  // u"ab", u"b" and u"\u0100" (bytes 00 01)
  links.file("a.o", strings("610062000000620000000001"
                            "0000",
                            {0, 6, 10}, 2, 2));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(out.section(".rodata")->size, 6u + 4u);
  const OutSection *data = out.section(".data");
  uint64_t ab = out.word(data->address), b = out.word(data->address + 4),
           wide = out.word(data->address + 8);
  EXPECT_EQ(out.word(ab), 0x620061u);
  EXPECT_EQ(out.word(b), 0x62u);
  EXPECT_EQ(out.word(wide), 0x100u);
}

// Pieces of an aligned section stay aligned, so that no tail may break it.
TEST(Merge, AlignedStrings) {
  LinkHarness links;
  // "xbar\0" padded to 8, "bar\0": a tail at offset 1 would be misaligned.
  links.file("a.o", strings("786261720000000062617200", {0, 8}, 1, 4));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(stringsPointedAt(out), "xbar|bar|");
  const OutSection *data = out.section(".data");
  EXPECT_EQ(out.word(data->address) % 4, 0u);
  EXPECT_EQ(out.word(data->address + 4) % 4, 0u);
}

// Pieces aligned like their section could need any amount of room: what would
// grow by merging is left as it is.
TEST(Merge, NotWhatGrows) {
  LinkHarness links;
  // "a\0bc\0d\0"
  links.file("a.o", strings("61006263006400", {0, 2, 5}, 1, 0x10000));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".rodata"), "61006263006400");
  EXPECT_EQ(stringsPointedAt(out), "a|bc|d|");
  EXPECT_EQ(out.section(".rodata")->address % 0x10000, 0u);
}

// Sections of another entry size or alignment do not mix, nor do those of
// different output sections.
TEST(Merge, OnlyAlike) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .rodata.4, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: '1111111111111111' }
  - { Name: .rodata.8, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 8, Content: '11111111111111111111111111111111' }
  - { Name: .rodata.plain, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '1111111111111111' }
  - { Name: .other, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: '1111111111111111' }
)"));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(out.section(".rodata")->size, 4u + 8u + 8u);
  EXPECT_EQ(out.section(".rodata")->flags, ELF::SHF_ALLOC)
      << "a section with plain bytes in it is not mergeable";
  EXPECT_EQ(out.section(".other")->size, 4u);
}

// What relocations write cannot be compared, and what the program writes is not
// constant.
TEST(Merge, NotWhatChanges) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .rodata.r, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: '0000000000000000' }
  - { Name: .rela.rodata.r, Type: SHT_RELA, Info: .rodata.r, Relocations: [ { Offset: 4, Symbol: x, Type: 1 } ] }
  - { Name: .data.w, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_MERGE ], AddressAlign: 4, EntSize: 4, Content: '0000000000000000' }
Symbols:
  - { Name: x, Index: SHN_ABS, Value: 7, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".rodata"), "0000000007000000");
  EXPECT_EQ(out.section(".data")->size, 8u);
}

// Debugging strings are merged as well; there are no addresses, only offsets.
TEST(Merge, WithoutAlloc) {
  LinkHarness links;
  auto object = [](StringRef content) {
    return nyuzi((R"(
Sections:
  - { Name: .debug_str, Type: SHT_PROGBITS, Flags: [ SHF_MERGE, SHF_STRINGS ], AddressAlign: 1, EntSize: 1, Content: ')" +
                  content + R"(' }
  - { Name: .debug_info, Type: SHT_PROGBITS, AddressAlign: 1, Size: 4 }
  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, Relocations: [ { Offset: 0, Symbol: .debug_str, Type: 1, Addend: 2 } ] }
Symbols:
  - { Name: .debug_str, Type: STT_SECTION, Section: .debug_str }
)")
                     .str());
  };
  // "a\0bc\0" and "d\0bc\0"
  links.file("a.o", object("6100626300")).file("b.o", object("6400626300"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  std::string info = bytesOf(out, ".debug_info");
  EXPECT_EQ(info.substr(0, 8), info.substr(8));
  EXPECT_EQ(out.section(".debug_str")->size, 7u);
  const OutSection *bytes = out.section(".debug_info");
  EXPECT_STREQ(textOf(out, ".debug_str").c_str() + bytes->bytes[0], "bc");
}

} // namespace
} // namespace xlink::test
