//===- WhyPlacedTest.cpp - --why-placed -----------------------------------===//
#include "link/WhyProgram.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(WhyPlaced, PatternsThatTakeLeaveAndWouldTake) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-placed=main.o:(.text._start)"}),
            R"(why placed: main.o:(.text._start)
    not taken by *(EXCLUDE_FILE(*main.o) .text._start) at s.ld:4 of '.fast': EXCLUDE_FILE leaves its file out
    taken by *(.text .text.*) at s.ld:6 of '.text', at 0x1008
    would be taken by *(.text*) at s.ld:9 of '.rest' too
)");
  EXPECT_EQ(answersOf(whyProgram(),
                      {"--why-placed=.vectors", "--why-placed=.unwanted",
                       "--why-placed=.text.unused",
                       "--why-placed=*:(.text.inline_f)"}),
            R"(why placed: main.o:(.vectors)
    taken by KEEP(*(.vectors)) at s.ld:3 of '.vectors', at 0x1000
why placed: main.o:(.unwanted)
    it is discarded by /DISCARD/: *(.unwanted) at s.ld:10
why placed: main.o:(.text.unused)
    it is dropped by --gc-sections
    taken by *(.text .text.*) at s.ld:6 of '.text'
    would be taken by *(.text*) at s.ld:9 of '.rest' too
why placed: main.o:(.text.inline_f)
    taken by *(.text .text.*) at s.ld:6 of '.text', at 0x1018
    would be taken by *(.text*) at s.ld:9 of '.rest' too
why placed: lib.a(work.o):(.text.inline_f)
    it lost against the copy of the same in main.o
)");
}

/// A symbol's name stands for the section that holds it.
TEST(WhyPlaced, Symbols) {
  EXPECT_EQ(
      answersOf(whyProgram(), {"--why-placed=table", "--why-placed=work::run"}),
      R"(why placed: table in lib.a(table.o):(.rodata.table)
)" +
          answersOf(whyProgram(),
                    {"--why-placed=lib.a(table.o):(.rodata.table)"})
              .substr(sizeof("why placed: lib.a(table.o):(.rodata.table)")) +
          R"(why placed: work::run(int) in lib.a(work.o):(.text.run)
)" +
          answersOf(whyProgram(), {"--why-placed=.text.run"})
              .substr(sizeof("why placed: lib.a(work.o):(.text.run)")));
  EXPECT_EQ(answersOf(whyProgram(), {"--why-placed=spare", "--defsym=number=5",
                                     "--why-placed=number"}),
            R"(why placed: spare
    it is not in the link: lib.a(spare.o), which defines it, was not extracted: only weak references ask for it
why placed: number
    it is assigned by the script or --defsym, in no input section
)");
}

TEST(WhyPlaced, Orphans) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-placed=extra"}),
            R"(why placed: main.o:(extra)
    no pattern takes it: an orphan, in 'extra' at 0x103c
    its output section follows '.rodata', which sections of its kind follow
)");
}

/// A section of each kind that no pattern names.
Bytes orphans() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: code, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: code2, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: words, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: zeros, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .own, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - { Name: .note.a, Type: SHT_NOTE, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - { Name: .note.b, Type: SHT_NOTE, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - { Name: .info, Type: SHT_PROGBITS, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: shared, Index: SHN_COMMON, Value: 4, Size: 8, Binding: STB_GLOBAL }
)");
}

TEST(WhyPlaced, TheRulesOfOrphans) {
  LinkHarness links;
  links.file("a.o", orphans()).file("s.ld", R"(ENTRY(_start)
SECTIONS {
  .text 0x1000 : { *(.text) }
  .own : { own = .; }
  .near : { BYTE(1) }
}
)");
  const Linked linked =
      links.link({"a.o", "-T", "s.ld", "--why-placed=*", "--unique=code2"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why placed: a.o:(.text)
    taken by *(.text) at s.ld:3 of '.text', at 0x1000
why placed: a.o:(code)
    no pattern takes it: an orphan, in 'code' at 0x1008
    its output section follows '.text', which sections of its kind follow
why placed: a.o:(code2)
    no pattern takes it: an orphan, in 'code2' at 0x100c
    its output section follows '.text', which sections of its kind follow, behind 'code', the orphan of its kind before it; --unique lets it join no other
why placed: a.o:(words)
    no pattern takes it: an orphan, in 'words' at 0x1010
    its output section follows 'code2', the last one that comes near its contents and permissions
why placed: a.o:(zeros)
    no pattern takes it: an orphan, in 'zeros' at 0x1024
    its output section follows '.near', the last one that comes near its contents and permissions
why placed: a.o:(.own)
    no pattern takes it: an orphan, in '.own' at 0x1014
    it joins '.own', the first output section of its name that is like it or empty
why placed: a.o:(.note.a)
    no pattern takes it: an orphan, in '.note.a' at 0x101c
    its output section follows '.near', the last one that comes near its contents and permissions
why placed: a.o:(.note.b)
    no pattern takes it: an orphan, in '.note.b' at 0x1020
    its output section follows '.note.a', since notes stay together by alignment, and nothing comes between them
why placed: a.o:(.info)
    no pattern takes it: an orphan, in '.info'
    it takes no memory: its output section stands at the end
why placed: a.o:(COMMON)
    no pattern takes it: an orphan, in '.bss' at 0x1028
    COMMON goes to a .bss behind everything, as the script has none
why placed: <internal>:(.comment)
    no pattern takes it: an orphan, in '.comment'
    it takes no memory: its output section stands at the end
)");
}

TEST(WhyPlaced, OrphansWithoutAPlace) {
  LinkHarness links;
  links.file("a.o", orphans()).file("s.ld", R"(ENTRY(_start)
SECTIONS {
  .text 0x1000 : { *(.text) }
  /DISCARD/ : { *none.o(COMMON) }
}
)");
  const Linked linked =
      links.link({"a.o", "-T", "s.ld", "--orphan-handling=discard",
                  "--why-placed=code", "--why-placed=COMMON"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why placed: a.o:(code)
    it matches no pattern, and --orphan-handling=discard drops it
why placed: a.o:(COMMON)
    it is COMMON, which /DISCARD/ is the first to ask for
)");
}

TEST(WhyPlaced, Relocatable) {
  LinkHarness links;
  links.file("a.o", orphans());
  const Linked linked = links.link({"-r", "a.o", "--why-placed=code"});
  EXPECT_EQ(linked.text, R"(why placed: a.o:(code)
    no pattern takes it: an orphan, in 'code'
    a relocatable output keeps sections of one name together
)");
}

TEST(WhyPlaced, FlagsAndConditions) {
  LinkHarness links;
  links.file("a.o", orphans()).file("s.ld", R"(ENTRY(_start)
SECTIONS {
  .flagged : { INPUT_SECTION_FLAGS (SHF_WRITE) *(code) }
  .readonly : ONLY_IF_RO { *(words) *(code2) }
  .text 0x1000 : { *(.text) }
  .rest : { *(*) }
}
)");
  const Linked linked = links.link(
      {"a.o", "-T", "s.ld", "--why-placed=code*", "--why-placed=words"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why placed: a.o:(code)
    not taken by *(code) at s.ld:3 of '.flagged': INPUT_SECTION_FLAGS asks for other flags
    taken by *(*) at s.ld:6 of '.rest', at 0x1008
why placed: a.o:(code2)
    not taken by *(code2) at s.ld:4 of '.readonly': ONLY_IF_RO or ONLY_IF_RW does not hold there
    taken by *(*) at s.ld:6 of '.rest', at 0x100c
why placed: a.o:(words)
    not taken by *(words) at s.ld:4 of '.readonly': ONLY_IF_RO or ONLY_IF_RW does not hold there
    taken by *(*) at s.ld:6 of '.rest', at 0x1010
)");
}

TEST(WhyPlaced, SectionsThatMovedOn) {
  LinkHarness links;
  links.file("a.o", orphans()).file("s.ld", R"(ENTRY(_start)
MEMORY { small : ORIGIN = 0x1000, LENGTH = 8
         large : ORIGIN = 0x2000, LENGTH = 0x1000 }
SECTIONS {
  .first : { *(.text code) } >small
  .second : { *(code .own .note* zeros COMMON words code2) } >large
}
)");
  const Linked linked =
      links.link({"a.o", "-T", "s.ld", "--enable-non-contiguous-regions",
                  "--why-placed=code"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why placed: a.o:(code)
    no room for it in '.first'
    taken by *(code .own .note* zeros COMMON words code2) at s.ld:6 of '.second', at 0x2000
)");
}

TEST(WhyPlaced, SectionOrderingFile) {
  LinkHarness links = whyProgram();
  links.file("order.txt", ".text : {\n  *(.text.run)\n}\n");
  EXPECT_EQ(answersOf(links, {"--section-ordering-file=order.txt",
                              "--why-placed=.text.run"}),
            R"(why placed: lib.a(work.o):(.text.run)
    taken by *(.text.run) at order.txt:2 of '.text', at 0x1008
    would be taken by *(.text .text.*) at s.ld:6 of '.text' too
    would be taken by *(.text*) at s.ld:9 of '.rest' too
)");
}

/// A region that overflows is when one asks.
TEST(WhyPlaced, LinksThatFail) {
  LinkHarness links;
  links.file("a.o", orphans()).file("s.ld", R"(ENTRY(_start)
MEMORY { small : ORIGIN = 0x1000, LENGTH = 8 }
SECTIONS { .all : { *(*) } >small }
)");
  const Linked linked = links.link({"a.o", "-T", "s.ld", "--why-placed=words"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text, R"(why placed: a.o:(words)
    taken by *(*) at s.ld:3 of '.all', at 0x1010
)");
  EXPECT_TRUE(linked.files.empty());
}

TEST(WhyPlaced, TheBuiltInScript) {
  LinkHarness links;
  links.file("a.o", orphans());
  const Linked linked = links.link({"a.o", "--why-placed=.text"});
  EXPECT_EQ(linked.text, R"(why placed: a.o:(.text)
    taken by *(.text .text.*) at <nyuzi.ld>:21 of '.text', at 0x1000
)");
}

TEST(WhyPlaced, Json) {
  const Linked linked =
      whyProgram().link({"--gc-sections", "main.o", "lib.a", "-T", "s.ld",
                         "--why-placed=.text._start", "--why-placed=extra",
                         "--why-placed=.unwanted", "--answers-json=a.json"});
  expectAnswers(linked, "placed.json");
}

} // namespace
} // namespace xlink::test
