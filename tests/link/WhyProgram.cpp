//===- WhyProgram.cpp -----------------------------------------------------===//
#include "link/WhyProgram.h"

using namespace llvm;

namespace xlink::test {

static const char kMain[] = R"(
Sections:
  - { Name: .text._start, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .text.unused, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .text.old, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .text.forgotten, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .text.ring_a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .text.ring_b, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .vectors, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 8 }
  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: inline_f, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.inline_f } ] }
  - { Name: .text.inline_f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Size: 4 }
  - { Name: .strings, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6c697665006465616400' }
  - { Name: extra, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - { Name: .unwanted, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - Name: .rela.text._start
    Type: SHT_RELA
    Info: .text._start
    Relocations:
      - { Offset: 4, Symbol: _ZN4work3runEi, Type: 1 }
      - { Offset: 8, Symbol: .strings, Type: 1 }
      - { Offset: 12, Symbol: inline_f, Type: 1 }
  - { Name: .rela.text.unused, Type: SHT_RELA, Info: .text.unused, Relocations: [ { Offset: 0, Symbol: old, Type: 1 }, { Offset: 4, Symbol: .strings, Addend: 5, Type: 1 } ] }
  - { Name: .rela.text.old, Type: SHT_RELA, Info: .text.old, Relocations: [ { Offset: 4, Symbol: forgotten, Type: 1 } ] }
  - { Name: .rela.text.ring_a, Type: SHT_RELA, Info: .text.ring_a, Relocations: [ { Offset: 0, Symbol: ring_b, Type: 1 } ] }
  - { Name: .rela.text.ring_b, Type: SHT_RELA, Info: .text.ring_b, Relocations: [ { Offset: 0, Symbol: ring_a, Type: 1 } ] }
  - { Name: .rela.vectors, Type: SHT_RELA, Info: .vectors, Relocations: [ { Offset: 0, Symbol: _start, Type: 1 }, { Offset: 4, Symbol: extra, Type: 1 } ] }
Symbols:
  - { Name: .strings, Type: STT_SECTION, Section: .strings }
  - { Name: live_text, Section: .strings }
  - { Name: dead_text, Section: .strings, Value: 5 }
  - { Name: forgotten, Type: STT_FUNC, Section: .text.forgotten, Size: 8 }
  - { Name: ring_a, Type: STT_FUNC, Section: .text.ring_a, Size: 8 }
  - { Name: ring_b, Type: STT_FUNC, Section: .text.ring_b, Size: 8 }
  - { Name: extra, Section: extra }
  - { Name: _start, Type: STT_FUNC, Section: .text._start, Size: 16, Binding: STB_GLOBAL }
  - { Name: unused, Type: STT_FUNC, Section: .text.unused, Size: 8, Binding: STB_GLOBAL }
  - { Name: old, Type: STT_FUNC, Section: .text.old, Size: 8, Binding: STB_GLOBAL }
  - { Name: inline_f, Type: STT_FUNC, Section: .text.inline_f, Size: 4, Binding: STB_WEAK }
  - { Name: _ZN4work3runEi, Binding: STB_GLOBAL }
  - { Name: spare, Binding: STB_WEAK }
)";

static const char kWork[] = R"(
Sections:
  - { Name: .text.run, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: inline_f, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.inline_f } ] }
  - { Name: .text.inline_f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.text.run, Type: SHT_RELA, Info: .text.run, Relocations: [ { Offset: 4, Symbol: table, Type: 1 } ] }
Symbols:
  - { Name: _ZN4work3runEi, Type: STT_FUNC, Section: .text.run, Size: 8, Binding: STB_GLOBAL }
  - { Name: inline_f, Type: STT_FUNC, Section: .text.inline_f, Size: 4, Binding: STB_WEAK }
  - { Name: table, Binding: STB_GLOBAL }
)";

static const char kTable[] = R"(
Sections:
  - { Name: .rodata.table, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 16 }
Symbols:
  - { Name: table, Type: STT_OBJECT, Section: .rodata.table, Size: 16, Binding: STB_GLOBAL }
)";

static const char kSpare[] = R"(
Sections:
  - { Name: .text.spare, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: spare, Type: STT_FUNC, Section: .text.spare, Size: 4, Binding: STB_GLOBAL }
)";

static const char kScript[] = R"(ENTRY(_start)
SECTIONS {
  .vectors 0x1000 : { KEEP(*(.vectors)) }
  .fast : { *(EXCLUDE_FILE(*main.o) .text._start) }
  .text : {
    *(.text .text.*)
  }
  .rodata : { *(.rodata .rodata.*) *(.strings) }
  .rest : { *(.text*) }
  /DISCARD/ : { *(.unwanted) }
}
)";

LinkHarness whyProgram() {
  LinkHarness links;
  links.file("main.o", nyuzi(kMain))
      .file("lib.a", makeArchive({{"work.o", nyuzi(kWork)},
                                  {"table.o", nyuzi(kTable)},
                                  {"spare.o", nyuzi(kSpare)}}))
      .file("s.ld", kScript);
  return links;
}

std::string answersOf(const LinkHarness &links,
                      std::vector<std::string> arguments) {
  for (const char *more : {"--gc-sections", "main.o", "lib.a", "-T", "s.ld"})
    arguments.push_back(more);
  const Linked linked = links.link(std::move(arguments));
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.status, 0);
  return linked.text;
}

Bytes chainObject(unsigned count) {
  std::string sections, relocations, symbols;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    sections += "  - { Name: .text.f" + n +
                ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                "AddressAlign: 4, Size: 4 }\n";
    if (i + 1 < count)
      relocations += "  - { Name: .rela.text.f" + n +
                     ", Type: SHT_RELA, Info: .text.f" + n +
                     ", Relocations: [ { Offset: 0, Symbol: f" +
                     std::to_string(i + 1) + ", Type: 1 } ] }\n";
    symbols += "  - { Name: f" + n + ", Section: .text.f" + n +
               ", Binding: STB_GLOBAL }\n";
  }
  return nyuzi("Sections:\n" + sections + relocations + "Symbols:\n" + symbols);
}

void expectAnswers(const Linked &linked, const std::string &file) {
  auto written = linked.files.find("a.json");
  ASSERT_NE(written, linked.files.end()) << linked.errors;
  const Bytes expected =
      readTestFile(std::string(XLINK_TESTDATA) + "/answers/" + file);
  EXPECT_EQ(std::string(written->second.begin(), written->second.end()),
            std::string(expected.begin(), expected.end()));
}

} // namespace xlink::test
