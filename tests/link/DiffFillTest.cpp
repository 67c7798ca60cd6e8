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

// Where one linker states sizes and the other one does not, the filler behind a
// function is none of it, if the other file has an instruction there.
TEST(DiffFill, BehindAFunctionWithoutASize) {
  auto link = [](const std::string &code, const std::string &size) {
    LinkHarness links;
    links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: ')" +
                          code + R"(' }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0304' }
Symbols:
  - { Name: _start, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL)" +
                          size + R"( }
  - { Name: f, Section: .text.f, Type: STT_FUNC, Binding: STB_GLOBAL, Size: 2 }
)"));
    links.file("t.ld", "SECTIONS { .text 0x1000 : { *(.text .text.*) } }");
    const Linked result =
        links.linkAsGiven({"-o", "out", "-T", "t.ld", "a.o", "--mcpu=xs2"});
    EXPECT_EQ(result.errors, "");
    return result.image();
  };
  expectDiff(
      diffOf(link("010211120708c077", ", Size: 8"), link("01020708c077", "")),
      R"(2 files differ: 1 section, 1 shrank, 1 symbol of another kind; 2 bytes really differ

Section .text
  padding: 0 bytes -> 2
  _start shrank by 2 bytes, from 8 to 6: 2 equal at the beginning, 4 at the end; at +0x2, 2 bytes became 0
  size stated in one file only: 1 symbol, _start
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
