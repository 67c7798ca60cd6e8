//===- SymbolTargetTest.cpp - every kind of symbol under a relocation -----===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// One word in .data that is relocated against `symbol`, plus `more` symbols.
std::string wordFor(StringRef symbol, StringRef more) {
  return R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: 'ffffffff' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: )" +
         symbol.str() + R"(, Type: 1, Addend: 2 } ] }
Symbols:
)" + more.str() +
         "  - { Name: _start, Section: .text, Binding: STB_GLOBAL }\n";
}

uint64_t wordIn(const OutFile &out) {
  return out.word(out.section(".data")->address);
}

TEST(SymbolTarget, Local) {
  OutFile out =
      quiet(LinkHarness()
                .file("a.o", nyuzi(wordFor("here", "  - { Name: here, Section: "
                                                   ".text, Value: 4 }\n")))
                .link({"a.o"}));
  EXPECT_EQ(wordIn(out), out.section(".text")->address + 6);
}

TEST(SymbolTarget, Section) {
  OutFile out = quiet(
      LinkHarness()
          .file("a.o",
                nyuzi(wordFor(".text", "  - { Name: .text, Type: STT_SECTION, "
                                       "Section: .text }\n")))
          .link({"a.o"}));
  EXPECT_EQ(wordIn(out), out.section(".text")->address + 2);
}

// DPU and XS1 assemblers refer to local places through symbols without a name.
TEST(SymbolTarget, NamelessLocal) {
  OutFile out = quiet(
      LinkHarness()
          .file("a.o", nyuzi(wordFor("1", "  - { Name: '', Section: .text, "
                                          "Value: 4 }\n")))
          .link({"a.o"}));
  EXPECT_EQ(wordIn(out), out.section(".text")->address + 6);
  EXPECT_EQ(symbolNames(out), " | _start") << "it has no name to be listed by";
}

// The gABI: symbol 0 is undefined and its value is 0.
TEST(SymbolTarget, NoSymbol) {
  OutFile out =
      quiet(LinkHarness().file("a.o", nyuzi(wordFor("0", ""))).link({"a.o"}));
  EXPECT_EQ(wordIn(out), 2u);
}

TEST(SymbolTarget, AbsoluteLocalAndGlobal) {
  for (const char *binding : {"STB_LOCAL", "STB_GLOBAL"}) {
    OutFile out = quiet(
        LinkHarness()
            .file("a.o", nyuzi(wordFor("number",
                                       std::string("  - { Name: number, Index: "
                                                   "SHN_ABS, Value: 0x1234, "
                                                   "Binding: ") +
                                           binding + " }\n")))
            .link({"a.o"}));
    EXPECT_EQ(wordIn(out), 0x1236u) << binding;
    EXPECT_EQ(homeOf(out, "number"), "ABS") << binding;
  }
}

TEST(SymbolTarget, GlobalOfAnotherFile) {
  LinkHarness links;
  links.file("a.o", nyuzi(wordFor("other", "  - { Name: other, Binding: "
                                           "STB_GLOBAL }\n")));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '0102030405060708' }
Symbols:
  - { Name: other, Section: .rodata, Value: 4, Size: 4, Type: STT_OBJECT, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link({"a.o", "b.o"}));
  EXPECT_EQ(wordIn(out), out.section(".rodata")->address + 6);
  const OutSymbol *other = out.symbol("other");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->size, 4u);
  EXPECT_EQ(other->type, ELF::STT_OBJECT);
  EXPECT_EQ(other->binding, ELF::STB_GLOBAL);
}

TEST(SymbolTarget, Common) {
  OutFile out = quiet(
      LinkHarness()
          .file("a.o", nyuzi(wordFor("shared", "  - { Name: shared, Index: "
                                               "SHN_COMMON, Value: 8, Size: "
                                               "16, Binding: STB_GLOBAL }\n")))
          .link({"a.o"}));
  EXPECT_EQ(homeOf(out, "shared"), ".bss");
  EXPECT_EQ(wordIn(out), out.value("shared") + 2);
  EXPECT_EQ(out.value("shared") % 8, 0u);
}

// An undefined weak symbol is 0 on every machine, and stays in the table.
TEST(SymbolTarget, UndefinedWeak) {
  OutFile out = quiet(
      LinkHarness()
          .file("a.o", nyuzi(wordFor("maybe", "  - { Name: maybe, Binding: "
                                              "STB_WEAK }\n")))
          .link({"a.o"}));
  EXPECT_EQ(wordIn(out), 2u);
  EXPECT_EQ(homeOf(out, "maybe"), "UND");
  EXPECT_EQ(out.symbol("maybe")->binding, ELF::STB_WEAK);
}

// A symbol may stand behind its section's bytes: ends are marked so.
TEST(SymbolTarget, BeyondTheSection) {
  OutFile out = quiet(
      LinkHarness()
          .file("a.o", nyuzi(wordFor("end_mark", "  - { Name: end_mark, Section"
                                                 ": .text, Value: 8 }\n")))
          .link({"a.o"}));
  EXPECT_EQ(wordIn(out), out.section(".text")->address + 10);
}

} // namespace
} // namespace xlink::test
