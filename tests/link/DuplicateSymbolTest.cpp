//===- DuplicateSymbolTest.cpp - two definitions of one name --------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes inText(StringRef name, unsigned offset, StringRef content) {
  return nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: ')" +
                content + R"(' }
Symbols:
  - { Name: )" + name +
                ", Section: .text, Binding: STB_GLOBAL, Value: " +
                std::to_string(offset) + " }\n")
                   .str());
}
Bytes absolute(StringRef value) {
  return nyuzi(("Symbols:\n  - { Name: size, Index: SHN_ABS, Binding: "
                "STB_GLOBAL, Value: " +
                value + " }\n")
                   .str());
}

TEST(DuplicateSymbol, BothPlacesAreNamed) {
  LinkHarness links;
  links.file("a.o", inText("f", 0, "0000000000000000"));
  links.file("dir/b.o", inText("f", 4, "0000000000000000"));
  expectFailure(links.link({"-e", "0", "a.o", "dir/b.o"}),
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> defined in dir/b.o:(.text+0x4)\n");
}

TEST(DuplicateSymbol, EveryFurtherDefinitionIsReported) {
  LinkHarness links;
  for (const char *name : {"a.o", "b.o", "c.o"})
    links.file(name, inText("f", 0, "00000000"));
  expectFailure(links.link({"-e", "0", "a.o", "b.o", "c.o"}),
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> defined in b.o:(.text+0x0)\n"
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> defined in c.o:(.text+0x0)\n");
}

TEST(DuplicateSymbol, InAMemberOfAnArchive) {
  LinkHarness links;
  links.file("a.o", inText("f", 0, "00000000"));
  links.file("lib.a", makeArchive({{"m.o", inText("f", 0, "00000000")}}));
  expectFailure(links.link({"-e", "0", "a.o", "--whole-archive", "lib.a"}),
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> defined in lib.a(m.o):(.text+0x0)\n");
  // A member that nothing needs is not there.
  quiet(links.link({"-e", "0", "a.o", "lib.a"}));
}

// Who asked for the archive may not know why the member takes part.
TEST(DuplicateSymbol, InAMemberThatIsThereForAnotherName) {
  LinkHarness links;
  links.file("a.o", inText("f", 0, "00000000"));
  links.file("lib.a", makeArchive({{"m.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }
Symbols:
  - { Name: f, Section: .text, Binding: STB_GLOBAL }
  - { Name: g, Section: .text, Binding: STB_GLOBAL }
)")}}));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: 4 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: g, Type: 1 } ] }
Symbols:
  - { Name: g, Binding: STB_GLOBAL }
)"));
  const std::string message = "xlink: error: duplicate symbol: f\n"
                              ">>> defined in a.o:(.text+0x0)\n"
                              ">>> defined in lib.a(m.o):(.text+0x0)\n"
                              ">>> lib.a(m.o) was extracted for 'g'";
  expectFailure(links.link({"-e", "0", "a.o", "b.o", "lib.a"}),
                message + ", which b.o refers to\n");
  expectFailure(links.link({"-e", "0", "-u", "g", "a.o", "lib.a"}),
                message + "\n");
}

TEST(DuplicateSymbol, EqualAbsoluteValuesAgree) {
  LinkHarness links;
  links.file("a.o", absolute("0x10")).file("b.o", absolute("16"));
  EXPECT_EQ(quiet(links.link({"-e", "0", "a.o", "b.o"})).value("size"), 16u);
  links.file("b.o", absolute("17"));
  expectFailure(links.link({"-e", "0", "a.o", "b.o"}),
                "xlink: error: duplicate symbol: size\n"
                ">>> defined in a.o:(*ABS*, value 0x10)\n"
                ">>> defined in b.o:(*ABS*, value 0x11)\n");
}

TEST(DuplicateSymbol, AbsoluteAgainstSection) {
  LinkHarness links;
  links.file("a.o", absolute("0")).file("b.o", inText("size", 0, "00000000"));
  expectFailure(links.link({"-e", "0", "a.o", "b.o"}),
                "xlink: error: duplicate symbol: size\n"
                ">>> defined in a.o:(*ABS*, value 0x0)\n"
                ">>> defined in b.o:(.text+0x0)\n");
}

TEST(DuplicateSymbol, FirstCountsWhenAllowed) {
  LinkHarness links;
  links.file("a.o", inText("f", 0, "11111111"));
  links.file("b.o", inText("f", 0, "22222222"));
  for (std::vector<std::string> option :
       {std::vector<std::string>{"-z", "muldefs"},
        std::vector<std::string>{"--allow-multiple-definition"}}) {
    option.insert(option.end(), {"-e", "0", "b.o", "a.o"});
    OutFile out = quiet(links.link(option));
    EXPECT_EQ(out.word(out.value("f")), 0x22222222u);
  }
}

// A name that a script or --defsym assigns belongs to the assignment.
TEST(DuplicateSymbol, AnAssignmentEndsTheQuarrel) {
  LinkHarness links;
  links.file("a.o", inText("f", 0, "00000000"));
  links.file("b.o", inText("f", 0, "00000000"));
  EXPECT_EQ(quiet(links.link({"-e", "0", "--defsym=f=0x77", "a.o", "b.o"}))
                .value("f"),
            0x77u);
}

// The same file twice is two files.
TEST(DuplicateSymbol, SameFileTwice) {
  LinkHarness links;
  links.file("a.o", inText("f", 0, "00000000"));
  expectFailure(links.link({"-e", "0", "a.o", "a.o"}),
                "xlink: error: duplicate symbol: f\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> a.o is linked twice\n");
}

// Locals of one name in one file do not quarrel; both are listed.
TEST(DuplicateSymbol, LocalsMayRepeat) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
Symbols:
  - { Name: same, Section: .text }
  - { Name: 'same (1)', Section: .text, Value: 4 }
)"))
                          .link({"-e", "0", "a.o"}));
  EXPECT_EQ(symbolNames(out), "same same | ");
}

} // namespace
} // namespace xlink::test
