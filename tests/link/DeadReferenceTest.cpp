//===- DeadReferenceTest.cpp - -z dead-reloc-in-nonalloc ------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Sections that describe one function that lives and one that does not.
std::string program() {
  std::string text = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .text.dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
)";
  for (const char *name : {".debug_info", ".debug_ranges", ".note.mine"})
    text += std::string("  - { Name: ") + name +
            ", Type: SHT_PROGBITS, AddressAlign: 1, Size: 16 }\n"
            "  - Name: .rela" +
            name + "\n    Type: SHT_RELA\n    Info: " + name +
            "\n    Relocations:\n"
            "      - { Offset: 0, Type: 1, Symbol: dead, Addend: 3 }\n"
            "      - { Offset: 8, Type: 1, Symbol: main, Addend: 1 }\n";
  return text + R"(
Symbols:
  - { Name: main, Section: .text, Binding: STB_GLOBAL }
  - { Name: dead, Section: .text.dead, Binding: STB_GLOBAL }
)";
}

/// The first four bytes of a section of both classes' links.
std::string read(const char *section, std::vector<std::string> options) {
  std::string all;
  for (const char *machine : {"nyuzi", "aphelion"}) {
    LinkHarness links;
    links.file("a.o", machineObject(machine, program()));
    std::vector<std::string> arguments = {"-e", "main", "--gc-sections", "a.o"};
    for (const std::string &option : options)
      arguments.insert(arguments.end(), {"-z", option});
    OutFile out = quiet(links.link(arguments));
    const Bytes &bytes = out.section(section)->bytes;
    uint64_t live = 0;
    for (int i = 0; i < 4; ++i)
      live |= uint64_t(bytes[8 + i]) << (8 * i);
    EXPECT_EQ(live, out.value("main") + 1) << section;
    const unsigned word = out.is64 ? 8 : 4;
    all += (all.empty() ? "" : " ") +
           hexDigits(Bytes(bytes.begin(), bytes.begin() + word));
  }
  return all;
}

TEST(DeadReference, ValueByName) {
  EXPECT_EQ(read(".debug_info", {}), "00000000 0000000000000000");
  EXPECT_EQ(read(".debug_ranges", {}), "01000000 0100000000000000");
  const std::string ones = "dead-reloc-in-nonalloc=.debug_*=0xffffffff";
  EXPECT_EQ(read(".debug_info", {ones}), "ffffffff ffffffff00000000");
  EXPECT_EQ(read(".debug_ranges", {ones}), "ffffffff ffffffff00000000");
  EXPECT_EQ(read(".note.mine", {ones}), "00000000 0000000000000000");
  EXPECT_EQ(read(".note.mine", {"dead-reloc-in-nonalloc=*=18"}),
            "12000000 1200000000000000");
}

TEST(DeadReference, TheLastOneThatMatches) {
  const std::string all = "dead-reloc-in-nonalloc=*=1",
                    info = "dead-reloc-in-nonalloc=.debug_info=2";
  EXPECT_EQ(read(".debug_info", {all, info}), "02000000 0200000000000000");
  EXPECT_EQ(read(".debug_info", {info, all}), "01000000 0100000000000000");
  EXPECT_EQ(read(".note.mine", {all, info}), "01000000 0100000000000000");
}

// What is loaded has no such value: there a reference to what was dropped can
// only be a mistake.
TEST(DeadReference, NotInMemory) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Type: 1, Symbol: dead }
Symbols:
  - { Name: dead, Section: .dead, Binding: STB_GLOBAL }
)"));
  links.file("x.ld",
             "SECTIONS { .text : { *(.text) } /DISCARD/ : { *(.dead) } }");
  Linked linked = links.link(
      {"-e", "0", "-T", "x.ld", "a.o", "-z", "dead-reloc-in-nonalloc=*=1"});
  EXPECT_EQ(linked.status, 1);
}

TEST(DeadReference, WrongValues) {
  LinkHarness links;
  for (const char *wrong : {"x", "x=", "=1", "x=y", "x=-1", "x=0x"})
    expectFailure(
        links.link({"-z", std::string("dead-reloc-in-nonalloc=") + wrong}),
        std::string("xlink: error: option '-z': 'dead-reloc-in-nonalloc=") +
            wrong + "' is not GLOB=VALUE with a number\n");
}

} // namespace
} // namespace xlink::test
