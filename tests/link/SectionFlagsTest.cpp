//===- SectionFlagsTest.cpp - SHF_EXCLUDE and SHF_LINK_ORDER --------------===//
#include "link/Linking.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

// Clang's .llvm_addrsig, for one.
TEST(SectionFlags, ExcludedSectionsAreDropped) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .llvm_addrsig, Type: SHT_LLVM_ADDRSIG, Flags: [ SHF_EXCLUDE ], Content: '01' }
  - { Name: .secret, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXCLUDE ], Content: '02' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
                          .link({"a.o"}));
  EXPECT_EQ(sectionNames(out), ".text .comment .symtab .shstrtab .strtab");
}

/// Functions f, g and h; each has a byte in .order that says which it is, in
/// another order than the functions.
const char kOrdered[] = R"(
Sections:
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: f0f0f0f0 }
  - { Name: .text.g, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: f1f1f1f1 }
  - { Name: .text.h, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: f2f2f2f2 }
  - { Name: .order, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text.h, Content: '02' }
  - { Name: '.order (1)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text.f, Content: '00' }
  - { Name: '.order (2)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text.g, Content: '01' }
)";

TEST(SectionFlags, LinkOrderFollowsItsSections) {
  LinkHarness links;
  links.file("a.o", nyuzi(kOrdered));
  OutFile out = quiet(links.link({"-e", "0", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".order"), "000102");
  // A script that reorders the functions reorders what describes them.
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text.h) *(.text.g) "
                     "*(.text.f) } .order : { *(.order) } }");
  out = quiet(links.link({"-e", "0", "-T", "x.ld", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".order"), "020100");
}

TEST(SectionFlags, LinkOrderNamesTheOutputSection) {
  OutFile out = quiet(
      LinkHarness().file("a.o", nyuzi(kOrdered)).link({"-e", "0", "a.o"}));
  const OutSection *order = out.section(".order");
  ASSERT_TRUE(order);
  EXPECT_TRUE(order->flags & ELF::SHF_LINK_ORDER);
  ASSERT_LT(order->link, out.sections.size());
  EXPECT_EQ(out.sections[order->link].name, ".text");
}

// One real object of the DPU's tools has such a link.
TEST(SectionFlags, AWrongLinkIsNoError) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: f0f0f0f0 }
  - { Name: .order, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: 0, Content: '09' }
  - { Name: '.order (1)', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_LINK_ORDER ], Link: .text.f, Content: '00' }
)"))
                          .link({"-e", "0", "a.o"}));
  EXPECT_EQ(bytesOf(out, ".order"), "0009");
}

} // namespace
} // namespace xlink::test
