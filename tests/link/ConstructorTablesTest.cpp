//===- ConstructorTablesTest.cpp - .ctors with built-in scripts -----------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string program(StringRef table, StringRef size) {
  return (R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: )" +
          size + ", Size: " + size + R"( }
  - { Name: .ctors.65435, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: )" +
          size + ", Size: " + size + R"( }
  - { Name: )" +
          table +
          ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], "
          "AddressAlign: " +
          size + ", Size: " + size + R"( }
Symbols:
  - { Name: begin, Section: .init_array }
  - { Name: prioritized, Section: .ctors.65435 }
  - { Name: table, Section: )" +
          table + R"( }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)")
      .str();
}

/// Start-up code calls what stands in .init_array, so .ctors goes there, what
/// has a priority first.
TEST(ConstructorTables, AreInTheArray) {
  LinkHarness links;
  links.file("n.o", nyuzi(program(".ctors", "4")));
  links.file("a.o", aphelion(program(".ctors", "8")));
  links.file("c.o", colossus(program(".ctors", "4")));
  for (std::string file : {"n.o", "a.o", "c.o"}) {
    OutFile out = quiet(links.link({"--gc-sections", file}));
    const OutSection *array = out.section(".init_array");
    ASSERT_NE(array, nullptr) << file;
    const uint64_t word = file == "a.o" ? 8 : 4;
    EXPECT_EQ(array->size, 3 * word) << file;
    EXPECT_EQ(out.value("prioritized"), array->address) << file;
    EXPECT_EQ(out.value("begin"), array->address + word) << file;
    EXPECT_EQ(out.value("table"), array->address + 2 * word) << file;
    EXPECT_EQ(out.section(".ctors"), nullptr) << file;
  }
}

TEST(ConstructorTables, OfDestructors) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", aphelion(program(".dtors", "8")))
                          .link({"a.o"}));
  ASSERT_NE(out.section(".fini_array"), nullptr);
  EXPECT_EQ(out.value("table"), out.section(".fini_array")->address);
}

/// Where no start-up code looks for a table, a link says so, once.
TEST(ConstructorTables, NothingCalls) {
  LinkHarness links;
  links.file("n.o", nyuzi(program(".dtors", "4")));
  links.file("m.o", nyuzi(program(".dtors.1", "4")));
  warned(links.link({"n.o", "m.o", "--allow-multiple-definition"}),
         "xlink: warning: n.o:(.dtors): nothing calls what this section lists: "
         "the built-in script of nyuzi has no place for '.dtors'\n");
  links.file("d.o", dpu(program(".dtors", "4")));
  warned(links.link({"d.o"}),
         "xlink: warning: d.o:(.init_array): nothing calls what this section "
         "lists: the built-in script of dpu has no place for '.init_array'\n"
         "xlink: warning: d.o:(.ctors.65435): nothing calls what this section "
         "lists: the built-in script of dpu has no place for '.ctors'\n"
         "xlink: warning: d.o:(.dtors): nothing calls what this section lists: "
         "the built-in script of dpu has no place for '.dtors'\n");
}

/// A script of the user's own decides itself.
TEST(ConstructorTables, WithAScript) {
  LinkHarness links;
  links.file("n.o", nyuzi(program(".dtors", "4")));
  links.file("s.ld", "SECTIONS { .text 0x1000 : { *(.text) } }");
  quiet(links.link({"-T", "s.ld", "n.o"}));
}

} // namespace
} // namespace xlink::test
