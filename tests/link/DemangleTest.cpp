//===- DemangleTest.cpp - names in messages, maps and traces --------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// `foo()` refers to `bar(int)`.
Bytes caller() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _Z3bari, Type: 1 } ] }
Symbols:
  - { Name: _Z3foov, Section: .text, Type: STT_FUNC, Size: 4, Binding: STB_GLOBAL }
  - { Name: _Z3bari, Binding: STB_GLOBAL }
)");
}

const char *const kShown = "xlink: error: undefined symbol: bar(int)\n"
                           ">>> referenced by a.o:(.text+0x0) in foo()\n";
const char *const kRaw = "xlink: error: undefined symbol: _Z3bari\n"
                         ">>> referenced by a.o:(.text+0x0) in _Z3foov\n";

TEST(Demangling, InMessages) {
  LinkHarness links;
  links.file("a.o", caller());
  expectFailure(links.link({"-e", "0", "a.o"}), kShown);
  expectFailure(links.link({"-e", "0", "--no-demangle", "--demangle", "a.o"}),
                kShown);
  for (const char *style : {"auto", "gnu-v3", "rust"})
    expectFailure(links.link({"-e", "0", "--no-demangle",
                              std::string("--demangle=") + style, "a.o"}),
                  kShown);
  for (const char *off : {"--no-demangle", "--demangle=none"})
    expectFailure(links.link({"-e", "0", off, "a.o"}), kRaw);
}

TEST(Demangling, UnknownStyle) {
  expectFailure(
      LinkHarness().file("a.o", caller()).link({"--demangle=edg", "a.o"}),
      "xlink: error: option '--demangle': 'edg' is none of auto, "
      "gnu-v3, rust, none\n");
}

TEST(Demangling, OfDuplicatesAndRequiredNames) {
  LinkHarness links;
  links.file("a.o", caller()).file("b.o", caller());
  expectFailure(links.link({"-e", "0", "--defsym=_Z3bari=0",
                            "--require-defined=_Z4nonev", "a.o", "b.o"}),
                "xlink: error: duplicate symbol: foo()\n"
                ">>> defined in a.o:(.text+0x0)\n"
                ">>> defined in b.o:(.text+0x0)\n"
                "xlink: error: required symbol not defined: none()\n");
}

/// As GNU ld has it in each of them.
TEST(Demangling, InMapsTablesAndTraces) {
  LinkHarness links;
  links.file("a.o", caller());
  const std::vector<std::string> arguments = {
      "-e", "0", "--defsym=_Z3bari=0", "-M", "--cref", "-y", "_Z3foov", "a.o"};
  const Linked shown = links.link(arguments);
  EXPECT_NE(shown.text.find("                foo()\n"), std::string::npos);
  EXPECT_NE(shown.text.find("\nfoo()          "), std::string::npos);
  EXPECT_NE(shown.text.find("a.o: definition of foo()\n"), std::string::npos)
      << shown.text;
  // What the symbol table holds is no text for people.
  EXPECT_NE(symbolNames(quiet(shown)).find("_Z3foov"), std::string::npos);

  std::vector<std::string> raw = arguments;
  raw.push_back("--no-demangle");
  EXPECT_EQ(links.link(raw).text.find("foo()"), std::string::npos);
}

TEST(Demangling, OfTheEntry) {
  EXPECT_EQ(LinkHarness()
                .file("a.o", caller())
                .link({"-e", "_Z4nonev", "--defsym=_Z3bari=0", "a.o"})
                .errors,
            "xlink: warning: cannot find entry symbol none(); defaulting to "
            "0x1000\n");
}

} // namespace
} // namespace xlink::test
