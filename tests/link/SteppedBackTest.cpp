//===- SteppedBackTest.cpp - symbols of sections that do not hold ---------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

// ONLY_IF_RW takes the section back, and with it what it would assign: a
// reference finds no definition, and not 0.
TEST(SteppedBack, SymbolIsUndefined) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: inside, Type: 1 } ] }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: inside, Binding: STB_GLOBAL }
)"));
  links.file("x.ld", "SECTIONS { .text : { *(.text) }\n"
                     ".one : ONLY_IF_RW { inside = .; *(.rodata) }\n"
                     ".two : { *(.rodata) } }");
  expectFailure(links.link({"-T", "x.ld", "a.o"}),
                "xlink: error: undefined symbol: inside\n"
                ">>> referenced by a.o:(.text+0x0)\n");
}

} // namespace
} // namespace xlink::test
