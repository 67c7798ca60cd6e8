//===- ProvideNeedsTest.cpp - what PROVIDEd expressions need --------------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// An object of one section that defines `defined` and refers to `needed`.
Bytes object(std::vector<std::string> defined, const std::string &needed,
             const std::string &binding = "STB_GLOBAL") {
  std::string section = ".text." + defined.front();
  std::string body =
      "Sections:\n  - { Name: " + section +
      ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
      "AddressAlign: 4, Size: 4 }\n";
  if (!needed.empty())
    body +=
        "  - { Name: .rela" + section + ", Type: SHT_RELA, Info: " + section +
        ", Relocations: [ { Offset: 0, Symbol: " + needed + ", Type: 1 } ] }\n";
  body += "Symbols:\n";
  for (const std::string &name : defined)
    body += "  - { Name: " + name + ", Section: " + section +
            ", Binding: STB_GLOBAL }\n";
  if (!needed.empty())
    body += "  - { Name: " + needed + ", Binding: " + binding + " }\n";
  return nyuzi(body);
}

// P, which is referred to weakly, needs a, whose member defines P after all and
// needs Q, which needs b: as many names are read after that member as before
// it, but another one.
TEST(ProvideNeeds, AnotherNameInstead) {
  LinkHarness links;
  links.file("main.o", object({"_start"}, "P", "STB_WEAK"))
      .file("liba.a", makeArchive({{"a.o", object({"a", "P"}, "Q")},
                                   {"b.o", object({"b"}, "")}}))
      .file("x.ld", "PROVIDE(P = a); PROVIDE(Q = b);\n"
                    "SECTIONS { .text 0x1000 : { *(.text.*) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "main.o", "liba.a"}));
  EXPECT_EQ(out.value("P"), out.value("a"));
  EXPECT_EQ(out.value("Q"), out.value("b"));
  EXPECT_EQ(out.word(out.value("_start")), out.value("P"));
}

// A chain against the order of the script, through members.
TEST(ProvideNeeds, Chain) {
  LinkHarness links;
  links.file("main.o", object({"_start"}, "P1"))
      .file("liba.a", makeArchive({{"c.o", object({"c"}, "")},
                                   {"b.o", object({"b"}, "P3")}}))
      .file("x.ld", "PROVIDE(P3 = c + 4); PROVIDE(P2 = b + 4);\n"
                    "PROVIDE(P1 = P2 + 4);\n"
                    "SECTIONS { .text 0x1000 : { *(.text.*) } }");
  OutFile out = quiet(links.link({"-T", "x.ld", "main.o", "liba.a"}));
  EXPECT_EQ(out.value("P1"), out.value("b") + 8);
  EXPECT_EQ(out.value("P3"), out.value("c") + 4);
}

// What only a link-time expression reads is needed too, and nothing else is.
TEST(ProvideNeeds, Expressions) {
  LinkHarness links;
  links.file("a.o", statementObject("code _start\nresult heap\n"
                                    "difference heap .ram_size 16\n"
                                    "result none\nsum none nobody 1"));
  OutFile out = quiet(links.link({"a.o"}));
  EXPECT_EQ(out.value("heap"), 0xfff0u);
  EXPECT_EQ(out.value("none"), 0u);
  EXPECT_EQ(out.value(".ram_size"), 0x10000u);
  EXPECT_EQ(out.symbol(".ram_base"), nullptr);
}

// A long one, each of which the script has passed when it is found needed.
TEST(ProvideNeeds, LongChain) {
  std::string script = "PROVIDE(p0 = 0x40);\n";
  for (int i = 1; i < 1000; ++i)
    script += "PROVIDE(p" + std::to_string(i) + " = p" + std::to_string(i - 1) +
              " + 1);\n";
  LinkHarness links;
  links.file("main.o", object({"_start"}, ""))
      .file("x.ld", script + "last = p999;\n"
                             "SECTIONS { .text 0x1000 : { *(.text.*) } }");
  EXPECT_EQ(quiet(links.link({"-T", "x.ld", "main.o"})).value("last"),
            0x40u + 999);
}

} // namespace
} // namespace xlink::test
