//===- UndefinedSymbolTest.cpp - names without a definition ---------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// `count` words that refer to `print`, in a function `main`.
Bytes callers(unsigned count, StringRef extra = "") {
  std::string relocations;
  for (unsigned i = 0; i < count; ++i)
    relocations += "      - { Offset: " + std::to_string(4 * i) +
                   ", Symbol: print, Type: 1 }\n";
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: )" +
               std::to_string(4 * count) + R"( }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
)" + relocations +
               R"(Symbols:
  - { Name: main, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL, Size: )" +
               std::to_string(4 * count) + R"( }
  - { Name: print, Binding: STB_GLOBAL }
)" + extra.str());
}

TEST(UndefinedSymbol, PlaceAndFunction) {
  expectFailure(
      LinkHarness().file("a.o", callers(1)).link({"-e", "main", "a.o"}),
      "xlink: error: undefined symbol: print\n"
      ">>> referenced by a.o:(.text+0x0) in main\n");
}

TEST(UndefinedSymbol, ThreeReferencesAndTheirNumber) {
  LinkHarness links;
  links.file("a.o", callers(3)).file("b.o", callers(5));
  expectFailure(links.link({"-e", "main", "a.o"}),
                "xlink: error: undefined symbol: print\n"
                ">>> referenced by a.o:(.text+0x0) in main\n"
                ">>> referenced by a.o:(.text+0x4) in main\n"
                ">>> referenced by a.o:(.text+0x8) in main\n");
  expectFailure(links.link({"-e", "main", "b.o"}),
                "xlink: error: undefined symbol: print\n"
                ">>> referenced by b.o:(.text+0x0) in main\n"
                ">>> referenced by b.o:(.text+0x4) in main\n"
                ">>> referenced by b.o:(.text+0x8) in main\n"
                ">>> referenced 2 more times\n");
}

TEST(UndefinedSymbol, NearSpelling) {
  LinkHarness links;
  links.file("a.o", callers(1));
  links.file("b.o", nyuzi(R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '00' }
Symbols:
  - { Name: Print, Section: .rodata, Binding: STB_GLOBAL }
)"));
  expectFailure(links.link({"-e", "main", "a.o", "b.o"}),
                "xlink: error: undefined symbol: print\n"
                ">>> referenced by a.o:(.text+0x0) in main\n"
                ">>> did you mean: Print\n"
                ">>> defined in: b.o\n");
}

// A symbol that no relocation uses is not missed.
TEST(UndefinedSymbol, UnusedIsNoError) {
  OutFile out = quiet(LinkHarness()
                          .file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
Symbols:
  - { Name: unused, Binding: STB_GLOBAL }
)"))
                          .link({"-e", "0", "a.o"}));
  EXPECT_EQ(out.entry, 0u);
}

TEST(UndefinedSymbol, IgnoredOnRequest) {
  LinkHarness links;
  links.file("a.o", callers(2));
  for (const char *option :
       {"--unresolved-symbols=ignore-all",
        "--unresolved-symbols=ignore-in-object-files", "-zundefs"}) {
    OutFile out = quiet(links.link({"-e", "main", option, "a.o"}));
    EXPECT_EQ(bytesOf(out, ".text"), "0000000000000000") << option;
  }
  for (const char *option : {"--unresolved-symbols=report-all",
                             "--unresolved-symbols=ignore-in-shared-libs"})
    EXPECT_EQ(links.link({"-e", "main", option, "a.o"}).status, 1) << option;
}

TEST(UndefinedSymbol, WarningOnRequest) {
  warned(LinkHarness()
             .file("a.o", callers(1))
             .link({"-e", "main", "--warn-unresolved-symbols", "a.o"}),
         "xlink: warning: undefined symbol: print\n"
         ">>> referenced by a.o:(.text+0x0) in main\n");
}

TEST(UndefinedSymbol, UnknownPolicy) {
  expectFailure(
      LinkHarness()
          .file("a.o", callers(1))
          .link({"--unresolved-symbols=maybe", "a.o"}),
      "xlink: error: option '--unresolved-symbols': 'maybe' is none of "
      "report-all, ignore-all, ignore-in-object-files, "
      "ignore-in-shared-libs\n");
}

/// A library whose member defines `print`.
Bytes library() {
  return makeArchive({{"print.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '44444444' }
Symbols:
  - { Name: print, Section: .text, Binding: STB_GLOBAL }
)")}});
}
Bytes nothing() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
}

TEST(UndefinedSymbol, RequestedByOption) {
  LinkHarness links;
  links.file("a.o", nothing()).file("lib.a", library());
  EXPECT_EQ(symbolNames(quiet(links.link({"a.o", "lib.a"}))), " | _start");
  for (std::vector<std::string> option :
       {std::vector<std::string>{"-u", "print"},
        std::vector<std::string>{"-uprint"},
        std::vector<std::string>{"--undefined=print"},
        std::vector<std::string>{"--require-defined=print"}}) {
    option.insert(option.end(), {"a.o", "lib.a"});
    OutFile out = quiet(links.link(option));
    EXPECT_EQ(homeOf(out, "print"), ".text") << option.front();
  }
}

// A pattern pulls in each member with a name that matches, in the order of
// names, and what it names is used for --gc-sections.
TEST(UndefinedSymbol, RequestedByPattern) {
  auto one = [](StringRef name) {
    return nyuzi(("Sections:\n"
                  "  - { Name: .text." +
                  name +
                  ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                  "AddressAlign: 4, Content: '44444444' }\n"
                  "Symbols:\n"
                  "  - { Name: " +
                  name + ", Section: .text." + name +
                  ", Binding: STB_GLOBAL }\n")
                     .str());
  };
  LinkHarness links;
  links.file("a.o", nothing()).file("irq.o", one("irq_here"));
  links.file("lib.a", makeArchive({{"1.o", one("irq_one")},
                                   {"2.o", one("other")},
                                   {"3.o", one("irq_two")}}));
  auto symbols = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--gc-sections", "a.o", "irq.o", "lib.a"});
    return symbolNames(quiet(links.link(options)));
  };
  EXPECT_EQ(symbols({}), " | _start");
  EXPECT_EQ(symbols({"--undefined-glob=irq_*"}),
            " | _start irq_here irq_one irq_two");
  EXPECT_EQ(symbols({"--undefined-glob", "o?her"}), " | _start other");
  EXPECT_EQ(symbols({"--undefined-glob=irq_[!o]*", "--undefined-glob=no*"}),
            " | _start irq_here irq_two");
}

// -u is a wish, --require-defined a demand.
TEST(UndefinedSymbol, RequestedAndMissing) {
  LinkHarness links;
  links.file("a.o", nothing());
  quiet(links.link({"-u", "print", "a.o"}));
  expectFailure(links.link({"--require-defined=print", "a.o"}),
                "xlink: error: required symbol not defined: print\n");
}

// A reference from a section that is dropped needs nothing.
TEST(UndefinedSymbol, ReferenceFromDiscardedSection) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .junk, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.junk, Type: SHT_RELA, Info: .junk, Relocations: [ { Offset: 0, Symbol: print, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: print, Binding: STB_GLOBAL }
)"));
  links.file("x.ld", "SECTIONS { .text 0x1000 : { *(.text) } "
                     "/DISCARD/ : { *(.junk) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "a.o"}));
  EXPECT_FALSE(out.section(".junk"));
}

/// A script that reads what nothing defines.
struct UndefinedInScript : testing::Test {
  UndefinedInScript() { links.file("a.o", callers(5)); }
  Linked link(StringRef script, std::vector<std::string> more = {}) {
    links.file("x.ld", script);
    std::vector<std::string> arguments = {"-e", "main", "-T", "x.ld", "a.o"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return links.link(arguments);
  }
  LinkHarness links;
};

// One missing name is one error, at the topmost place that reads it.
TEST_F(UndefinedInScript, OneErrorForAName) {
  const char script[] = "SECTIONS {\n"
                        ".text : { *(.text)\n"
                        "x = nowhere;\n"
                        "ASSERT(nowhere > 4, \"too small\")\n"
                        ". = . + nowhere;\n"
                        "} y = nowhere; z = elsewhere; }";
  expectFailure(link(script, {"--defsym=print=0"}),
                "xlink: error: x.ld:3:5: undefined symbol 'nowhere'\n"
                ">>> and 3 more places\n"
                "xlink: error: x.ld:6:20: undefined symbol 'elsewhere'\n");
}

// Objects that refer to it as well do not make it two.
TEST_F(UndefinedInScript, WithTheObjectsReferences) {
  expectFailure(link("SECTIONS {\n.text : { *(.text) }\nx = print;\n}"),
                "xlink: error: x.ld:3:5: undefined symbol 'print'\n"
                ">>> referenced by a.o:(.text+0x0) in main\n"
                ">>> referenced by a.o:(.text+0x4) in main\n"
                ">>> referenced by a.o:(.text+0x8) in main\n"
                ">>> and 2 more places\n");
  links.file("a.o", callers(4));
  expectFailure(link("SECTIONS {\n.text : { *(.text) }\nx = print;\n}",
                     {"--unresolved-symbols=ignore-all"}),
                "xlink: error: x.ld:3:5: undefined symbol 'print'\n");
  expectFailure(link("SECTIONS {\n.text : { *(.text) }\nx = print;\n}"),
                "xlink: error: x.ld:3:5: undefined symbol 'print'\n"
                ">>> referenced by a.o:(.text+0x0) in main\n"
                ">>> referenced by a.o:(.text+0x4) in main\n"
                ">>> referenced by a.o:(.text+0x8) in main\n"
                ">>> and 1 more place\n");
}

// Nothing overflows a region whose size nobody knows.
TEST_F(UndefinedInScript, SizeOfARegion) {
  expectFailure(link("MEMORY { m : ORIGIN = 0x1000, LENGTH = SIZE }\n"
                     "SECTIONS { .text : { *(.text) } >m }",
                     {"--defsym=print=0"}),
                "xlink: error: x.ld:1:40: undefined symbol 'SIZE'\n");
}

// What cannot be read may define what seems to be undefined.
TEST_F(UndefinedInScript, NotWithoutAllInputs) {
  links.file("empty.o", "");
  expectFailure(
      link("SECTIONS { .text : { *(.text) } x = nowhere; }", {"empty.o"}),
      "xlink: error: empty.o: file is empty\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
  expectFailure(
      links.link({"a.o", "-lnowhere"}),
      "xlink: error: unable to find library -lnowhere\n"
      ">>> no -L names a directory to search\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
  links.file("lib.a", makeArchive({{"lto.o", {'B', 'C', 0xC0, 0xDE}}}));
  expectFailure(
      links.link({"-e", "main", "a.o", "--whole-archive", "lib.a"}),
      "xlink: error: lib.a(lto.o): cannot link LLVM bitcode; compile "
      "and link without -flto\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
  // Not so what is passed over.
  links.file("text.a", makeArchive({{"text.o", {'t', 'e', 'x', 't'}}}));
  expectFailure(links.link({"-e", "main", "a.o", "--whole-archive", "text.a"}),
                "xlink: warning: text.a(text.o): passed over: not an ELF "
                "object\n"
                "xlink: error: undefined symbol: print\n"
                ">>> referenced by a.o:(.text+0x0) in main\n"
                ">>> referenced by a.o:(.text+0x4) in main\n"
                ">>> referenced by a.o:(.text+0x8) in main\n"
                ">>> referenced 2 more times\n");
}

/// An object that defines `name` with this binding.
Bytes definition(StringRef name, StringRef binding = "STB_GLOBAL") {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
Symbols:
  - { Name: )" +
               name.str() + ", Section: .text, Type: STT_FUNC, Binding: " +
               binding.str() + " }\n");
}
/// An object whose function `main` refers to `name`.
Bytes caller(StringRef name) {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: )" +
               name.str() + R"(, Type: 1 } ] }
Symbols:
  - { Name: main, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL, Size: 4 }
  - { Name: )" +
               name.str() + ", Binding: STB_GLOBAL }\n");
}
std::string undefined(const Bytes &from, const Bytes &definition) {
  LinkHarness links;
  links.file("a.o", from).file("b.o", definition);
  const Linked linked = links.link({"-e", "main", "a.o", "b.o"});
  EXPECT_EQ(linked.status, 1);
  return linked.errors;
}

// A header without extern "C" on one side of the call.
TEST(UndefinedSymbol, OneSideIsCpp) {
  EXPECT_EQ(undefined(caller("_Z6helperi"), definition("helper")),
            "xlink: error: undefined symbol: helper(int)\n"
            ">>> referenced by a.o:(.text+0x0) in main\n"
            ">>> did you mean: extern \"C\" helper\n"
            ">>> defined in: b.o\n");
  EXPECT_EQ(undefined(caller("helper"), definition("_Z6helperi")),
            "xlink: error: undefined symbol: helper\n"
            ">>> referenced by a.o:(.text+0x0) in main\n"
            ">>> did you mean: helper(int), which is not declared extern "
            "\"C\"\n"
            ">>> defined in: b.o\n");
  // Not a function of this name, but one that begins like it.
  EXPECT_EQ(undefined(caller("helper"), definition("_Z6helperIiEvT_")),
            "xlink: error: undefined symbol: helper\n"
            ">>> referenced by a.o:(.text+0x0) in main\n");
}

TEST(UndefinedSymbol, LocalOfThatName) {
  EXPECT_EQ(undefined(caller("helper"), definition("helper", "STB_LOCAL")),
            "xlink: error: undefined symbol: helper\n"
            ">>> referenced by a.o:(.text+0x0) in main\n"
            ">>> a local symbol of this name is defined in: b.o; is it static, "
            "or without .globl?\n");
}

} // namespace
} // namespace xlink::test
