//===- XS1LayoutTest.cpp - the default layout of XS1 ----------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

// SHF_CP 0x20000000, SHF_DP 0x10000000.
const char kProgram[] = R"(
Sections:
  - { Name: .dp.bss.large, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .dp.bss, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .dp.data.large, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .dp.data.4, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .dp.mine, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, ShFlags: 0x3, AddressAlign: 4, Size: 4 }
  - { Name: .ctors, Type: SHT_PROGBITS, ShFlags: 0x3, AddressAlign: 4, Size: 4 }
  - { Name: .cp.rodata.large, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Size: 4 }
  - { Name: .cp.const4, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Size: 4 }
  - { Name: .cp.mine, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Size: 4 }
  - { Name: .cp.rodata, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Size: 4 }
  - { Name: .rodata, Type: SHT_PROGBITS, ShFlags: 0x2, AddressAlign: 4, Size: 4 }
  - { Name: .init, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

// By flag, not by name; .large ones last in their group; no pages.
TEST(XS1Layout, Order) {
  OutFile out = quiet(LinkHarness().file("a.o", xs1(kProgram)).link({"a.o"}));
  EXPECT_EQ(layoutOf(out), ".text 10000 4\n"
                           ".init 10004 4\n"
                           ".rodata 10008 4\n"
                           ".cp.rodata 1000c 4\n"
                           ".cp.const4 10010 4\n"
                           ".cp.mine 10014 4\n"
                           ".cp.rodata.large 10018 4\n"
                           ".ctors 1001c 4\n"
                           ".dtors 10020 0\n"
                           ".bss 10020 4\n"
                           ".dp.data 10024 4\n"
                           ".dp.data.4 10028 4\n"
                           ".dp.mine 1002c 4\n"
                           ".dp.bss 10030 4\n"
                           ".dp.data.large 10034 4\n"
                           ".dp.bss.large 10038 4\n");
  EXPECT_EQ(out.value("_cp"), 0x1000cu);
  EXPECT_EQ(out.value("_dp"), 0x10024u);
  EXPECT_EQ(homeOf(out, "_cp"), ".cp.rodata");
  EXPECT_EQ(homeOf(out, "_dp"), ".dp.data");
  for (const OutSegment &s : out.segments)
    EXPECT_GE(s.address, 0x10000u) << "headers are not loaded";
}

TEST(XS1Layout, SixSectionsExistEvenEmpty) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
                          .link({"a.o"}));
  EXPECT_EQ(layoutOf(out), ".text 10000 4\n"
                           ".cp.rodata 10004 0\n"
                           ".ctors 10004 0\n"
                           ".dtors 10004 0\n"
                           ".bss 10004 0\n"
                           ".dp.data 10004 0\n"
                           ".dp.bss 10004 0\n");
  EXPECT_EQ(homeOf(out, "_cp"), ".cp.rodata");
  EXPECT_EQ(homeOf(out, "_dp"), ".dp.data");
}

// The base is aligned to the strictest alignment in its group, and nothing of
// the group stands below it.
TEST(XS1Layout, BaseTakesItsGroupsAlignment) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 2 }
  - { Name: .cp.rodata, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 1, Size: 1 }
  - { Name: .cp.const8, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 32, Size: 8 }
  - { Name: .odd, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 64, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
                          .link({"a.o"}));
  EXPECT_EQ(out.value("_cp") % 32, 0u);
  EXPECT_EQ(out.value("_cp"), out.section(".cp.rodata")->address);
  EXPECT_EQ(out.value("_dp") % 64, 0u);
  EXPECT_GE(out.section(".odd")->address, out.value("_dp"));
}

// A section with both flags, which nothing forbids, counts to the first group.
TEST(XS1Layout, BothFlags) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
  - { Name: .odd, Type: SHT_PROGBITS, ShFlags: 0x30000002, AddressAlign: 4, Size: 4 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
                          .link({"a.o"}));
  EXPECT_EQ(out.section(".odd")->address, out.value("_cp"));
}

Bytes text(StringRef symbol, StringRef content) {
  return xs1((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Content: ')" +
              content + R"(' }
Symbols:
  - { Name: )" +
              symbol + ", Section: .text, Binding: STB_GLOBAL }\n")
                 .str());
}

// The program starts at the base whatever the order of the objects.
TEST(XS1Layout, EntrySectionFirst) {
  LinkHarness links;
  links.file("main.o", text("main", "1111"));
  links.file("start.o", text("_start", "2222"));
  for (auto files : {std::vector<std::string>{"main.o", "start.o"},
                     std::vector<std::string>{"start.o", "main.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(out.value("_start"), 0x10000u);
    EXPECT_EQ(out.entry, 0x10000u);
    EXPECT_EQ(bytesOf(out, ".text"), "22221111");
  }
  // -e chooses another section.
  OutFile out = quiet(links.link({"-e", "main", "start.o", "main.o"}));
  EXPECT_EQ(out.value("main"), 0x10000u);
}

TEST(XS1Layout, Cores) {
  struct {
    const char *cpu;
    uint64_t base, size;
  } cores[] = {{"xs1", 0x10000, 0x10000},
               {"xs2", 0x40000, 0x40000},
               {"xs3", 0x80000, 0x80000}};
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 16 }
  - { Name: .rela.dp.data, Type: SHT_RELA, Info: .dp.data, Relocations: [ { Offset: 0, Symbol: .ram_base, Type: 1 }, { Offset: 4, Symbol: .ram_size, Type: 1 }, { Offset: 8, Symbol: _eheap, Type: 1 }, { Offset: 12, Symbol: _bheap, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: .ram_base, Binding: STB_GLOBAL }
  - { Name: .ram_size, Binding: STB_GLOBAL }
  - { Name: _bheap, Binding: STB_GLOBAL }
  - { Name: _eheap, Binding: STB_GLOBAL }
)"));
  for (const auto &core : cores) {
    OutFile out = quiet(links.link({std::string("--mcpu=") + core.cpu, "a.o"}));
    EXPECT_EQ(out.section(".text")->address, core.base) << core.cpu;
    EXPECT_EQ(out.value(".ram_base"), core.base) << core.cpu;
    EXPECT_EQ(out.value(".ram_size"), core.size) << core.cpu;
    EXPECT_EQ(homeOf(out, ".ram_base"), "ABS") << core.cpu;
    EXPECT_EQ(out.value("_eheap"), core.base + core.size - 0x500) << core.cpu;
    EXPECT_EQ(out.value("_bheap"), core.base + 4 + 16) << core.cpu;
  }
  expectFailure(links.link({"--mcpu=xs9", "a.o"}),
                "xlink: error: unknown --mcpu value 'xs9' for xs1; valid "
                "values: xs1, xs2, xs3\n");
}

TEST(XS1Layout, StartUpSymbols) {
  std::string relocations, symbols;
  std::vector<std::string> names = {"_fbss",       "_ebss",       "_fdp.bss",
                                    "_edp.bss",    "_CTOR_LIST_", "_CTOR_END_",
                                    "_DTOR_LIST_", "_DTOR_END_"};
  for (size_t i = 0; i < names.size(); ++i) {
    relocations += (i ? ", " : "") + ("{ Offset: " + std::to_string(4 * i)) +
                   ", Symbol: " + names[i] + ", Type: 1 }";
    symbols += "  - { Name: " + names[i] + ", Binding: STB_GLOBAL }\n";
  }
  OutFile out = quiet(LinkHarness()
                          .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, ShFlags: 0x3, AddressAlign: 4, Size: 12 }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 32 }
  - { Name: .dp.bss, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 20 }
  - { Name: .dp.bss.large, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 40 }
  - { Name: .ctors, Type: SHT_PROGBITS, ShFlags: 0x3, AddressAlign: 4, Size: 8 }
  - { Name: .rela.dp.data, Type: SHT_RELA, Info: .dp.data, Relocations: [ )" +
                                           relocations + R"( ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)" + symbols))
                          .link({"a.o"}));
  auto start = [&](StringRef s) { return out.section(s)->address; };
  auto end = [&](StringRef s) {
    return out.section(s)->address + out.section(s)->size;
  };
  EXPECT_EQ(out.value("_fbss"), start(".bss"));
  EXPECT_EQ(out.value("_ebss"), end(".bss"));
  EXPECT_EQ(out.value("_fdp.bss"), start(".dp.bss"));
  EXPECT_EQ(out.value("_edp.bss"), end(".dp.bss"));
  EXPECT_EQ(out.value("_CTOR_LIST_"), start(".ctors"));
  EXPECT_EQ(out.value("_CTOR_END_"), end(".ctors"));
  EXPECT_EQ(out.value("_DTOR_LIST_"), start(".dtors"));
  EXPECT_EQ(out.value("_DTOR_END_"), end(".dtors"));
}

TEST(XS1Layout, RamIsFull) {
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 2, Size: 4 }
  - { Name: .bss, Type: SHT_NOBITS, ShFlags: 0x3, AddressAlign: 4, Size: 0x10000 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: section '.bss' will not fit in region 'ram': "
                "overflowed by 4 bytes\n"
                ">>> region 'ram': 0x10000 (65536) bytes at 0x10000, used "
                "0x10004 (65540)\n"
                ">>> 65536 bytes: a.o:(.bss)\n"
                ">>> 4 bytes: a.o:(.text)\n"
                ">>> --gc-sections would remove 65536 bytes that nothing "
                "reaches: 65536 of .bss\n");
  quiet(links.link({"--mcpu=xs2", "a.o"}));
}

// What would go is said by output section, the largest first; not without an
// entry, from which everything would be out of reach, and not to whoever has
// asked for it.
TEST(XS1Layout, RamIsFullOfWhatNothingReaches) {
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 0x9000 }
  - { Name: .text.f, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 0x10 }
  - { Name: .text.g, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 0x18 }
  - { Name: .dp.data, Type: SHT_PROGBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 0x100 }
  - { Name: .dp.bss, Type: SHT_NOBITS, ShFlags: 0x10000003, AddressAlign: 4, Size: 0x8000 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: zeros, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: zeros, Section: .dp.bss, Binding: STB_GLOBAL }
)"));
  const std::string message =
      "xlink: error: section '.dp.bss' will not fit in region 'ram': "
      "overflowed by 4392 bytes\n"
      ">>> region 'ram': 0x10000 (65536) bytes at 0x10000, used 0x11128 "
      "(69928)\n"
      ">>> 36864 bytes: a.o:(.text)\n"
      ">>> 32768 bytes: a.o:(.dp.bss)\n"
      ">>> 256 bytes: a.o:(.dp.data)\n"
      ">>> 24 bytes: a.o:(.text.g)\n"
      ">>> 16 bytes: a.o:(.text.f)\n";
  expectFailure(links.link({"a.o"}),
                message + ">>> --gc-sections would remove 296 bytes that "
                          "nothing reaches: 256 of .dp.data, 40 of .text\n");
  expectFailure(links.link({"a.o", "-e", "0"}), message);
  EXPECT_EQ(StringRef(links.link({"a.o", "--gc-sections"}).errors)
                .count("--gc-sections"),
            0u);
}

// The five output sections that lose most are named.
TEST(XS1Layout, RamIsFullOfManySections) {
  std::string sections;
  for (unsigned i = 1; i <= 6; ++i)
    sections += "  - { Name: .u" + std::to_string(i) +
                ", Type: SHT_PROGBITS, ShFlags: 0x2, AddressAlign: 4, Size: " +
                std::to_string(4 * i) + " }\n";
  Linked linked = LinkHarness()
                      .file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 0x10000 }
)" + sections + R"(
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"))
                      .link({"a.o"});
  EXPECT_TRUE(StringRef(linked.errors)
                  .ends_with(">>> --gc-sections would remove 84 bytes that "
                             "nothing reaches: 24 of .u6, 20 of .u5, 16 of "
                             ".u4, 12 of .u3, 8 of .u2 ...\n"))
      << linked.errors;
}

/// A function, and the note of the core that it is for.
Bytes noted(const std::string &name, const std::string &note) {
  return xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 6 }
  - { Name: .xmosnote, Type: SHT_NOTE, Content: ')" +
             note + R"(' }
Symbols:
  - { Name: )" +
             name + ", Section: .text, Binding: STB_GLOBAL }\n");
}
/// Name, description and type: {"XMOS", "XS2", 2}, padded to words.
const std::string kXs1 = "040000000300000002000000584d4f5358533100";
const std::string kXs2 = "040000000300000002000000584d4f5358533200";
/// {"XMOS", "REVA", 3} and {"GNU", "XS3", 2}.
const std::string kOthers = "040000000400000003000000584d4f5352455641"
                            "040000000300000002000000474e550058533300";

// The notes that all objects of the vendor's tools have.
TEST(XS1Layout, NotesChooseTheCore) {
  LinkHarness links;
  links.file("two.o", noted("_start", kOthers + kXs2));
  links.file("more.o", noted("more", kXs2));
  links.file("none.o", noted("none", kOthers));
  OutFile out = quiet(links.link({"none.o", "two.o", "more.o"}));
  EXPECT_EQ(out.entry, 0x40000u);
  // The filler between functions is that of the core.
  EXPECT_EQ(bytesOf(out, ".text"), "000000000000ff17000000000000ff17"
                                   "000000000000");
  // What is cut off says nothing.
  for (size_t size = 8; size < kXs2.size(); size += 8) {
    links.file("cut.o", noted("_start", kXs2.substr(0, size)));
    EXPECT_EQ(quiet(links.link({"cut.o"})).entry, 0x10000u) << size;
  }
  links.file("long.o", noted("_start", "ffffffffffffffff" + kXs2.substr(16)));
  EXPECT_EQ(quiet(links.link({"long.o"})).entry, 0x10000u);
}

TEST(XS1Layout, CoresThatDoNotGoTogether) {
  LinkHarness links;
  links.file("two.o", noted("_start", kXs2));
  links.file("one.o", noted("one", kXs1));
  expectFailure(links.link({"two.o", "one.o"}),
                "xlink: error: incompatible cores: two.o is for XS2, one.o is "
                "for XS1\n");
  expectFailure(links.link({"--mcpu=xs3", "two.o"}),
                "xlink: error: incompatible core: two.o is for XS2, --mcpu is "
                "xs3\n");
  OutFile out = quiet(links.link({"--no-warn-mismatch", "two.o", "one.o"}));
  EXPECT_EQ(out.entry, 0x40000u);
  out = quiet(links.link({"--no-warn-mismatch", "--mcpu=xs3", "two.o"}));
  EXPECT_EQ(out.entry, 0x80000u);
  expectFailure(
      links.link({"--no-warn-mismatch", "--warn-mismatch", "two.o", "one.o"}),
      "xlink: error: incompatible cores: two.o is for XS2, one.o is "
      "for XS1\n");
}

// Tools up to 11.x wrote another e_machine.
TEST(XS1Layout, BothMachineNumbers) {
  Bytes start = text("_start", "2222"), main = text("main", "1111");
  LinkHarness links;
  links.file("new.o", start);
  setMachine(main, 0xB49E);
  links.file("old.o", main);
  EXPECT_EQ(quiet(links.link({"new.o", "old.o"})).machine, 203u);
  EXPECT_EQ(quiet(links.link({"old.o", "new.o"})).machine, 203u);
  Bytes oldStart = start;
  setMachine(oldStart, 0xB49E);
  links.file("oldstart.o", oldStart);
  EXPECT_EQ(quiet(links.link({"oldstart.o", "old.o"})).machine, 0xB49Eu);
}

} // namespace
} // namespace xlink::test
