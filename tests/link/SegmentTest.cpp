//===- SegmentTest.cpp - program headers ----------------------------------===//
#include "arch/Target.h"
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kProgram[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0000' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x20 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

OutFile link(StringRef machine, StringRef body = kProgram,
             std::vector<std::string> arguments = {}) {
  arguments.push_back("a.o");
  return quiet(
      LinkHarness()
          .file("a.o", machineObject(machine, body,
                                     machine == "dpu"
                                         ? std::optional<uint32_t>(0x02800000)
                                         : std::nullopt))
          .link(arguments));
}

/// What the gABI asks of PT_LOADs, and of the sections they cover.
void expectSound(const OutFile &out) {
  uint64_t last = 0;
  for (const OutSegment &s : out.segments) {
    EXPECT_LE(s.fileSize, s.memSize);
    if (s.type != ELF::PT_LOAD)
      continue;
    EXPECT_GE(s.address, last) << "PT_LOADs stand in ascending order";
    last = s.address;
    ASSERT_NE(s.align, 0u);
    EXPECT_EQ(s.align & (s.align - 1), 0u);
    EXPECT_EQ(s.offset % s.align, s.address % s.align);
  }
  for (const OutSection &section : out.sections) {
    // The DPU's (NOLOAD) sections are nobody's to load.
    if (!(section.flags & ELF::SHF_ALLOC) || section.size == 0 ||
        section.name == ".atomic")
      continue;
    bool covered = false;
    for (const OutSegment &s : out.segments)
      if (s.type == ELF::PT_LOAD && section.address >= s.address &&
          section.address + section.size <= s.address + s.memSize) {
        covered = true;
        if (section.type != ELF::SHT_NOBITS) {
          EXPECT_EQ(section.offset - s.offset, section.address - s.address)
              << section.name;
        }
      }
    EXPECT_TRUE(covered) << section.name;
  }
}

TEST(Segment, SoundOnEveryMachine) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    expectSound(link(target->name));
  }
}

TEST(Segment, ANewOneWherePermissionsChange) {
  OutFile out = link("nyuzi");
  // Headers and constants, code, data. Sizes are multiples of 4 on this
  // machine.
  EXPECT_EQ(segmentsOf(out), "LOAD R-- 0 98 98\n"
                             "LOAD R-X 1000 8 8\n"
                             "LOAD RW- 2000 4 24\n");
  expectSound(out);
}

// Less padding, and constants can be executed; what is written stays apart.
TEST(Segment, ConstantsWithCode) {
  OutFile out = link("nyuzi", kProgram, {"--no-rosegment"});
  EXPECT_EQ(segmentsOf(out), "LOAD R-X 0 1008 1008\n"
                             "LOAD RW- 2000 4 24\n");
  expectSound(out);
}

TEST(Segment, NyuziLoadsItsHeaders) {
  OutFile out = link("nyuzi");
  ASSERT_FALSE(out.segments.empty());
  EXPECT_EQ(out.segments[0].address, 0u);
  EXPECT_EQ(out.segments[0].offset, 0u);
  EXPECT_GE(out.segments[0].fileSize, 52u + 32 * out.segments.size());
  for (const OutSegment &s : out.segments) {
    EXPECT_EQ(s.address % 4, 0u);
    EXPECT_EQ(s.fileSize % 4, 0u);
  }
}

TEST(Segment, OthersDoNot) {
  for (const char *machine : {"xs1", "dpu", "colossus"}) {
    OutFile out = link(machine);
    for (const OutSegment &s : out.segments)
      EXPECT_GE(s.offset, 52u + 32 * out.segments.size()) << machine;
  }
}

TEST(Segment, PaddedSizeReadsAsZeros) {
  Linked linked = LinkHarness()
                      .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: 'ff' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: 'eeeeeeeeeeeeeeee' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
                      .link({"a.o"});
  OutFile out = quiet(linked);
  ASSERT_EQ(out.segments.size(), 1u);
  const OutSegment &s = out.segments[0];
  EXPECT_EQ(s.fileSize, 4u);
  ASSERT_LE(s.offset + 4, linked.image().size());
  EXPECT_EQ(linked.image()[s.offset], 0xffu);
  for (int i = 1; i < 4; ++i)
    EXPECT_EQ(linked.image()[s.offset + i], 0u);
}

// Addresses that go back are fine; the headers are sorted all the same.
TEST(Segment, AscendingWhateverTheScriptsOrder) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  links.file("x.ld", "SECTIONS { .data 0x9000 : { *(.data) } "
                     ".text 0x5000 : { *(.text) } "
                     ".rodata 0x7000 : { *(.rodata) } "
                     ".bss 0x3000 : { *(.bss) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_EQ(segmentsOf(out), "LOAD RW- 3000 0 20\n"
                             "LOAD R-X 5000 8 8\n"
                             "LOAD R-- 7000 4 4\n"
                             "LOAD RW- 9000 4 4\n");
  expectSound(out);
}

// A load address of its own makes a segment of its own.
TEST(Segment, LoadAddress) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  links.file("x.ld", "SECTIONS { .text 0x5000 : { *(.text) } "
                     ".rodata : { *(.rodata) } "
                     ".data 0x9000 : AT(0x6000) { *(.data) } "
                     ".bss : { *(.bss) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  expectSound(out);
  bool found = false;
  for (const OutSegment &s : out.segments)
    if (s.address == 0x9000) {
      found = true;
      EXPECT_EQ(s.loadAddress, 0x6000u);
    }
  EXPECT_TRUE(found);
}

// Bytes behind NOBITS need file space of their own.
TEST(Segment, BytesBehindNoBits) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  links.file("x.ld", "SECTIONS { .bss 0x5000 : { *(.bss) } "
                     ".data : { *(.data) } .text : { *(.text) } "
                     ".rodata : { *(.rodata) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.section(".bss")->type, ELF::SHT_NOBITS);
  expectSound(out);
}

// Room for a heap or a stack takes no bytes of the file, except on the machine
// whose loader wants them.
TEST(Segment, GapsHaveNoBytes) {
  LinkHarness links;
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text) } "
                     ".rodata : { *(.rodata) } .data : { *(.data) } "
                     ".bss : { *(.bss) } .heap 0x4000 : { . += 0x100; } =0x55 "
                     ".words : { . += 4; LONG(1) } }");
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    links.file("a.o", machineObject(target->name, kProgram));
    OutFile out = quiet(links.link({"-T", "x.ld", "--no-warn-entry", "a.o"}));
    EXPECT_EQ(out.section(".heap")->type, target->gapSectionsHaveBytes
                                              ? ELF::SHT_PROGBITS
                                              : ELF::SHT_NOBITS);
    EXPECT_EQ(out.section(".heap")->size, 0x100u);
    EXPECT_EQ(out.section(".words")->type, ELF::SHT_PROGBITS);
    EXPECT_EQ(out.section(".words")->size, 8u);
    expectSound(out);
  }
}

// AT() of PHDRS moves a segment with all that is in it, .bss too.
TEST(Segment, LoadAddressOfPhdrs) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  links.file("x.ld", "PHDRS { text PT_LOAD; data PT_LOAD AT(0x6000); } "
                     "SECTIONS { .text 0x5000 : { *(.text .rodata) } :text "
                     ".data 0x9000 : { *(.data) } :data "
                     ".bss : { *(.bss) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  expectSound(out);
  ASSERT_EQ(out.segments.size(), 2u);
  const OutSegment &data = out.segments[1];
  EXPECT_EQ(data.address, 0x9000u);
  EXPECT_EQ(data.loadAddress, 0x6000u);
  EXPECT_EQ(data.address + data.memSize,
            out.section(".bss")->address + out.section(".bss")->size);
}

// Members of an overlay share addresses. In one segment each has its own bytes,
// where its load address is.
TEST(Segment, OverlayInOneSegment) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  links.file("x.ld", "PHDRS { all PT_LOAD; } "
                     "SECTIONS { .text 0x5000 : { *(.text) } :all "
                     "OVERLAY 0x9000 : AT(0x5100) { .o1 { LONG(0x11111111) } "
                     ".o2 { LONG(0x22222222) } } "
                     "/DISCARD/ : { *(.rodata .data .bss) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.section(".o1")->address, out.section(".o2")->address);
  EXPECT_EQ(out.section(".o1")->offset + 4, out.section(".o2")->offset);
  EXPECT_EQ(out.section(".o1")->offset - out.section(".text")->offset, 0x100u);
  EXPECT_EQ(out.section(".o1")->bytes[0], 0x11);
  EXPECT_EQ(out.section(".o2")->bytes[0], 0x22);
}

TEST(Segment, ThreadLocalStorage) {
  OutFile out = link("aphelion", R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .tdata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 4, Content: '11111111' }
  - { Name: .tbss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_TLS ], AddressAlign: 4, Size: 0x10 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '22222222' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
  ASSERT_FALSE(out.segments.empty());
  const OutSegment &tls = out.segments.back();
  EXPECT_EQ(tls.type, ELF::PT_TLS);
  EXPECT_EQ(tls.address, out.section(".tdata")->address);
  EXPECT_EQ(tls.fileSize, 4u);
  EXPECT_EQ(tls.memSize, 0x14u);
  // .tbss takes no room among the other sections.
  EXPECT_EQ(out.section(".data")->address, out.section(".tdata")->address + 4);
}

// Nothing to load, nothing to describe.
TEST(Segment, NoneWithoutContent) {
  OutFile out = link("nyuzi", R"(
Sections:
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '00' }
)",
                     {"-e", "0"});
  EXPECT_TRUE(out.segments.empty());
}

// Every type that a script can name reaches the file.
TEST(Segment, TypesByName) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '01020304' }
Symbols: []
)"));
  links.file("s.ld",
             StringRef("PHDRS { load PT_LOAD; frame PT_GNU_EH_FRAME;\n"
                       "relro PT_GNU_RELRO; property PT_GNU_PROPERTY; }\n"
                       "SECTIONS { .data 0x1000 : { *(.data) } :load :frame "
                       ":relro :property }"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "-T", "s.ld"}));
  std::vector<uint32_t> types;
  for (const OutSegment &segment : out.segments)
    types.push_back(segment.type);
  EXPECT_EQ(types,
            (std::vector<uint32_t>{1, 0x6474e550, 0x6474e552, 0x6474e553}));
}

// Tools that copy programs want offsets inside the file, also of what has no
// bytes there.
TEST(Segment, OffsetsInsideTheFile) {
  LinkHarness links;
  links
      .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
  - { Name: .kept, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 0 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
      .file("ram.ld", "MEMORY { rom : ORIGIN = 0, LENGTH = 64K\n"
                      "  ram : ORIGIN = 0x20000400, LENGTH = 64K }\n"
                      "SECTIONS { .text : { *(.text) } >rom\n"
                      "  .bss : { *(.bss) } >ram }")
      .file("phdrs.ld", "PHDRS { p PT_LOAD; q PT_LOAD; }\n"
                        "SECTIONS { .kept 0x4000 : AT(0x8000) { KEEP(*(.kept)) "
                        "} :p\n"
                        "  .text 0x5000 : AT(0x2a490) { *(.text) } :p\n"
                        "  .bss 0x6000 : AT(0x2b490) { *(.bss) } :q }");
  for (std::vector<std::string> arguments : {std::vector<std::string>{"a.o"},
                                             {"-T", "ram.ld", "a.o"},
                                             {"-T", "phdrs.ld", "a.o"}}) {
    Linked linked = links.link(arguments);
    OutFile out(linked.image());
    for (const OutSegment &s : out.segments) {
      EXPECT_LE(s.offset, linked.image().size()) << arguments.front();
      if (s.memSize) {
        EXPECT_EQ((s.address - s.offset) % s.align, 0u);
      }
    }
    for (const OutSection &s : out.sections)
      if (s.type != 8) { // SHT_NOBITS
        EXPECT_LE(s.offset, linked.image().size()) << s.name;
      }
  }
}

} // namespace
} // namespace xlink::test
