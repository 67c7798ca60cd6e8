//===- SymbolOrderingTest.cpp - --symbol-ordering-file --------------------===//
//
// Orders and the texts of warnings are those of lld 19 with RISC-V objects of
// the same shape.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kBody[] = R"(
Sections:
  - { Name: .text.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'a1a1a1a1a1a1a1a1' }
  - { Name: .text.b, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'b2b2b2b2b2b2b2b2' }
  - { Name: .text.c, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'c3c3c3c3c3c3c3c3' }
  - { Name: .init, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'd4d4d4d4d4d4d4d4' }
  - { Name: .orphan.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: 'e5e5e5e5e5e5e5e5' }
Symbols:
  - { Name: local, Section: .text.b }
  - { Name: inside, Section: .text.c, Value: 4 }
  - { Name: a, Section: .text.a, Binding: STB_GLOBAL }
  - { Name: first, Section: .init, Binding: STB_GLOBAL }
  - { Name: number, Index: SHN_ABS, Value: 7, Binding: STB_GLOBAL }
  - { Name: nowhere, Binding: STB_WEAK }
)";

const char kMore[] = R"(
Sections:
  - { Name: .text.d, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'd6d6d6d6d6d6d6d6' }
  - { Name: .init, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'd7d7d7d7d7d7d7d7' }
  - { Name: .orphan.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: 'e8e8e8e8e8e8e8e8' }
Symbols:
  - { Name: local, Section: .text.d }
  - { Name: d, Section: .text.d, Binding: STB_GLOBAL }
  - { Name: last, Section: .init, Binding: STB_GLOBAL }
  - { Name: table, Section: .orphan.a, Binding: STB_GLOBAL }
)";

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine = "nyuzi") {
    harness.file("a.o", machineObject(machine, kBody))
        .file("b.o", machineObject(machine, kMore))
        .file("plain.ld", "SECTIONS { .init : { *(.init) } "
                          ".text : { *(.text.*) } .orphan : { *(.x) } }")
        .file("sort.ld", "SECTIONS { .init : { *(.init) } .text : "
                         "{ *(SORT_BY_NAME(.text.*)) } }")
        .file("two.ld", "SECTIONS { .init : { *(.init) } .text : "
                        "{ *(.text.a .text.b) *(.text.c .text.d) } }");
  }
  Linked link(const char *order, const char *script = "plain.ld",
              std::vector<std::string> more = {}) {
    harness.file("order", order);
    more.insert(more.begin(), {"-e", "0", "-T", script, "a.o", "b.o",
                               "--symbol-ordering-file", "order"});
    return harness.link(more);
  }
  /// The first digit pair of each input section of .text.
  static std::string order(const OutFile &out, StringRef name = ".text") {
    const std::string bytes = bytesOf(out, name);
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 16)
      text += (i ? " " : "") + bytes.substr(i, 2);
    return text;
  }
};

// Local symbols of every file count, and those inside of a section; what is not
// named stays as it was.
TEST(SymbolOrdering, SymbolsInTheOrderOfTheFile) {
  Links links;
  EXPECT_EQ(Links::order(quiet(links.link("# none\n"))), "a1 b2 c3 d6");
  EXPECT_EQ(Links::order(quiet(links.link("# a line\n\n  inside \nd\n"))),
            "c3 d6 a1 b2");
  EXPECT_EQ(Links::order(quiet(links.link("local\ninside"))), "b2 d6 c3 a1");
  EXPECT_EQ(Links::order(quiet(
                links.link("a\r\nlocal\r\na1\r\n", "plain.ld",
                           {"--defsym=a1=0", "--no-warn-symbol-ordering"}))),
            "a1 b2 d6 c3");
}

TEST(SymbolOrdering, EachMachine) {
  for (const char *machine : {"nyuzi", "aphelion", "dpu", "colossus"})
    EXPECT_EQ(Links::order(OutFile(Links(machine).link("d\ninside\n").image())),
              "d6 c3 a1 b2")
        << machine;
}

// Inside of one description, where it counts for more than SORT does.
TEST(SymbolOrdering, DescriptionsKeepTheirPlace) {
  Links links;
  EXPECT_EQ(Links::order(quiet(links.link("d\nlocal\n", "two.ld"))),
            "b2 a1 d6 c3");
  EXPECT_EQ(Links::order(quiet(links.link("d\ninside\n", "sort.ld"))),
            "d6 c3 a1 b2");
  EXPECT_EQ(Links::order(quiet(
                links.link("inside\n", "plain.ld", {"--sort-section=name"}))),
            "c3 a1 b2 d6");
}

TEST(SymbolOrdering, OrphansButNotInitialisers) {
  Links links;
  const OutFile out = quiet(links.link("last\ntable\n"));
  EXPECT_EQ(Links::order(out, ".init"), "d4 d7");
  EXPECT_EQ(Links::order(out, ".orphan.a"), "e8 e5");
}

TEST(SymbolOrdering, Warnings) {
  Links links;
  EXPECT_EQ(Links::order(
                warned(links.link("missing\nnowhere\nd\nnumber\nmade\nd\n",
                                  "plain.ld", {"--defsym=made=1"}),
                       "xlink: warning: order: duplicate ordered symbol: d\n"
                       "xlink: warning: <internal>: unable to order synthetic "
                       "symbol: made\n"
                       "xlink: warning: a.o: unable to order absolute symbol: "
                       "number\n"
                       "xlink: warning: a.o: unable to order undefined symbol: "
                       "nowhere\n"
                       "xlink: warning: symbol ordering file: no such symbol: "
                       "missing\n")),
            "d6 a1 b2 c3");
  quiet(links.link("missing\nnowhere\nd\nnumber\nd\n", "plain.ld",
                   {"--no-warn-symbol-ordering"}));
  // Nobody is told of undefined symbols there, so not here either (lld).
  quiet(
      links.link("nowhere\n", "plain.ld", {"--unresolved-symbols=ignore-all"}));
}

TEST(SymbolOrdering, DroppedSections) {
  Links links;
  const std::string warnings =
      "xlink: warning: b.o: unable to order discarded symbol: d\n"
      "xlink: warning: a.o: unable to order discarded symbol: local\n"
      "xlink: warning: b.o: unable to order discarded symbol: local\n";
  EXPECT_EQ(Links::order(warned(links.link("d\nlocal\n", "plain.ld",
                                           {"--gc-sections", "-u", "a"}),
                                warnings)),
            "a1");
  links.harness.file("drop.ld", "SECTIONS { .text : { *(.text.a) } "
                                "/DISCARD/ : { *(.text.b .text.d) } }");
  EXPECT_EQ(Links::order(warned(links.link("d\nlocal\n", "drop.ld"), warnings)),
            "a1");
}

// The built-in script's entry stays where execution begins.
TEST(SymbolOrdering, EntryStaysFirst) {
  LinkHarness links;
  links
      .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00f000d0' }
  - { Name: .text.b, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '01f001d0' }
  - { Name: .text.c, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '02f002d0' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: b, Section: .text.b, Binding: STB_GLOBAL }
  - { Name: c, Section: .text.c, Binding: STB_GLOBAL }
)"))
      .file("order", "c\nb\n");
  const OutFile out =
      quiet(links.link({"a.o", "--symbol-ordering-file=order"}));
  EXPECT_EQ(bytesOf(out, ".text").substr(0, 24), "00f000d002f002d001f001d0");
}

TEST(SymbolOrdering, MissingFile) {
  Links links;
  expectFailure(links.harness.link({"a.o", "--symbol-ordering-file=none"}),
                "xlink: error: cannot open the symbol ordering file none: No "
                "such file or directory\n");
}

} // namespace
} // namespace xlink::test
