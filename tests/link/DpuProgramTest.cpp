//===- DpuProgramTest.cpp - programs of the SDK's parts, for the DPU ------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kCode[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

/// What the SDK's start-up code is to the built-in script: __bootstrap, and a
/// table of the stacks and their sizes.
const char kStartUp[] = R"(
Sections:
  - { Name: .text.__bootstrap, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .data.__sys_keep, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 32 }
  - Name: .rela.data.__sys_keep
    Type: SHT_RELA
    Info: .data.__sys_keep
    Relocations:
      - { Offset: 0, Symbol: __sys_stack_thread_0, Type: 1 }
      - { Offset: 4, Symbol: STACK_SIZE_TASKLET_0, Type: 1 }
      - { Offset: 8, Symbol: __sys_stack_thread_1, Type: 1 }
      - { Offset: 12, Symbol: STACK_SIZE_TASKLET_1, Type: 1 }
      - { Offset: 16, Symbol: __sys_stack_thread_2, Type: 1 }
      - { Offset: 20, Symbol: __sys_heap_pointer_reset, Type: 1 }
      - { Offset: 24, Symbol: __sys_heap_pointer_end, Type: 1 }
      - { Offset: 28, Symbol: NR_TASKLETS, Type: 1 }
)";
const char kSymbols[] = R"(
Symbols:
  - { Name: __bootstrap, Section: .text.__bootstrap, Binding: STB_GLOBAL }
  - { Name: __sys_thread_stack_table_ptr, Section: .data.__sys_keep, Binding: STB_GLOBAL }
  - { Name: __sys_stack_thread_0, Binding: STB_GLOBAL }
  - { Name: __sys_stack_thread_1, Binding: STB_GLOBAL }
  - { Name: __sys_stack_thread_2, Binding: STB_GLOBAL }
  - { Name: STACK_SIZE_TASKLET_0, Binding: STB_GLOBAL }
  - { Name: STACK_SIZE_TASKLET_1, Binding: STB_GLOBAL }
  - { Name: __sys_heap_pointer_reset, Binding: STB_GLOBAL }
  - { Name: __sys_heap_pointer_end, Binding: STB_GLOBAL }
  - { Name: NR_TASKLETS, Binding: STB_GLOBAL }
)";

struct DpuProgram : testing::Test {
  DpuProgram() {
    links.file("crt0.o", dpu(std::string(kStartUp) + kSymbols));
    links.file("v1b.o",
               dpu(std::string(kStartUp) +
                   "  - { Name: .dpu.attributes, Type: 0x70000003, Content: "
                   "'411400000075706d656d00010a0000000576314200' }\n" +
                   kSymbols));
  }
  /// The words of the table: stacks and sizes, heap, number.
  static std::string table(const OutFile &out) {
    return bytesOf(out, ".data").substr(16);
  }
  LinkHarness links;
};

// .data is the 8 bytes of null and the table, so stacks begin at 40 = 0x28.
TEST_F(DpuProgram, OneTasklet) {
  OutFile out = quiet(links.link({"crt0.o"}));
  EXPECT_EQ(table(out), "28000000"
                        "00040000"
                        "28040000"
                        "00000000"
                        "28040000"
                        "30040000" // behind 8 bytes of one tasklet's cache
                        "00000100" // 64 KiB
                        "01000000");
  EXPECT_EQ(out.section(".data.stacks")->size, 0x400u);
  for (const OutSegment &segment : out.segments)
    EXPECT_LE(segment.memSize, 0x28u) << "stacks are not loaded";
}

TEST_F(DpuProgram, SeveralTasklets) {
  OutFile out = quiet(links.link({"--defsym=NR_TASKLETS=2", "crt0.o",
                                  "--defsym=STACK_SIZE_DEFAULT=512",
                                  "--defsym=STACK_SIZE_TASKLET_1=0x100"}));
  EXPECT_EQ(table(out), "28000000"
                        "00020000"
                        "28020000"
                        "00010000"
                        "28030000"
                        "38030000"
                        "00000100"
                        "02000000");
}

// v1B has 62 KiB of WRAM, 31 KiB of IRAM, 16 threads.
TEST_F(DpuProgram, Chips) {
  EXPECT_EQ(table(quiet(links.link({"--mcpu=v1B", "crt0.o"}))).substr(48, 8),
            "00f80000");
  EXPECT_EQ(table(quiet(links.link({"v1b.o"}))).substr(48, 8), "00f80000");
  // The run-time owns bits of v1A's atomic memory and none of v1B's.
  OutFile first = quiet(links.link({"crt0.o"}));
  ASSERT_TRUE(first.section(".atomic"));
  EXPECT_EQ(first.section(".atomic")->size, 200u);
  EXPECT_FALSE(quiet(links.link({"v1b.o"})).section(".atomic"));
  quiet(links.link({"--defsym=NR_TASKLETS=24", "crt0.o"}));
  expectFailure(links.link({"--defsym=NR_TASKLETS=25", "crt0.o"}),
                "xlink: error: <dpu.ld>:99:5: assertion failed: NR_TASKLETS "
                "is larger than the 24 threads of v1A\n");
  expectFailure(
      links.link({"--mcpu=v1B", "--defsym=NR_TASKLETS=17", "crt0.o"}),
      "xlink: error: <dpu.ld>:99:5: assertion failed: NR_TASKLETS is larger "
      "than the 16 threads of v1B\n");
  expectFailure(links.link({"--defsym=STACK_SIZE_TASKLET_0=12", "crt0.o"}),
                "xlink: error: <dpu.ld>:101:5: assertion failed: the size of a "
                "tasklet's stack is not a multiple of 8\n");
}

// A start-up of the program's own has stacks of its own, too.
TEST_F(DpuProgram, NoStacksForOthers) {
  links.file("a.o", dpu(kCode));
  OutFile out = quiet(links.link({"a.o", "--defsym=NR_TASKLETS=99"}));
  EXPECT_EQ(out.section(".data.stacks")->size, 0u);
  EXPECT_EQ(homeOf(out, "STACK_SIZE_TASKLET_0"), "missing");
}

// The loader finds everything by symbols.
TEST_F(DpuProgram, Stripped) {
  warned(links.link({"-s", "crt0.o"}),
         "xlink: warning: -s leaves out .symtab, which the host's loader "
         "reads: it will not load the output\n");
  quiet(links.link({"-S", "crt0.o"}));
  links.file("x.ld", "SECTIONS { .text 0x80000000 : { *(.text*) } }");
  links.file("a.o", dpu(kCode));
  Linked image = links.link({"-s", "-T", "x.ld", "--oformat=binary", "a.o"});
  EXPECT_EQ(image.errors, "");
  EXPECT_EQ(image.status, 0);
}

// lld's rule: the SDK's script has `__atomic_end_addr = ORIGIN + LENGTH` in an
// output section, and the loader takes what is in a section for a variable.
TEST_F(DpuProgram, NumbersInSectionsAreAbsolute) {
  const char script[] = "MEMORY { iram : ORIGIN = 0x80000000, LENGTH = 32K\n"
                        "wram : ORIGIN = 0, LENGTH = 64K }\n"
                        "SECTIONS { .text : { *(.text .text.*)\n"
                        "five = 5; end = (ORIGIN(iram) + LENGTH(iram));\n"
                        "here = .; behind = . + 8; } >iram\n"
                        ".data : { *(.data.*) } >wram }\n";
  links.file("x.ld", script);
  links.file("a.o", dpu(kCode));
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_EQ(out.value("five"), 5u);
  EXPECT_EQ(homeOf(out, "five"), "ABS");
  EXPECT_EQ(out.value("end"), 0x80008000u);
  EXPECT_EQ(homeOf(out, "end"), "ABS");
  EXPECT_EQ(out.value("here"), 0x80000008u);
  EXPECT_EQ(homeOf(out, "here"), ".text");
  EXPECT_EQ(out.value("behind"), 0x80000010u);
  EXPECT_EQ(homeOf(out, "behind"), ".text");
  // Everybody else: GNU ld's.
  links.file("n.o", nyuzi(kCode));
  out = quiet(links.link({"-T", "x.ld", "n.o"}));
  EXPECT_EQ(out.value("five"), 0x80000005u);
  EXPECT_EQ(homeOf(out, "five"), ".text");
  EXPECT_EQ(homeOf(out, "end"), ".text");
}

/// Two branches: to `target`, and to one that may be undefined.
Bytes branches(StringRef target, StringRef addend) {
  return dpu((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 24 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .mram, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .debug_x, Type: SHT_PROGBITS, Size: 8 }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Symbol: )" +
              target + ", Type: 128, Addend: " + addend + R"( }
      - { Offset: 8, Symbol: maybe, Type: 128 }
      - { Offset: 16, Symbol: variable, Type: 132 }
  - { Name: .rela.debug_x, Type: SHT_RELA, Info: .debug_x, Relocations: [ { Offset: 0, Symbol: variable, Type: 128 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: variable, Section: .data, Binding: STB_GLOBAL }
  - { Name: stored, Section: .mram, Binding: STB_GLOBAL }
  - { Name: maybe, Binding: STB_WEAK }
)")
                 .str());
}

// Code is in IRAM alone. R_DPU_IMM27_PC is what the instruction computes with.
TEST_F(DpuProgram, BranchesStayInIram) {
  links.file("a.o", branches("_start", "16"));
  EXPECT_EQ(bytesOf(quiet(links.link({"a.o"})), ".text").substr(0, 16),
            "0200000000000000");
  links.file("b.o", branches("variable", "0"));
  expectFailure(links.link({"b.o"}),
                "xlink: error: b.o:(.text+0x0): relocation R_DPU_PC branches "
                "to S 0x8 + A 0 = 0x8, which is in WRAM and holds no code\n"
                ">>> references 'variable' defined in b.o:(.data+0x0)\n");
  links.file("c.o", branches("stored", "4"));
  expectFailure(links.link({"c.o"}),
                "xlink: error: c.o:(.text+0x0): relocation R_DPU_PC branches "
                "to S 0x8000000 + A 0x4 = 0x8000004, which is in MRAM and "
                "holds no code\n"
                ">>> references 'stored' defined in c.o:(.mram+0x0)\n");
}

/// Code and data that are too large for a small memory.
struct DpuOverflow : testing::Test {
  DpuOverflow() {
    links.file("a.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 0x7ff8 }
  - { Name: .text.more, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 0x10 }
  - { Name: .data.small, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
    links.file("crt0.o", dpu(std::string(kStartUp) + kSymbols));
  }
  LinkHarness links;
};

// Programmers count instructions there; no other memory holds code.
TEST_F(DpuOverflow, InInstructions) {
  expectFailure(
      links.link({"a.o"}),
      "xlink: error: section '.text' will not fit in region 'iram': overflowed "
      "by 8 bytes\n"
      ">>> region 'iram': 0x8000 (32768) bytes at 0x80000000, used 0x8008 "
      "(32776): 4097 of 4096 instructions\n"
      ">>> 32760 bytes: a.o:(.text)\n"
      ">>> 16 bytes: a.o:(.text.more)\n"
      ">>> --gc-sections would remove 16 bytes that nothing reaches: 16 of "
      ".text\n");
}

// What the script reserves counts; data can go to MRAM, not where code is or
// bits are.
TEST_F(DpuOverflow, Stacks) {
  expectFailure(
      links.link({"--defsym=NR_TASKLETS=17", "--defsym=STACK_SIZE_DEFAULT=4K",
                  "crt0.o"}),
      "xlink: error: section '.data.stacks' will not fit in region 'wram': "
      "overflowed by 4272 bytes\n"
      ">>> region 'wram': 0x10000 (65536) bytes at 0x0, used 0x110b0 (69808)\n"
      ">>> 69632 bytes: reserved in section '.data.stacks' by "
      "<dpu.ld>:113:5 and 16 more statements\n"
      ">>> 136 bytes: reserved in section '.data.sw_cache' by "
      "<dpu.ld>:164:5\n"
      ">>> 32 bytes: crt0.o:(.data.__sys_keep)\n"
      ">>> 8 bytes: reserved in section '.data' by <dpu.ld>:71:5\n"
      ">>> regions with room: 'mram' 67108864 bytes\n");
}

} // namespace
} // namespace xlink::test
