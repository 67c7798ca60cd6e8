//===- DefaultScriptTest.cpp - -dT, a script in the built-in one's place --===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

LinkHarness files() {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("d.ld", "ENTRY(_start) SECTIONS { .text 0x5000 : { *(.text) } }");
  links.file("e.ld", "ENTRY(_start) SECTIONS { .text 0x6000 : { *(.text) } }");
  links.file("t.ld", "ENTRY(_start) SECTIONS { .text 0x7000 : { *(.text) } }");
  links.file("i.ld", "SECTIONS { .data 0x9000 : { *(.data) } } "
                     "INSERT AFTER .text");
  return links;
}

std::string layout(std::vector<std::string> arguments) {
  arguments.push_back("a.o");
  return layoutOf(quiet(files().link(arguments)));
}

TEST(DefaultScript, EverySpelling) {
  for (std::vector<std::string> option :
       {std::vector<std::string>{"-dT", "d.ld"},
        std::vector<std::string>{"-dT=d.ld"},
        std::vector<std::string>{"--default-script", "d.ld"},
        std::vector<std::string>{"--default-script=d.ld"}})
    EXPECT_EQ(layout(option), ".text 5000 4\n.data 5004 4\n") << option.front();
}

// The last one counts; -T is stronger, wherever it stands.
TEST(DefaultScript, BesideOthers) {
  EXPECT_EQ(layout({"-dT", "d.ld", "-dT", "e.ld"}),
            ".text 6000 4\n.data 6004 4\n");
  EXPECT_EQ(layout({"-dT", "d.ld", "-T", "t.ld"}),
            ".text 7000 4\n.data 7004 4\n");
  EXPECT_EQ(layout({"-T", "t.ld", "-dT", "d.ld"}),
            ".text 7000 4\n.data 7004 4\n");
}

// A script with INSERT adds to it as it does to the built-in one.
TEST(DefaultScript, WithInsert) {
  EXPECT_EQ(layout({"-T", "i.ld", "-dT", "d.ld"}),
            ".text 5000 4\n.data 9000 4\n");
}

TEST(DefaultScript, Missing) {
  expectFailure(files().link({"-dT", "no.ld", "a.o"}),
                "xlink: error: cannot open linker script no.ld: No such file "
                "or directory\n");
}

} // namespace
} // namespace xlink::test
