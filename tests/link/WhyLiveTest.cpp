//===- WhyLiveTest.cpp - --why-live ---------------------------------------===//
#include "link/Goldens.h"
#include "link/WhyProgram.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(WhyLive, AChainFromTheEntry) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-live=table"}),
            R"(why live: table in lib.a(table.o):(.rodata.table)
    entry symbol _start, by ENTRY at s.ld:1: main.o:(.text._start+0x0)
    main.o:(.text._start+0x4) in _start refers to work::run(int), R_NYUZI_ABS32
    lib.a(work.o):(.text.run+0x4) in work::run(int) refers to table, R_NYUZI_ABS32
)");
}

TEST(WhyLive, NamesOfAllKinds) {
  const LinkHarness links = whyProgram();
  const std::string run = answersOf(links, {"--why-live=_ZN4work3runEi"});
  EXPECT_EQ(answersOf(links, {"--why-live=work::run(int)"}), run);
  EXPECT_EQ(answersOf(links, {"--why-live=work::run"}), run);
  EXPECT_EQ(answersOf(links, {"--why-live=work::*"}), run);
  const std::string section =
      answersOf(links, {"--why-live=lib.a(work.o):(.text.run)"});
  EXPECT_EQ(answersOf(links, {"--why-live=.text.run"}), section);
  EXPECT_EQ(answersOf(links, {"--why-live=lib.a*:(.text.r*)"}), section);
  EXPECT_EQ(StringRef(run).split('\n').second,
            StringRef(section).split('\n').second);
  EXPECT_EQ(answersOf(links, {"--why-live=work::run", "--no-demangle"}),
            R"(why live: _ZN4work3runEi in lib.a(work.o):(.text.run)
    entry symbol _start, by ENTRY at s.ld:1: main.o:(.text._start+0x0)
    main.o:(.text._start+0x4) in _start refers to _ZN4work3runEi, R_NYUZI_ABS32
)");
}

TEST(WhyLive, Roots) {
  const LinkHarness links = whyProgram();
  EXPECT_EQ(answersOf(links, {"--why-live=.vectors", "--why-live=extra"}),
            R"(why live: main.o:(.vectors)
    KEEP at s.ld:3: main.o:(.vectors)
why live: extra in main.o:(extra)
    KEEP at s.ld:3: main.o:(.vectors)
    main.o:(.vectors+0x4) refers to extra, R_NYUZI_ABS32
)");
  EXPECT_EQ(answersOf(links, {"--why-live=old", "-u", "unused"}),
            R"(why live: old in main.o:(.text.old)
    -u unused: main.o:(.text.unused+0x0)
    main.o:(.text.unused+0x0) in unused refers to old, R_NYUZI_ABS32
)");
  EXPECT_EQ(answersOf(links, {"--why-live=old", "--require-defined=old"}),
            R"(why live: old in main.o:(.text.old)
    --require-defined=old: main.o:(.text.old+0x0)
)");
  EXPECT_EQ(answersOf(links, {"--why-live=old", "--undefined-glob=ol*"}),
            R"(why live: old in main.o:(.text.old)
    --undefined-glob matches old: main.o:(.text.old+0x0)
)");
  EXPECT_EQ(answersOf(links, {"--why-live=old", "--defsym=x=old"}),
            R"(why live: old in main.o:(.text.old)
    the script or --defsym reads old: main.o:(.text.old+0x0)
)");
  EXPECT_EQ(answersOf(links, {"--why-live=old", "-e", "old"}),
            R"(why live: old in main.o:(.text.old)
    entry symbol old, by -e: main.o:(.text.old+0x0)
)");
  LinkHarness named = whyProgram();
  named.file("more.ld", "EXTERN(old)\nlast = unused + 4;\n");
  EXPECT_EQ(
      answersOf(named, {"more.ld", "--why-live=old", "--why-live=unused"}),
      R"(why live: old in main.o:(.text.old)
    EXTERN(old) at more.ld:1: main.o:(.text.old+0x0)
why live: unused in main.o:(.text.unused)
    the script reads unused at more.ld:2: main.o:(.text.unused+0x0)
)");
}

/// What is no reference is called what it is.
TEST(WhyLive, EdgesOfOtherKinds) {
  const Bytes object = nyuzi(R"(
Sections:
  - { Name: .text._start, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 12 }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .meta, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text.f, Size: 4 }
  - { Name: things, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Size: 4 }
  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: g, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.g }, { SectionOrType: .rodata.g } ] }
  - { Name: .text.g, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], AddressAlign: 4, Size: 4 }
  - { Name: .rodata.g, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_GROUP ], AddressAlign: 4, Size: 4 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Size: 4 }
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - Name: .rela.text._start
    Type: SHT_RELA
    Info: .text._start
    Relocations:
      - { Offset: 0, Symbol: f, Type: 1 }
      - { Offset: 4, Symbol: g, Type: 1 }
      - { Offset: 8, Symbol: __start_things, Type: 1 }
Symbols:
  - { Name: f, Section: .text.f }
  - { Name: _start, Section: .text._start, Binding: STB_GLOBAL }
  - { Name: g, Section: .text.g, Binding: STB_GLOBAL }
  - { Name: __start_things, Binding: STB_GLOBAL }
)");
  const Linked linked =
      LinkHarness()
          .file("a.o", object)
          .link({"--gc-sections", "--no-warn-orphan", "a.o", "--why-live=.meta",
                 "--why-live=things", "--why-live=.rodata.g",
                 "--why-live=.debug_info", "--why-live=.init_array"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why live: a.o:(.meta)
    entry symbol _start, the machine's usual one: a.o:(.text._start+0x0)
    a.o:(.text._start+0x0) refers to f, R_NYUZI_ABS32
    a.o:(.meta) describes a.o:(.text.f) (SHF_LINK_ORDER)
why live: a.o:(things)
    entry symbol _start, the machine's usual one: a.o:(.text._start+0x0)
    a.o:(.text._start+0x8) refers to __start_things, which means all sections called things, R_NYUZI_ABS32
why live: a.o:(.rodata.g)
    entry symbol _start, the machine's usual one: a.o:(.text._start+0x0)
    a.o:(.text._start+0x4) refers to g, R_NYUZI_ABS32
    a.o:(.rodata.g) is in one section group with a.o:(.text.g)
why live: a.o:(.debug_info)
    entry symbol _start, the machine's usual one: a.o:(.text._start+0x0)
    a.o:(.debug_info) describes its file, of which a.o:(.text._start) lives
why live: a.o:(.init_array)
    KEEP at <nyuzi.ld>:30: a.o:(.init_array)
)");
}

/// Of a mergeable section each piece has its own reason.
TEST(WhyLive, PiecesOfStrings) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-live=*_text"}),
            R"(why live: live_text in main.o:(.strings)
    entry symbol _start, by ENTRY at s.ld:1: main.o:(.text._start+0x0)
    main.o:(.text._start+0x8) in _start refers to main.o:(.strings+0x0), R_NYUZI_ABS32
why live: dead_text in main.o:(.strings)
    it is a piece of a section that lives, but nothing that lives refers to the piece; --why-dead says more
)");
}

TEST(WhyLive, WhatDoesNotLive) {
  EXPECT_EQ(
      answersOf(whyProgram(), {"--why-live=unused", "--why-live=.unwanted",
                               "--why-live=spare", "--why-live=spare.o",
                               "--why-live=lib.a(work.o):(.text.inline_f)",
                               "--defsym=five=5", "--why-live=five"}),
      R"(why live: unused in main.o:(.text.unused)
    it is dropped by --gc-sections; --why-dead says more
why live: main.o:(.unwanted)
    it is discarded by /DISCARD/: *(.unwanted) at s.ld:10
why live: spare
    it is not in the link: lib.a(spare.o), which defines it, was not extracted: only weak references ask for it
why live: lib.a(spare.o)
    it was not extracted: only weak references ask for spare
why live: lib.a(work.o):(.text.inline_f)
    it lost against the copy of the same in main.o
why live: five
    it is assigned by the script or --defsym, in no input section
)");
}

TEST(WhyLive, WithoutCollection) {
  const Linked linked =
      whyProgram().link({"main.o", "lib.a", "-T", "s.ld",
                         "--why-live=work::run", "--why-live=ring_a"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            R"(without --gc-sections everything lives, referred to or not
why live: work::run(int) in lib.a(work.o):(.text.run)
    entry symbol _start, by ENTRY at s.ld:1: main.o:(.text._start+0x0)
    main.o:(.text._start+0x4) in _start refers to work::run(int), R_NYUZI_ABS32
why live: ring_a in main.o:(.text.ring_a)
    nothing that begins at a root refers to it
)");
}

/// A member has symbols and sections; it is no stranger.
TEST(WhyLive, MembersThatTakePart) {
  const Linked linked =
      whyProgram().link({"--gc-sections", "main.o", "lib.a", "-T", "s.ld",
                         "--why-live=work.o", "--why-dead=lib.a(work.o)"});
  EXPECT_EQ(linked.text, "");
  const std::string rest = "' is a member that takes part; its symbols and "
                           "sections can be asked about, and --why-extract "
                           "tells of members\n";
  EXPECT_EQ(linked.errors,
            "xlink: warning: option '--why-live': 'work.o" + rest +
                "xlink: warning: option '--why-dead': 'lib.a(work.o)" + rest);
}

TEST(WhyLive, WhatNothingIsCalled) {
  const Linked linked =
      whyProgram().link({"--gc-sections", "main.o", "lib.a", "-T", "s.ld",
                         "--why-live=tabel", "--why-live=zzz*"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(
      linked.errors,
      R"(xlink: warning: option '--why-live': nothing in this link is called 'tabel'; did you mean 'table'?
xlink: warning: option '--why-live': nothing in this link is called 'zzz*'
)");
  EXPECT_EQ(linked.text, "");
}

/// Who asks while the link fails gets an answer too, and no output.
TEST(WhyLive, LinksThatFail) {
  const Linked linked =
      whyProgram().link({"--gc-sections", "main.o", "-T", "s.ld",
                         "--why-live=inline_f", "--answers-json=a.json"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text, R"(why live: inline_f in main.o:(.text.inline_f)
    entry symbol _start, by ENTRY at s.ld:1: main.o:(.text._start+0x0)
    main.o:(.text._start+0xc) in _start refers to inline_f, R_NYUZI_ABS32
)");
  EXPECT_EQ(linked.files.size(), 1u);
  EXPECT_EQ(linked.files.count("a.json"), 1u);
}

TEST(WhyLive, Json) {
  const Linked linked = whyProgram().link(
      {"--gc-sections", "main.o", "lib.a", "-T", "s.ld", "--why-live=table",
       "--why-live=unused", "--answers-json=a.json"});
  expectAnswers(linked, "live.json");
}

/// The longer the chains are, the less of each is repeated: text grows with the
/// number of functions, not with its square.
TEST(WhyLive, LongChains) {
  LinkHarness links;
  links.file("a.o", chainObject(2000));
  const Linked linked =
      links.link({"--gc-sections", "-e", "f0", "a.o", "--why-live=*"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_LT(StringRef(linked.text).count('\n'), 20000u);
  EXPECT_TRUE(StringRef(linked.text)
                  .ends_with("why live: f1999 in a.o:(.text.f1999)\n"
                             "    a.o:(.text.f1998) lives, as shown above\n"
                             "    a.o:(.text.f1998+0x0) refers to f1999, "
                             "R_NYUZI_ABS32\n"))
      << StringRef(linked.text).take_back(400).str();
}

/// The search and the collection agree: what the one keeps, the other reaches.
TEST(WhyLive, WhateverTheCollectionKeepsHasAChain) {
  unsigned chains = 0;
  for (const std::string &name : goldens()) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    std::vector<std::string> arguments = golden.arguments;
    for (const char *more :
         {"--gc-sections", "--why-live=*:(*)", "--answers-json=a.json"})
      arguments.push_back(more);
    const Linked linked = golden.harness.link(arguments);
    ASSERT_TRUE(linked.files.count("a.json")) << linked.errors;
    const Bytes &file = linked.files.at("a.json");
    Expected<json::Value> parsed = json::parse(
        StringRef(reinterpret_cast<const char *>(file.data()), file.size()));
    ASSERT_TRUE(bool(parsed));
    const json::Array &questions = *parsed->getAsObject()->getArray("whyLive");
    for (const json::Value &v :
         *questions[0].getAsObject()->getArray("answers")) {
      const json::Object &o = *v.getAsObject();
      if (o.getString("fate") != StringRef("lives"))
        continue;
      EXPECT_TRUE(o.get("root") || o.get("continues"))
          << o.getString("file")->str() << o.getString("section")->str();
      ++chains;
    }
  }
  EXPECT_GT(chains, 50u);
}

} // namespace
} // namespace xlink::test
