//===- SymbolTableTest.cpp - tables of the output -------------------------===//
#include "arch/Target.h"
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kProgram[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6100' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '01' }
  - { Name: .debug_line, Type: SHT_PROGBITS, Content: '02' }
  - { Name: .note, Type: SHT_PROGBITS, Content: '03' }
Symbols:
  - { Name: a.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: helper, Section: .text, Value: 4, Type: STT_FUNC, Size: 4 }
  - { Name: .Lcode, Section: .text, Value: 4 }
  - { Name: .Lstring, Section: .rodata.str }
  - { Name: .Lnumber, Index: SHN_ABS, Value: 5 }
  - { Name: info, Section: .debug_info }
  - { Name: _start, Section: .text, Type: STT_FUNC, Size: 4, Binding: STB_GLOBAL }
  - { Name: maybe, Binding: STB_WEAK }
)";

OutFile link(std::vector<std::string> arguments) {
  arguments.push_back("a.o");
  return quiet(LinkHarness().file("a.o", nyuzi(kProgram)).link(arguments));
}

// Locals come first, sh_info counts them, .L* of mergeable sections are left
// out by default (GNU ld and lld), section symbols always.
TEST(SymbolTable, ByDefault) {
  OutFile out = link({});
  EXPECT_EQ(symbolNames(out), "a.c helper .Lcode .Lnumber info | _start maybe");
  const OutSection *table = out.section(".symtab");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->info, 6u);
  ASSERT_LT(table->link, out.sections.size());
  EXPECT_EQ(out.sections[table->link].name, ".strtab");
  EXPECT_EQ(table->entsize, 16u);
  for (size_t i = 1; i < out.symbols.size(); ++i)
    EXPECT_EQ(out.symbols[i].binding == ELF::STB_LOCAL, i < table->info) << i;
  EXPECT_EQ(out.symbol("helper")->type, ELF::STT_FUNC);
  EXPECT_EQ(out.symbol("helper")->size, 4u);
  EXPECT_EQ(out.symbol("a.c")->type, ELF::STT_FILE);
  EXPECT_EQ(homeOf(out, "maybe"), "UND");
}

TEST(SymbolTable, Discarding) {
  EXPECT_EQ(symbolNames(link({"--discard-none"})),
            "a.c helper .Lcode .Lstring .Lnumber info | _start maybe");
  for (const char *option : {"-X", "--discard-locals"})
    EXPECT_EQ(symbolNames(link({option})), "a.c helper info | _start maybe");
  for (const char *option : {"-x", "--discard-all"})
    EXPECT_EQ(symbolNames(link({option})), "a.c | _start maybe");
}

TEST(SymbolTable, Stripping) {
  EXPECT_EQ(sectionNames(link({})),
            ".rodata .text .debug_info .debug_line .note .comment .symtab "
            ".shstrtab .strtab");
  for (const char *option : {"-S", "--strip-debug"}) {
    OutFile out = link({option});
    EXPECT_EQ(sectionNames(out),
              ".rodata .text .note .comment .symtab .shstrtab .strtab");
    EXPECT_EQ(symbolNames(out), "a.c helper .Lcode .Lnumber | _start maybe");
  }
  for (const char *option : {"-s", "--strip-all"}) {
    OutFile out = link({option});
    EXPECT_EQ(sectionNames(out), ".rodata .text .note .comment .shstrtab");
    EXPECT_TRUE(out.symbols.empty());
  }
}

TEST(SymbolTable, Comment) {
  OutFile out = link({});
  EXPECT_EQ(textOf(out, ".comment"),
            std::string("xlink " XLINK_VERSION) + '\0');
  // Behind what the compilers left.
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .comment, Type: SHT_PROGBITS, Flags: [ SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '636300' }
)"));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .comment, Type: SHT_PROGBITS, Flags: [ SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '636300' }
)"));
  std::string text =
      textOf(quiet(links.link({"-e", "0", "a.o", "b.o"})), ".comment");
  EXPECT_EQ(text.size(), 3 + sizeof("xlink " XLINK_VERSION)) << text;
  EXPECT_NE(text.find(std::string("cc") + '\0'), std::string::npos);
}

TEST(SymbolTable, HeadersAreSane) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    Linked linked =
        LinkHarness()
            .file("a.o", machineObject(target->name, R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Content: '00' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 16 }
  - { Name: .note, Type: SHT_PROGBITS, AddressAlign: 16, Content: '0304' }
Symbols:
  - { Name: local, Section: .text }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)",
                                       StringRef(target->name) == "dpu"
                                           ? std::optional<uint32_t>(0x02800000)
                                           : std::nullopt))
            .link({"a.o"});
    OutFile out = quiet(linked);
    EXPECT_EQ(out.type, ELF::ET_EXEC);
    EXPECT_EQ(out.machine, target->machines.front());
    EXPECT_EQ(out.is64, target->is64);
    ASSERT_FALSE(out.sections.empty());
    const OutSection &null = out.sections[0];
    EXPECT_EQ(null.type + null.flags + null.size + null.offset, 0u);
    uint64_t headers = target->is64 ? 64 : 52;
    std::vector<std::pair<uint64_t, uint64_t>> used;
    for (size_t i = 1; i < out.sections.size(); ++i) {
      const OutSection &s = out.sections[i];
      EXPECT_FALSE(s.name.empty()) << i;
      ASSERT_NE(s.align, 0u) << s.name;
      EXPECT_EQ(s.address % s.align, 0u) << s.name;
      if (!(s.flags & ELF::SHF_ALLOC)) {
        EXPECT_EQ(s.address, 0u) << s.name;
        EXPECT_EQ(s.offset % s.align, 0u) << s.name;
      }
      if (s.type != ELF::SHT_NOBITS && s.size) {
        EXPECT_GE(s.offset, headers) << s.name;
        used.push_back({s.offset, s.offset + s.size});
      }
    }
    std::sort(used.begin(), used.end());
    for (size_t i = 1; i < used.size(); ++i)
      EXPECT_LE(used[i - 1].second, used[i].first) << "sections share bytes";
    EXPECT_EQ(out.section(".symtab")->entsize, target->is64 ? 24u : 16u);
    size_t locals = 1;
    while (locals < out.symbols.size() &&
           out.symbols[locals].binding == ELF::STB_LOCAL)
      ++locals;
    EXPECT_GE(locals, 2u);
    EXPECT_EQ(out.section(".symtab")->info, locals);
  }
}

// A symbol of a section that is empty and not kept still has a section.
TEST(SymbolTable, SymbolOfAnEmptySection) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: nothing, Section: .data, Binding: STB_GLOBAL }
)"))
                          .link({"a.o"}));
  EXPECT_FALSE(out.section(".data"));
  EXPECT_EQ(homeOf(out, "nothing"), ".text");
  EXPECT_EQ(out.value("nothing"), 0x2000u);
}

} // namespace
} // namespace xlink::test
