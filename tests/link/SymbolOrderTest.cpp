//===- SymbolOrderTest.cpp - the order of the symbol table ----------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kBody[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _end, Type: 1 }, { Offset: 4, Symbol: other, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: _end, Binding: STB_GLOBAL }
  - { Name: other, Section: .text, Binding: STB_GLOBAL }
  - { Name: etext, Binding: STB_GLOBAL }
)";

// The built-in script, and the same text with -T. DPU's assigns a symbol that
// programs mention.
TEST(SymbolOrder, WhereverTheScriptComesFrom) {
  LinkHarness links;
  links.file("a.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Size: 8 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: __sys_used_mram_end, Type: 1 } ] }
Symbols:
  - { Name: __bootstrap, Section: .text, Binding: STB_GLOBAL }
  - { Name: __sys_used_mram_end, Binding: STB_GLOBAL }
  - { Name: last, Section: .data, Binding: STB_GLOBAL }
)"));
  Linked builtin = links.link({"--verbose", "a.o"});
  const std::string fence(50, '=');
  const std::string banner = "using internal linker script:\n" + fence + "\n";
  size_t at = builtin.text.find(banner);
  ASSERT_NE(at, std::string::npos);
  links.file("same.ld",
             builtin.text.substr(at + banner.size(), builtin.text.rfind(fence) -
                                                         at - banner.size()));
  const std::string first = symbolNames(quiet(links.link({"a.o"})));
  EXPECT_EQ(first, "__imm_mem_end | __bootstrap __sys_used_mram_end last");
  EXPECT_EQ(symbolNames(quiet(links.link({"-T", "same.ld", "a.o"}))), first);
}

// Names that no input mentions follow in the order of their assignments.
TEST(SymbolOrder, AssignedOnly) {
  LinkHarness links;
  links.file("a.o", nyuzi(kBody))
      .file("x.ld", "z = 1; _end = 2; SECTIONS { .text : { y = .; *(.text) } "
                    "a = .; } etext = 3;");
  EXPECT_EQ(symbolNames(quiet(links.link(
                {"--defsym=m=4", "-T", "x.ld", "a.o", "--defsym=b=5"}))),
            " | _start _end other etext m z y a b");
}

} // namespace
} // namespace xlink::test
