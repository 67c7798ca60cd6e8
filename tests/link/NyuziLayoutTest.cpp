//===- NyuziLayoutTest.cpp - the default layout of Nyuzi ------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// One section of every usual kind, in another order than the layout's.
const char kProgram[] = R"(
Sections:
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 4, Symbol: first, Type: 6 }, { Offset: 8, Symbol: second, Type: 6 }, { Offset: 12, Symbol: first, Type: 6 } ] }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: second, Section: .data, Value: 2 }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: first, Section: .bss, Value: 4, Binding: STB_GLOBAL }
)";

// Headers at 0, a new page at each change of permissions, and one between
// .init_array and .got and .data.
TEST(NyuziLayout, Order) {
  OutFile out = quiet(LinkHarness().file("a.o", nyuzi(kProgram)).link({"a.o"}));
  EXPECT_EQ(layoutOf(out), ".rodata 94 4\n"
                           ".text 1000 10\n"
                           ".init_array 2000 4\n"
                           ".got 2004 8\n"
                           ".data 3000 4\n"
                           ".bss 3004 8\n");
  EXPECT_EQ(out.entry, 0x1000u);
  EXPECT_EQ(out.flags, 0u);
  EXPECT_EQ(out.machine, 9999u);
}

// One slot a symbol in the order of first use; the field holds its offset.
TEST(NyuziLayout, GlobalOffsetTable) {
  OutFile out = quiet(LinkHarness().file("a.o", nyuzi(kProgram)).link({"a.o"}));
  EXPECT_EQ(out.word(0x2004), out.value("first"));
  EXPECT_EQ(out.word(0x2008), out.value("second"));
  EXPECT_EQ(out.word(0x1004), 0u << 10);
  EXPECT_EQ(out.word(0x1008), 4u << 10);
  EXPECT_EQ(out.word(0x100c), 0u << 10);
}

TEST(NyuziLayout, AddendOfASlotIsDoubtful) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _start, Type: 6, Addend: 4 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  warned(links.link({"a.o"}),
         "xlink: warning: a.o:(.text+0x0): R_NYUZI_GOT against '_start' has "
         "addend 4, which reaches another slot\n");
}

/// Refers to each of `names` from .data.
Bytes referring(std::vector<std::string> names) {
  std::string relocations, symbols;
  for (size_t i = 0; i < names.size(); ++i) {
    relocations += "      - { Offset: " + std::to_string(4 * i) +
                   ", Symbol: " + names[i] + ", Type: 1 }\n";
    symbols += "  - { Name: " + names[i] + ", Binding: STB_GLOBAL }\n";
  }
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: )" +
               std::to_string(4 * names.size()) + R"( }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 12 }
  - Name: .rela.data
    Type: SHT_RELA
    Info: .data
    Relocations:
)" + relocations +
               "Symbols:\n  - { Name: _start, Section: .text, Binding: "
               "STB_GLOBAL }\n" +
               symbols);
}

// Start-up code refers to these in every program, whether there is a slot or a
// constructor or not.
TEST(NyuziLayout, StartUpSymbols) {
  OutFile out = quiet(
      LinkHarness()
          .file("a.o", referring({"_GLOBAL_OFFSET_TABLE_", "__init_array_start",
                                  "__init_array_end"}))
          .link({"a.o"}));
  EXPECT_EQ(out.value("__init_array_start"), out.value("__init_array_end"));
  uint64_t data = out.section(".data")->address;
  EXPECT_EQ(out.word(data), out.value("_GLOBAL_OFFSET_TABLE_"));
  EXPECT_EQ(out.word(data + 4), out.value("__init_array_start"));
  EXPECT_GE(out.value("__init_array_start"), 0x1008u);
  EXPECT_LE(out.value("__init_array_start"), data);
}

TEST(NyuziLayout, ConstructorsBetweenTheirSymbols) {
  LinkHarness links;
  links.file("start.o", referring({"__init_array_start", "__init_array_end"}));
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0a000000' }
  - { Name: .init_array.200, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: 'c8000000' }
  - { Name: .init_array.100, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '64000000' }
)"));
  OutFile out = quiet(links.link({"start.o", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".init_array"), "64000000c80000000a000000");
  EXPECT_EQ(out.value("__init_array_start"),
            out.section(".init_array")->address);
  EXPECT_EQ(out.value("__init_array_end"),
            out.value("__init_array_start") + 12);
}

TEST(NyuziLayout, LinkerSymbols) {
  std::vector<std::string> names = {
      "__bss_start", "_end",   "end",   "_etext",
      "etext",       "_edata", "edata", "__executable_start",
      "__ehdr_start"};
  OutFile out =
      quiet(LinkHarness().file("a.o", referring(names)).link({"a.o"}));
  const OutSection *bss = out.section(".bss"), *data = out.section(".data");
  EXPECT_EQ(out.value("__bss_start"), bss->address);
  EXPECT_EQ(out.value("_end"), bss->address + bss->size);
  EXPECT_EQ(out.value("end"), bss->address + bss->size);
  EXPECT_EQ(out.value("_etext"), 0x1008u);
  EXPECT_EQ(out.value("etext"), 0x1008u);
  EXPECT_EQ(out.value("_edata"), data->address + data->size);
  EXPECT_EQ(out.value("edata"), data->address + data->size);
  EXPECT_EQ(out.value("__executable_start"), 0u);
  EXPECT_EQ(out.value("__ehdr_start"), 0u);
}

// Nobody asks, nobody is answered.
TEST(NyuziLayout, SymbolsOnlyOnRequest) {
  OutFile out = quiet(LinkHarness().file("a.o", referring({})).link({"a.o"}));
  EXPECT_EQ(symbolNames(out), " | _start");
}

TEST(NyuziLayout, SectionBoundsByName) {
  LinkHarness links;
  links.file("a.o", referring({"__start_table", "__stop_table"}));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: table, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 12 }
)"));
  OutFile out = quiet(links.link({"a.o", "b.o"}));
  EXPECT_EQ(out.value("__start_table"), out.section("table")->address);
  EXPECT_EQ(out.value("__stop_table"), out.section("table")->address + 12);
}

// The kernel and user programs move the image.
TEST(NyuziLayout, ImageBase) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", referring({"__ehdr_start"}))
                          .link({"--image-base=0xc0000000", "a.o"}));
  EXPECT_EQ(out.value("__ehdr_start"), 0xc0000000u);
  EXPECT_EQ(out.section(".text")->address, 0xc0001000u);
}

/// What assemblers make of a program of the simulator's tests.
const char kBootProgram[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '1111111112121212' }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '33333333' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: _start, Type: 1 } ] }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 64 }
Symbols:
  - { Name: _start, Section: .text, Value: 4, Binding: STB_GLOBAL }
)";

const char kMember[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: __unused, Section: .text, Binding: STB_GLOBAL }
)";

// clang's link line, with a script that packs all of it from address 0 on:
// nothing stands in front of the code.
TEST(NyuziLayout, RawImage) {
  LinkHarness links;
  links.file("program.o", nyuzi(kBootProgram));
  links.file("libclang_rt.builtins-nyuzi.a",
             makeArchive({{"a.o", nyuzi(kMember)}}));
  links.file("one.ld", "ENTRY(_start) SECTIONS { . = 0; .text : { *(.text) } "
                       ".data : { *(.data) } .bss : { *(.bss) } }");
  Linked linked = links.link({"program.o", "libclang_rt.builtins-nyuzi.a",
                              "--script", "one.ld", "--oformat", "binary"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(hexDigits(linked.image()), "1111111112121212"
                                       "33333333"
                                       "04000000");
}

// A boot ROM whose script says where it starts, whatever the program says.
TEST(NyuziLayout, BootRom) {
  LinkHarness links;
  links.file("boot.o", nyuzi(kBootProgram));
  links.file("boot.ld", "ENTRY(_start) SECTIONS { . = 0xfffee000; _start = .; "
                        ".text : { *(.text) *(.rodata) *(.eh_frame) } "
                        ".data : { *(.data) } .bss : { *(.bss) } }");
  Linked linked =
      links.link({"boot.o", "--script", "boot.ld", "--oformat", "binary"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(hexDigits(linked.image()), "1111111112121212"
                                       "33333333"
                                       "00e0feff");
}

// A flat image starts at its lowest byte.
TEST(NyuziLayout, BinaryImage) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '11111111' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '22222222' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 64 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("rom.ld", "SECTIONS { . = 0xfffee000; .text : { *(.text) } "
                       ". = ALIGN(16); .data : { *(.data) } "
                       ".bss : { *(.bss) } }");
  Linked linked = links.link({"--oformat", "binary", "-T", "rom.ld", "a.o"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(hexDigits(linked.image()),
            "1111111100000000000000000000000022222222");
}

} // namespace
} // namespace xlink::test
