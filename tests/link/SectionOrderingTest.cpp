//===- SectionOrderingTest.cpp - --section-ordering-file ------------------===//
//
// The example of GNU ld 2.43's manual, and its limits.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kBody[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'a0' }
  - { Name: .text.hot, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'a1' }
  - { Name: .text.z1, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'a2' }
  - { Name: .text.first, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: 'a3' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: 'b0' }
  - { Name: .data.small, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: 'b1' }
  - { Name: .data.first, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: 'b2' }
)";

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("a.o", nyuzi(kBody))
        .file("foo.o", nyuzi(kBody))
        .file("x.ld", "SECTIONS {\n"
                      "  .text : { *(.text.hot) ; *(.text .text.*) }\n"
                      "  .data : { *(.data.big) ; *(.data .data.*) }\n"
                      "}\n");
  }
  Linked link(const char *order, std::vector<std::string> more = {}) {
    harness.file("order", order);
    more.insert(more.end(), {"-e", "0", "a.o", "foo.o",
                             "--section-ordering-file", "order"});
    return harness.link(more);
  }
};

TEST(SectionOrdering, TheManualsExample) {
  Links links;
  const OutFile out =
      quiet(links.link(".text : { *(.text.first) ; *(.text.z*) }\n"
                       ".data : { foo.o(.data.first) ; *(.data.small) }\n",
                       {"-T", "x.ld"}));
  EXPECT_EQ(bytesOf(out, ".text"), "a3a3a2a2a1a1a0a0");
  EXPECT_EQ(bytesOf(out, ".data"), "b2b1b1b0b2b0");
}

// Several statements for one section keep their order, whatever the machine's
// own script has; assignments stand behind the script.
TEST(SectionOrdering, BuiltinScriptAndAssignments) {
  Links links;
  const OutFile out =
      quiet(links.link(".text : { begin = .; *(.text.z1) }, "
                       ".text : { KEEP(*(.text.first)) after = .; }\n"
                       "size = after - begin; ASSERT(size == 4, \"odd\")"));
  EXPECT_EQ(bytesOf(out, ".text").substr(0, 8), "a2a2a3a3");
  EXPECT_EQ(out.value("size"), 4u);
  EXPECT_EQ(out.value("begin"), out.section(".text")->address);
}

TEST(SectionOrdering, MembersOfOverlays) {
  Links links;
  links.harness.file("o.ld", "SECTIONS { OVERLAY 0x1000 : { .o1 { *(.text) } "
                             ".o2 { *(.text.*) } } }");
  const OutFile out =
      quiet(links.link(".o2 : { *(.text.z1) }", {"-T", "o.ld"}));
  EXPECT_EQ(bytesOf(out, ".o2"), "a2a2a1a3a1a3");
}

TEST(SectionOrdering, WhatItCannotSay) {
  Links links;
  expectFailure(links.link(".text : { *(.text.first) }\n"
                           ".new : { *(.text.z1) }\n",
                           {"-T", "x.ld"}),
                "xlink: error: order:2:1: output section '.new' of the section "
                "ordering file is not in the linker script\n");
  const char only[] = "xlink: error: order:1:1: a section ordering file says "
                      "only what stands in output section '.text'\n";
  for (const char *text :
       {".text 0x100 : { *(.text) }", ".text : ALIGN(8) { *(.text) }",
        ".text : { *(.text) } =0x90", ".text (NOLOAD) : { *(.text) }"})
    EXPECT_EQ(StringRef(links.link(text, {"-T", "x.ld"}).errors)
                  .take_front(sizeof(only) - 1),
              only)
        << text;
  for (const char *word : {"SECTIONS", "MEMORY", "OVERLAY", "INSERT"}) {
    const std::string text =
        links.link((word + std::string(" { }")).c_str(), {"-T", "x.ld"}).errors;
    EXPECT_NE(text.find("order:1:1: '" + std::string(word) +
                        "' cannot stand in a section ordering file"),
              std::string::npos)
        << text;
  }
  EXPECT_NE(links.link("{", {"-T", "x.ld"})
                .errors.find("order:1:1: expected an output section or an "
                             "assignment"),
            std::string::npos);
}

TEST(SectionOrdering, FilesOnTheCommandLine) {
  Links links;
  expectFailure(links.harness.link({"a.o", "--section-ordering-file=none"}),
                "xlink: error: cannot open the section ordering file none: No "
                "such file or directory\n");
  expectFailure(links.harness.link({"a.o", "--section-ordering-file=a",
                                    "--section-ordering-file=b"}),
                "xlink: error: option '--section-ordering-file' may be given "
                "once\n");
}

} // namespace
} // namespace xlink::test
