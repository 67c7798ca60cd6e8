//===- WhyDeadTest.cpp - --why-dead ---------------------------------------===//
#include "link/WhyProgram.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(WhyDead, TheChainAndWhatWouldKeepIt) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-dead=old"}),
            R"(why dead: old in main.o:(.text.old)
    it is dropped by --gc-sections
    nothing refers to main.o:(.text.unused)
    main.o:(.text.unused+0x0) in unused refers to old, R_NYUZI_ABS32
    would be kept by KEEP around *(.text .text.*) at s.ld:6, -u old or a reference from a section that lives
)");
  // A local symbol, two steps away.
  EXPECT_EQ(answersOf(whyProgram(), {"--why-dead=forgotten"}),
            R"(why dead: forgotten in main.o:(.text.forgotten)
    it is dropped by --gc-sections
    nothing refers to main.o:(.text.unused)
    main.o:(.text.unused+0x0) in unused refers to old, R_NYUZI_ABS32
    main.o:(.text.old+0x4) in old refers to forgotten, R_NYUZI_ABS32
    would be kept by KEEP around *(.text .text.*) at s.ld:6 or a reference from a section that lives
)");
  EXPECT_EQ(answersOf(whyProgram(), {"--why-dead=unused"}),
            R"(why dead: unused in main.o:(.text.unused)
    it is dropped by --gc-sections
    nothing refers to main.o:(.text.unused)
    would be kept by KEEP around *(.text .text.*) at s.ld:6, -u unused or a reference from a section that lives
)");
}

TEST(WhyDead, Circles) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-dead=ring_*"}),
            R"(why dead: ring_a in main.o:(.text.ring_a)
    it is dropped by --gc-sections
    main.o:(.text.ring_a) is in a circle of dead sections that nothing else refers to
    dead as well: main.o:(.text.ring_b+0x0) in ring_b refers to ring_a, R_NYUZI_ABS32
    would be kept by KEEP around *(.text .text.*) at s.ld:6 or a reference from a section that lives
why dead: ring_b in main.o:(.text.ring_b)
    it is dropped by --gc-sections
    main.o:(.text.ring_a) is in a circle of dead sections that nothing else refers to
    main.o:(.text.ring_a+0x0) in ring_a refers to ring_b, R_NYUZI_ABS32
    would be kept by KEEP around *(.text .text.*) at s.ld:6 or a reference from a section that lives
)");
}

TEST(WhyDead, PiecesOfStrings) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-dead=dead_text"}),
            R"(why dead: dead_text in main.o:(.strings)
    it is a piece of a section that lives, but nothing that lives refers to the piece
    nothing refers to main.o:(.text.unused)
    main.o:(.text.unused+0x4) in unused refers to main.o:(.strings+0x5), R_NYUZI_ABS32
    would be kept by KEEP around *(.strings) at s.ld:8 or a reference from a section that lives
)");
}

/// The hint is true: what it names keeps the section.
TEST(WhyDead, WhatItAdvisesHelps) {
  const LinkHarness links = whyProgram();
  EXPECT_EQ(answersOf(links, {"--why-dead=old", "-u", "old"}),
            R"(why dead: old in main.o:(.text.old)
    it lives: -u old: main.o:(.text.old+0x0)
)");
}

TEST(WhyDead, WhatDroppedItEarlier) {
  EXPECT_EQ(
      answersOf(whyProgram(),
                {"--why-dead=.unwanted",
                 "--why-dead=lib.a(work.o):(.text.inline_f)",
                 "--why-dead=spare", "--why-dead=spare.o", "--why-dead=table"}),
      R"(why dead: main.o:(.unwanted)
    it is discarded by /DISCARD/: *(.unwanted) at s.ld:10
why dead: lib.a(work.o):(.text.inline_f)
    it lost against the copy of the same in main.o
why dead: spare
    it is not in the link: lib.a(spare.o), which defines it, was not extracted: only weak references ask for it
why dead: lib.a(spare.o)
    it was not extracted: only weak references ask for spare
why dead: table in lib.a(table.o):(.rodata.table)
    it lives: lib.a(work.o):(.text.run+0x4) in work::run(int) refers to table, R_NYUZI_ABS32
)");
}

TEST(WhyDead, FoldedAndStripped) {
  const Bytes object = nyuzi(R"(
Sections:
  - { Name: .text._start, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '01000000' }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '02000000' }
  - { Name: .text.g, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '02000000' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '02000000' }
  - { Name: .gone, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXCLUDE ], Content: '02000000' }
Symbols:
  - { Name: _start, Section: .text._start, Binding: STB_GLOBAL }
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
  - { Name: g, Section: .text.g, Binding: STB_GLOBAL }
)");
  const Linked linked =
      LinkHarness()
          .file("a.o", object)
          .link({"a.o", "--icf=all", "--strip-debug", "--why-dead=g",
                 "--why-dead=.debug_info", "--why-dead=.gone", "--why-dead=f"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why dead: g in a.o:(.text.g)
    it is stored once with the identical a.o:(.text.f) (--icf)
why dead: a.o:(.debug_info)
    it is debug information, which is stripped
why dead: a.o:(.gone)
    it is marked SHF_EXCLUDE: it enters no program
why dead: f in a.o:(.text.f)
    it lives: without --gc-sections everything does
)");
}

/// What only the linker reads is a section for -Map, and so for the map in JSON
/// and for questions.
TEST(WhyDead, WhatOnlyTheLinkerReads) {
  const Bytes object = nyuzi(R"(
Sections:
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], Content: '02000000' }
  - { Name: .group, Type: SHT_GROUP, Info: f, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.f } ] }
  - { Name: .llvm_addrsig, Type: SHT_LLVM_ADDRSIG, Flags: [ SHF_EXCLUDE ] }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
)");
  const Linked linked =
      LinkHarness()
          .file("a.o", object)
          .link({"a.o", "-e", "f", "-Map=a.map", "--map-json=a.json",
                 "--why-dead=.llvm_addrsig", "--why-dead=.group"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "why dead: a.o:(.llvm_addrsig)\n"
                         "    it is in a section that only the linker reads\n"
                         "why dead: a.o:(.group)\n"
                         "    it is in a section that only the linker reads\n");
  auto textOf = [&](const char *file) {
    const auto &bytes = linked.files.at(file);
    return std::string(bytes.begin(), bytes.end());
  };
  const std::string map = textOf("a.map"), json = textOf("a.json");
  for (const std::string name : {".llvm_addrsig", ".group"}) {
    EXPECT_NE(map.find("\n " + name), std::string::npos) << map;
    EXPECT_NE(json.find("{\"name\":\"" + name + "\",\"file\":0,"),
              std::string::npos)
        << json;
  }
}

TEST(WhyDead, DescriptionsOfDeadFiles) {
  LinkHarness links = whyProgram();
  links.file("dead.o", nyuzi(R"(
Sections:
  - { Name: .text.never, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .debug_line, Type: SHT_PROGBITS, Content: 'aaaaaaaa' }
)"));
  EXPECT_EQ(answersOf(links, {"dead.o", "--why-dead=.debug_line"}),
            R"(why dead: dead.o:(.debug_line)
    it is dropped by --gc-sections
    it describes its file, of which nothing lives that takes memory
)");
}

TEST(WhyDead, SymbolsOfTables) {
  LinkHarness links = whyProgram();
  links.file("odd.o", nyuzi(R"(
Sections:
  - { Name: .text.odd, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rela.text.odd, Type: SHT_RELA, Info: .text.odd, Relocations: [ { Offset: 0, Symbol: odd, Type: 1 } ] }
Symbols:
  - { Name: odd, Section: .rela.text.odd }
)"));
  EXPECT_EQ(answersOf(links, {"odd.o", "--why-dead=odd"}),
            "why dead: odd in odd.o:(.rela.text.odd)\n"
            "    it is in a section that only the linker reads\n");
}

TEST(WhyDead, MoreReferrersThanAreShown) {
  std::string sections, relocations;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    sections += "  - { Name: .text.f" + n +
                ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                "AddressAlign: 4, Size: 4 }\n";
    relocations += "  - { Name: .rela.text.f" + n +
                   ", Type: SHT_RELA, Info: .text.f" + n +
                   ", Relocations: [ { Offset: 0, Symbol: old, Type: 1 } ] }\n";
  }
  LinkHarness links = whyProgram();
  links.file("many.o", nyuzi("Sections:\n" + sections + relocations +
                             "Symbols:\n  - { Name: old, Binding: "
                             "STB_GLOBAL }\n"));
  EXPECT_EQ(answersOf(links, {"many.o", "--why-dead=old"}),
            R"(why dead: old in main.o:(.text.old)
    it is dropped by --gc-sections
    nothing refers to many.o:(.text.f0)
    many.o:(.text.f0+0x0) refers to old, R_NYUZI_ABS32
    dead as well: many.o:(.text.f1+0x0) refers to old, R_NYUZI_ABS32
    dead as well: many.o:(.text.f2+0x0) refers to old, R_NYUZI_ABS32
    dead as well: many.o:(.text.f3+0x0) refers to old, R_NYUZI_ABS32
    dead as well: many.o:(.text.f4+0x0) refers to old, R_NYUZI_ABS32
    dead as well: many.o:(.text.f5+0x0) refers to old, R_NYUZI_ABS32
    and 3 more dead references
    would be kept by KEEP around *(.text .text.*) at s.ld:6, -u old or a reference from a section that lives
)");
}

TEST(WhyDead, LinksThatFail) {
  const Linked linked = whyProgram().link(
      {"--gc-sections", "main.o", "-T", "s.ld", "--why-dead=work::run",
       "--why-dead=_ZN4work3runEi", "--why-dead=unused"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text, R"(why dead: work::run(int)
    it is defined by nothing in this link
why dead: work::run(int)
    it is defined by nothing in this link
why dead: unused in main.o:(.text.unused)
    it is dropped by --gc-sections
    nothing refers to main.o:(.text.unused)
    would be kept by KEEP around *(.text .text.*) at s.ld:6, -u unused or a reference from a section that lives
)");
  EXPECT_TRUE(linked.files.empty());
}

TEST(WhyDead, LongChains) {
  LinkHarness links;
  links.file("a.o", chainObject(2000)).file("main.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  const Linked linked =
      links.link({"--gc-sections", "main.o", "a.o", "--why-dead=f*"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_LT(StringRef(linked.text).count('\n'), 25000u);
  EXPECT_TRUE(StringRef(linked.text)
                  .ends_with("why dead: f1999 in a.o:(.text.f1999)\n"
                             "    it is dropped by --gc-sections\n"
                             "    a.o:(.text.f1998) is dead, as shown above\n"
                             "    a.o:(.text.f1998+0x0) refers to f1999, "
                             "R_NYUZI_ABS32\n"
                             "    would be kept by a script with KEEP around "
                             "*(.text .text.*) at <nyuzi.ld>:21, -u f1999 or a "
                             "reference from a section that lives\n"))
      << StringRef(linked.text).take_back(600).str();
}

TEST(WhyDead, Json) {
  const Linked linked = whyProgram().link(
      {"--gc-sections", "main.o", "lib.a", "-T", "s.ld", "--why-dead=old",
       "--why-dead=lib.a(work.o):(.text.inline_f)", "--why-dead=ring_a",
       "--answers-json=a.json"});
  expectAnswers(linked, "dead.json");
}

} // namespace
} // namespace xlink::test
