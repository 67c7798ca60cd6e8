//===- RelAddendTest.cpp - SHT_REL: the addend is in the field ------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

// XS1's ABI allows SHT_REL: the field's value times its scale, in the forms
// with a sign a magnitude with its sign.
TEST(RelAddend, XS1Fields) {
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  # u10s -3 halfwords (0x403), lu10s +2 (PFIX 0xF000, 0xD002), word 0x1000.
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Content: '03d4000000f002d0' }
  - { Name: .rel.text, Type: SHT_REL, Info: .text, Relocations: [ { Offset: 0, Symbol: target, Type: 10 } ] }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Content: '00100000' }
  - { Name: .rel.dp.data, Type: SHT_REL, Info: .dp.data, Relocations: [ { Offset: 0, Symbol: target, Type: 1 } ] }
Symbols:
  - { Name: target, Section: .text, Value: 4 }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  OutFile out = quiet(links.link({"a.o"}));
  // target 0x10004 - 6 - (0x10000 + 2) = -4: two halfwords back.
  EXPECT_EQ(out.word(0x10000, 2), 0xd402u);
  EXPECT_EQ(out.word(out.section(".dp.data")->address), 0x11004u);
}

TEST(RelAddend, WordsOfEveryMachine) {
  struct {
    const char *machine;
    unsigned type;
    std::optional<uint32_t> flags;
  } machines[] = {{"nyuzi", 1, {}},
                  {"aphelion", 1, {}},
                  {"dpu", 1, 0x02800000},
                  {"colossus", 4, {}}};
  for (const auto &m : machines) {
    LinkHarness links;
    links.file("a.o", machineObject(m.machine,
                                    R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .mine, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Content: '0500000000000000' }
  - { Name: .rel.mine, Type: SHT_REL, Info: .mine, Relocations: [ { Offset: 0, Symbol: number, Type: )" +
                                        std::to_string(m.type) + R"( } ] }
Symbols:
  - { Name: number, Index: SHN_ABS, Value: 0x100 }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)",
                                    m.flags));
    EXPECT_EQ(bytesOf(quiet(links.link({"a.o"})), ".mine"), "0501000000000000")
        << m.machine;
  }
}

// Part of an instruction holds no addend that all producers agree on.
TEST(RelAddend, RefusedInOtherFields) {
  LinkHarness links;
  for (unsigned type : {3u, 4u, 5u}) {
    links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .rel.text, Type: SHT_REL, Info: .text, Relocations: [ { Offset: 4, Symbol: _start, Type: )" +
                            std::to_string(type) + R"( } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
    Linked linked = links.link({"a.o"});
    EXPECT_EQ(linked.status, 1) << type;
    EXPECT_TRUE(StringRef(linked.errors).starts_with("xlink: error: a.o:"))
        << linked.errors;
    EXPECT_NE(linked.errors.find("SHT_REL"), std::string::npos)
        << linked.errors;
  }
}

} // namespace
} // namespace xlink::test
