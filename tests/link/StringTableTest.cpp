//===- StringTableTest.cpp - string tables that are contents --------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

// What holds the object's own names stays behind, any other string table is a
// section like others, of its type (GNU ld).
TEST(StringTable, OfDebuggers) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
  - { Name: .stab, Type: SHT_PROGBITS, Link: .stabstr, Content: '010203' }
  - { Name: .stabstr, Type: SHT_STRTAB, Content: '006100' }
  - { Name: .strtab, Type: SHT_STRTAB }
  - { Name: .shstrtab, Type: SHT_STRTAB }
Symbols:
  - { Name: a, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .stabstr, Type: SHT_STRTAB, Content: '006200' }
Symbols: []
)"));
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"-e", "0", "a.o", "b.o"},
        {"-e", "0", "a.o", "b.o", "-T", "s.ld"}}) {
    links.file("s.ld",
               StringRef("SECTIONS { .text : { *(.text) } .stab 0 : { *(.stab) "
                         "} .stabstr 0 : { *(.stabstr) } }"));
    OutFile out = quiet(links.link(arguments));
    EXPECT_EQ(bytesOf(out, ".stab"), "010203");
    EXPECT_EQ(bytesOf(out, ".stabstr"), "006100006200");
    ASSERT_NE(out.section(".stabstr"), nullptr);
    EXPECT_EQ(out.section(".stabstr")->type, 3u);
    EXPECT_EQ(StringRef(sectionNames(out)).count("strtab"), 2u);
  }
}

} // namespace
} // namespace xlink::test
