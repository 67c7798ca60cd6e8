//===- AlignmentTest.cpp - alignment, padding, NOBITS ---------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes part(StringRef section, StringRef flags, unsigned align,
           StringRef content) {
  return nyuzi(("Sections:\n  - { Name: " + section +
                ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC" + flags +
                " ], AddressAlign: " + std::to_string(align) + ", Content: '" +
                content + "' }\n")
                   .str());
}

TEST(Alignment, OfEachSectionAndOfTheWhole) {
  LinkHarness links;
  links.file("a.o", part(".data", ", SHF_WRITE", 1, "aa"));
  links.file("b.o", part(".data", ", SHF_WRITE", 8, "bb"));
  links.file("c.o", part(".data", ", SHF_WRITE", 2, "cc"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o", "c.o"}));
  EXPECT_EQ(bytesOf(out, ".data"), "aa00000000000000bb00cc");
  EXPECT_EQ(out.section(".data")->align, 8u);
  EXPECT_EQ(out.section(".data")->address % 8, 0u);
}

// sh_addralign 0 means 1 (gABI); XS1's real objects have it.
TEST(Alignment, ZeroMeansOne) {
  LinkHarness links;
  links.file("a.o", part(".data", ", SHF_WRITE", 0, "aa"));
  links.file("b.o", part(".data", ", SHF_WRITE", 0, "bb"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  EXPECT_EQ(bytesOf(out, ".data"), "aabb");
  EXPECT_EQ(out.section(".data")->align, 1u);
}

// Between pieces of code stands what the machine takes for no operation.
TEST(Alignment, CodeIsFilledWithNops) {
  auto gap = [](StringRef machine, std::vector<std::string> more = {}) {
    auto code = [&](StringRef content, unsigned align) {
      return machineObject(
          machine,
          ("Sections:\n  - { Name: .text, Type: SHT_PROGBITS, Flags: [ "
           "SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: " +
           std::to_string(align) + ", Content: '" + content + "' }\n")
              .str(),
          machine == "dpu"        ? std::optional<uint32_t>(0x02800000)
          : machine == "aphelion" ? std::optional<uint32_t>(6)
                                  : std::nullopt);
    };
    std::vector<std::string> arguments = {"-e", "0", "a.o", "b.o"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    OutFile out = quiet(LinkHarness()
                            .file("a.o", code("ffffffff", 4))
                            .file("b.o", code("eeeeeeee", 16))
                            .link(arguments));
    return bytesOf(out, ".text").substr(8, 24);
  };
  EXPECT_EQ(gap("nyuzi"), "000000000000000000000000");
  EXPECT_EQ(gap("dpu"), "000000000000000000000000");
  EXPECT_EQ(gap("aphelion"), "260000002600000026000000");
  EXPECT_EQ(gap("colossus"), "0000e0190000e0190000e019");
  EXPECT_EQ(gap("xs1"), "009000900090009000900090");
  EXPECT_EQ(gap("xs1", {"--mcpu=xs2"}), "ff17ff17ff17ff17ff17ff17");
}

TEST(Alignment, NoBitsTakesNoFileSpace) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '11111111' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 16, Size: 0x100000 }
)"));
  Linked linked = links.link({"-e", "0", "a.o"});
  OutFile out = quiet(linked);
  EXPECT_LT(linked.image().size(), 0x10000u);
  const OutSection *bss = out.section(".bss");
  ASSERT_TRUE(bss);
  EXPECT_EQ(bss->type, ELF::SHT_NOBITS);
  EXPECT_EQ(bss->size, 0x100000u);
  EXPECT_EQ(bss->address % 16, 0u);
  ASSERT_EQ(out.segments.size(), 1u);
  EXPECT_EQ(out.segments[0].memSize - out.segments[0].fileSize,
            bss->address + bss->size - (out.section(".data")->address + 4));
}

// NOBITS in front of bytes becomes zeros.
TEST(Alignment, NoBitsBetweenBytes) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '11111111' }
)"));
  links.file("x.ld", "SECTIONS { .all 0x1000 : { *(.bss) *(.data) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.section(".all")->type, ELF::SHT_PROGBITS);
  EXPECT_EQ(bytesOf(out, ".all"), "000000000000000011111111");
}

// Many of them: what is all zeros is a hole of the file, and held by nobody.
TEST(Alignment, LargeNoBitsBetweenBytes) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x300002 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '11111111' }
)"));
  links.file("x.ld", "SECTIONS { .all 0x1000 : { BYTE(1) *(.bss) *(.data) "
                     "BYTE(2) } =0xaabbccdd }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  const OutSection *all = out.section(".all");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->bytes.size(), 4u + 0x300002 + 2 + 4 + 1);
  // Zeros for .bss, the filler around it.
  EXPECT_EQ(out.word(0x1000), 0xccbbaa01u);
  EXPECT_EQ(out.word(0x1004), 0u);
  for (uint64_t at = 4; at < 0x300006; ++at)
    ASSERT_EQ(all->bytes[at], 0u) << at;
  EXPECT_EQ(out.word(0x1000 + 0x300006, 2), 0xbbaau);
  EXPECT_EQ(out.word(0x1000 + 0x300008), 0x11111111u);
  EXPECT_EQ(out.word(0x1000 + 0x30000c, 1), 2u);
}

// Long gaps are rendered in pieces: the filler goes on from each to the next.
TEST(Alignment, LongGapsKeepTheirFiller) {
  for (const uint64_t size : {0x60001, 0x140003, 0x900005})
    for (const char *fill : {"BYTE(1) . += %; BYTE(2) } =0xaabbcc }",
                             "FILL(0xaabbcc) BYTE(1) . += %; BYTE(2) } }"}) {
      SCOPED_TRACE(fill + std::to_string(size));
      std::string script = "SECTIONS { .all 0x1000 : { ";
      script += fill;
      script.replace(script.find('%'), 1, std::to_string(size));
      LinkHarness links;
      links.file("x.ld", script);
      links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '03' }
)"));
      OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
      const OutSection *all = out.section(".all");
      ASSERT_TRUE(all);
      ASSERT_EQ(all->bytes.size(), 1 + size + 1);
      EXPECT_EQ(all->bytes.front(), 1u);
      EXPECT_EQ(all->bytes.back(), 2u);
      const uint8_t pattern[] = {0xaa, 0xbb, 0xcc};
      for (uint64_t i = 0; i < size; ++i)
        ASSERT_EQ(all->bytes[1 + i], pattern[i % 3]) << i;
    }
}

// Members of archives stand at any offset; BSD archives put the name in front.
TEST(Alignment, ObjectsAtOddOffsets) {
  for (const char *name : {"a", "ab", "abc", "abcd"}) {
    LinkHarness links;
    Bytes object = nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0000000099999999' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: here, Type: 1 } ] }
Symbols:
  - { Name: here, Section: .data, Value: 4, Binding: STB_GLOBAL }
)");
    links.file("lib.a", makeArchive({{name, object}}, ArchiveFormat::Bsd));
    OutFile out = quiet(links.link({"-e", "0", "-u", "here", "lib.a"}));
    uint64_t data = out.section(".data")->address;
    EXPECT_EQ(out.word(data), data + 4) << name;
  }
}

// 0x20000000 bytes in the section, 0xfac behind the headers, 3 that make the
// segment's size a multiple of 4.
TEST(Alignment, PaddingWithoutEndIsRefused) {
  LinkHarness links;
  links.file("a.o", part(".data", ", SHF_WRITE", 4, "11111111"));
  links.file("x.ld", "SECTIONS { .data 0x1000 : { *(.data) . += 0x20000000; "
                     "BYTE(1) } }");
  expectFailure(
      links.link({"-e", "0", "-T", "x.ld", "a.o"}),
      "xlink: error: the output would hold 536874927 bytes of padding, most of "
      "it at section '.data'\n"
      ">>> a location counter or an alignment jumps too far; NOLOAD sections "
      "and separate memory regions take no file space\n");
}

// Offsets in the file do not come round: what would end behind 2^64 bytes is
// told as the padding that it is.
TEST(Alignment, PaddingUpToTheLastAddressIsRefused) {
  auto refused = [](const std::string &script, const std::string &what) {
    LinkHarness links;
    links.file("a.o", aphelion("Sections:\n  - { Name: .text, Type: "
                               "SHT_PROGBITS, Size: 4 }\n"));
    links.file("x.ld", script + " /DISCARD/ : { *(*) } }");
    expectFailure(
        links.link({"-e", "0", "-T", "x.ld", "a.o"}),
        "xlink: error: the output would hold " + what +
            "'\n"
            ">>> a location counter or an alignment jumps too far; NOLOAD "
            "sections and separate memory regions take no file space\n");
  };
  refused("PHDRS { p PT_LOAD; } SECTIONS { .t : { BYTE(1) } :p "
          ".d 0xffffffffffffff00 : { BYTE(1) }",
          "18446744073709551494 bytes of padding, most of it at section '.d");
  refused("SECTIONS { .t : { BYTE(1) . += 0xffffffffffffefff; }",
          "18446744073709551495 bytes of padding, most of it at section '.t");
}

} // namespace
} // namespace xlink::test
