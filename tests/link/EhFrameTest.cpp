//===- EhFrameTest.cpp - unwind tables, record by record ------------------===//
#include "link/Linking.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <map>
#include <random>

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace xlink::test {
namespace {

//===----------------------------------------------------------------------===//
// Writing and reading tables
//===----------------------------------------------------------------------===//

std::string littleWord(uint64_t value, unsigned bytes = 4) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i)
    text += char(i < 8 ? value >> (8 * i) : 0);
  return toHex(text);
}

/// The contents of one .eh_frame section, with its relocations.
class Table {
public:
  static constexpr unsigned kWord = 1, kBranch25 = 3; // of Nyuzi

  /// A CIE; `marker` makes it differ from others. Returns its offset.
  unsigned cie(const char *routine = nullptr, StringRef marker = "00000000") {
    unsigned at = size();
    content += littleWord(16) + littleWord(0) + "017a5200" + marker.str() +
               littleWord(0);
    if (routine)
      relocate(at + 16, routine, kWord, 0);
    return at;
  }
  /// An FDE of `function`; `table` is its exception table.
  Table &fde(unsigned cie, const char *function, const char *table = nullptr,
             unsigned type = kWord, int addend = 0) {
    unsigned at = size();
    content += littleWord(20) + littleWord(at + 4 - cie) + littleWord(0) +
               littleWord(8) + littleWord(0) + littleWord(0);
    if (function)
      relocate(at + 8, function, type, addend);
    if (table)
      relocate(at + 16, table, kWord, 0);
    return *this;
  }
  Table &end() { return raw("00000000"); }
  Table &raw(StringRef hex) {
    content += hex;
    return *this;
  }
  Table &relocate(unsigned offset, const char *symbol, unsigned type,
                  int addend) {
    relocations += "      - { Offset: " + std::to_string(offset) +
                   ", Symbol: " + symbol + ", Type: " + std::to_string(type) +
                   ", Addend: " + std::to_string(addend) + " }\n";
    return *this;
  }
  unsigned size() const { return unsigned(content.size() / 2); }

  /// As entries of a list of sections.
  std::string yaml(unsigned align = 4) const {
    std::string text = "  - { Name: .eh_frame, Type: SHT_PROGBITS, Flags: [ "
                       "SHF_ALLOC ], AddressAlign: " +
                       std::to_string(align) + ", Content: '" + content +
                       "' }\n";
    if (!relocations.empty())
      text += "  - Name: .rela.eh_frame\n    Type: SHT_RELA\n    Link: "
              ".symtab\n    Info: .eh_frame\n    Relocations:\n" +
              relocations;
    return text;
  }

private:
  std::string content, relocations;
};

std::string section(const char *name, const char *content = "1122334455667788",
                    const char *flags = "SHF_ALLOC, SHF_EXECINSTR") {
  return std::string("  - { Name: ") + name +
         ", Type: SHT_PROGBITS, Flags: [ " + flags +
         " ], AddressAlign: 4, Content: '" + content + "' }\n";
}
std::string symbol(const char *name, const char *section,
                   const char *binding = "STB_GLOBAL") {
  return std::string("  - { Name: ") + name + ", Section: " + section +
         ", Type: STT_FUNC, Binding: " + binding + " }\n";
}
Bytes object(const std::string &sections, const std::string &symbols) {
  return nyuzi("Sections:\n" + sections + "Symbols:\n" + symbols);
}

/// A function `name` in .text.`name`, and its table.
Bytes function(const std::string &name, const Table &table) {
  std::string home = ".text." + name;
  return object(section(home.c_str()) + table.yaml(),
                symbol(name.c_str(), home.c_str()));
}

/// "CIE 0+14; FDE 14+18 of f by 0 -> table; end": offset and size in hex, the
/// function, the CIE's offset, and what the last of four words names.
std::string records(const OutFile &out, StringRef name = ".eh_frame") {
  const OutSection *s = out.section(name);
  if (!s)
    return "none";
  auto named = [&](uint64_t address) {
    for (const OutSymbol &symbol : out.symbols)
      if (symbol.value == address && symbol.type == ELF::STT_FUNC)
        return symbol.name;
    return std::string();
  };
  std::vector<std::string> list;
  std::map<uint64_t, bool> cies;
  for (uint64_t at = 0; at < s->bytes.size();) {
    uint64_t id = at + 4, left = s->bytes.size() - at;
    uint64_t length = left < 4 ? left : read32le(s->bytes.data() + at);
    if (length == 0) {
      list.push_back("end");
      at += 4;
      continue;
    }
    if (length == 0xffffffff && left >= 12) {
      length = read64le(s->bytes.data() + at + 4);
      id += 8;
    }
    if (length < 4 || length > s->bytes.size() - id) {
      ADD_FAILURE() << "no record fits at " << at;
      return "broken";
    }
    const uint8_t *word = s->bytes.data() + id;
    std::string text =
        utohexstr(at, true) + "+" + utohexstr(id + length - at, true);
    if (read32le(word) == 0) {
      cies[at] = true;
      text = "CIE " + text;
    } else {
      uint64_t cie = id - read32le(word);
      EXPECT_TRUE(cies[cie]) << "no CIE at " << cie;
      text = "FDE " + text;
      if (length >= 8)
        text += " of " + named(read32le(word + 4));
      text += " by " + utohexstr(cie, true);
    }
    if (length >= 16)
      if (std::string last = named(read32le(word + 12)); !last.empty())
        text += " -> " + last;
    list.push_back(text);
    at = id + length;
  }
  return join(list, "; ");
}

std::string linkedRecords(const LinkHarness &links,
                          std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-e", "0"});
  return records(quiet(links.link(std::move(arguments))));
}

//===----------------------------------------------------------------------===//
// Real objects
//===----------------------------------------------------------------------===//

Bytes sample(const char *name) {
  return readTestFile(std::string(XLINK_TESTDATA) + "/objects/nyuzi/" + name);
}

/// C++ in two objects that share an instance of a template.
LinkHarness classes() {
  LinkHarness links;
  for (const char *name :
       {"start.o", "classes.o", "classes2.o", "console.o", "fixed.ld"})
    links.file(name, sample(name));
  return links;
}

TEST(EhFrame, AsTheVendorsLinkerWritesIt) {
  OutFile ours = quiet(classes().link(
      {"-T", "fixed.ld", "start.o", "classes.o", "classes2.o", "console.o"}));
  OutFile theirs(sample("reference/classes.elf"));
  // It adds a terminator of its own.
  EXPECT_EQ(bytesOf(ours, ".eh_frame") + "00000000",
            bytesOf(theirs, ".eh_frame"));
}

TEST(EhFrame, RecordsOfRealObjects) {
  LinkHarness links = classes();
  std::vector<std::string> arguments = {"-T",        "fixed.ld",   "start.o",
                                        "classes.o", "classes2.o", "console.o"};
  EXPECT_EQ(records(quiet(links.link(arguments))),
            "CIE 0+14; FDE 14+18 of main by 0; "
            "FDE 2c+14 of _Z3sumIjET_S0_S0_ by 0; "
            "FDE 40+18 of _GLOBAL__sub_I_classes.cpp by 0; "
            "FDE 58+14 of _ZN8RegistryC1EPKcPK5Shape by 0; "
            "FDE 6c+1c of _ZNK6Square4areaEv by 0; "
            "FDE 88+18 of _Z9other_sumv by 0; "
            "FDE a0+14 of __cxa_pure_virtual by 0; "
            "FDE b4+14 of __cxa_atexit by 0; FDE c8+14 of put_char by 0; "
            "FDE dc+14 of put_text by 0; FDE f0+14 of put_number by 0; "
            "FDE 104+14 of put_line by 0");
  // Unmerged, but without the second copy of sum<unsigned>.
  arguments.push_back("-O0");
  EXPECT_EQ(records(quiet(links.link(arguments))),
            "CIE 0+14; FDE 14+18 of main by 0; "
            "FDE 2c+14 of _Z3sumIjET_S0_S0_ by 0; "
            "FDE 40+18 of _GLOBAL__sub_I_classes.cpp by 0; CIE 58+14; "
            "FDE 6c+14 of _ZN8RegistryC1EPKcPK5Shape by 58; "
            "FDE 80+1c of _ZNK6Square4areaEv by 58; "
            "FDE 9c+18 of _Z9other_sumv by 58; "
            "FDE b4+14 of __cxa_pure_virtual by 58; "
            "FDE c8+14 of __cxa_atexit by 58; CIE dc+14; "
            "FDE f0+14 of put_char by dc; FDE 104+14 of put_text by dc; "
            "FDE 118+14 of put_number by dc; FDE 12c+14 of put_line by dc");
}

TEST(EhFrame, CollectedFunctionsLeaveIt) {
  LinkHarness links = classes();
  EXPECT_EQ(records(quiet(links.link({"--gc-sections", "start.o", "classes.o",
                                      "classes2.o", "console.o"}))),
            "CIE 0+14; FDE 14+18 of main by 0; "
            "FDE 2c+14 of _Z3sumIjET_S0_S0_ by 0; "
            "FDE 40+18 of _GLOBAL__sub_I_classes.cpp by 0; "
            "FDE 58+14 of _ZN8RegistryC1EPKcPK5Shape by 0; "
            "FDE 6c+1c of _ZNK6Square4areaEv by 0; "
            "FDE 88+18 of _Z9other_sumv by 0; "
            "FDE a0+14 of put_line by 0");
  // The entry halts at once: nothing else is needed.
  EXPECT_EQ(linkedRecords(links, {"--gc-sections", "-u", "put_number",
                                  "classes2.o", "console.o"}),
            "CIE 0+14; FDE 14+14 of put_number by 0");
}

//===----------------------------------------------------------------------===//
// Sharing CIEs
//===----------------------------------------------------------------------===//

/// a.o: f and g; b.o: h. All CIEs alike.
LinkHarness alike() {
  LinkHarness links;
  Table a, b;
  unsigned first = a.cie();
  a.fde(first, "f");
  unsigned second = a.cie();
  a.fde(second, "g").fde(first, "f");
  links.file("a.o", object(section(".text.f") + section(".text.g") + a.yaml(),
                           symbol("f", ".text.f") + symbol("g", ".text.g")));
  links.file("b.o", function("h", b.fde(b.cie(), "h")));
  return links;
}

TEST(EhFrame, EqualCiesJoin) {
  EXPECT_EQ(linkedRecords(alike(), {"a.o", "b.o"}),
            "CIE 0+14; FDE 14+18 of f by 0; FDE 2c+18 of g by 0; "
            "FDE 44+18 of f by 0; FDE 5c+18 of h by 0");
  EXPECT_EQ(linkedRecords(alike(), {"b.o", "a.o"}),
            "CIE 0+14; FDE 14+18 of h by 0; FDE 2c+18 of f by 0; "
            "FDE 44+18 of g by 0; FDE 5c+18 of f by 0");
  EXPECT_EQ(linkedRecords(alike(), {"-O0", "a.o", "b.o"}),
            "CIE 0+14; FDE 14+18 of f by 0; CIE 2c+14; FDE 40+18 of g by 2c; "
            "FDE 58+18 of f by 0; CIE 70+14; FDE 84+18 of h by 70");
}

TEST(EhFrame, OnlyWithinAnOutputSection) {
  LinkHarness links = alike();
  links.file("two.ld", "SECTIONS { . = 0x100; .text : { *(.text*) } .first : { "
                       "a.o(.eh_frame) } .second : { *(.eh_frame) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "two.ld", "a.o", "b.o"}));
  EXPECT_EQ(records(out, ".first"),
            "CIE 0+14; FDE 14+18 of f by 0; FDE 2c+18 of g by 0; "
            "FDE 44+18 of f by 0");
  EXPECT_EQ(records(out, ".second"), "CIE 0+14; FDE 14+18 of h by 0");
}

TEST(EhFrame, DistancesCrossOtherSections) {
  LinkHarness links = alike();
  links.file("mixed.ld",
             "SECTIONS { . = 0x100; .all : { *(.text.f) *a.o(.eh_frame) "
             "*(.text*) . = ALIGN(64); *(.eh_frame) } }");
  OutFile out = quiet(links.link({"-e", "0", "-T", "mixed.ld", "a.o", "b.o"}));
  // .text.f, then CIE, f, g, f; two functions, a gap, then h.
  EXPECT_EQ(out.section(".all")->size, 0x98u);
  EXPECT_EQ(out.word(0x108), 16u);
  EXPECT_EQ(out.word(0x180), 20u);
  EXPECT_EQ(out.word(0x184), 0x184u - 0x108u);
  EXPECT_EQ(out.word(0x188), out.value("h"));
}

TEST(EhFrame, DifferentBytesStayApart) {
  LinkHarness links;
  Table a, b;
  links.file("a.o", function("f", a.fde(a.cie(), "f")))
      .file("b.o", function("g", b.fde(b.cie(nullptr, "01000000"), "g")));
  EXPECT_EQ(linkedRecords(links, {"a.o", "b.o"}),
            "CIE 0+14; FDE 14+18 of f by 0; CIE 2c+14; FDE 40+18 of g by 2c");
}

TEST(EhFrame, PersonalityRoutinesTellCiesApart) {
  auto file = [](const char *name, const char *routine,
                 const std::string &more = "", const std::string &home = "") {
    Table t;
    t.fde(t.cie(routine), name);
    std::string text = std::string(".text.") + name;
    return object(section(text.c_str()) + home + t.yaml(),
                  (routine && StringRef(routine) != "local" && more.empty()
                       ? std::string("  - { Name: ") + routine +
                             ", Binding: STB_GLOBAL }\n"
                       : "") +
                      more + symbol(name, text.c_str()));
  };
  LinkHarness links;
  links.file("r.o",
             object(section(".text.one") + section(".text.two"),
                    symbol("one", ".text.one") + symbol("two", ".text.two")));
  links.file("a.o", file("f", "one")).file("b.o", file("g", "two"));
  links.file("c.o", file("h", "one"));
  EXPECT_EQ(linkedRecords(links, {"r.o", "a.o", "b.o", "c.o"}),
            "CIE 0+14 -> one; FDE 14+18 of f by 0; CIE 2c+14 -> two; "
            "FDE 40+18 of g by 2c; FDE 58+18 of h by 0");
  // Locals of one name in two files are two routines.
  std::string home = section(".text.local");
  std::string local = symbol("local", ".text.local", "STB_LOCAL");
  links.file("d.o", file("f", "local", local, home));
  links.file("e.o", file("g", "local", local, home));
  EXPECT_EQ(linkedRecords(links, {"d.o", "e.o"}),
            "CIE 0+14 -> local; FDE 14+18 of f by 0; CIE 2c+14 -> local; "
            "FDE 40+18 of g by 2c");
}

//===----------------------------------------------------------------------===//
// What goes, and what stays alive
//===----------------------------------------------------------------------===//

TEST(EhFrame, UnusedCiesGo) {
  LinkHarness links;
  Table a;
  a.cie(nullptr, "01000000");
  unsigned used = a.cie();
  a.cie(nullptr, "02000000");
  a.fde(used, "f");
  links.file("a.o", function("f", a));
  for (const char *level : {"-O0", "-O1"})
    EXPECT_EQ(linkedRecords(links, {level, "a.o"}),
              "CIE 0+14; FDE 14+18 of f by 0");
}

TEST(EhFrame, NothingIsLeftWithoutFunctions) {
  LinkHarness links;
  Table a;
  a.cie();
  links.file("a.o", function("f", a));
  EXPECT_EQ(linkedRecords(links, {"a.o"}), "none");
}

TEST(EhFrame, DiscardedFunctions) {
  LinkHarness links = alike();
  links.file("d.ld", "SECTIONS { . = 0x100; /DISCARD/ : { *(.text.g) } .text : "
                     "{ *(.text*) } .eh_frame : { *(.eh_frame) } }");
  EXPECT_EQ(linkedRecords(links, {"-O0", "-T", "d.ld", "a.o", "b.o"}),
            "CIE 0+14; FDE 14+18 of f by 0; FDE 2c+18 of f by 0; CIE 44+14; "
            "FDE 58+18 of h by 44");
}

TEST(EhFrame, AnotherDefinitionIsUsed) {
  // The weak f of a.o stays in the output, but the name means that of b.o,
  // which is described by b.o.
  LinkHarness links;
  Table a, b;
  links
      .file("a.o", object(section(".text.f") + a.fde(a.cie(), "f").yaml(),
                          symbol("f", ".text.f", "STB_WEAK")))
      .file("b.o", function("f", b.fde(b.cie(), "f")));
  EXPECT_EQ(linkedRecords(links, {"a.o", "b.o"}),
            "CIE 0+14; FDE 14+18 of f by 0");
}

TEST(EhFrame, AddressesWithoutASection) {
  // No relocation, and an absolute symbol: nothing says that they are dead.
  LinkHarness links;
  Table a;
  unsigned cie = a.cie();
  a.fde(cie, nullptr).fde(cie, "rom");
  links.file("a.o", object(a.yaml(), "  - { Name: rom, Index: SHN_ABS, Value: "
                                     "0x4000, Binding: STB_GLOBAL, Type: "
                                     "STT_FUNC }\n"));
  EXPECT_EQ(linkedRecords(links, {"--gc-sections", "a.o"}),
            "CIE 0+14; FDE 14+18 of  by 0; FDE 2c+18 of rom by 0");
}

/// f and g with exception tables, whose personality routine needs a helper.
LinkHarness tables() {
  LinkHarness links;
  Table t;
  unsigned cie = t.cie("routine");
  t.fde(cie, "f", "ftable").fde(cie, "g", "gtable");
  std::string more = "  - Name: .rela.text.routine\n    Type: SHT_RELA\n    "
                     "Link: .symtab\n    Info: .text.routine\n    "
                     "Relocations:\n      - { Offset: 4, Symbol: helper, Type: "
                     "1 }\n";
  links.file(
      "a.o",
      object(section(".text.f") + section(".text.g") +
                 section(".text.routine") + section(".text.helper") +
                 section(".lsda.f", "01020304", "SHF_ALLOC") +
                 section(".lsda.g", "01020304", "SHF_ALLOC") + t.yaml() + more,
             symbol("f", ".text.f") + symbol("g", ".text.g") +
                 symbol("routine", ".text.routine") +
                 symbol("helper", ".text.helper") +
                 symbol("ftable", ".lsda.f") + symbol("gtable", ".lsda.g")));
  return links;
}

TEST(EhFrame, RecordsKeepTablesAndRoutinesAlive) {
  OutFile out =
      quiet(tables().link({"-e", "0", "--gc-sections", "-u", "f", "a.o"}));
  EXPECT_EQ(symbolNames(out), " | f routine helper ftable");
  EXPECT_EQ(records(out), "CIE 0+14 -> routine; FDE 14+18 of f by 0 -> ftable");
}

/// --why-live and --why-dead go by the same edges.
TEST(EhFrame, QuestionsAboutTablesAndRoutines) {
  const Linked linked = tables().link(
      {"-e", "0", "--gc-sections", "-u", "f", "a.o", "--why-live=helper",
       "--why-live=.eh_frame", "--why-dead=gtable"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, R"(why live: helper in a.o:(.text.helper)
    -u f: a.o:(.text.f+0x0)
    a.o:(.eh_frame+0x10), an unwind record of a.o:(.text.f), refers to routine, R_NYUZI_ABS32
    a.o:(.text.routine+0x4) in routine refers to helper, R_NYUZI_ABS32
why live: a.o:(.eh_frame)
    it is an unwind table: each of its records lives with its function
why dead: gtable in a.o:(.lsda.g)
    it is dropped by --gc-sections
    nothing refers to a.o:(.text.g)
    a.o:(.eh_frame+0x3c), an unwind record of a.o:(.text.g), refers to gtable, R_NYUZI_ABS32
    would be kept by a pattern with KEEP that takes it, -u gtable or a reference from a section that lives
)");
}

TEST(EhFrame, ButOnlyThoseOfLiveFunctions) {
  OutFile out =
      quiet(tables().link({"-e", "0", "--gc-sections", "-u", "helper", "a.o"}));
  EXPECT_EQ(symbolNames(out), " | helper");
  EXPECT_EQ(records(out), "none");
}

TEST(EhFrame, UndefinedNamesOfDroppedRecordsDoNotMatter) {
  LinkHarness links;
  Table a;
  a.fde(a.cie("missing"), "g", "nowhere");
  a.fde(a.cie(), "f");
  links.file("a.o", object(section(".text.f") + section(".text.g") + a.yaml(),
                           symbol("f", ".text.f") + symbol("g", ".text.g") +
                               "  - { Name: missing, Binding: STB_GLOBAL }\n"
                               "  - { Name: nowhere, Binding: STB_GLOBAL }\n"));
  EXPECT_EQ(linkedRecords(links, {"--gc-sections", "-u", "f", "a.o"}),
            "CIE 0+14; FDE 14+18 of f by 0");
  expectFailure(links.link({"-e", "0", "a.o"}),
                "xlink: error: undefined symbol: missing\n"
                ">>> referenced by a.o:(.eh_frame+0x10)\n"
                "xlink: error: undefined symbol: nowhere\n"
                ">>> referenced by a.o:(.eh_frame+0x24)\n");
}

//===----------------------------------------------------------------------===//
// Terminators and padding
//===----------------------------------------------------------------------===//

TEST(EhFrame, OneTerminatorAtTheEnd) {
  LinkHarness links;
  Table a, b, c;
  links.file("a.o", function("f", a.fde(a.cie(), "f").end()))
      .file("b.o", function("g", b.fde(b.cie(), "g")))
      .file("end.o", object(c.end().yaml(), ""));
  EXPECT_EQ(linkedRecords(links, {"a.o", "b.o"}),
            "CIE 0+14; FDE 14+18 of f by 0; FDE 2c+18 of g by 0; end");
  EXPECT_EQ(linkedRecords(links, {"-O0", "a.o", "a.o", "end.o", "b.o",
                                  "--allow-multiple-definition"}),
            "CIE 0+14; FDE 14+18 of f by 0; CIE 2c+14; FDE 40+18 of g by 2c; "
            "end");
  EXPECT_EQ(linkedRecords(links, {"b.o", "end.o"}),
            "CIE 0+14; FDE 14+18 of g by 0; end");
  EXPECT_EQ(linkedRecords(links, {"end.o", "end.o"}), "end");
}

TEST(EhFrame, RecordsBehindATerminator) {
  LinkHarness links;
  Table a;
  unsigned cie = a.cie();
  a.fde(cie, "f").end().fde(cie, "f").end().end();
  links.file("a.o", function("f", a));
  EXPECT_EQ(linkedRecords(links, {"a.o"}),
            "CIE 0+14; FDE 14+18 of f by 0; FDE 2c+18 of f by 0; end");
}

TEST(EhFrame, TheMarkOfTheEndStaysAtTheEnd) {
  LinkHarness links;
  Table a, b;
  links.file("a.o", function("f", a.fde(a.cie(), "f").end()))
      .file("end.o", object(b.end().yaml(), symbol("mark", ".eh_frame")));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "end.o"}));
  EXPECT_EQ(out.value("mark"), out.section(".eh_frame")->address + 0x2c);
  EXPECT_EQ(out.section(".eh_frame")->size, 0x30u);
}

TEST(EhFrame, NoGapReadsAsATerminator) {
  // Sections aligned to 8 with 0x2c bytes: the last record grows over the gap.
  LinkHarness links;
  Table a, b;
  links
      .file("a.o", object(section(".text.f") + a.fde(a.cie(), "f").yaml(8),
                          symbol("f", ".text.f")))
      .file("b.o", object(section(".text.g") + b.fde(b.cie(), "g").yaml(8),
                          symbol("g", ".text.g")));
  EXPECT_EQ(linkedRecords(links, {"a.o", "b.o"}),
            "CIE 0+14; FDE 14+1c of f by 0; FDE 30+18 of g by 0");
  EXPECT_EQ(linkedRecords(links, {"-O0", "a.o", "b.o"}),
            "CIE 0+14; FDE 14+1c of f by 0; CIE 30+14; FDE 44+18 of g by 30");
}

//===----------------------------------------------------------------------===//
// Relocations in records that move
//===----------------------------------------------------------------------===//

TEST(EhFrame, PlacesOfRelocations) {
  // g's record moves from 0x2c to 0x14; S + A - P, by words, with P there.
  LinkHarness links;
  Table a;
  unsigned cie = a.cie();
  a.fde(cie, "f").fde(cie, "g", "g", Table::kBranch25, 4);
  links.file("a.o", object(section(".text.f") + section(".text.g") + a.yaml(),
                           symbol("f", ".text.f") + symbol("g", ".text.g") +
                               symbol("inside", ".eh_frame")));
  OutFile out =
      quiet(links.link({"-e", "0", "--gc-sections", "-u", "g", "a.o"}));
  const OutSection &frame = *out.section(".eh_frame");
  ASSERT_EQ(frame.size, 0x2cu);
  uint64_t place = frame.address + 0x1c;
  EXPECT_EQ(out.word(place), (out.value("g") + 4 - place) / 4 & 0x1ffffff);
  EXPECT_EQ(out.word(place + 8), out.value("g"));
}

TEST(EhFrame, MessagesNameTheInputsPlaces) {
  LinkHarness links;
  Table a;
  unsigned cie = a.cie();
  a.fde(cie, "f").fde(cie, "g", nullptr, Table::kBranch25, 2);
  links.file("a.o", object(section(".text.f") + section(".text.g") + a.yaml(),
                           symbol("f", ".text.f") + symbol("g", ".text.g")));
  Linked linked = links.link({"-e", "0", "--gc-sections", "-u", "g", "a.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(StringRef(linked.errors).take_front(39),
            "xlink: error: a.o:(.eh_frame+0x34): rel")
      << linked.errors;
}

TEST(EhFrame, SymbolsInRecordsThatMove) {
  LinkHarness links;
  Table a;
  unsigned cie = a.cie();
  a.fde(cie, "f").fde(cie, "g");
  auto at = [](const char *name, unsigned value) {
    return std::string("  - { Name: ") + name +
           ", Section: .eh_frame, Binding: STB_GLOBAL, Value: " +
           std::to_string(value) + " }\n";
  };
  links.file("a.o", object(section(".text.f") + section(".text.g") + a.yaml(),
                           symbol("f", ".text.f") + symbol("g", ".text.g") +
                               at("incie", 4) + at("dropped", 0x18) +
                               at("moved", 0x30) + at("behind", 0x44)));
  OutFile out =
      quiet(links.link({"-e", "0", "--gc-sections", "-u", "g", "a.o"}));
  uint64_t start = out.section(".eh_frame")->address;
  EXPECT_EQ(out.value("incie"), start + 4);
  EXPECT_EQ(out.value("dropped"), start + 0x14);
  EXPECT_EQ(out.value("moved"), start + 0x18);
  EXPECT_EQ(out.value("behind"), start + 0x2c);
}

TEST(EhFrame, LongLengths) {
  // The 64-bit form: a length of 8 bytes, CIE pointers of 4 all the same.
  Table a;
  std::string wide = "ffffffff" + littleWord(16, 8);
  a.raw(wide + littleWord(0) + "017a52000000000000000000");
  for (const char *name : {"f", "g"}) {
    unsigned begin = a.size();
    a.raw(wide + littleWord(begin + 12) + littleWord(0) + littleWord(8) +
          littleWord(0));
    a.relocate(begin + 16, name, Table::kWord, 0);
  }
  LinkHarness links;
  links.file("a.o", object(section(".text.f") + section(".text.g") + a.yaml(),
                           symbol("f", ".text.f") + symbol("g", ".text.g")));
  EXPECT_EQ(linkedRecords(links, {"a.o"}),
            "CIE 0+1c; FDE 1c+1c of f by 0; FDE 38+1c of g by 0");
  EXPECT_EQ(linkedRecords(links, {"--gc-sections", "-u", "g", "a.o"}),
            "CIE 0+1c; FDE 1c+1c of g by 0");
}

TEST(EhFrame, OtherMachines) {
  // An ELF64 machine, with its own 64-bit addresses.
  LinkHarness links;
  auto file = [](const char *name) {
    Table t;
    t.raw(littleWord(20) + littleWord(0) + "017a5200" + littleWord(0, 12));
    unsigned cie = 0, at = t.size();
    t.raw(littleWord(28) + littleWord(at + 4 - cie) + littleWord(0, 8) +
          littleWord(8, 8) + littleWord(0, 8));
    t.relocate(at + 8, name, 1, 0);
    std::string home = std::string(".text.") + name;
    return aphelion("Sections:\n" + section(home.c_str()) + t.yaml(8) +
                    "Symbols:\n" + symbol(name, home.c_str()));
  };
  links.file("a.o", file("f")).file("b.o", file("g"));
  OutFile out = quiet(links.link({"-e", "0", "a.o", "b.o"}));
  const OutSection &frame = *out.section(".eh_frame");
  ASSERT_EQ(frame.size, 0x18u + 2 * 0x20);
  EXPECT_EQ(out.word(frame.address + 0x1c), 0x1cu);
  EXPECT_EQ(out.word(frame.address + 0x3c), 0x3cu);
  EXPECT_EQ(out.word(frame.address + 0x20, 8), out.value("f"));
  EXPECT_EQ(out.word(frame.address + 0x40, 8), out.value("g"));
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

TEST(EhFrame, BrokenTables) {
  struct Case {
    const char *content;
    const char *message;
  };
  const Case cases[] = {
      {"1000", "0x0): 2 bytes are left, a length has 4"},
      {"ffffffff00000000", "0x0): 8 bytes are left, a length has 12"},
      {"0400000000000000000000", "0x8): 3 bytes are left, a length has 4"},
      {"0500000000000000",
       "0x0): a record has length 0x5, but 0x4 bytes are left"},
      {"ffffffffffffffffffffffff00000000",
       "0x0): a record has length 0xffffffffffffffff, but 0x4 bytes are left"},
      {"feffffff00000000",
       "0x0): a record has length 0xfffffffe, but 0x4 bytes are left"},
      {"03000000000000",
       "0x0): a record has length 0x3, too short for a CIE pointer"},
      {"0400000004000000",
       "0x4): the CIE pointer 0x4 does not lead to a CIE before it"},
      {"0400000005000000",
       "0x4): the CIE pointer 0x5 does not lead to a CIE before it"},
      {"0400000001000000",
       "0x4): the CIE pointer 0x1 does not lead to a CIE before it"},
      {"0400000000000000040000000c000000040000000c00000000000000",
       "0x14): the CIE pointer 0xc does not lead to a CIE before it"},
      {"0400000000000000040000000400000000000000",
       "0xc): the CIE pointer 0x4 does not lead to a CIE before it"},
      {"040000000000000004000000f0ffffff",
       "0xc): the CIE pointer 0xfffffff0 does not lead to a CIE before it"},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.content);
    LinkHarness links;
    Table t;
    links.file("a.o", object(t.raw(c.content).yaml(), ""));
    expectFailure(links.link({"-e", "0", "a.o"}),
                  std::string("xlink: error: a.o:(.eh_frame+") + c.message +
                      "\n");
  }
}

TEST(EhFrame, RelocationsWhereNoneMayBe) {
  struct Case {
    unsigned offset;
    const char *message;
  };
  for (const Case &c : std::initializer_list<Case>{
           {0x14, "0x14): a relocation changes a length or CIE pointer"},
           {0x18, "0x18): a relocation changes a length or CIE pointer"},
           {0x17, "0x17): a relocation changes a length or CIE pointer"},
           {0x11, "0x11): a relocation changes more than one record"},
           {0x2c, "0x2c): a relocation changes a length"}}) {
    SCOPED_TRACE(c.offset);
    LinkHarness links;
    Table t;
    t.fde(t.cie(), nullptr).end();
    t.relocate(c.offset, "f", Table::kWord, 0);
    links.file("a.o", function("f", t));
    expectFailure(links.link({"-e", "0", "a.o"}),
                  std::string("xlink: error: a.o:(.eh_frame+") + c.message +
                      "\n");
  }
}

TEST(EhFrame, DiscardedTablesMayBeAnything) {
  LinkHarness links;
  Table t;
  t.raw("ffff");
  links.file("a.o", function("f", t))
      .file("d.ld", "SECTIONS { /DISCARD/ : { *(.eh_frame) } .text : { "
                    "*(.text*) } }");
  EXPECT_EQ(linkedRecords(links, {"-T", "d.ld", "a.o"}), "none");
}

/// Real tables with damaged bytes: an error, or records that make sense.
TEST(EhFrame, Mutants) {
  const Bytes original = sample("classes2.o");
  // The bytes of .eh_frame and of its relocations.
  const size_t begin = 0xec, size = 0x98, relocations = 0x2e8, count = 0x48;
  std::mt19937 random(20240607);
  size_t refused = 0, linked = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    Bytes mutant = original;
    for (unsigned n = 1 + random() % 3; n; --n) {
      bool table = random() % 4 != 0;
      size_t at =
          table ? begin + random() % size : relocations + random() % count;
      switch (random() % 4) {
      case 0:
        mutant[at] ^= uint8_t(1 << random() % 8);
        break;
      case 1:
        mutant[at] = uint8_t(random());
        break;
      case 2:
        mutant[at] = uint8_t(mutant[at] + random() % 9 - 4);
        break;
      default: // a word of another place
        std::copy_n(original.begin() + begin + random() % (size / 4) * 4, 4,
                    mutant.begin() + (at & ~size_t(3)));
      }
    }
    LinkHarness links = classes();
    links.file("classes2.o", mutant);
    Linked result =
        links.link({round % 2 ? "-O0" : "-O1",
                    round % 3 ? "--gc-sections" : "--no-gc-sections", "start.o",
                    "classes.o", "classes2.o", "console.o"});
    SCOPED_TRACE(round);
    if (result.status) {
      EXPECT_NE(result.errors, "");
      EXPECT_TRUE(result.files.empty());
      ++refused;
      continue;
    }
    ++linked;
    std::string text = records(OutFile(result.image()));
    EXPECT_FALSE(StringRef(text).contains("end;")) << text;
    if (HasFailure())
      return;
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(linked, 500u);
}

} // namespace
} // namespace xlink::test
