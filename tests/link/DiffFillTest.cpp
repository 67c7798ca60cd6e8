//===- DiffFillTest.cpp - --diff where functions are filled up otherwise --===//
#include "link/DiffFiles.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Two functions with room between them, filled as a core wants it.
Bytes linkFor(const std::string &core) {
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 2, Content: '0102' }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '0304' }
Symbols:
  - { Name: _start, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL, Size: 2 }
  - { Name: f, Section: .text.f, Type: STT_FUNC, Binding: STB_GLOBAL, Size: 2 }
)"));
  links.file("t.ld", "SECTIONS { .text 0x1000 : { *(.text .text.*) } }");
  const Linked result =
      links.linkAsGiven({"-o", "out", "-T", "t.ld", "a.o", "--mcpu=" + core});
  EXPECT_EQ(result.errors, "");
  return result.image();
}

TEST(DiffFill, OfAnotherCore) {
  expectDiff(diffOf(linkFor("xs1"), linkFor("xs2")),
             R"(2 files differ: 1 section

Section .text
  other fill: 6 bytes
)");
}

// What is no filler is a change, wherever it stands.
TEST(DiffFill, OtherBytes) {
  const Bytes a = linkFor("xs1");
  Bytes b = a;
  b[OutFile(a).section(".text")->offset + 4] ^= 0x11;
  EXPECT_EQ(countsOf(a, b).getInteger("bytesReal"), 1);
}

} // namespace
} // namespace xlink::test
