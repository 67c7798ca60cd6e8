//===- MapFileTest.cpp - maps, to the letter ------------------------------===//
//
// testdata/maps: whole maps, compared with GNU ld's by tools/compare-maps.
// Here: that they come out as recorded, when a link fails too, and single
// lines.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string testdata(StringRef name) {
  Bytes bytes =
      readTestFile(std::string(XLINK_TESTDATA) + "/maps/" + name.str());
  return {bytes.begin(), bytes.end()};
}

/// main.o, other.o, third.o, libx.a and both scripts.
LinkHarness inputs(const char *machine) {
  auto object = [&](const char *name) {
    return machineObject(machine, testdata(std::string(name) + ".yaml"));
  };
  LinkHarness links;
  for (const char *name : {"main", "other", "third"})
    links.file(std::string(name) + ".o", object(name));
  links.file("libx.a", makeArchive({{"helper.o", object("helper")},
                                    {"deeper.o", object("deeper")}}));
  for (const char *script : {"full.ld", "statements.ld"})
    links.file(script, testdata(script));
  return links;
}

const std::vector<std::string> full = {
    "main.o",  "other.o", "libx.a",          "-T", "map.ld", "-Map",
    "out.map", "--cref",  "--no-warn-orphan"};

std::string textFile(const Linked &linked, const char *name = "out.map") {
  auto it = linked.files.find(name);
  if (it == linked.files.end()) {
    ADD_FAILURE() << "no " << name << "\n" << linked.errors;
    return "";
  }
  return {it->second.begin(), it->second.end()};
}

/// The map's lines from the first that begins with `from` on, `count` of them.
std::string lines(StringRef map, StringRef from, unsigned count) {
  size_t at = map.starts_with(from) ? 0 : map.find(("\n" + from).str());
  if (at == StringRef::npos)
    return "no '" + from.str() + "' in:\n" + map.str();
  map = map.drop_front(at ? at + 1 : 0);
  size_t end = 0;
  while (count-- && end != StringRef::npos)
    end = map.find('\n', end ? end + 1 : 0);
  return map.take_front(end).str() + "\n";
}

//===----------------------------------------------------------------------===//
// Whole maps
//===----------------------------------------------------------------------===//

TEST(MapFile, As32BitMachinesHaveIt) {
  LinkHarness links = inputs("nyuzi");
  links.file("map.ld", testdata("full.ld"));
  Linked linked = links.link(full);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(textFile(linked), testdata("full32.map"));
  EXPECT_EQ(linked.text, "");
}

TEST(MapFile, As64BitMachinesHaveIt) {
  LinkHarness links = inputs("aphelion");
  links.file("map.ld", testdata("full.ld"));
  Linked linked = links.link(full);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(textFile(linked), testdata("full64.map"));
}

TEST(MapFile, CollectedSections) {
  LinkHarness links = inputs("nyuzi");
  links.file("map.ld", testdata("full.ld"));
  std::vector<std::string> arguments = full;
  for (const char *more : {"--gc-sections", "-e", "_start"})
    arguments.push_back(more);
  Linked linked = links.link(arguments);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(textFile(linked), testdata("collected.map"));
}

TEST(MapFile, StatementsOfAllKinds) {
  LinkHarness links = inputs("nyuzi");
  links.file("map.ld", testdata("statements.ld"));
  Linked linked = links.link(full);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(textFile(linked), testdata("statements.map"));
}

//===----------------------------------------------------------------------===//
// Links that fail
//===----------------------------------------------------------------------===//

TEST(MapFile, ARegionThatOverflows) {
  LinkHarness links = inputs("nyuzi");
  std::string script = testdata("full.ld");
  script.replace(script.find("LENGTH = 0x1000"), 15, "LENGTH = 0x20");
  links.file("map.ld", script);
  Linked linked = links.link(full);
  EXPECT_EQ(linked.status, 1);
  EXPECT_NE(linked.errors.find("will not fit in region 'rom'"),
            std::string::npos);
  EXPECT_EQ(textFile(linked), testdata("overflow.map"));
  EXPECT_EQ(linked.files.size(), 1u) << "a failed link left an output";
}

TEST(MapFile, EveryErrorBehindTheLayout) {
  struct Case {
    const char *script, *error;
  };
  for (const Case &c : std::initializer_list<Case>{
           {"SECTIONS { .text : { *(.text*) } .late 0 : { *(.data) } }",
            "range overlaps"},
           {"SECTIONS { . = 16; ASSERT(0, \"never\") }", "assertion failed"},
           {"SECTIONS { x = nothing; }", "nothing"},
           {"NOCROSSREFS(.text .data) SECTIONS { . = 0xfffffff0; }",
            "does not fit the machine's address space"}}) {
    SCOPED_TRACE(c.script);
    LinkHarness links = inputs("nyuzi");
    links.file("map.ld", c.script);
    std::vector<std::string> arguments = full;
    arguments.push_back("--defsym=provided=0");
    Linked linked = links.link(arguments);
    EXPECT_EQ(linked.status, 1);
    EXPECT_NE(linked.errors.find(c.error), std::string::npos) << linked.errors;
    EXPECT_EQ(linked.files.size(), 1u);
    EXPECT_NE(textFile(linked).find("OUTPUT(out elf32-nyuzi)"),
              std::string::npos);
  }
}

TEST(MapFile, UndefinedSymbols) {
  Linked linked = inputs("nyuzi").link({"main.o", "-Map=out.map"});
  EXPECT_EQ(linked.files.count("out.map"), 1u);
}

//===----------------------------------------------------------------------===//
// Where it goes
//===----------------------------------------------------------------------===//

TEST(MapFile, OnStandardOutput) {
  LinkHarness links = inputs("nyuzi");
  links.file("map.ld", testdata("full.ld"));
  for (const char *option : {"-M", "--print-map", "-Map=-"}) {
    Linked linked = links.link(
        {"main.o", "other.o", "libx.a", "-T", "map.ld", "--cref", option});
    EXPECT_EQ(linked.text, testdata("full32.map"));
    EXPECT_EQ(linked.files.size(), 1u);
  }
  std::vector<std::string> both = full;
  both.push_back("-M");
  Linked linked = links.link(both);
  EXPECT_EQ(linked.text, testdata("full32.map"));
  EXPECT_EQ(textFile(linked), testdata("full32.map"));
}

TEST(MapFile, NamedAfterTheOutput) {
  LinkHarness links = inputs("nyuzi");
  auto fileOf = [&](const char *option) {
    Linked linked = links.link({"main.o", "libx.a", "--defsym=provided=0", "-o",
                                "dir/program.elf", option});
    EXPECT_EQ(linked.errors, "");
    for (const auto &[name, bytes] : linked.files)
      if (name != "dir/program.elf")
        return name;
    return std::string("none");
  };
  EXPECT_EQ(fileOf("-Map=%"), "dir/program.elf.map");
  EXPECT_EQ(fileOf("-Map=%.txt"), "dir/program.elf.txt");
  EXPECT_EQ(fileOf("-Map=dir.map"), "dir.map");
}

/// Refuses one file.
class RefusingSink : public MemorySink {
public:
  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override {
    if (path == "no/out.map") {
      error = "Permission denied";
      return nullptr;
    }
    EXPECT_EQ(executable, path == "out") << path.str();
    return MemorySink::open(path, size, executable, error);
  }
};

TEST(MapFile, APathThatCannotBeWritten) {
  vfs::InMemoryFileSystem fs;
  fs.setCurrentWorkingDirectory("/");
  Bytes object = machineObject("nyuzi", testdata("other.yaml"));
  fs.addFile(
      "a.o", 0,
      MemoryBuffer::getMemBufferCopy(StringRef(
          reinterpret_cast<const char *>(object.data()), object.size())));
  RefusingSink sink;
  LinkRequest request;
  request.fileSystem = &fs;
  request.sink = &sink;
  for (auto [option, what] :
       {std::pair("-Map=no/out.map", "map file"),
        std::pair("--dependency-file=no/out.map", "dependency file")}) {
    request.arguments = {"-o",  "out", "-e", "0", "--defsym=wanted=0",
                         "a.o", option};
    LinkResult result = xlink::link(request);
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(result.diagnostics[0].text, std::string("cannot write ") + what +
                                              " no/out.map: Permission denied");
  }
  request.arguments = {"-o",  "out",       "-e", "0", "--defsym=wanted=0",
                       "a.o", "-Map=a.map"};
  EXPECT_EQ(xlink::link(request).status, 0);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// The map of one object and a script, with the output's machine.
std::string mapOf(StringRef sections, StringRef script,
                  const char *machine = "nyuzi",
                  std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", machineObject(machine, sections));
  std::vector<std::string> arguments = {"-e", "0", "a.o", "-Map=out.map"};
  if (!script.empty()) {
    links.file("map.ld", script);
    arguments.insert(arguments.end(), {"-T", "map.ld"});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  Linked linked = links.link(arguments);
  EXPECT_EQ(linked.errors, "");
  return textFile(linked);
}

std::string sized(const char *name, const char *size, unsigned align = 1,
                  const char *flags = "SHF_ALLOC") {
  return std::string("  - { Name: ") + name +
         ", Type: SHT_PROGBITS, Flags: [ " + flags +
         " ], AddressAlign: " + std::to_string(align) + ", Size: " + size +
         " }\n";
}

TEST(MapFile, WidthsOfNames) {
  std::string map = mapOf(
      "Sections:\n" + sized(".123456789012", "1") +
          "  - { Name: .1234567890123, Type: SHT_NOBITS, Flags: [ SHF_ALLOC "
          "], Size: 0x12345678 }\n" +
          sized(".12345678901234", "2"),
      "SECTIONS { .123456789012 : { *(.123456789012) } .1234567890123 "
      "(NOLOAD) : { *(.1234567890123) } .12345678901234 : { "
      "*(.12345678901234) } }");
  EXPECT_EQ(lines(map, ".123456789012 ", 11),
            ".123456789012   0x00000000        0x1\n"
            " *(.123456789012)\n"
            " .123456789012  0x00000000        0x1 a.o\n"
            "\n"
            ".1234567890123  0x00000001 0x12345678\n"
            " *(.1234567890123)\n"
            " .1234567890123\n"
            "                0x00000001 0x12345678 a.o\n"
            "\n"
            ".12345678901234\n"
            "                0x12345679        0x2\n");
}

TEST(MapFile, WidthsOfMembersAndCommons) {
  LinkHarness links;
  auto named = [](const char *symbol) {
    return nyuzi(std::string("Symbols:\n  - { Name: ") + symbol +
                 ", Index: SHN_COMMON, Value: 4, Size: 4, Binding: STB_GLOBAL "
                 "}\n");
  };
  links.file("a.o", nyuzi("Symbols:\n  - { Name: s, Binding: STB_GLOBAL }\n"
                          "  - { Name: t, Binding: STB_GLOBAL }\n"));
  auto defining = [](const char *symbol) {
    return nyuzi(std::string("Symbols:\n  - { Name: ") + symbol +
                 ", Index: SHN_ABS, Binding: STB_GLOBAL }\n");
  };
  links.file("libabc.a", makeArchive({{"a_member_of_18.xyz", defining("s")},
                                      {"a_member_of_19.wxyz", defining("t")}}));
  links.file("c.o", named("common_of_18_chars"))
      .file("d.o", named("common_of_19_charsx"));
  std::string map = textFile(
      links.link({"-e", "0", "a.o", "libabc.a", "c.o", "d.o", "-Map=out.map"}));
  EXPECT_EQ(StringRef(map).take_front(map.find("\nMemory Conf")),
            "Archive member included to satisfy reference by file (symbol)\n"
            "\n"
            "libabc.a(a_member_of_18.xyz)  a.o (s)\n"
            "libabc.a(a_member_of_19.wxyz)\n"
            "                              a.o (t)\n"
            "\n"
            "Allocating common symbols\n"
            "Common symbol       size              file\n"
            "\n"
            "common_of_18_chars  0x4               c.o\n"
            "common_of_19_charsx\n"
            "                    0x4               d.o\n");
}

TEST(MapFile, MembersThatNoFileAsksFor) {
  LinkHarness links = inputs("nyuzi");
  std::string map = textFile(
      links.link({"-e", "0", "-u", "deeper", "libx.a", "-Map=out.map"}));
  EXPECT_EQ(lines(map, "libx.a", 1),
            "libx.a(deeper.o)              (deeper)\n");
  links.file("s.ld", "SECTIONS { x = helper; .text : { *(.text) } }");
  map =
      textFile(links.link({"-e", "0", "-T", "s.ld", "libx.a", "-Map=out.map"}));
  EXPECT_EQ(lines(map, "libx.a", 2),
            "libx.a(helper.o)              (helper)\n"
            "libx.a(deeper.o)              libx.a(helper.o) (deeper)\n");
}

TEST(MapFile, WholeArchivesSatisfyNobody) {
  std::string map = textFile(inputs("nyuzi").link(
      {"-e", "0", "--whole-archive", "libx.a", "-Map=out.map"}));
  EXPECT_EQ(map.find("Archive member"), std::string::npos);
  EXPECT_NE(map.find("LOAD libx.a\n"), std::string::npos);
}

// What --start-group and ( say is in the map alone, as with GNU ld.
TEST(MapFile, GroupsOfInputs) {
  std::string map = textFile(
      inputs("nyuzi").link({"-e", "0", "--start-group", "libx.a", "--end-group",
                            "-(", "libx.a", "-)", "-Map=out.map"}));
  EXPECT_NE(map.find("START GROUP\nLOAD libx.a\nEND GROUP\n"
                     "START GROUP\nLOAD libx.a\nEND GROUP\n"),
            std::string::npos)
      << map;
}

// So are those of scripts. A script among the inputs has a line of its own.
TEST(MapFile, GroupsOfScripts) {
  LinkHarness links = inputs("nyuzi");
  links.file("g.ld", StringRef("INPUT(in.ld) GROUP(libx.a AS_NEEDED(libx.a)) "
                               "GROUP(libx.a)"));
  links.file("in.ld", StringRef("GROUP(libx.a)"));
  std::string map = textFile(links.link({"-e", "0", "g.ld", "-Map=out.map"}));
  EXPECT_NE(map.find("LOAD g.ld\nLOAD in.ld\n"
                     "START GROUP\nLOAD libx.a\nEND GROUP\n"
                     "START GROUP\nLOAD libx.a\nLOAD libx.a\nEND GROUP\n"
                     "START GROUP\nLOAD libx.a\nEND GROUP\n"),
            std::string::npos)
      << map;
}

// Where each pattern stands, for whoever asks.
TEST(MapFile, LinesOfPatterns) {
  LinkHarness links = inputs("nyuzi");
  links.file("l.ld", StringRef("SECTIONS {\n  .text : {\n    *(.text)\n"
                               "    KEEP(*(.keep)) *(.text.*)\n  }\n}\n"));
  const std::vector<std::string> arguments = {"-e", "0",    "main.o", "libx.a",
                                              "-T", "l.ld", "-M"};
  auto more = arguments;
  more.push_back("--map-script-lines");
  std::string with = links.link(more).text,
              without = links.link(arguments).text;
  EXPECT_NE(with.find("\n *(.text)  l.ld:3\n"), std::string::npos) << with;
  EXPECT_NE(with.find("\n *(.text.*)  l.ld:4\n"), std::string::npos) << with;
  for (const char *line : {"  l.ld:3", "  l.ld:4", "  l.ld:4"}) {
    const size_t at = with.find(line);
    ASSERT_NE(at, std::string::npos) << with;
    with.erase(at, strlen(line));
  }
  EXPECT_EQ(with, without);
}

// What no statement of the script comes before stands behind the output's
// line, as in GNU ld's maps: readers take it for no part of the program.
TEST(MapFile, OrphansBehindTheOutput) {
  LinkHarness links;
  links.file("a.o", nyuzi("Sections:\n"
                          "  - { Name: .text, Type: SHT_PROGBITS, "
                          "Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }\n"
                          "  - { Name: .debug_x, Type: SHT_PROGBITS, Size: 4 "
                          "}\n  - { Name: .data, Type: SHT_PROGBITS, "
                          "Flags: [ SHF_ALLOC, SHF_WRITE ], Size: 4 }\n"));
  auto order = [&](const char *script) {
    links.file("o.ld", StringRef(script));
    const std::string map =
        links.link({"-e", "0", "-T", "o.ld", "a.o", "-M"}).text;
    std::string names;
    for (StringRef line :
         split(StringRef(map).split("memory map\n").second, '\n'))
      if (!line.empty() && line[0] != ' ')
        names +=
            line.take_until([](char c) { return c == ' ' || c == '('; }).str() +
            " ";
    return names;
  };
  EXPECT_EQ(order("SECTIONS { .text : { *(.text) } }"),
            ".text LOAD OUTPUT .data .debug_x .comment ");
  EXPECT_EQ(order("SECTIONS { .text : { *(.text) } .x 0 : { *(.x) } }"),
            ".text .data .x LOAD OUTPUT .debug_x .comment ");
  EXPECT_EQ(order("SECTIONS { .data : { *(.data) } }"),
            ".text .data LOAD OUTPUT .debug_x .comment ");
}

TEST(MapFile, Regions) {
  std::string map =
      mapOf("Sections:\n" + sized(".x", "1"),
            "MEMORY { a_very_long_region_name (!x) : ORIGIN = 0, LENGTH = 64K\n"
            "sixteen_chars_of (wa!rx) : o = 0x10000, l = 1M\n"
            "c (li) : o = 0xfffffff0, l = 16 }\n"
            "SECTIONS { .x : { *(.x) } > c }");
  EXPECT_EQ(
      lines(map, "Name ", 5),
      "Name             Origin             Length             Attributes\n"
      "a_very_long_region_name 0x00000000         0x00010000         !x\n"
      "sixteen_chars_of 0x00010000         0x00100000         aw!xr\n"
      "c                0xfffffff0         0x00000010         l\n"
      "*default*        0x00000000         0xffffffff\n");
}

TEST(MapFile, PaddingAndItsFilling) {
  // Code is filled with the machine's filler, a script's fill replaces it.
  const std::string code = "Sections:\n" +
                           sized(".t.a", "2", 2, "SHF_ALLOC, SHF_EXECINSTR") +
                           sized(".t.b", "2", 4, "SHF_ALLOC, SHF_EXECINSTR") +
                           sized(".t.c", "2", 16, "SHF_ALLOC, SHF_EXECINSTR");
  std::string map = mapOf(code, "SECTIONS { . = 0x100; .t : { *(.t.a) *(.t.b) "
                                "FILL(0xab); *(.t.c) . = ALIGN(16); } }");
  EXPECT_EQ(
      lines(map, ".t ", 11),
      ".t              0x00000100       0x20\n"
      " *(.t.a)\n"
      " .t.a           0x00000100        0x2 a.o\n"
      " *(.t.b)\n"
      " *fill*         0x00000102        0x2 \n"
      " .t.b           0x00000104        0x2 a.o\n"
      " FILL mask 0xab\n"
      " *(.t.c)\n"
      " *fill*         0x00000106        0xa ab\n"
      " .t.c           0x00000110        0x2 a.o\n"
      "                0x00000120                        . = ALIGN (0x10)\n");
  map = mapOf(code, "SECTIONS { . = 0x100; .t : { *(.t*) } =0x9a9b }");
  EXPECT_EQ(lines(map, " *fill*", 1),
            " *fill*         0x00000102        0x2 9a9b\n");
}

TEST(MapFile, Strings) {
  std::string map =
      mapOf("Sections:\n" + sized(".x", "3"),
            "SECTIONS { .x : { *(.x) ASCIZ \"name\" LONG(1 + 2) } }");
  EXPECT_EQ(lines(map, "                0x00000003", 2),
            "                0x00000003        0x5 ASCIZ \"name\"\n"
            "                0x00000008        0x4 LONG 0x3\n");
}

TEST(MapFile, MergedStrings) {
  auto strings = [](const char *content) {
    return nyuzi(std::string("Sections:\n  - { Name: .rodata.str, Type: "
                             "SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, "
                             "SHF_STRINGS ], EntSize: 1, Content: '") +
                 content + "' }\n");
  };
  LinkHarness links;
  links
      .file("a.o", strings("61620063640065660062006400")) // ab cd ef b d
      .file("b.o", strings("616200"))
      .file("c.o", strings("78797a00"));
  links.file("map.ld", "SECTIONS { .rodata : { *(.rodata*) } }");
  std::string map = textFile(links.link(
      {"-e", "0", "-T", "map.ld", "a.o", "b.o", "c.o", "-Map=out.map"}));
  EXPECT_EQ(lines(map, ".rodata ", 7),
            ".rodata         0x00000000        0xd\n"
            " *(.rodata*)\n"
            " .rodata.str    0x00000000        0x9 a.o\n"
            "                                  0xd (size before relaxing)\n"
            " .rodata.str    0x00000009        0x0 b.o\n"
            "                                  0x3 (size before relaxing)\n"
            " .rodata.str    0x00000009        0x4 c.o\n");
}

TEST(MapFile, OrderOfLoadedFiles) {
  LinkHarness links = inputs("nyuzi");
  links.file("t.ld", "INPUT(third.o) SECTIONS { x = 1; }")
      .file("plain.ld", "INPUT(third.o)");
  auto loads = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(),
                     {"-e", "0", "--defsym=provided=0", "-Map=out.map"});
    std::string map = textFile(links.link(arguments)), list;
    size_t at = map.find("Linker script and memory map");
    for (SmallVector<StringRef> rows; rows.empty();) {
      StringRef(map).drop_front(at).split(rows, '\n');
      for (StringRef row : rows)
        if (row.consume_front("LOAD "))
          list += row.str() + " ";
        else if (row.ends_with(" x = 0x1"))
          list += "x ";
    }
    return list;
  };
  EXPECT_EQ(loads({"main.o", "libx.a", "-T", "t.ld"}),
            "main.o libx.a third.o x ");
  EXPECT_EQ(loads({"main.o", "-T", "t.ld", "libx.a"}),
            "main.o third.o x libx.a ");
  EXPECT_EQ(loads({"-T", "t.ld", "main.o", "libx.a"}),
            "third.o x main.o libx.a ");
  EXPECT_EQ(loads({"main.o", "plain.ld", "libx.a"}),
            "main.o plain.ld third.o libx.a ");
}

TEST(MapFile, SameForEveryNumberOfThreads) {
  LinkHarness links = inputs("nyuzi");
  links.file("map.ld", testdata("full.ld"));
  for (const char *threads : {"--threads=1", "--threads=7"}) {
    std::vector<std::string> arguments = full;
    arguments.push_back(threads);
    EXPECT_EQ(textFile(links.link(arguments)), testdata("full32.map"));
  }
}

} // namespace
} // namespace xlink::test
