//===- ManyErrorsTest.cpp - all that is wrong, in one run -----------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A duplicate, an undefined symbol, a full region and a branch that does not
/// reach: each in one object of XS1.
LinkHarness everythingWrong() {
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 8 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: nowhere, Type: 11 }, { Offset: 4, Symbol: end, Type: 10 } ] }
  - { Name: .bss, Type: SHT_NOBITS, ShFlags: 0x3, AddressAlign: 4, Size: 0x10000 }
Symbols:
  - { Name: end, Section: .bss, Value: 0x10000 }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: nowhere, Binding: STB_GLOBAL }
)"));
  links.file("b.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  return links;
}

const char kDuplicate[] = "xlink: error: duplicate symbol: _start\n"
                          ">>> defined in a.o:(.text+0x0)\n"
                          ">>> defined in b.o:(.text+0x0)\n";
const char kUndefined[] = "xlink: error: undefined symbol: nowhere\n"
                          ">>> referenced by a.o:(.text+0x0)\n";
const char kOverflow[] =
    "xlink: error: section '.bss' will not fit in region 'ram': overflowed by "
    "12 bytes\n"
    ">>> region 'ram': 0x10000 (65536) bytes at 0x10000, used 0x1000c (65548)\n"
    ">>> 65536 bytes: a.o:(.bss)\n"
    ">>> 8 bytes: a.o:(.text)\n"
    ">>> 4 bytes: b.o:(.text)\n"
    ">>> --gc-sections would remove 4 bytes that nothing reaches: 4 of .text\n";
const char kRange[] =
    "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_REL10 out of range: S "
    "0x2000c + A 0 - P 0x10006 = 0x10006 = 32771 halfwords; the field holds "
    "-1023..1023\n"
    ">>> references 'end' defined in a.o:(.bss+0x10000)\n"
    ">>> REL20 (the form with prefix) reaches 1048575 halfwords\n";
const char kTooMany[] = "xlink: error: too many errors emitted, stopping now "
                        "(use --error-limit=0 to see all errors)\n";

TEST(ManyErrors, InOneRun) {
  expectFailure(everythingWrong().link({"a.o", "b.o"}),
                std::string(kDuplicate) + kUndefined + kOverflow + kRange);
}

TEST(ManyErrors, Limit) {
  LinkHarness links = everythingWrong();
  std::string two = std::string(kDuplicate) + kUndefined;
  expectFailure(links.link({"--error-limit=2", "a.o", "b.o"}), two + kTooMany);
  expectFailure(links.link({"--error-limit=4", "a.o", "b.o"}),
                two + kOverflow + kRange);
  expectFailure(links.link({"--error-limit=0", "a.o", "b.o"}),
                two + kOverflow + kRange);
}

// 20 by default.
TEST(ManyErrors, DefaultLimit) {
  std::string relocations, symbols;
  for (int i = 0; i < 25; ++i) {
    std::string name = "gone" + std::to_string(i);
    relocations += (i ? ", " : "") + ("{ Offset: " + std::to_string(4 * i)) +
                   ", Symbol: " + name + ", Type: 1 }";
    symbols += "  - { Name: " + name + ", Binding: STB_GLOBAL }\n";
  }
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 100 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ )" +
                          relocations + " ] }\nSymbols:\n" + symbols));
  auto count = [](const Linked &linked) {
    return StringRef(linked.errors).count("undefined symbol: gone");
  };
  Linked linked = links.link({"-e", "0", "a.o"});
  EXPECT_EQ(count(linked), 20u);
  EXPECT_TRUE(StringRef(linked.errors).ends_with(kTooMany));
  EXPECT_EQ(count(links.link({"-e", "0", "--error-limit=0", "a.o"})), 25u);
}

Bytes withoutEntry() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
)");
}

TEST(ManyErrors, FatalWarnings) {
  LinkHarness links;
  links.file("a.o", withoutEntry());
  expectFailure(links.link({"--fatal-warnings", "a.o"}),
                "xlink: error: cannot find entry symbol _start; defaulting to "
                "0x1000\n");
  warned(links.link({"--fatal-warnings", "--no-fatal-warnings", "a.o"}),
         "xlink: warning: cannot find entry symbol _start; defaulting to "
         "0x1000\n");
}

TEST(ManyErrors, NoWarnings) {
  LinkHarness links;
  links.file("a.o", withoutEntry());
  quiet(links.link({"-w", "a.o"}));
  quiet(links.link({"-w", "--fatal-warnings", "a.o"}));
}

// Inputs that cannot be read are all named.
TEST(ManyErrors, UnreadableInputs) {
  LinkHarness links;
  links.file("a.o", withoutEntry());
  links.file("junk.o", StringRef("\x01\x02\x03\x04\x05\x06\x07\x08"));
  links.file("empty.o", StringRef(""));
  expectFailure(
      links.link({"-e", "0", "a.o", "one.o", "junk.o", "empty.o", "two.o"}),
      "xlink: error: cannot open one.o: No such file or directory\n"
      "xlink: error: junk.o: neither an ELF object, an archive nor a linker "
      "script\n"
      "xlink: error: empty.o: file is empty\n"
      "xlink: error: cannot open two.o: No such file or directory\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
}

} // namespace
} // namespace xlink::test
