//===- XS1PoolsTest.cpp - what is addressed from cp and dp ----------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A load from the constant pool behind `filler` words of other constants.
std::string loads(const std::string &types) {
  return R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '006c005800e4c077' }
  - { Name: .rela, Type: SHT_RELA, Link: .symtab, Info: 1, Relocations: [ )" +
         types + R"( ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: k, Binding: STB_GLOBAL }
  - { Name: d, Binding: STB_GLOBAL }
)";
}
std::string pool(const std::string &section, unsigned flags, unsigned before,
                 const std::string &name,
                 const std::string &type = "PROGBITS") {
  return R"(
Sections:
  - { Name: )" +
         section + ", Type: SHT_" + type + ", ShFlags: " + hex(flags) +
         ", AddressAlign: 4, Size: " + std::to_string(before + 4) + R"( }
Symbols:
  - { Name: )" +
         name + ", Section: " + section + ", Value: " + std::to_string(before) +
         ", Binding: STB_GLOBAL }\n";
}
constexpr unsigned kCp = 0x20000002, kDp = 0x10000003;

/// The note names the region, its size, what fills it, and the way out.
TEST(XS1Pools, TooFarFromCp) {
  Linked linked =
      LinkHarness()
          .file("a.o", xs1(loads("{ Offset: 0, Symbol: k, Type: 4 }")))
          .file("b.o", xs1(pool(".cp.rodata", kCp, 196, "other")))
          .file("c.o", xs1(pool(".cp.rodata", kCp, 0, "small")))
          .file("d.o", xs1(pool(".cp.rodata.4", kCp, 96, "k")))
          .file("e.o", xs1(pool(".cp.string", kCp, 0, "last")))
          .link({"a.o", "b.o", "c.o", "d.o", "e.o"});
  expectFailure(
      linked,
      "xlink: error: a.o:(.text+0x0): relocation R_XCORE1_CP_REL6 out of "
      "range: S 0x10134 + A 0 - cp 0x10008 = 0x12c = 75 words; the field holds "
      "0..63\n"
      ">>> references 'k' defined in d.o:(.cp.rodata.4+0x60)\n"
      ">>> CP_REL16 (the form with prefix) reaches 65535 words\n"
      ">>> the cp region has 308 bytes from 0x10008, of which this form "
      "reaches 256\n"
      ">>> 200 bytes: b.o:(.cp.rodata)\n"
      ">>> 100 bytes: d.o:(.cp.rodata.4)\n"
      ">>> 4 bytes: c.o:(.cp.rodata)\n"
      ">>> sections with '.large' in their name stand at the region's end, and "
      "there are none: large data there leaves room near cp\n");
}

/// Moving the large section behind makes the same link work.
TEST(XS1Pools, LargeSectionsMakeRoom) {
  OutFile out =
      quiet(LinkHarness()
                .file("a.o", xs1(loads("{ Offset: 0, Symbol: k, Type: 4 }")))
                .file("b.o", xs1(pool(".cp.rodata.large", kCp, 196, "other")))
                .file("c.o", xs1(pool(".cp.rodata", kCp, 0, "small")))
                .file("d.o", xs1(pool(".cp.rodata.4", kCp, 96, "k")))
                .link({"a.o", "b.o", "c.o", "d.o"}));
  EXPECT_EQ(out.value("k") - out.value("_cp"), 100u);
  EXPECT_EQ(bytesOf(out, ".text").substr(0, 4), "196c");
  EXPECT_EQ(out.value("other") - out.value("_cp"), 104u + 196);
}

TEST(XS1Pools, TooFarFromDp) {
  Linked linked =
      LinkHarness()
          .file("a.o", xs1(loads("{ Offset: 2, Symbol: d, Type: 2 }")))
          .file("b.o", xs1(pool(".dp.bss", kDp, 1000, "d", "NOBITS")))
          .file("c.o", xs1(pool(".dp.bss.large", kDp, 0, "last", "NOBITS")))
          .link({"a.o", "b.o", "c.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(
      linked.errors,
      "xlink: error: a.o:(.text+0x2): relocation R_XCORE1_DP_REL6 out of "
      "range: S 0x103f0 + A 0 - dp 0x10008 = 0x3e8 = 250 words; the field "
      "holds 0..63\n"
      ">>> references 'd' defined in b.o:(.dp.bss+0x3e8)\n"
      ">>> DP_REL16 (the form with prefix) reaches 65535 words\n"
      ">>> the dp region has 1008 bytes from 0x10008, of which this form "
      "reaches 256\n"
      ">>> 1004 bytes: b.o:(.dp.bss)\n"
      ">>> 4 bytes: c.o:(.dp.bss.large)\n"
      ">>> sections with '.large' in their name stand at the region's end: "
      "large data there leaves room near dp\n");
}

/// A script that names no pool: each stays together, constants behind code,
/// variables behind them.
TEST(XS1Pools, BehindWhatComesClose) {
  LinkHarness links;
  links.file("a.o", xs1(loads("{ Offset: 0, Symbol: k, Type: 4 }")));
  links.file("b.o", xs1(pool(".dp.bss", kDp, 4, "d", "NOBITS")));
  links.file("c.o", xs1(pool(".dp.data", kDp, 4, "v")));
  links.file("d.o", xs1(pool(".cp.string", kCp, 0, "s")));
  links.file("e.o", xs1(pool(".cp.rodata", kCp, 0, "k")));
  links.file("x.ld", "SECTIONS { .text 0x10000 : { *(.text) } }");
  OutFile out =
      quiet(links.link({"-T", "x.ld", "a.o", "b.o", "c.o", "d.o", "e.o"}));
  EXPECT_EQ(sectionNames(out).substr(0, 48),
            ".text .cp.string .cp.rodata .dp.data .dp.bss .co");
  EXPECT_EQ(out.value("k") - out.value("_cp"), 4u);
}

/// A symbol that is in no pool at all.
TEST(XS1Pools, OutsideOfThePool) {
  Linked linked =
      LinkHarness()
          .file("a.o", xs1(loads("{ Offset: 4, Symbol: k, Type: 6 }")))
          .file("b.o", xs1(pool(".rodata", 2, 0, "k")))
          .file("c.o", xs1(pool(".cp.rodata", kCp, 0, "small")))
          .link({"a.o", "b.o", "c.o"});
  expectFailure(
      linked,
      "xlink: error: a.o:(.text+0x4): relocation R_XCORE1_CP_REL10 out of "
      "range: S 0x10008 + A 0 - cp 0x1000c = -0x4 = -1 words; the field holds "
      "0..1023\n"
      ">>> references 'k' defined in b.o:(.rodata+0x0)\n"
      ">>> CP_REL20 (ldw r11, cp[] with prefix) reaches 1048575 words\n"
      ">>> the cp region has 4 bytes from 0x1000c, all of which this form "
      "reaches: the symbol is not in it\n");
}

/// Nothing stands at cp, and the symbol is weak: 0 cannot be reached.
TEST(XS1Pools, UndefinedWeak) {
  std::string yaml = loads("{ Offset: 0, Symbol: k, Type: 4 }");
  yaml.replace(yaml.find("k, Binding: STB_GLOBAL"), 22, "k, Binding: STB_WEAK");
  Linked linked = LinkHarness()
                      .file("a.o", xs1(yaml))
                      .file("c.o", xs1(pool(".cp.rodata", kCp, 0, "small")))
                      .link({"a.o", "c.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(StringRef(linked.errors).split('\n').first.str(),
            "xlink: error: a.o:(.text+0x0): relocation R_XCORE1_CP_REL6 out of "
            "range: the symbol is weak and undefined, and its value 0 is not "
            "reached from cp 0x10008");
}

/// Who accepts undefined symbols gets a field of 0, for weak ones as well.
TEST(XS1Pools, UndefinedAccepted) {
  LinkHarness links;
  std::string yaml = loads("{ Offset: 0, Symbol: k, Type: 4 }");
  links.file("a.o", xs1(yaml));
  yaml.replace(yaml.find("k, Binding: STB_GLOBAL"), 22, "k, Binding: STB_WEAK");
  links.file("weak.o", xs1(yaml));
  links.file("c.o", xs1(pool(".cp.rodata", kCp, 0, "small")));
  const std::string zero = "006c005800e4c077";
  const char *ignore = "--unresolved-symbols=ignore-all";
  EXPECT_EQ(bytesOf(quiet(links.link({ignore, "a.o", "c.o"})), ".text"), zero);
  EXPECT_EQ(bytesOf(quiet(links.link({ignore, "weak.o", "c.o"})), ".text"),
            zero);
  EXPECT_EQ(
      bytesOf(warned(links.link({"--warn-unresolved-symbols", "a.o", "c.o"}),
                     "xlink: warning: undefined symbol: k\n"
                     ">>> referenced by a.o:(.text+0x0)\n"),
              ".text"),
      zero);
}

/// A constant's instruction that names a variable: in range, and a mistake of
/// a section's flags all the same.
TEST(XS1Pools, TheOtherPool) {
  LinkHarness links;
  links.file("a.o", xs1(loads("{ Offset: 0, Symbol: d, Type: 4 }, "
                              "{ Offset: 2, Symbol: k, Type: 4 }")));
  links.file("b.o", xs1(pool(".cp.rodata", kCp, 0, "k")));
  links.file("c.o", xs1(pool(".dp.data", kDp, 4, "d")));
  warned(links.link({"a.o", "b.o", "c.o"}),
         "xlink: warning: a.o:(.text+0x0): R_XCORE1_CP_REL6 against 'd' counts "
         "from cp; its section belongs to dp\n"
         ">>> references 'd' defined in c.o:(.dp.data+0x4)\n");
  // Of what it defines itself the object's compiler knew the section.
  std::string own = loads("{ Offset: 0, Symbol: d, Type: 4 }");
  own.insert(own.find("Symbols:"), "  - { Name: .dp.data, Type: SHT_PROGBITS, "
                                   "ShFlags: 0x10000003, Size: 8 }\n");
  own.replace(own.find("d, Binding"), 1, "d, Section: .dp.data, Value: 4");
  links.file("own.o", xs1(own));
  quiet(links.link({"own.o", "b.o"}));
}

/// Counts and limits that objects state: absolute globals pass through.
TEST(XS1Pools, GlobalBoundsPassThrough) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00f00068' }
  - { Name: .rela, Type: SHT_RELA, Link: .symtab, Info: 1, Relocations: [ { Offset: 0, Symbol: a.globound, Type: 12 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: a.globound, Binding: STB_GLOBAL }
)"))
                          .file("b.o", xs1(R"(
Sections:
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, Size: 400 }
Symbols:
  - { Name: a, Section: .dp.data, Binding: STB_GLOBAL }
  - { Name: a.globound, Index: SHN_ABS, Value: 100, Binding: STB_GLOBAL }
)"))
                          .link({"a.o", "b.o"}));
  EXPECT_EQ(out.value("a.globound"), 100u);
  EXPECT_EQ(homeOf(out, "a.globound"), "ABS");
  EXPECT_EQ(bytesOf(out, ".text"), "01f02468");
}

/// What start-up code refers to.
TEST(XS1Pools, SpecialSymbols) {
  std::string yaml = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .ctors, Type: SHT_PROGBITS, ShFlags: 3, AddressAlign: 4, Size: 8 }
  - { Name: .dtors, Type: SHT_PROGBITS, ShFlags: 3, AddressAlign: 4, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, ShFlags: 3, AddressAlign: 4, Size: 16 }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 12 }
  - { Name: .dp.bss, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 20 }
  - { Name: .dp.bss.large, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 64 }
  - { Name: .cp.rodata, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 16, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";
  const char *names[] = {"_cp",
                         "_dp",
                         "_fbss",
                         "_ebss",
                         "_fdp.bss",
                         "_edp.bss",
                         "_CTOR_LIST_",
                         "_CTOR_END_",
                         "_DTOR_LIST_",
                         "_DTOR_END_",
                         ".ram_base",
                         ".ram_size",
                         "_fdp.bss.large",
                         "_edp.bss.large"};
  for (const char *name : names)
    yaml += std::string("  - { Name: ") + name + ", Binding: STB_GLOBAL }\n";
  OutFile out = quiet(LinkHarness().file("a.o", xs1(yaml)).link({"a.o"}));
  std::string text;
  for (const char *name : names)
    text += std::string(name) + " " + hex(out.value(name)) + " " +
            homeOf(out, name) + "\n";
  EXPECT_EQ(text, "_cp 0x10010 .cp.rodata\n"
                  "_dp 0x10030 .dp.data\n"
                  "_fbss 0x10020 .bss\n"
                  "_ebss 0x10030 .bss\n"
                  "_fdp.bss 0x1003c .dp.bss\n"
                  "_edp.bss 0x10050 ABS\n"
                  "_CTOR_LIST_ 0x10014 .ctors\n"
                  "_CTOR_END_ 0x1001c .ctors\n"
                  "_DTOR_LIST_ 0x1001c .dtors\n"
                  "_DTOR_END_ 0x10020 .dtors\n"
                  ".ram_base 0x10000 ABS\n"
                  ".ram_size 0x10000 ABS\n"
                  "_fdp.bss.large 0x10050 .dp.bss.large\n"
                  "_edp.bss.large 0x10090 .dp.bss.large\n");
}

} // namespace
} // namespace xlink::test
