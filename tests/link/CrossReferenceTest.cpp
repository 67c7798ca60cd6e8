//===- CrossReferenceTest.cpp - --cref and --trace-symbol -----------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// An object with these symbols; `once` among them names a COMDAT group.
Bytes symbols(const std::string &list) {
  std::string group =
      "  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: once, "
      "Members: "
      "[ { SectionOrType: GRP_COMDAT }, { SectionOrType: .data.once } ] }\n"
      "  - { Name: .data.once, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, "
      "SHF_WRITE, SHF_GROUP ], Size: 4 }\n";
  return nyuzi("Sections:\n  - { Name: .data, Type: SHT_PROGBITS, Flags: [ "
               "SHF_ALLOC, SHF_WRITE ], Size: 4 }\n" +
               (StringRef(list).contains("once") ? group : "") + "Symbols:\n" +
               list);
}
std::string refers(const char *name) {
  return std::string("  - { Name: ") + name + ", Binding: STB_GLOBAL }\n";
}
std::string defines(const char *name, const char *section = ".data",
                    const char *binding = "STB_GLOBAL") {
  return std::string("  - { Name: ") + name + ", Section: " + section +
         ", Binding: " + binding + " }\n";
}
std::string common(const char *name) {
  return std::string("  - { Name: ") + name +
         ", Index: SHN_COMMON, Value: 4, Size: 4, Binding: STB_GLOBAL }\n";
}

LinkHarness three() {
  const std::string once = defines("once", ".data.once", "STB_WEAK");
  LinkHarness links;
  links
      .file("a.o", symbols(once + refers("b1") + refers("all") + common("com") +
                           defines("local", ".data", "STB_LOCAL") +
                           defines("weak", ".data", "STB_WEAK")))
      .file("b.o",
            symbols(once + defines("b1") + refers("all") + common("com") +
                    defines("weak") + refers("from_archive")))
      .file("c.o",
            symbols(
                once + defines("all") + common("com") + refers("b1") +
                refers("script") +
                defines("a_symbol_with_a_name_of_exactly_49_characters_abc") +
                defines("a_symbol_with_a_name_of_exactly_50_characters_abcd")))
      .file("lib.a",
            makeArchive({{"m.o", symbols(once + defines("from_archive"))},
                         {"unused.o", symbols(defines("never"))}}));
  return links;
}

const std::vector<std::string> inputs = {
    "-e", "0", "a.o", "b.o", "c.o", "lib.a", "--defsym=script=1"};

// As GNU ld prints it: definitions, then COMMON, then references; each time the
// last file first.
const char table[] = R"(
Cross Reference Table

Symbol                                            File
a_symbol_with_a_name_of_exactly_49_characters_abc c.o
a_symbol_with_a_name_of_exactly_50_characters_abcd c.o
all                                               c.o
                                                  b.o
                                                  a.o
b1                                                b.o
                                                  c.o
                                                  a.o
com                                               c.o
                                                  b.o
                                                  a.o
from_archive                                      lib.a(m.o)
                                                  b.o
once                                              a.o
                                                  lib.a(m.o)
                                                  c.o
                                                  b.o
script                                            c.o
weak                                              b.o
                                                  a.o
)";

TEST(CrossReference, OnStandardOutput) {
  std::vector<std::string> arguments = inputs;
  arguments.push_back("--cref");
  Linked linked = three().link(arguments);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, table);
}

TEST(CrossReference, AtTheEndOfTheMap) {
  std::vector<std::string> arguments = inputs;
  arguments.push_back("--cref");
  arguments.push_back("-Map=out.map");
  Linked linked = three().link(arguments);
  EXPECT_EQ(linked.text, "");
  const Bytes &map = linked.files["out.map"];
  const StringRef text(reinterpret_cast<const char *>(map.data()), map.size());
  EXPECT_TRUE(text.ends_with(table)) << text.str();
  EXPECT_TRUE(text.contains("OUTPUT(out elf32-nyuzi)\n"));
}

TEST(CrossReference, OfALinkThatFails) {
  LinkHarness links;
  links.file("a.o", symbols(refers("x")));
  Linked linked =
      links.link({"-e", "0", "a.o", "--require-defined=x", "--cref"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text, "\nCross Reference Table\n\nSymbol"
                         "                                            File\n"
                         "x                                                 "
                         "a.o\n");
}

TEST(TraceSymbol, DefinitionsAndReferences) {
  std::vector<std::string> arguments = inputs;
  for (const char *option :
       {"-y", "b1", "-yonce", "--trace-symbol=com", "-y", "from_archive",
        "--trace-symbol", "script", "-y", "never", "-y", "local"})
    arguments.push_back(option);
  Linked linked = three().link(arguments);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "a.o: definition of once\n"
                         "a.o: reference to b1\n"
                         "a.o: common definition of com\n"
                         "b.o: discarded definition of once\n"
                         "b.o: definition of b1\n"
                         "b.o: common definition of com\n"
                         "b.o: reference to from_archive\n"
                         "c.o: discarded definition of once\n"
                         "c.o: common definition of com\n"
                         "c.o: reference to b1\n"
                         "c.o: reference to script\n"
                         "lib.a(m.o): discarded definition of once\n"
                         "lib.a(m.o): definition of from_archive\n"
                         "linker script: definition of script\n");
}

} // namespace
} // namespace xlink::test
