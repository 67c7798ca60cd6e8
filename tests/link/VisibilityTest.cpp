//===- VisibilityTest.cpp - hidden symbols become local -------------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A function `f` that another file calls; visibility is a word for `Other`.
Bytes definition(StringRef other) {
  return nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
Symbols:
  - { Name: f, Section: .text, Binding: STB_GLOBAL, Other: [ )" +
                other + " ] }\n")
                   .str());
}
Bytes reference(StringRef other) {
  return nyuzi((R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
Symbols:
  - { Name: f, Binding: STB_GLOBAL, Other: [ )" +
                other + " ] }\n")
                   .str());
}

/// Links both and returns the entry of `f`; the reference must have arrived.
OutSymbol linkedWith(StringRef defined, StringRef referred) {
  OutFile out = quiet(LinkHarness()
                          .file("def.o", definition(defined))
                          .file("ref.o", reference(referred))
                          .link({"-e", "0", "ref.o", "def.o"}));
  EXPECT_EQ(out.word(out.section(".data")->address), out.value("f"));
  return out.symbol("f") ? *out.symbol("f") : OutSymbol();
}

TEST(Visibility, DefaultStaysGlobal) {
  OutSymbol f = linkedWith("STV_DEFAULT", "STV_DEFAULT");
  EXPECT_EQ(f.binding, ELF::STB_GLOBAL);
  EXPECT_EQ(f.visibility, ELF::STV_DEFAULT);
}

TEST(Visibility, ProtectedStaysGlobal) {
  OutSymbol f = linkedWith("STV_PROTECTED", "STV_DEFAULT");
  EXPECT_EQ(f.binding, ELF::STB_GLOBAL);
  EXPECT_EQ(f.visibility, ELF::STV_PROTECTED);
}

TEST(Visibility, HiddenAndInternalBecomeLocal) {
  for (const char *word : {"STV_HIDDEN", "STV_INTERNAL"})
    EXPECT_EQ(linkedWith(word, "STV_DEFAULT").binding, ELF::STB_LOCAL) << word;
}

// gABI: the most constraining visibility of all mentions of a name holds, those
// of references included.
TEST(Visibility, AReferenceConstrainsToo) {
  EXPECT_EQ(linkedWith("STV_DEFAULT", "STV_HIDDEN").binding, ELF::STB_LOCAL);
  EXPECT_EQ(linkedWith("STV_PROTECTED", "STV_HIDDEN").binding, ELF::STB_LOCAL);
  EXPECT_EQ(linkedWith("STV_HIDDEN", "STV_PROTECTED").binding, ELF::STB_LOCAL);
  EXPECT_EQ(linkedWith("STV_DEFAULT", "STV_PROTECTED").visibility,
            ELF::STV_PROTECTED);
}

// A script's HIDDEN and PROVIDE_HIDDEN do the same.
TEST(Visibility, ScriptHides) {
  LinkHarness links;
  links.file("def.o", definition("STV_DEFAULT"));
  links.file("ref.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: secret, Type: 1 }, { Offset: 4, Symbol: offered, Type: 1 } ] }
Symbols:
  - { Name: secret, Binding: STB_GLOBAL }
  - { Name: offered, Binding: STB_GLOBAL }
)"));
  links.file("x.ld", R"(
SECTIONS {
  .text 0x1000 : { *(.text) }
  HIDDEN(secret = 0x40);
  PROVIDE_HIDDEN(offered = 0x44);
  plain = 0x48;
  .data : { *(.data) }
})");
  OutFile out = quiet(links.link({"-e", "0", "-T", "x.ld", "ref.o", "def.o"}));
  EXPECT_EQ(symbolNames(out), "secret offered | f plain");
  EXPECT_EQ(bytesOf(out, ".data"), "4000000044000000");
}

} // namespace
} // namespace xlink::test
