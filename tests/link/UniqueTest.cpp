//===- UniqueTest.cpp - --unique ------------------------------------------===//
//
// Sections and their order are those of GNU ld 2.40 with objects of the same
// shape.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '10' }
  - { Name: .x.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '01' }
  - { Name: .x.b, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '02' }
  - { Name: foo, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '03' }
  - { Name: .debug_x, Type: SHT_PROGBITS, Content: '09' }
)"));
    harness.file("b.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '11' }
  - { Name: .x.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '04' }
  - { Name: foo, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '05' }
  - { Name: .debug_x, Type: SHT_PROGBITS, Content: '08' }
)"));
    harness.file("x.ld", "SECTIONS { . = 0x1000; .text : { *(.text) } "
                         ".x : { *(.x.*) } .data : { *(.data) } }");
    harness.file("discard.ld", "SECTIONS { . = 0x1000; .text : { *(.text) } "
                               "/DISCARD/ : { *(.x.*) } }");
  }
  /// ".name bytes" of every section that inputs gave something to.
  std::string link(std::vector<std::string> options,
                   const char *script = "x.ld") {
    options.insert(options.begin(), {"-e", "0", "-T", script, "a.o", "b.o"});
    std::string text;
    for (const OutSection &s : quiet(harness.link(options)).sections)
      if (s.type == 1 && s.name != ".comment")
        text += s.name + " " + hexDigits(s.bytes) + "\n";
    return text;
  }
};

TEST(Unique, EveryOrphan) {
  Links links;
  EXPECT_EQ(links.link({}), ".text 1011\n.x 010204\nfoo 0305\n"
                            ".debug_x 0908\n");
  EXPECT_EQ(links.link({"--unique"}), ".text 1011\n.x 010204\nfoo 03\nfoo 05\n"
                                      ".debug_x 09\n.debug_x 08\n");
}

// What the option names is taken from the script's patterns.
TEST(Unique, ByName) {
  Links links;
  EXPECT_EQ(links.link({"--unique=.x.a"}),
            ".text 1011\n.x 02\n.x.a 01\n.x.a 04\nfoo 0305\n.debug_x 0908\n");
  EXPECT_EQ(links.link({"--unique=.x*"}), ".text 1011\n.x.a 01\n.x.b 02\n"
                                          ".x.a 04\nfoo 0305\n"
                                          ".debug_x 0908\n");
  EXPECT_EQ(links.link({"--unique=.text"}),
            ".text 10\n.text 11\n.x 010204\nfoo 0305\n.debug_x 0908\n");
  EXPECT_EQ(links.link({"--unique=foo", "--unique=.debug_x"}),
            ".text 1011\n.x 010204\nfoo 03\nfoo 05\n.debug_x 09\n"
            ".debug_x 08\n");
  EXPECT_EQ(links.link({"--unique=.x.a"}, "discard.ld"),
            ".text 1011\n.x.a 01\n.x.a 04\nfoo 0305\n.debug_x 0908\n");
}

} // namespace
} // namespace xlink::test
