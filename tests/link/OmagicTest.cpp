//===- OmagicTest.cpp - -N and -n: segments without pages -----------------===//
#include "link/NamedObjects.h"

using namespace llvm;

namespace xlink::test {
namespace {

constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 1, Size: 1 }
  - { Name: .init, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 1, Size: 1 }
  - { Name: .foo, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 1, Size: 1 }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 16, Size: 16 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 1, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 1, Size: 8 }
)";

/// `at` moves dot in front of .data.
Linked link(const char *machine, const char *at,
            std::vector<std::string> options) {
  LinkHarness links;
  links.file("a.o", machineObject(machine, kProgram));
  links.file("x.ld", std::string("SECTIONS { .text 0x1000 : { *(.text) } "
                                 ".init : { *(.init) } .foo : { *(.foo) } "
                                 ".rodata : { *(.rodata) } ") +
                         at +
                         ".data : { *(.data) } .bss : { *(.bss) } "
                         ".late : { LONG(5) } }");
  options.insert(options.end(), {"-e", "0", "-T", "x.ld", "a.o"});
  return links.link(options);
}

// GNU ld's segments and flags; what is behind zeros begins a segment.
TEST(Omagic, OneSegment) {
  for (const char *machine : bothClasses)
    for (const char *option : {"-N", "--omagic"}) {
      OutFile out = quiet(link(machine, "", {option}));
      EXPECT_EQ(segmentsOf(out), "LOAD RWX 1000 24 2c\nLOAD R-- 102c 4 4\n");
      EXPECT_EQ(out.segments[0].align, 16u);
      EXPECT_EQ(out.segments[1].align, 1u);
      EXPECT_EQ(out.section(".text")->flags, 7u);
      EXPECT_EQ(out.section(".init")->flags, 6u);
      EXPECT_EQ(out.section(".rodata")->flags, 2u);
      EXPECT_EQ(out.section(".data")->offset,
                out.section(".text")->offset + 0x20);
    }
}

// A gap of pages is not filled.
TEST(Omagic, Gaps) {
  OutFile out = quiet(link("nyuzi", ". = 0x8000; ", {"-N"}));
  EXPECT_EQ(segmentsOf(out),
            "LOAD RWX 1000 20 20\nLOAD RW- 8000 4 c\nLOAD R-- 800c 4 4\n");
  out = quiet(link("nyuzi", ". = 0x1800; ", {"-N"}));
  EXPECT_EQ(segmentsOf(out), "LOAD RWX 1000 804 80c\nLOAD R-- 180c 4 4\n");
}

// The last of these options counts. -n joins segments too (GNU ld), but leaves
// .text as it is.
TEST(Omagic, TheLastOneCounts) {
  const Bytes plain = link("nyuzi", "", {}).image();
  EXPECT_EQ(link("nyuzi", "", {"-N", "--no-omagic"}).image(), plain);
  EXPECT_EQ(link("nyuzi", "", {"-n", "--no-nmagic"}).image(), plain);
  const Bytes joined = link("nyuzi", "", {"-n"}).image();
  for (const char *more :
       {"-zseparate-code", "--rosegment", "-N", "-zmax-page-size=0x100"})
    EXPECT_EQ(link("nyuzi", "", {more, "-n"}).image(), joined) << more;
  const OutFile out(joined);
  EXPECT_EQ(segmentsOf(out), "LOAD RWX 1000 24 2c\nLOAD R-- 102c 4 4\n");
  EXPECT_EQ(out.section(".text")->flags, 6u);
}

} // namespace
} // namespace xlink::test
