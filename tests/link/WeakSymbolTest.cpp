//===- WeakSymbolTest.cpp - which definition counts -----------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Defines `f` as byte `value` of .rodata, and refers to it from .data.
Bytes defining(StringRef binding, StringRef value) {
  return nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: ')" +
                value + R"(' }
Symbols:
  - { Name: f, Section: .rodata, Binding: )" +
                binding + " }\n")
                   .str());
}

/// Which file's `f` was chosen: its byte.
uint64_t chosen(const OutFile &out) { return out.word(out.value("f"), 1); }

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("strong.o", defining("STB_GLOBAL", "11"));
    harness.file("weak.o", defining("STB_WEAK", "22"));
    harness.file("weak2.o", defining("STB_WEAK", "33"));
  }
  OutFile link(std::vector<std::string> files) {
    files.insert(files.begin(), {"-e", "0"});
    return quiet(harness.link(files));
  }
};

TEST(WeakSymbol, StrongWinsInEitherOrder) {
  Links links;
  for (auto files : {std::vector<std::string>{"weak.o", "strong.o"},
                     std::vector<std::string>{"strong.o", "weak.o"}}) {
    OutFile out = links.link(files);
    EXPECT_EQ(chosen(out), 0x11u);
    EXPECT_EQ(out.symbol("f")->binding, ELF::STB_GLOBAL);
  }
}

TEST(WeakSymbol, FirstOfTwoWeakWins) {
  Links links;
  EXPECT_EQ(chosen(links.link({"weak.o", "weak2.o"})), 0x22u);
  EXPECT_EQ(chosen(links.link({"weak2.o", "weak.o"})), 0x33u);
  EXPECT_EQ(links.link({"weak2.o", "weak.o"}).symbol("f")->binding,
            ELF::STB_WEAK);
}

// A weak reference and a strong one to the same name: the definition serves
// both, whichever comes first.
TEST(WeakSymbol, WeakReferenceToDefinition) {
  Links links;
  links.harness.file("ref.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
Symbols:
  - { Name: f, Binding: STB_WEAK }
)"));
  OutFile out = links.link({"ref.o", "strong.o"});
  EXPECT_EQ(out.word(out.section(".data")->address), out.value("f"));
  EXPECT_EQ(out.symbol("f")->binding, ELF::STB_GLOBAL);
}

// STB_GNU_UNIQUE means something to a dynamic loader only.
TEST(WeakSymbol, UniqueIsGlobal) {
  Links links;
  links.harness.file("unique.o", defining("STB_GNU_UNIQUE", "44"));
  OutFile out = links.link({"weak.o", "unique.o"});
  EXPECT_EQ(chosen(out), 0x44u);
  EXPECT_EQ(out.symbol("f")->binding, ELF::STB_GLOBAL);
}

} // namespace
} // namespace xlink::test
