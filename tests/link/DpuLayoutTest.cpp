//===- DpuLayoutTest.cpp - the default layout of the DPU ------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kProgram[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '1111111111111111' }
  - { Name: .text.__bootstrap, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '2222222222222222' }
  - { Name: .atomic, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: 2 }
  - { Name: .data.x, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0d0d0d0d' }
  - { Name: .bss.x, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '0c0c0c0c' }
  - { Name: .data.immediate_memory, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0b0b0b0b' }
  - { Name: .data.__sys_zero, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0a0a0a0a' }
  - { Name: .dpu_host, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Content: '0e0e0e0e0e0e0e0e' }
  - { Name: .mram, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Content: '0f' }
  - { Name: .mram.noinit, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 0x100 }
Symbols:
  - { Name: __bootstrap, Section: .text.__bootstrap, Binding: STB_GLOBAL }
  - { Name: variable, Section: .data.x, Binding: STB_GLOBAL }
)";

TEST(DpuLayout, Memories) {
  OutFile out = quiet(LinkHarness().file("a.o", dpu(kProgram)).link({"a.o"}));
  EXPECT_EQ(bytesOf(out, ".text"), "22222222222222221111111111111111");
  EXPECT_EQ(out.section(".text")->address, 0x80000000u);
  EXPECT_EQ(out.entry, 0x80000000u);
  // Zero page, immediate memory, constants, bss, data; a multiple of 8.
  EXPECT_EQ(bytesOf(out, ".data"), "0a0a0a0a00000000"
                                   "0b0b0b0b0c0c0c0c"
                                   "000000000d0d0d0d");
  EXPECT_EQ(out.section(".data")->address, 0u);
  EXPECT_EQ(out.section(".data.__sys_host")->address, 0x18u);
  EXPECT_EQ(out.section(".atomic")->address, 0xf0000000u);
  EXPECT_EQ(out.section(".atomic")->size, 202u);
  EXPECT_EQ(out.section(".mram.noinit")->address, 0x08000000u);
  EXPECT_EQ(out.section(".mram")->address, 0x08000100u);
  EXPECT_EQ(out.section(".mram")->size, 8u);
  EXPECT_EQ(out.value("__sys_used_mram_end"), 0x08000108u);
  EXPECT_EQ(out.flags, 0x02800000u);
  EXPECT_EQ(out.machine, 245u);
}

// The host's loader copies every segment: what has no bytes to load is in none.
TEST(DpuLayout, NoLoadIsOutsideOfSegments) {
  OutFile out = quiet(LinkHarness().file("a.o", dpu(kProgram)).link({"a.o"}));
  for (const char *name : {".atomic", ".mram.noinit"}) {
    const OutSection *s = out.section(name);
    ASSERT_TRUE(s) << name;
    EXPECT_EQ(s->type, ELF::SHT_NOBITS) << name;
    for (const OutSegment &segment : out.segments)
      EXPECT_FALSE(s->address < segment.address + segment.memSize &&
                   segment.address < s->address + s->size)
          << name;
  }
  EXPECT_EQ(out.segments.size(), 3u);
}

// Execution begins at the first word of IRAM: __bootstrap, else _start.
TEST(DpuLayout, Entry) {
  auto program = [](StringRef symbols) {
    return dpu((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 32 }
Symbols:
)" + symbols)
                   .str());
  };
  StringRef start =
      "  - { Name: _start, Section: .text, Value: 8, Binding: STB_GLOBAL }\n";
  StringRef bootstrap = "  - { Name: __bootstrap, Section: .text, Value: 16, "
                        "Binding: STB_GLOBAL }\n";
  LinkHarness links;
  links.file("a.o", program(start));
  links.file("b.o", program((start + bootstrap).str()));
  auto elsewhere = [](StringRef name, StringRef address) {
    return ("xlink: warning: execution starts at 0x80000000, but the entry "
            "symbol '" +
            name + "' is at " + address +
            "\n>>> a start-up object such as the SDK's crt0.o has code for "
            "there\n")
        .str();
  };
  EXPECT_EQ(
      warned(links.link({"a.o"}), elsewhere("_start", "0x80000008")).entry,
      0x80000008u);
  EXPECT_EQ(
      warned(links.link({"b.o"}), elsewhere("__bootstrap", "0x80000010")).entry,
      0x80000010u);
  EXPECT_EQ(warned(links.link({"-e", "_start", "b.o"}),
                   elsewhere("_start", "0x80000008"))
                .entry,
            0x80000008u);
  EXPECT_EQ(quiet(links.link({"-e", "_start", "--no-warn-entry", "b.o"})).entry,
            0x80000008u);
  links.file("c.o", program("  - { Name: f, Section: .text, Binding: "
                            "STB_GLOBAL }\n"));
  warned(links.link({"c.o"}),
         "xlink: warning: cannot find entry symbol _start; defaulting to "
         "0x80000000\n"
         ">>> execution starts at 0x80000000: nothing there is the start-up "
         "code of the SDK's crt0.o\n");
}

TEST(DpuLayout, ImmediateMemoryIsSmall) {
  LinkHarness links;
  links.file("a.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .data.immediate_memory, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 2048 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  Linked linked = links.link({"a.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.errors)
                  .contains("assertion failed: immediate "
                            "memory ends beyond an 11-bit "
                            "address"))
      << linked.errors;
}

// Two names of processors: a warning, as an SDK ships one crt0.o for both. The
// first of each kind says it, and the first object's stays.
TEST(DpuLayout, Attributes) {
  auto object = [](StringRef symbol, StringRef cpu) {
    return dpu((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .dpu.attributes, Type: 0x70000003, Content: '411400000075706d656d00010a00000005)" +
                cpu + R"(00' }
Symbols:
  - { Name: )" + symbol +
                ", Section: .text, Binding: STB_GLOBAL }\n")
                   .str());
  };
  LinkHarness links;
  links.file("a.o", object("_start", "763141")); // v1A
  links.file("b.o", object("b", "763141"));
  links.file("c.o", object("c", "763142"));
  links.file("d.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
)"));
  OutFile out = quiet(links.link({"a.o", "b.o", "d.o"}));
  EXPECT_EQ(out.section(".dpu.attributes")->size, 21u) << "the first one's";
  links.file("e.o", object("e", "763142"));
  std::vector<std::string> mixed = {"a.o", "b.o", "c.o", "e.o"};
  out = warned(links.link(mixed), "xlink: warning: incompatible attributes: "
                                  "a.o is for v1A, c.o is for v1B\n");
  EXPECT_EQ(bytesOf(out, ".dpu.attributes"),
            "411400000075706d656d00010a0000000576314100");
  for (const char *option : {"--no-warn-mismatch", "--no-warn-flags"}) {
    mixed.push_back(option);
    quiet(links.link(mixed));
    mixed.pop_back();
  }
  // --mcpu against what the objects say.
  quiet(links.link({"--mcpu=v1A", "a.o"}));
  warned(links.link({"--mcpu=v1B", "a.o"}),
         "xlink: warning: incompatible attributes: --mcpu is v1B, a.o is for "
         "v1A\n");
}

TEST(DpuLayout, AbiVersions) {
  auto object = [](StringRef symbol, uint32_t flags) {
    return dpu((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: )" + symbol +
                ", Section: .text, Binding: STB_GLOBAL }\n")
                   .str(),
               flags);
  };
  LinkHarness links;
  links.file("a.o", object("_start", 0x02800000));
  links.file("b.o", object("b", 0));
  links.file("c.o", object("c", 0x03800000));
  expectFailure(links.link({"a.o", "b.o"}),
                "xlink: error: incompatible ABI: a.o has version 2, b.o has "
                "none\n");
  expectFailure(links.link({"a.o", "c.o"}),
                "xlink: error: incompatible ABI: a.o has version 2, c.o has "
                "version 3\n");
}

} // namespace
} // namespace xlink::test
