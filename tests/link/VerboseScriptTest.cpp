//===- VerboseScriptTest.cpp - the built-in script can be fed back --------===//
//
// One layout engine runs every link: --verbose prints the script it runs, and
// that script given with -T makes the same bytes.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Something in every usual section.
Bytes program(const Target &target) {
  StringRef name = target.name;
  std::optional<uint32_t> flags;
  if (name == "dpu")
    flags = 0x02800000;
  return machineObject(name, R"(
Sections:
  - { Name: .text.second, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0102030405060708' }
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '1112131415161718' }
  - { Name: .rodata.a, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 16, Content: '2122' }
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '31323334' }
  - { Name: .data.x, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '41424344' }
  - { Name: orphan, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '51525354' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 32, Size: 100 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '61' }
Symbols:
  - { Name: local, Section: .data.x }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: shared, Index: SHN_COMMON, Value: 8, Size: 8, Binding: STB_GLOBAL }
  - { Name: _end, Binding: STB_WEAK }
)",
                       flags);
}

TEST(VerboseScript, SameBytesWhenFedBack) {
  for (const Target *target : allTargets()) {
    SCOPED_TRACE(target->name);
    LinkHarness links;
    links.file("a.o", program(*target));
    // Not every machine's start-up code looks for .init_array.
    Linked plain = links.link({"--no-warn-orphan", "--no-warn-entry", "a.o"});
    quiet(plain);
    Linked verbose =
        links.link({"--no-warn-orphan", "--no-warn-entry", "--verbose", "a.o"});
    EXPECT_EQ(verbose.image(), plain.image());
    StringRef text = verbose.text;
    const std::string fence(50, '=');
    ASSERT_TRUE(
        text.consume_front("using internal linker script:\n" + fence + "\n"))
        << verbose.text;
    ASSERT_TRUE(text.consume_back(fence + "\n")) << verbose.text;
    // The machine is enough to ask for its script.
    Linked alone = links.link({"-m", target->name, "--verbose"});
    EXPECT_EQ(alone.text, verbose.text);
    EXPECT_EQ(alone.status, 0);
    EXPECT_TRUE(alone.files.empty());
    EXPECT_FALSE(text.contains('@')) << "a variable was left in the script";
    links.file("printed.ld", text);
    Linked fed = links.link(
        {"-T", "printed.ld", "--no-warn-orphan", "--no-warn-entry", "a.o"});
    EXPECT_EQ(fed.errors, "");
    // The program's entry comes first where the machine wants it; a script of
    // the user's is taken as it is.
    if (!target->entrySectionFirst) {
      EXPECT_TRUE(fed.image() == plain.image())
          << layoutOf(OutFile(fed.image())) << "instead of\n"
          << layoutOf(OutFile(plain.image()));
    }
  }
}

TEST(VerboseScript, OfTheVariantInUse) {
  LinkHarness links;
  links.file("a.o", program(*findTarget(StringRef("xs1"))));
  Linked verbose = links.link({"--verbose", "--mcpu=xs2", "a.o"});
  EXPECT_NE(verbose.text.find("ORIGIN = 0x40000"), std::string::npos);
}

TEST(VerboseScript, ExternalScript) {
  LinkHarness links;
  links.file("a.o", program(*findTarget(StringRef("nyuzi"))));
  StringRef script = "SECTIONS { .all 0x1000 : { *(*) } }";
  links.file("x.ld", script);
  EXPECT_EQ(links.link({"--verbose", "-T", "x.ld", "a.o"}).text,
            "using external linker script x.ld:\n" + script.str() + "\n");
}

} // namespace
} // namespace xlink::test
