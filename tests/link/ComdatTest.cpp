//===- ComdatTest.cpp - one copy of a group -------------------------------===//
#include "link/Linking.h"
#include <array>

using namespace llvm;

namespace xlink::test {
namespace {

/// An inline function `f` in a group of its name, with bytes of its own, and a
/// caller outside. `extra` sections may refer to the group's.
Bytes inlined(StringRef bytes, StringRef caller, StringRef extra = "",
              StringRef symbols = "", StringRef groupFlag = "GRP_COMDAT") {
  return nyuzi((R"(
Sections:
  - Name: .group
    Type: SHT_GROUP
    Info: f
    Members: [ { SectionOrType: )" +
                groupFlag +
                R"( }, { SectionOrType: .text.f } ]
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Content: ')" +
                bytes + R"(' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
)" + extra + R"(Symbols:
  - { Name: inside, Section: .text.f }
)" + symbols +
                R"(  - { Name: f, Section: .text.f, Binding: STB_WEAK }
  - { Name: )" + caller +
                ", Section: .data, Binding: STB_GLOBAL }\n")
                   .str());
}

TEST(Comdat, FirstCopyStays) {
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa"))
      .file("b.o", inlined("bbbbbbbb", "pb"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  EXPECT_EQ(bytesOf(out, ".text"), "aaaaaaaa");
  EXPECT_EQ(out.word(out.value("pa")), out.value("f"));
  EXPECT_EQ(out.word(out.value("pb")), out.value("f"));
  out = quiet(links.link({"-e", "0", "b.o", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".text"), "bbbbbbbb");
  // The dropped copy's locals are not listed.
  EXPECT_EQ(symbolNames(out), "inside | f pb pa");
}

// A group without GRP_COMDAT only ties sections together.
TEST(Comdat, PlainGroupsAllStay) {
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa", "", "", "0"));
  links.file("b.o", inlined("bbbbbbbb", "pb", "", "", "0"));
  EXPECT_EQ(bytesOf(quiet(links.link({"-e", "0", "a.o", "b.o"})), ".text"),
            "aaaaaaaabbbbbbbb");
}

// The signature decides, not the name of the section.
TEST(Comdat, BySignature) {
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa"));
  links.file("b.o", nyuzi(R"(
Sections:
  - Name: .group
    Type: SHT_GROUP
    Info: g
    Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.f } ]
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Content: cccccccc }
Symbols:
  - { Name: g, Section: .text.f, Binding: STB_WEAK }
)"));
  EXPECT_EQ(bytesOf(quiet(links.link({"-e", "0", "a.o", "b.o"})), ".text"),
            "aaaaaaaacccccccc");
}

// gABI: outside a group nobody may refer to a group's local symbols. Whoever
// does is told when the group is dropped.
TEST(Comdat, ReferenceFromOutsideToTheDroppedCopy) {
  StringRef reference =
      R"(  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .rela.rodata, Type: SHT_RELA, Info: .rodata, Relocations: [ { Offset: 4, Symbol: inside, Type: 1 } ] }
)";
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa", reference));
  links.file("b.o", inlined("bbbbbbbb", "pb", reference));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(out.word(out.section(".rodata")->address + 4), out.value("f"));
  expectFailure(links.link({"-e", "0", "a.o", "b.o"}),
                "xlink: error: b.o:(.rodata+0x4): relocation refers to a "
                "symbol in a discarded section: 'inside'\n"
                ">>> references 'inside' defined in b.o:(.text.f+0x0)\n"
                ">>> section group 'f' is that of a.o; its copy in b.o was "
                "dropped\n");
}

TEST(Comdat, SectionSymbolOfTheDroppedCopy) {
  StringRef reference =
      R"(  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.rodata, Type: SHT_RELA, Info: .rodata, Relocations: [ { Offset: 0, Symbol: .text.f, Type: 1 } ] }
)";
  StringRef symbol =
      "  - { Name: .text.f, Type: STT_SECTION, Section: .text.f }\n";
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa", reference, symbol));
  links.file("b.o", inlined("bbbbbbbb", "pb", reference, symbol));
  Linked linked = links.link({"-e", "0", "a.o", "b.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.errors)
                  .starts_with("xlink: error: b.o:(.rodata+0x0): relocation "
                               "refers to a symbol in a discarded section: "))
      << linked.errors;
}

// Debugging information describes dropped copies all the time: 0 there, and 1
// where a 0 would end a list.
TEST(Comdat, TombstonesInDebugSections) {
  std::string debug;
  for (const char *name :
       {".debug_info", ".debug_loc", ".debug_ranges", ".debug_line"})
    debug += std::string("  - { Name: ") + name +
             ", Type: SHT_PROGBITS, AddressAlign: 1, Content: '0500000007' }\n"
             "  - { Name: .rela" +
             name + ", Type: SHT_RELA, Info: " + name +
             ", Relocations: [ { Offset: 1, Symbol: inside, Type: 1, Addend: "
             "2 } ] }\n";
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa", debug));
  links.file("b.o", inlined("bbbbbbbb", "pb", debug));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  ASSERT_EQ(out.value("f"), 0x1000u);
  EXPECT_EQ(bytesOf(out, ".debug_info"), "05021000000500000000");
  EXPECT_EQ(bytesOf(out, ".debug_line"), "05021000000500000000");
  EXPECT_EQ(bytesOf(out, ".debug_loc"), "05021000000501000000");
  EXPECT_EQ(bytesOf(out, ".debug_ranges"), "05021000000501000000");
}

// A name that only the dropped copy defines is not defined at all.
TEST(Comdat, ANameOnlyTheDroppedCopyHas) {
  LinkHarness links;
  links.file("a.o", inlined("aaaaaaaa", "pa"));
  links.file("c.o", nyuzi(R"(
Sections:
  - Name: .group
    Type: SHT_GROUP
    Info: f
    Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.f } ]
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Content: dddddddd }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.rodata, Type: SHT_RELA, Info: .rodata, Relocations: [ { Offset: 0, Symbol: lonely, Type: 1 } ] }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_WEAK }
  - { Name: lonely, Section: .text.f, Binding: STB_GLOBAL }
)"));
  quiet(links.link({"-e", "0", "c.o"}));
  expectFailure(links.link({"-e", "0", "a.o", "c.o"}),
                "xlink: error: undefined symbol: lonely\n"
                ">>> referenced by c.o:(.rodata+0x0)\n");
}

Bytes linkOnce(StringRef section, StringRef bytes) {
  return nyuzi((R"(
Sections:
  - { Name: )" + section +
                R"(, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: ')" +
                bytes + R"(' }
Symbols:
  - { Name: v, Section: )" +
                section + ", Binding: STB_WEAK }\n")
                   .str());
}

// What compilers did before groups.
TEST(Comdat, LinkOnce) {
  LinkHarness links;
  links.file("a.o", linkOnce(".gnu.linkonce.r.v", "aa"));
  links.file("b.o", linkOnce(".gnu.linkonce.r.v", "bb"));
  links.file("c.o", linkOnce(".gnu.linkonce.r.w", "cc"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o", "c.o"}));
  EXPECT_EQ(bytesOf(out, ".gnu.linkonce.r.v"), "aa");
  EXPECT_EQ(bytesOf(out, ".gnu.linkonce.r.w"), "cc");
}

/// Sections, each of bytes and with a global symbol: "name bytes symbol".
Bytes sections(std::vector<std::array<StringRef, 3>> list,
               StringRef group = "") {
  std::string text = "Sections:\n", symbols = "Symbols:\n";
  if (!group.empty()) {
    text += ("  - { Name: .group, Type: SHT_GROUP, Info: " + group +
             ", Members: [ { SectionOrType: GRP_COMDAT }")
                .str();
    for (auto &[name, bytes, symbol] : list)
      text += (", { SectionOrType: " + name + " }").str();
    text += " ] }\n";
  }
  for (auto &[name, bytes, symbol] : list) {
    text += ("  - { Name: '" + name + "', Type: SHT_PROGBITS, Flags: [ " +
             (group.empty() ? "" : "SHF_GROUP, ") +
             "SHF_ALLOC, SHF_EXECINSTR ], Content: '" + bytes + "' }\n")
                .str();
    symbols += ("  - { Name: " + symbol + ", Section: '" + name +
                "', Binding: STB_GLOBAL }\n")
                   .str();
  }
  return nyuzi(text + symbols);
}

/// The bytes of all that stays, in the order of files and sections.
std::string kept(std::vector<Bytes> objects) {
  LinkHarness links;
  std::vector<std::string> arguments = {"-e", "0", "-T", "s.ld",
                                        "--no-warn-script"};
  links.file("s.ld", StringRef("SECTIONS { .text : { *(.gnu.linkonce*) "
                               "*(.text*) } }"));
  for (size_t i = 0; i < objects.size(); ++i) {
    arguments.push_back(std::to_string(i) + ".o");
    links.file(arguments.back(), objects[i]);
  }
  return bytesOf(quiet(links.link(arguments)), ".text");
}

// What GNU ld 2.40 keeps of the same sections: the first of a name, in one file
// too; read-only data only beside its own function.
TEST(Comdat, LinkOnceByName) {
  Bytes two = sections({{".gnu.linkonce.t.x", "01", "x1"},
                        {".gnu.linkonce.t.x (1)", "02", "x2"},
                        {".gnu.linkonce.d.x", "03", "x3"}});
  Bytes other = sections({{".gnu.linkonce.t.x", "0b", "x1"},
                          {".gnu.linkonce.r.x", "0c", "x5"},
                          {".gnu.linkonce.w.x", "0d", "x6"}});
  EXPECT_EQ(kept({two}), "0103");
  EXPECT_EQ(kept({two, other}), "01030d");
  EXPECT_EQ(kept({other, two}), "0b0c0d03");
}

// A group of one section and a section of the older kind stand for each other
// when they define the same symbols (GNU ld).
TEST(Comdat, LinkOnceAgainstGroup) {
  Bytes once = sections({{".gnu.linkonce.t.x", "0b", "x"},
                         {".gnu.linkonce.r.x", "0c", "x5"},
                         {".gnu.linkonce.w.x", "0d", "x6"}});
  Bytes group = sections({{".text.x", "21", "x"}}, "x");
  Bytes pair = sections({{".text.x", "31", "x"}, {".text.y", "32", "y"}}, "x");
  EXPECT_EQ(kept({once, group}), "0b0c0d");
  EXPECT_EQ(kept({group, once}), "0c0d21");
  EXPECT_EQ(kept({once, group, group}), "0b0c0d");
  LinkHarness links;
  links.file("a.o", once).file("b.o", pair);
  EXPECT_EQ(links.link({"-e", "0", "a.o", "b.o"}).errors,
            "xlink: error: duplicate symbol: x\n"
            ">>> defined in a.o:(.gnu.linkonce.t.x+0x0)\n"
            ">>> defined in b.o:(.text.x+0x0)\n");
}

} // namespace
} // namespace xlink::test
