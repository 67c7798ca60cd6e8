//===- IcfTest.cpp - --icf ------------------------------------------------===//
//
// What is folded is what lld 19 folds in objects of the same shape, but for
// what KEEP names; the random programs have an oracle of their own.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

/// A relocation in a function: where, to which symbol, of which type.
struct Reference {
  unsigned offset;
  std::string symbol;
  unsigned type = 1;
};

/// An object of functions, each in a section of its own.
class Functions {
public:
  /// A global symbol in a section with these bytes.
  Functions &add(const std::string &name, const std::string &bytes,
                 const std::vector<Reference> &references = {},
                 const std::string &section = "",
                 const std::string &flags = "SHF_ALLOC, SHF_EXECINSTR") {
    const std::string home = section.empty() ? ".text." + name : section;
    sections += "  - { Name: " + home + ", Type: SHT_PROGBITS, Flags: [ " +
                flags + " ], AddressAlign: 8, Content: '" + bytes + "' }\n";
    if (!references.empty()) {
      sections += "  - { Name: .rela" + home +
                  ", Type: SHT_RELA, Info: " + home + ", Relocations: [ ";
      for (const Reference &r : references)
        sections += "{ Offset: " + std::to_string(r.offset) +
                    ", Symbol: " + r.symbol +
                    ", Type: " + std::to_string(r.type) + " }, ";
      sections += "] }\n";
    }
    symbols += "  - { Name: " + name + ", Section: " + home +
               ", Size: 8, Binding: STB_GLOBAL }\n";
    return *this;
  }
  Functions &extra(const std::string &text) {
    sections += text;
    return *this;
  }
  std::string body() const {
    return "\nSections:\n" + sections + "Symbols:\n" + symbols;
  }

private:
  std::string sections, symbols;
};

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("x.ld", "SECTIONS { . = 0x1000; .init : { *(.init) } "
                         ".text : { *(.text.*) } .rodata : { *(.rodata.*) } "
                         ".data : { *(.data.*) } }");
  }
  Linked link(const std::string &body, std::vector<std::string> options,
              const char *machine = "nyuzi", const char *script = "x.ld") {
    harness.file("a.o", machineObject(machine, body));
    options.insert(options.end(), {"-e", "0", "-T", script, "a.o"});
    return harness.link(options);
  }
};

/// Names of symbols that share an address: "f g" for each such set.
std::string shared(const OutFile &out) {
  std::map<uint64_t, std::string> names;
  for (const OutSymbol &s : out.symbols)
    if (!s.name.empty() && s.binding == 1)
      names[s.value] += (names[s.value].empty() ? "" : " ") + s.name;
  std::string text;
  for (const auto &[address, list] : names)
    if (list.find(' ') != std::string::npos)
      text += (text.empty() ? "" : ", ") + list;
  return text;
}

const char kSame[] = "1122334455667788";
const char kOther[] = "1122334455667789";

TEST(Icf, EqualBytes) {
  for (const char *machine : {"nyuzi", "aphelion", "dpu", "colossus"}) {
    Links links;
    const std::string body = Functions()
                                 .add("f", kSame)
                                 .add("g", kOther)
                                 .add("h", kSame)
                                 .add("i", kSame)
                                 .body();
    EXPECT_EQ(shared(OutFile(links.link(body, {}, machine).image())), "");
    const Linked linked =
        links.link(body, {"--icf=all", "--print-icf-sections"}, machine);
    EXPECT_EQ(linked.text, "selected section a.o:(.text.f)\n"
                           "  removing identical section a.o:(.text.h)\n"
                           "  removing identical section a.o:(.text.i)\n");
    const OutFile out(linked.image());
    EXPECT_EQ(shared(out), "f h i") << machine;
    EXPECT_EQ(out.section(".text")->size, 16u);
    EXPECT_EQ(
        links.link(body, {"--icf=none", "--print-icf-sections"}, machine).text,
        "");
  }
}

// Functions that call each other are the same when what they call is.
TEST(Icf, References) {
  Links links;
  const std::string zeros = "0000000000000000";
  Functions functions;
  functions.add("f1", zeros, {{0, "g1"}}).add("g1", zeros, {{4, "f1"}});
  functions.add("f2", zeros, {{0, "g2"}}).add("g2", zeros, {{4, "f2"}});
  functions.add("x", kSame).add("y", kOther);
  functions.add("callx", zeros, {{0, "x"}}).add("cally", zeros, {{0, "y"}});
  functions.add("viax", zeros, {{4, "callx"}});
  functions.add("viay", zeros, {{4, "cally"}});
  functions.add("type", zeros, {{0, "x", 4}});
  EXPECT_EQ(shared(quiet(links.link(functions.body(), {"--icf=all"}))),
            "f1 f2, g1 g2");
}

// Only what is read-only, in one output section, and walked by nobody.
TEST(Icf, WhatStaysApart) {
  Links links;
  Functions f;
  f.add("a1", kSame, {}, ".rodata.a1", "SHF_ALLOC");
  f.add("a2", kSame, {}, ".rodata.a2", "SHF_ALLOC");
  f.add("t", kSame, {}, ".text.t");
  f.add("w1", kSame, {}, ".data.w1", "SHF_ALLOC, SHF_WRITE");
  f.add("w2", kSame, {}, ".data.w2", "SHF_ALLOC, SHF_WRITE");
  f.add("i1", kSame, {}, ".init");
  f.add("i2", kSame, {}, "'.init (1)'");
  f.add("c1", kSame, {}, "walked", "SHF_ALLOC");
  f.add("c2", kSame, {}, "'walked (1)'", "SHF_ALLOC");
  EXPECT_EQ(shared(quiet(links.link(f.body(), {"--icf=all"}))), "a1 a2");
  EXPECT_EQ(
      shared(quiet(links.link(f.body(), {"--icf=all", "--keep-unique=a2"}))),
      "");
  links.harness.file("keep.ld", "SECTIONS { . = 0x1000; .init : { *(.init) } "
                                ".text : { *(.text.*) } .rodata : "
                                "{ KEEP(*(.rodata.a2)) *(.rodata.*) } }");
  EXPECT_EQ(
      shared(quiet(links.link(f.body(), {"--icf=all"}, "nyuzi", "keep.ld"))),
      "");
}

// A call tells nobody an address; a table of functions does.
TEST(Icf, Safe) {
  Links links;
  Functions f;
  f.add("called1", kSame).add("called2", kSame);
  f.add("taken1", kOther).add("taken2", kOther);
  f.add("main", "00000000000000000000000000000000",
        {{0, "called1", 3}, {4, "called2", 3}, {8, "taken1", 3}});
  f.add("table", "0000000000000000", {{0, "taken1"}, {4, "taken2"}},
        ".data.table", "SHF_ALLOC, SHF_WRITE");
  EXPECT_EQ(shared(quiet(links.link(f.body(), {"--icf=safe"}))),
            "called1 called2");
  EXPECT_EQ(shared(quiet(links.link(f.body(), {"--icf=all"}))),
            "called1 called2, taken1 taken2");
  // The compiler knows better.
  f.extra("  - { Name: .llvm_addrsig, Type: SHT_LLVM_ADDRSIG, Link: .symtab, "
          "Flags: [ SHF_EXCLUDE ], Symbols: [ called2 ] }\n");
  EXPECT_EQ(shared(quiet(links.link(f.body(), {"--icf=safe"}))),
            "taken1 taken2");
}

// What the script reads is an address that somebody takes.
TEST(Icf, SafeAndScripts) {
  Links links;
  const std::string body = Functions().add("f", kSame).add("g", kSame).body();
  EXPECT_EQ(shared(quiet(links.link(body, {"--icf=safe"}))), "f g");
  EXPECT_EQ(shared(quiet(links.link(body, {"--icf=safe", "--defsym=p=g+1"}))),
            "");
}

// Debug information describes each address once, but all have their lines;
// stack sizes go with the function that they are about.
TEST(Icf, WhatDescribesFoldedCode) {
  Links links;
  Functions f;
  f.add("f", kSame).add("g", kSame);
  f.extra("  - { Name: .debug_info, Type: SHT_PROGBITS, Content: "
          "'0000000000000000' }\n"
          "  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, "
          "Relocations: [ { Offset: 0, Symbol: f, Type: 1 }, { Offset: 4, "
          "Symbol: g, Type: 1 } ] }\n"
          "  - { Name: .debug_line, Type: SHT_PROGBITS, Content: "
          "'0000000000000000' }\n"
          "  - { Name: .rela.debug_line, Type: SHT_RELA, Info: .debug_line, "
          "Relocations: [ { Offset: 0, Symbol: f, Type: 1 }, { Offset: 4, "
          "Symbol: g, Type: 1 } ] }\n"
          "  - { Name: .stack_sizes, Type: SHT_PROGBITS, Flags: [ "
          "SHF_LINK_ORDER ], Link: .text.f, Content: '01' }\n"
          "  - { Name: '.stack_sizes (1)', Type: SHT_PROGBITS, Flags: [ "
          "SHF_LINK_ORDER ], Link: .text.g, Content: '02' }\n");
  const OutFile out = quiet(links.link(f.body(), {"--icf=all"}));
  EXPECT_EQ(shared(out), "f g");
  EXPECT_EQ(bytesOf(out, ".debug_info"), "0010000000000000");
  EXPECT_EQ(bytesOf(out, ".debug_line"), "0010000000100000");
  EXPECT_EQ(bytesOf(out, ".stack_sizes"), "01");
}

// Functions with the same bytes and another exception table differ; records of
// what was folded go.
TEST(Icf, UnwindTables) {
  Links links;
  Functions f;
  f.add("f", kSame).add("g", kSame).add("h", kSame);
  const std::string cie = "1000000000000000017a52000000000000000000";
  auto fde = [](const char *distance) {
    return "14000000" + std::string(distance) +
           "00000000080000000000000000000000";
  };
  f.add("lsda", "01020304", {}, ".gcc_except_table", "SHF_ALLOC");
  f.extra("  - { Name: .eh_frame, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], "
          "Content: '" +
          cie + fde("18000000") + fde("30000000") + fde("48000000") +
          "' }\n  - { Name: .rela.eh_frame, Type: SHT_RELA, Info: .eh_frame, "
          "Relocations: [ { Offset: 28, Symbol: f, Type: 1 }, { Offset: 52, "
          "Symbol: g, Type: 1 }, { Offset: 76, Symbol: h, Type: 1 }, { "
          "Offset: 84, Symbol: lsda, Type: 1 } ] }\n");
  const OutFile plain = quiet(links.link(f.body(), {}));
  EXPECT_EQ(plain.section(".eh_frame")->size, 92u);
  const OutFile out = quiet(links.link(f.body(), {"--icf=all"}));
  EXPECT_EQ(shared(out), "f g");
  EXPECT_EQ(out.section(".eh_frame")->size, 68u);
}

// XS1's relocation of calls is also that of ldap, which takes an address; that
// of branches is not.
TEST(Icf, SafeWhereCallsAndAddressesLookAlike) {
  Links links;
  for (auto [type, expected] : {std::pair(11u, ""), std::pair(9u, "f g")}) {
    Functions f;
    f.add("f", kSame).add("g", kSame);
    f.add("main", "00f000d000f000d0", {{0, "f", type}, {4, "g", type}});
    EXPECT_EQ(shared(quiet(links.link(f.body(), {"--icf=safe"}, "xs1"))),
              expected)
        << type;
  }
}

// Static functions of several files, which section symbols lead to, and strings
// that were merged.
TEST(Icf, LocalSymbolsAndMergedStrings) {
  LinkHarness links;
  auto object = [](const char *name, const char *before) {
    return nyuzi(std::string(R"(
Sections:
  - { Name: .text.s, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '1122334455667788' }
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: ')") +
                 before + R"(61626300' }
  - { Name: .text.c, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '0000000000000000' }
  - { Name: .rela.text.c, Type: SHT_RELA, Info: .text.c, Relocations: [ { Offset: 0, Symbol: .text.s, Type: 1, Addend: 4 }, { Offset: 4, Symbol: .rodata.str, Type: 1, Addend: )" +
                 std::to_string(strlen(before) / 2) + R"( } ] }
Symbols:
  - { Name: .text.s, Type: STT_SECTION, Section: .text.s }
  - { Name: .rodata.str, Type: STT_SECTION, Section: .rodata.str }
  - { Name: )" + name +
                 ", Section: .text.c, Binding: STB_GLOBAL }\n");
  };
  links.file("a.o", object("a", "")).file("b.o", object("b", "7800"));
  links.file("x.ld", "SECTIONS { . = 0x1000; .text : { *(.text.*) } "
                     ".rodata : { *(.rodata.*) } }");
  const OutFile out =
      quiet(links.link({"-e", "0", "-T", "x.ld", "--icf=all", "a.o", "b.o"}));
  EXPECT_EQ(shared(out), "a b");
  EXPECT_EQ(out.section(".text")->size, 16u);
  EXPECT_EQ(out.word(out.value("a")), 0x1004u);
  EXPECT_EQ(out.word(out.word(out.value("b") + 4)), 0x636261u);
}

// The map has all names at the section that stays.
TEST(Icf, Map) {
  Links links;
  const std::string body = Functions().add("f", kSame).add("g", kSame).body();
  const std::string map = links.link(body, {"--icf=all", "--print-map"}).text;
  EXPECT_NE(map.find(" .text.f"), std::string::npos);
  EXPECT_EQ(map.find("\n .text.g"), std::string::npos);
  EXPECT_NE(map.find(" g\n"), std::string::npos);
}

/// A random program, and which of its functions cannot be told apart.
struct RandomProgram {
  explicit RandomProgram(unsigned seed) {
    std::mt19937 random(seed);
    const unsigned count = 4 + random() % 40, alphabet = 1 + random() % 3;
    for (unsigned i = 0; i < count; ++i) {
      letters.push_back(random() % alphabet);
      targets.push_back(
          {uint32_t(random() % count), uint32_t(random() % count)});
      if (random() % 2) // leaves, and many of a kind
        targets.back()[0] = i % 4;
    }
    for (unsigned i = 0; i < count; ++i) {
      const std::string letter = "0" + std::to_string(letters[i]);
      functions.add("f" + std::to_string(i),
                    "0000000000000000" + letter + "00000000000000",
                    {{0, "f" + std::to_string(targets[i][0])},
                     {4, "f" + std::to_string(targets[i][1])}});
    }
  }
  /// How many kinds there are, by asking each pair until nothing changes.
  size_t kinds() const {
    const size_t n = letters.size();
    std::vector<std::vector<bool>> differ(n, std::vector<bool>(n));
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
          if (!differ[i][j] && (letters[i] != letters[j] ||
                                differ[targets[i][0]][targets[j][0]] ||
                                differ[targets[i][1]][targets[j][1]]))
            differ[i][j] = changed = true;
    }
    size_t result = 0;
    for (size_t i = 0; i < n; ++i) {
      bool first = true;
      for (size_t j = 0; j < i; ++j)
        first &= differ[i][j];
      result += first;
    }
    return result;
  }
  std::vector<unsigned> letters;
  std::vector<std::array<unsigned, 2>> targets;
  Functions functions;
};

// Each symbol has its bytes, and refers to what it referred to; and nothing
// that is the same is there twice.
TEST(Icf, RandomPrograms) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    RandomProgram program(seed);
    Links links;
    const OutFile out =
        quiet(links.link(program.functions.body(), {"--icf=all"}));
    std::set<uint64_t> addresses;
    for (size_t i = 0; i < program.letters.size(); ++i) {
      const uint64_t at = out.value("f" + std::to_string(i));
      addresses.insert(at);
      for (unsigned k = 0; k < 2; ++k)
        EXPECT_EQ(out.word(at + 4 * k),
                  out.value("f" + std::to_string(program.targets[i][k])))
            << seed << " f" << i;
      EXPECT_EQ(out.word(at + 8), program.letters[i]) << seed << " f" << i;
    }
    EXPECT_EQ(addresses.size(), program.kinds()) << seed;
    EXPECT_EQ(out.section(".text")->size, 16 * addresses.size()) << seed;
  }
}

} // namespace
} // namespace xlink::test
