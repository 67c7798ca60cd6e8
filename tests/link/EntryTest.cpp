//===- EntryTest.cpp - where a program starts -----------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes program() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
Symbols:
  - { Name: _start, Section: .text, Value: 4, Binding: STB_GLOBAL }
  - { Name: main, Section: .text, Value: 8, Binding: STB_GLOBAL }
)");
}
Bytes anonymous() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
)");
}

TEST(Entry, StartByDefault) {
  OutFile out = quiet(LinkHarness().file("a.o", program()).link({"a.o"}));
  EXPECT_EQ(out.entry, out.value("_start"));
  EXPECT_EQ(out.entry, out.section(".text")->address + 4);
}

TEST(Entry, SymbolByOption) {
  LinkHarness links;
  links.file("a.o", program());
  for (std::vector<std::string> option :
       {std::vector<std::string>{"-e", "main"},
        std::vector<std::string>{"-emain"},
        std::vector<std::string>{"--entry=main"}}) {
    option.push_back("a.o");
    OutFile out = quiet(links.link(option));
    EXPECT_EQ(out.entry, out.value("main"));
  }
}

TEST(Entry, Number) {
  LinkHarness links;
  links.file("a.o", program());
  EXPECT_EQ(quiet(links.link({"-e", "0x1234", "a.o"})).entry, 0x1234u);
  EXPECT_EQ(quiet(links.link({"-e", "64", "a.o"})).entry, 64u);
}

// The option is stronger than a script's ENTRY, and that than the default.
TEST(Entry, ScriptAndOption) {
  LinkHarness links;
  links.file("a.o", program());
  links.file("x.ld", "ENTRY(main) SECTIONS { .text 0x1000 : { *(.text) } }");
  EXPECT_EQ(quiet(links.link({"-T", "x.ld", "a.o"})).entry, 0x1008u);
  EXPECT_EQ(quiet(links.link({"-T", "x.ld", "-e", "_start", "a.o"})).entry,
            0x1004u);
}

TEST(Entry, MissingSymbolIsTheStartOfText) {
  LinkHarness links;
  links.file("a.o", anonymous()).file("b.o", program());
  OutFile out =
      warned(links.link({"a.o"}),
             "xlink: warning: cannot find entry symbol _start; defaulting to "
             "0x1000\n");
  EXPECT_EQ(out.entry, 0x1000u);
  EXPECT_EQ(out.section(".text")->address, 0x1000u);
  warned(links.link({"-e", "begin", "b.o"}),
         "xlink: warning: cannot find entry symbol begin; defaulting to "
         "0x1000\n");
}

TEST(Entry, MissingSymbolOfTheScript) {
  LinkHarness links;
  links.file("a.o", program());
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text) } }\n"
                     "ENTRY(begin)\n");
  warned(links.link({"-T", "x.ld", "a.o"}),
         "xlink: warning: cannot find entry symbol begin; defaulting to "
         "0x1000\n"
         ">>> named by ENTRY in x.ld:2\n");
  // -e is on the command line, where whoever reads this has it.
  warned(links.link({"-T", "x.ld", "-e", "start", "a.o"}),
         "xlink: warning: cannot find entry symbol start; defaulting to "
         "0x1000\n");
}

TEST(Entry, NothingToStart) {
  OutFile out = warned(
      LinkHarness()
          .file("a.o", nyuzi("Sections:\n  - { Name: .data, Type: "
                             "SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], "
                             "Content: '01' }\n"))
          .link({"a.o"}),
      "xlink: warning: cannot find entry symbol _start; not setting start "
      "address\n");
  EXPECT_EQ(out.entry, 0u);
}

TEST(Entry, WarningHasAName) {
  quiet(
      LinkHarness().file("a.o", anonymous()).link({"--no-warn-entry", "a.o"}));
}

// The entry is a reference: it pulls its member.
TEST(Entry, PullsAMember) {
  LinkHarness links;
  links.file("a.o", anonymous());
  links.file("lib.a", makeArchive({{"start.o", program()}}));
  OutFile out = quiet(links.link({"a.o", "lib.a"}));
  EXPECT_EQ(out.entry, out.value("_start"));
  out = quiet(links.link({"-e", "main", "a.o", "lib.a"}));
  EXPECT_EQ(out.entry, out.value("main"));
}

} // namespace
} // namespace xlink::test
