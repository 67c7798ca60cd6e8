//===- InitTablesTest.cpp - --init-tables: what start-up code works off ---===//
#include "link/NamedObjects.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Code, data in RAM, zeros, and words that refer to the tables.
std::string program(const char *machine, const char *more = "") {
  const bool is64 = StringRef(machine) == "aphelion";
  const int word = is64 ? 8 : 4;
  std::string text = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: 'AABBCCDD11' }
  - { Name: .fast, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0102030405060708' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 12 }
  - { Name: .noinit, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .persistent, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .left, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
)";
  text += "  - { Name: .refs, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], "
          "AddressAlign: " +
          std::to_string(word) + ", Size: " + std::to_string(4 * word) + " }\n";
  text += "  - Name: .rela.refs\n    Type: SHT_RELA\n    Info: .refs\n"
          "    Relocations:\n";
  const char *names[] = {"__copy_table_start__", "__copy_table_end__",
                         "__zero_table_start__", "__zero_table_end__"};
  for (int i = 0; i < 4; ++i)
    text += "      - { Offset: " + std::to_string(i * word) +
            ", Symbol: " + names[i] + ", Type: 1 }\n";
  text += "Symbols:\n";
  for (const char *name : names)
    text += std::string("  - { Name: ") + name + ", Binding: STB_GLOBAL }\n";
  return text + more;
}

constexpr const char *kMemory = R"(
MEMORY {
  rom (rx) : ORIGIN = 0x1000, LENGTH = 0x1000
  ram (rw) : ORIGIN = 0x20000000, LENGTH = 0x1000
}
)";

/// The sections of most tests, with what stands behind `.data`.
std::string script(const char *data = "", const char *rest = "") {
  return std::string(kMemory) + R"(
SECTIONS {
  .text : { *(.text) } > rom
  .refs : { KEEP(*(.refs)) } > rom
  .init_tables : { *(.init_tables) } > rom
  .fast : { KEEP(*(.fast)) } > ram AT> rom
  .persistent : { *(.persistent) } > ram AT> rom
  .data : { KEEP(*(.data)))" +
         data + R"( } > ram AT> rom
  .bss : { KEEP(*(.bss)) } > ram
  .noinit : { *(.noinit) } > ram
  .left (NOLOAD) : { *(.left) } > ram
  .stack : { . += 64; } > ram
)" + rest +
         "}\n";
}

struct Tables {
  LinkHarness links;
  explicit Tables(const std::string &text = script()) {
    for (const char *machine : bothClasses)
      links.file(std::string(machine) + ".o",
                 machineObject(machine, program(machine)));
    links.file("x.ld", text);
  }
  Linked link(const char *machine = "nyuzi",
              std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-e", "0", "--init-tables", "-T", "x.ld",
                             std::string(machine) + ".o"});
    return links.link(more);
  }
};

/// The tables as the program sees them by its symbols: "load address words"
/// lines, then "address words".
std::string tablesOf(const OutFile &out) {
  const unsigned word = out.is64 ? 8 : 4;
  const uint64_t refs = out.section(".refs")->address;
  uint64_t at[4];
  for (unsigned i = 0; i < 4; ++i)
    at[i] = out.word(refs + i * word, word);
  std::string text;
  auto lines = [&](uint64_t from, uint64_t to, unsigned fields) {
    for (; from < to; from += fields * word) {
      for (unsigned i = 0; i < fields; ++i) {
        char number[32];
        snprintf(number, sizeof(number), i ? " %llx" : "%llx",
                 (unsigned long long)out.word(from + i * word, word));
        text += number;
      }
      text += "\n";
    }
  };
  lines(at[0], at[1], 3);
  lines(at[2], at[3], 2);
  EXPECT_EQ(at[3], out.section(".init_tables")->address +
                       out.section(".init_tables")->size);
  return text;
}

// What is loaded elsewhere, and what has no bytes; not what outlives a reset,
// nor a stack. The rest of .data's last word is free, and is written too.
TEST(InitTables, CmsisLayout) {
  Tables tables;
  EXPECT_EQ(tablesOf(quiet(tables.link("nyuzi"))), "1040 20000000 2\n"
                                                   "104c 2000000c 2\n"
                                                   "20000014 3\n");
  // Fields as wide as addresses; words stay words.
  EXPECT_EQ(tablesOf(quiet(tables.link("aphelion"))), "1070 20000000 2\n"
                                                      "107c 2000000c 2\n"
                                                      "20000014 3\n");
}

TEST(InitTables, OrphansAreReadOnlyData) {
  std::string text = script();
  const std::string named = "  .init_tables : { *(.init_tables) } > rom\n";
  text.erase(text.find(named), named.size());
  OutFile out = warned(Tables(text).link(),
                       "xlink: warning: section '.init_tables' matches no "
                       "pattern and went to region 'rom'\n");
  EXPECT_EQ(out.section(".init_tables")->flags, 2u);
  EXPECT_EQ(tablesOf(out), "1040 20000000 2\n"
                           "104c 2000000c 2\n"
                           "20000014 3\n");
}

// Behind other things in a section of the script's; nothing is unreferenced.
TEST(InitTables, AmongOthers) {
  std::string text = script();
  const std::string named = ".init_tables : { *(.init_tables) }";
  text.replace(text.find(named), named.size(),
               ".init_tables : { LONG(7) *(.init_tables) }");
  OutFile out = quiet(Tables(text).link("nyuzi", {"--gc-sections"}));
  EXPECT_EQ(tablesOf(out).substr(0, 16), "1034 20000000 2\n");
  EXPECT_EQ(bytesOf(out, ".init_tables").substr(0, 8), "07000000");
}

// Names that somebody else defines are theirs.
TEST(InitTables, ScriptsDefineTheNames) {
  Tables tables(script("", "__copy_table_start__ = 0x1234;"
                           "PROVIDE(__zero_table_end__ = 0x5678);"));
  Linked linked = tables.link();
  OutFile out = quiet(linked);
  EXPECT_EQ(out.value("__copy_table_start__"), 0x1234u);
  EXPECT_EQ(out.value("__zero_table_end__"), 0x5678u);
  EXPECT_EQ(out.value("__copy_table_end__"), 0x1038u);
}

TEST(InitTables, NothingToDo) {
  Tables tables("SECTIONS { .text 0x1000 : { *(.text) *(.refs) *(.data .fast "
                ".persistent .init_tables) } .left (NOLOAD) : { *(.left "
                ".bss .noinit) } }");
  OutFile out = quiet(tables.link());
  for (unsigned i = 1; i < 4; ++i)
    EXPECT_EQ(out.word(0x1010 + 4 * i), out.word(0x1010));
}

// Without the option there are no such names.
TEST(InitTables, OnlyOnRequest) {
  Tables tables;
  Linked linked = tables.links.link({"-e", "0", "-T", "x.ld", "nyuzi.o", "-w"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_NE(linked.errors.find("undefined symbol: __copy_table_start__"),
            std::string::npos);
}

// Members of an overlay come and go while the program runs; PHDRS can load a
// section elsewhere.
TEST(InitTables, OverlaysAndPhdrs) {
  Tables tables(
      "PHDRS { a PT_LOAD; d PT_LOAD AT(0x5000); o PT_LOAD; b PT_LOAD;"
      " }\n"
      "SECTIONS { .text 0x1000 : { *(.text) } :a\n"
      ".refs : { *(.refs) } :a .init_tables : { *(.init_tables) } :a\n"
      ".data 0x20000000 : { *(.data) } :d\n"
      "OVERLAY 0x20000010 : { .fast { *(.fast) } .over { "
      "*(.persistent) } } :o\n"
      ".bss 0x20000020 : { *(.bss .noinit .left) } :b }");
  EXPECT_EQ(tablesOf(quiet(tables.link())), "5000 20000000 2\n20000020 5\n");
}

// The tables' size moves what is behind them, and with it their contents.
TEST(InitTables, SettleWithAddresses) {
  std::string text = kMemory;
  text += "SECTIONS { .text : { *(.init_tables) *(.text) *(.refs) . = ALIGN(4);"
          " } > rom .data : { *(.data) } > ram AT> rom\n"
          ".fast : ALIGN(4) { *(.fast .persistent) } > ram\n"
          ".bss : { *(.bss .noinit .left) } > ram }";
  for (const char *machine : bothClasses) {
    OutFile out = quiet(Tables(text).link(machine, {"--defsym=x=0"}));
    const unsigned word = out.is64 ? 8 : 4;
    EXPECT_EQ(out.word(0x1000, word), 0x1000u + out.section(".text")->size);
    EXPECT_EQ(out.word(0x1000 + word, word), 0x20000000u);
    EXPECT_EQ(out.word(0x1000 + 2 * word, word), 2u);
  }
}

TEST(InitTables, UnalignedIsAnError) {
  // The load address follows what ends at 0x1055.
  Tables tables(script("", ".more : { LONG(1) } > ram AT> rom\n"));
  expectFailure(tables.link(),
                "xlink: error: option '--init-tables': section '.more' is at "
                "0x20000068, loaded to 0x105d: start-up code moves words of 4 "
                "bytes\n"
                ">>> '.more : ALIGN(4)' in the script aligns both "
                "addresses\n");
  Tables zeros(std::string(kMemory) +
               "SECTIONS { .text : { *(.text .refs .init_tables .data .fast "
               ".persistent) } > rom .bss 0x20000002 : { *(.bss .noinit "
               ".left) } }");
  expectFailure(
      zeros.link(),
      "xlink: error: option '--init-tables': section '.bss' is at 0x20000002: "
      "start-up code moves words of 4 bytes\n"
      ">>> '.bss : ALIGN(4)' in the script aligns both addresses\n");
}

TEST(InitTables, TheLastWordIsTaken) {
  Tables next(std::string(kMemory) +
              "SECTIONS { .text : { *(.text .refs .init_tables .bss .noinit "
              ".left .fast .persistent) } > rom\n"
              ".data : { *(.data) } > ram AT> rom\n"
              ".next (NOLOAD) : { BYTE(1) } > ram }");
  expectFailure(
      next.link(),
      "xlink: error: option '--init-tables': section '.data' has 5 bytes, no "
      "multiple of 4, and section '.next' begins in its last word\n"
      ">>> '. = ALIGN(4);' at its end in the script completes the "
      "word\n");
  Tables last("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 0x1000\n"
              "ram : ORIGIN = 0x20000000, LENGTH = 5 }\n"
              "SECTIONS { .text : { *(.text .refs .init_tables .bss .noinit "
              ".left .fast .persistent) } > rom .data : { *(.data) } > ram "
              "AT> rom }");
  expectFailure(
      last.link(),
      "xlink: error: option '--init-tables': section '.data' has 5 bytes, no "
      "multiple of 4, and memory region 'ram' ends in its last word\n"
      ">>> '. = ALIGN(4);' at its end in the script completes the "
      "word\n");
}

// Tables that start-up code could not read.
TEST(InitTables, WhereTheyCannotBe) {
  Tables copied(std::string(kMemory) +
                "SECTIONS { .text : { *(.text .refs .bss .noinit .left .fast "
                ".persistent) } > rom .data : { *(.data .init_tables) } > ram "
                "AT> rom }");
  expectFailure(copied.link(),
                "xlink: error: option '--init-tables': the tables are in "
                "section '.data', which start-up code copies only after it has "
                "read them\n"
                ">>> the script can place '.init_tables' where it is "
                "loaded\n");
  Tables nowhere(std::string(kMemory) +
                 "SECTIONS { .text : { *(.text .refs .data .bss .noinit .left "
                 ".fast .persistent) } > rom .t (NOLOAD) : { *(.init_tables) } "
                 "> ram }");
  expectFailure(nowhere.link(),
                "xlink: error: option '--init-tables': the tables are in "
                "section '.t', which has no bytes that are loaded\n");
  Tables gone(script("", "/DISCARD/ : { *(.init_tables) }"));
  std::string text = script("", "/DISCARD/ : { *(.init_tables) }");
  const std::string named = "  .init_tables : { *(.init_tables) } > rom\n";
  text.erase(text.find(named), named.size());
  Linked linked = Tables(text).link("nyuzi", {"-z", "undefs"});
  EXPECT_EQ(linked.errors,
            "xlink: warning: the script discards '.init_tables': --init-tables "
            "has no effect\n");
}

// Every machine's own script has a place for them.
TEST(InitTables, BuiltInScripts) {
  for (const char *machine : {"xs1", "nyuzi", "aphelion", "dpu", "colossus"}) {
    LinkHarness links;
    links.file("a.o", machineObject(machine, R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 16 }
)"));
    Linked linked = links.link({"a.o", "-e", "0", "--init-tables", "-w"});
    EXPECT_EQ(linked.errors, "") << machine;
    if (linked.status != 0)
      continue;
    OutFile out(linked.image());
    const OutSection *tables = out.section(".init_tables");
    ASSERT_NE(tables, nullptr) << machine;
    const unsigned word = out.is64 ? 8 : 4;
    EXPECT_EQ(tables->flags, 2u) << machine;
    EXPECT_EQ(tables->size % (2 * word), 0u) << machine;
    EXPECT_GE(tables->size, 2 * word) << machine;
  }
}

} // namespace
} // namespace xlink::test
