//===- MemoryUsageTest.cpp - --print-memory-usage -------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(const char *script, std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 0x1000 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 100 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x100000 }
)"));
  links.file("m.ld", script);
  std::vector<std::string> arguments = {"-e", "0",    "a.o",
                                        "-T", "m.ld", "--print-memory-usage"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

/// What GNU ld prints too.
std::string tableOf(const Linked &linked) {
  return StringRef(linked.text).split("\n\n").first.str() + "\n";
}

TEST(MemoryUsage, UnitsAndShares) {
  Linked linked = link(
      "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 64K\n"
      "ram : ORIGIN = 0x10000000, LENGTH = 16M\n"
      "big : ORIGIN = 0x40000000, LENGTH = 0x40000000\n"
      "a_long_name_for_a_region : ORIGIN = 0x20000000, LENGTH = 1001\n"
      "odd : ORIGIN = 0x30000000, LENGTH = 300 }\n"
      "SECTIONS { .text : { *(.text) } > rom .bss : { *(.bss) } > ram .data : "
      "{ *(.data) } > odd }");
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(tableOf(linked),
            "Memory region         Used Size  Region Size  %age Used\n"
            "             rom:          4 KB        64 KB      6.25%\n"
            "             ram:          1 MB        16 MB      6.25%\n"
            "             big:          0 GB         1 GB      0.00%\n"
            "a_long_name_for_a_region:          0 GB       1001 B      0.00%\n"
            "             odd:         100 B        300 B     33.33%\n");
}

TEST(MemoryUsage, LoadAddressesCount) {
  Linked linked =
      link("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 64K\n"
           "ram : ORIGIN = 0x10000000, LENGTH = 16M }\n"
           "SECTIONS { .text : { *(.text) } > rom .data : { *(.data) } > ram "
           "AT> rom .bss : { *(.bss) } > ram }");
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "             rom:        4196 B        64 KB      6.40%\n"
            "             ram:     1048676 B        16 MB      6.25%\n"
            "\n"
            "rom, 0x1000 to 0x10fff\n"
            "  free                61340 B    93.60%\n"
            "  loaded only           100 B     0.15%\n"
            "  largest              4196 B     6.40%  a.o\n"
            "\n"
            "ram, 0x10000000 to 0x10ffffff\n"
            "  free             15728540 B    93.75%\n"
            "  largest           1048676 B     6.25%  a.o\n");
}

TEST(MemoryUsage, OfALinkThatFails) {
  Linked linked =
      link("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
           "none : ORIGIN = 0, LENGTH = 0 }\n"
           "SECTIONS { .text : { *(.text) } > rom /DISCARD/ : { *(*) } }");
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "             rom:          4 KB         1 KB    400.00%\n"
            "            none:          0 GB         0 GB\n"
            "\n"
            "rom, 0x1000 to 0x13ff\n"
            "  too much               3 KB   300.00%\n"
            "  largest                4 KB   400.00%  a.o\n");
}

// A machine of which no memory is known.
TEST(MemoryUsage, WithoutRegions) {
  EXPECT_EQ(link("SECTIONS { .all : { *(*) } }").text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "\n"
            "in no region\n"
            "  used              1052772 B\n"
            "  largest           1052772 B   100.00%  a.o\n");
}

/// A program for the DPU whose script has these statements.
Linked linkDpu(const std::string &script, std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 64 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 16 }
)"));
  links.file("m.ld", script);
  std::vector<std::string> arguments = {"-e", "0",    "a.o",
                                        "-T", "m.ld", "--no-warn-entry"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

// The machine's own memories, as large as those of the chip.
TEST(MemoryUsage, MachinesMemories) {
  const Linked linked = linkDpu("SECTIONS { .text 0x80000000 : { *(.text) }\n"
                                ".data 16 : { *(.data) } }",
                                {"--print-memory-usage"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "            iram:          64 B        32 KB      0.20%\n"
            "            wram:          32 B        64 KB      0.05%\n"
            "            mram:          0 GB        64 MB      0.00%\n"
            "          atomic:          0 GB        256 B      0.00%\n"
            "\n"
            "iram, 0x80000000 to 0x80007fff, the machine's\n"
            "  free                32704 B    99.80%\n"
            "  largest                64 B     0.20%  a.o\n"
            "\n"
            "wram, 0x0 to 0xffff, the machine's\n"
            "  free                65504 B    99.95%\n"
            "  padding                16 B     0.02%\n"
            "  largest                16 B     0.02%  a.o\n");
}

// What the SDK's script sets aside, by its symbols, and sections by name.
TEST(MemoryUsage, Reservations) {
  const Linked linked =
      linkDpu("MEMORY { iram : ORIGIN = 0x80000000, LENGTH = 1K\n"
              "wram : ORIGIN = 0, LENGTH = 4K }\n"
              "STACK_SIZE_TASKLET_0 = 256; STACK_SIZE_TASKLET_1 = 0;\n"
              "STACK_SIZE_TASKLET_2 = 1024;\n"
              "SECTIONS { .text : { *(.text) } >iram\n"
              ".data : { *(.data) } >wram\n"
              ".data.stacks (NOLOAD) : { __sys_stack_thread_0 = .;\n"
              ". += STACK_SIZE_TASKLET_0; __sys_stack_thread_1 = .;\n"
              "__sys_stack_thread_2 = .; . += STACK_SIZE_TASKLET_2; } >wram\n"
              "._user_heap_stack : { . += 8; } >wram\n"
              ".my_heap : { . += 4; } >wram\n"
              "__sys_heap_pointer_reset = .;\n"
              "__sys_heap_pointer_end = 4096; }",
              {"--print-memory-usage", "--no-warn-script"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(
      StringRef(linked.text).split("\nwram, ").second,
      "0x0 to 0xfff\n"
      "  free                   0 GB     0.00%\n"
      "  stack                 256 B     6.25%  STACK_SIZE_TASKLET_0 at 0x10\n"
      "  stack                  1 KB    25.00%  STACK_SIZE_TASKLET_2 at 0x110\n"
      "  set aside               8 B     0.20%  ._user_heap_stack at 0x510\n"
      "  heap                    4 B     0.10%  .my_heap at 0x518\n"
      "  heap                 2788 B    68.07%  heap at 0x51c\n"
      "  largest                16 B     0.39%  a.o\n");
}

TEST(MemoryUsage, Json) {
  const Linked linked =
      link("MEMORY { none : ORIGIN = 0, LENGTH = 0 }\n"
           "SECTIONS { .text 0x1000 : { *(.text) } /DISCARD/ : { *(*) } }",
           {"--print-memory-usage=json"});
  EXPECT_EQ(linked.text.front(), '{');
  EXPECT_EQ(link("", {"--print-memory-usage=xml"}).errors,
            "xlink: error: option '--print-memory-usage': 'xml' is none of "
            "text, json\n");
}

//===----------------------------------------------------------------------===//
// --print-gc-sections
//===----------------------------------------------------------------------===//

const char keepsText[] = "SECTIONS { .text : { KEEP(*(.text)) } .rest : { "
                         "*(.data .bss) } }";
const char collected[] = "removing unused section a.o:(.data)\n"
                         "removing unused section a.o:(.bss)\n"
                         "removed 2 sections of 1048676 bytes\n";
const char header[] =
    "Memory region         Used Size  Region Size  %age Used\n";

TEST(CollectedSections, OnStandardOutput) {
  EXPECT_EQ(tableOf(link(keepsText, {"--gc-sections", "--print-gc-sections"})),
            std::string(collected) + header);
  EXPECT_EQ(tableOf(link(keepsText, {"--print-gc-sections"})), header);
  EXPECT_EQ(tableOf(link(keepsText, {"--gc-sections", "--print-gc-sections",
                                     "--no-print-gc-sections"})),
            header);
}

TEST(CollectedSections, InAFile) {
  Linked linked =
      link(keepsText, {"--gc-sections", "--print-gc-sections=gc.txt"});
  EXPECT_EQ(tableOf(linked), header);
  const Bytes &file = linked.files["gc.txt"];
  EXPECT_EQ(std::string(file.begin(), file.end()), collected);
}

} // namespace
} // namespace xlink::test
