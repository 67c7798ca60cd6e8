//===- ScriptWordTest.cpp - what every word of the language does ----------===//
//
// One link for each word that the parser knows, command, function or attribute,
// in which the word makes the difference. A word without a test of its name
// fails ScriptWords.EveryOneHasATest.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/ScriptKeywords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Row {
  const char *word, *variant; ///< variant: "" for a word's first row
  const char *script;
  const char *expected; ///< lines of the summary, each of which must be there
  const char *arguments = "a.o";
};

const char kObject[] = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 8, Content: '0101010101' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '0202020202020202' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 32 }
  - { Name: .s.2, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 1, Content: '22' }
  - { Name: .s.10, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 2, Content: '10' }
  - { Name: .s.1, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '11' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Link: .symtab, EntSize: 12, Relocations: [ { Offset: 4, Symbol: var, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: var, Section: .data, Binding: STB_GLOBAL }
  - { Name: wanted, Binding: STB_WEAK }
  - { Name: com, Index: SHN_COMMON, Binding: STB_GLOBAL, Type: STT_OBJECT, Value: 8, Size: 4 }
)";

Bytes one(StringRef section, StringRef symbol, StringRef content) {
  return nyuzi(("Sections:\n  - { Name: " + section +
                ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], "
                "AddressAlign: 1, Content: '" +
                content + "' }\nSymbols:\n  - { Name: " + symbol +
                ", Section: " + section + ", Binding: STB_GLOBAL }\n")
                   .str());
}

#define CODE ".text 0x1000 : { *(.text) } "
#define DATA ".data 0x2000 : { *(.data) } "
/// At the top level; in SECTIONS; in an output section at 0x3000.
#define TOP(text) text " SECTIONS { " CODE DATA "}"
#define IN(text) "SECTIONS { " CODE DATA text " }"
#define BODY(text) IN(".s 0x3000 : { " text " }")
#define MEM                                                                    \
  "MEMORY { rom (rx) : ORIGIN = 0x10000, LENGTH = 4K ram (w) : "               \
  "ORIGIN = 0x20000, LENGTH = 8K }"

// clang-format off
const Row rows[] = {
    // Commands of the top level.
    {"ENTRY", "", TOP("ENTRY(var)"), "entry 2000"},
    {"ENTRY", "InSections", IN("ENTRY(var)"), "entry 2000"},
    {"OUTPUT", "", TOP("OUTPUT(made.elf)"), "file made.elf"},
    {"OUTPUT_FORMAT", "", TOP("OUTPUT_FORMAT(binary)"), "binary"},
    {"OUTPUT_FORMAT", "ThreeNames", TOP("OUTPUT_FORMAT(\"binary\", \"elf32-big\", \"elf32-little\")"), "binary"},
    {"OUTPUT_ARCH", "", TOP("OUTPUT_ARCH(nyuzi)"), ".text 1000 10"},
    {"SEARCH_DIR", "", TOP("SEARCH_DIR(dir) INPUT(-lone)"), ".one 2008 1", "a.o -u one"},
    {"SEARCH_DIR", "Library", TOP("SEARCH_DIR(\"dir\");"), ".one 200d 1", "a.o -u one -lone"},
    {"INPUT", "", TOP("INPUT(one.o, two.o)"), ".one 2008 1\n.two 2009 1"},
    {"INPUT", "ScriptAmongTheInputs", TOP(""), ".one 200d 1\nplain = 55\n.text 1000 10", "a.o in.ld"},
    {"GROUP", "", TOP("GROUP(one.o two.o)"), ".one 2008 1\n.two 2009 1"},
    {"AS_NEEDED", "", TOP("INPUT(one.o AS_NEEDED(two.o))"), ".one 2008 1\n.two 2009 1"},
    {"STARTUP", "", TOP("STARTUP(first.o)"), "bytes .data 33"},
    {"EXTERN", "", TOP("EXTERN(one)"), ".one 200d 1", "a.o dir/libone.a"},
    {"TARGET", "", TOP("TARGET(elf32-nyuzi)"), ".text 1000 10"},
    {"INCLUDE", "", TOP("INCLUDE inc.ld"), "included = 77"},
    {"INCLUDE", "InSections", IN("INCLUDE inc.ld"), "included = 77"},
    {"INCLUDE", "InAnOutputSection", BODY("BYTE(1) INCLUDE inc.ld"), "included = 3077"},
    {"INCLUDE", "InMemory", "MEMORY { INCLUDE mem.ld } SECTIONS { .text : { *(.text) } >all .data : { *(.data) } >all }", ".text 50000 10"},
    {"INCLUDE", "Cycle", TOP("INCLUDE loop.ld"), "xlink: error: loop.ld:1:9: INCLUDE of 'loop.ld' from within itself"},
    {"FORCE_COMMON_ALLOCATION", "", TOP("FORCE_COMMON_ALLOCATION"), "com = 2030"},
    {"FORCE_GROUP_ALLOCATION", "", TOP("FORCE_GROUP_ALLOCATION"), ".text 1000 10"},
    {"INHIBIT_COMMON_ALLOCATION", "", TOP("INHIBIT_COMMON_ALLOCATION"), "xlink: warning: INHIBIT_COMMON_ALLOCATION has no effect: in a program common symbols need space\ncom = 2030"},
    {"LD_FEATURE", "", TOP("LD_FEATURE(\"SANE_EXPR\")") " x = var + 4; y = (var & 0xf000) + 1;", "x = 2004\ny = 2001"},
    {"NOCROSSREFS", "", TOP("NOCROSSREFS(.text .data)"), "xlink: error: a.o:(.text+0x4): prohibited cross reference from '.text' to 'var' in '.data'"},
    {"NOCROSSREFS_TO", "", TOP("NOCROSSREFS_TO(.data .text)"), "xlink: error: a.o:(.text+0x4): prohibited cross reference from '.text' to 'var' in '.data'"},
    {"REGION_ALIAS", "", MEM "REGION_ALIAS(CODE, rom) REGION_ALIAS(DATA, ram) SECTIONS { .text : { *(.text) } >CODE .data : { *(.data) } >DATA AT>CODE }", ".text 10000 10\n.data 20000 8"},
    {"INSERT", "", "SECTIONS { .new : { BYTE(1) } } INSERT AFTER .text;", ".new 1010 1"},
    {"AFTER", "", "SECTIONS { .new : { BYTE(1) } } INSERT AFTER .bss", ".new 2034 1"},
    {"BEFORE", "", "SECTIONS { .new : { BYTE(1) } } INSERT BEFORE .data", ".new 2000 1"},
    {"MEMORY", "", MEM "SECTIONS { .text : { *(.text) } .data : { *(.data) } }", ".text 10000 10\n.data 20000 8"},
    {"ORIGIN", "", MEM "SECTIONS { .text : { *(.text) } >rom .data : { *(.data) } >ram x = ORIGIN(ram) + 1; }", "x = 20001"},
    {"LENGTH", "", MEM "SECTIONS { .text : { *(.text) } >rom .data : { *(.data) } >ram x = LENGTH(ram) + 1; }", "x = 2001"},
    {"org", "", "MEMORY { all (!i) : org = 0x40000, len = 1M } SECTIONS { .text : { *(.text) } >all .data : { *(.data) } >all x = LENGTH(all); }", ".text 40000 10\nx = 100000"},
    {"len", "", "MEMORY { all : o = 0x40000, len = 2K } SECTIONS { .text : { *(.text) } >all .data : { *(.data) } >all x = LENGTH(all); }", "x = 800"},
    {"o", "", "MEMORY { all (rwx!l) : o = 0x40000, l = 1M } SECTIONS { .text : { *(.text) } >all .data : { *(.data) } >all }", ".text 40000 10"},
    {"l", "", "size = 0x300; MEMORY { all : o = base, l = size + 1 } SECTIONS { .text : { *(.text) } >all .data : { *(.data) } >all x = LENGTH(all); } base = 0x60000;", ".text 60000 10\nx = 301"},
    {"PHDRS", "", "PHDRS { t PT_LOAD; d PT_LOAD; } SECTIONS { " CODE " :t " DATA " :d }", "segment LOAD R-X 1000 18 18\nsegment LOAD RW- 2000 10 34"},
    {"FILEHDR", "", "PHDRS { t PT_LOAD FILEHDR; } SECTIONS { " CODE " :t " DATA " }", "segment LOAD RWX 0 2010 2034"},
    {"FLAGS", "", "PHDRS { t PT_LOAD FLAGS(4); } SECTIONS { " CODE " :t " DATA " }", "segment LOAD R-- 1000 1010 1034"},
    {"AT", "Segment", "PHDRS { t PT_LOAD AT(0x9000); } SECTIONS { " CODE " :t " DATA " }", "load 1000 9000"},
    {"VERSION", "", TOP("VERSION { v { *; }; }"), "xlink: error: x.ld:1:1: VERSION is not supported: without dynamic linking symbols have no versions"},
    {"SECTIONS", "", TOP(""), ".text 1000 10\n.data 2000 8"},
    {"ASSERT", "", TOP("ASSERT(0, \"top\")") " x = 1;", "xlink: error: x.ld:1:1: assertion failed: top"},
    {"ASSERT", "TopSemicolon", "ASSERT(0, \"top\"); " TOP("ASSERT(1, \"good\");"), "xlink: error: x.ld:1:1: assertion failed: top"},
    {"ASSERT", "InSections", "SECTIONS { ASSERT(SIZEOF(.text) == 17, \"size\") " CODE "}", "xlink: error: x.ld:1:12: assertion failed: size"},
    {"ASSERT", "InSectionsSemicolon", "SECTIONS { ASSERT(SIZEOF(.text) == 17, \"size\"); " CODE "}", "xlink: error: x.ld:1:12: assertion failed: size"},
    {"ASSERT", "InAnOutputSection", "SECTIONS { .text 0x1000 : { ASSERT(. == 1, \"dot\") *(.text) } }", "xlink: error: x.ld:1:29: assertion failed: dot"},
    {"ASSERT", "InAnOutputSectionSemicolon", "SECTIONS { .text 0x1000 : { ASSERT(. == 1, \"dot\"); *(.text) } }", "xlink: error: x.ld:1:29: assertion failed: dot"},
    {"ASSERT", "Function", TOP("x = ASSERT(0, \"value\");"), "xlink: error: x.ld:1:5: assertion failed: value"},
    {"PROVIDE", "", TOP("PROVIDE(wanted = 5); PROVIDE(var = 6); PROVIDE(idle = 7);"), "wanted = 5\nvar = 2000\nnot idle"},
    {"PROVIDE_HIDDEN", "", TOP("PROVIDE_HIDDEN(wanted = 5);"), "local wanted = 5"},
    {"HIDDEN", "", TOP("HIDDEN(mine = 5);"), "local mine = 5"},

    // Output sections.
    {"/DISCARD/", "", IN("/DISCARD/ : { *(.rodata) }"), "not .rodata"},
    {"OVERLAY", "", IN("OVERLAY 0x4000 : AT(0x8000) { .o1 { *(.s.1) } .o2 { *(.s.2 .s.10) } }"), ".o1 4000 1\n.o2 4000 3\nload 4000 8000\nload 4000 8001"},
    {"OVERLAY", "Type", IN(".s 0x3000 (OVERLAY) : { *(.s.1) }"), "plain .s 3000 1"},
    {"NOLOAD", "", IN(".s 0x3000 (NOLOAD) : { *(.s.1) }"), "bytes .s empty"},
    {"DSECT", "", IN(".s 0x3000 (DSECT) : { *(.s.1) }"), "plain .s 3000 1"},
    {"COPY", "", IN(".s 0x3000 (COPY) : { *(.s.1) }"), "plain .s 3000 1"},
    {"INFO", "", IN(".s 0x3000 (INFO) : { *(.s.1) }"), "plain .s 3000 1"},
    {"READONLY", "", IN(".s 0x3000 (READONLY) : { *(.s.1) }"), "segment LOAD R-- 3000 4 4"},
    {"TYPE", "", IN(".s 0x3000 (TYPE = SHT_NOTE) : { *(.s.1) }"), "type .s 7"},
    {"AT", "", IN(".s 0x3000 : AT(0x7000) { *(.s.1) }"), "load 3000 7000"},
    {"AT", "Region", MEM "SECTIONS { .text : { *(.text) } >rom .data : { *(.data) } >ram AT>rom }", "load 20000 10015"},
    {"ALIGN", "Attribute", IN(".s : ALIGN(0x40) { *(.s.1) }"), ".s 2040 1"},
    {"SUBALIGN", "", IN(".s 0x3000 : SUBALIGN(16) { *(.s.1 .s.2) }"), ".s 3000 11"},
    {"ALIGN_WITH_INPUT", "", MEM "SECTIONS { .text : { *(.text) BYTE(1) } >rom .data : ALIGN_WITH_INPUT { *(.data) } >ram AT>rom }", "load 20000 1001d"},
    {"ONLY_IF_RO", "", IN(".a 0x3000 : ONLY_IF_RO { *(.s.1) } .b 0x4000 : { *(.s.1) }"), ".b 4000 1"},
    {"ONLY_IF_RW", "", IN(".a 0x3000 : ONLY_IF_RW { *(.rodata) } .b 0x4000 : { *(.rodata) }"), ".b 4000 5"},
    {"SPECIAL", "", IN(".s 0x3000 : SPECIAL { *(.s.1) }"), ".s 3000 1"},

    // Statements of output sections.
    {"BYTE", "", BODY("BYTE(0x12345678)"), "bytes .s 78"},
    {"SHORT", "", BODY("SHORT(0x12345678)"), "bytes .s 7856"},
    {"LONG", "", BODY("LONG(0x12345678)"), "bytes .s 78563412"},
    {"QUAD", "", BODY("QUAD(0x12345678)"), "bytes .s 7856341200000000"},
    {"SQUAD", "", BODY("SQUAD(0 - 2)"), "bytes .s feffffffffffffff"},
    {"ASCIZ", "", BODY("ASCIZ \"ab\""), "bytes .s 616200"},
    {"ASCIZ", "NotQuoted", BODY("ASCIZ a-b BYTE(1)"), "bytes .s 612d620001"},
    {"FILL", "", BODY("FILL(0xabcd) . += 3; BYTE(1)"), "bytes .s abcdab01"},
    {"KEEP", "", IN(".s 0x3000 : { KEEP(*(.s.1)) *(.s.2) }"), ".s 3000 1", "--gc-sections a.o"},
    {"CONSTRUCTORS", "", BODY("BYTE(1) CONSTRUCTORS"), "bytes .s 01"},
    {"CREATE_OBJECT_SYMBOLS", "", BODY("BYTE(1) CREATE_OBJECT_SYMBOLS"), "bytes .s 01"},
    {"LINKER_VERSION", "", BODY("BYTE(1) LINKER_VERSION"), "bytes .s 01"},
    {"COMMON", "", BODY("*(COMMON)"), "com = 3000"},
    {"EXCLUDE_FILE", "", BODY("*(EXCLUDE_FILE(one.o) .one .s.1)"), ".s 3000 1", "a.o one.o"},
    {"INPUT_SECTION_FLAGS", "", BODY("INPUT_SECTION_FLAGS(SHF_WRITE) *(.s.* .rodata)"), "bytes .s 2200100011"},
    {"SORT", "", BODY("*(SORT(.s.*))"), "bytes .s 11001022"},
    {"SORT_BY_NAME", "", BODY("*(SORT_BY_NAME(.s.*))"), "bytes .s 11001022"},
    {"SORT_BY_ALIGNMENT", "", BODY("*(SORT_BY_ALIGNMENT(.s.*))"), "bytes .s 11001022"},
    {"SORT_BY_INIT_PRIORITY", "", BODY("*(SORT_BY_INIT_PRIORITY(.s.*))"), "bytes .s 112210"},
    {"SORT_NONE", "", BODY("*(SORT_NONE(.s.*))"), "bytes .s 2200100011", "--sort-section=name a.o"},
    {"REVERSE", "", BODY("*(REVERSE(SORT_BY_NAME(.s.*)))"), "bytes .s 2200100011"},

    // Functions.
    {"ABSOLUTE", "", BODY("BYTE(1) x = ABSOLUTE(.);"), "absolute x = 3001"},
    {"ADDR", "", TOP("x = ADDR(.data) + 1;"), "x = 2001"},
    {"ALIGN", "", TOP("x = ALIGN(0x1234, 0x100); y = SIZEOF(.data) + ALIGN(4);"), "x = 1300\ny = 8"},
    {"ALIGNOF", "", TOP("x = ALIGNOF(.text) + 1;"), "x = 5"},
    {"BLOCK", "", "SECTIONS { . = 0x1001; x = BLOCK(0x10); " CODE "}", "x = 1010"},
    {"CONSTANT", "", TOP("x = CONSTANT(MAXPAGESIZE); y = CONSTANT(COMMONPAGESIZE);"), "x = 1000\ny = 1000"},
    {"DATA_SEGMENT_ALIGN", "", "SECTIONS { " CODE " x = DATA_SEGMENT_ALIGN(0x1000, 0x1000); }", "x = 2010"},
    {"DATA_SEGMENT_END", "", TOP("x = DATA_SEGMENT_END(0x12);"), "x = 12"},
    {"DATA_SEGMENT_RELRO_END", "", TOP("x = DATA_SEGMENT_RELRO_END(0, 0x12);"), "x = 12"},
    {"DEFINED", "", TOP("x = DEFINED(var) ? 3 : 4; y = DEFINED(nowhere) ? 3 : 4;"), "x = 3\ny = 4"},
    {"LOADADDR", "", IN(".s 0x3000 : AT(0x7000) { *(.s.1) } x = LOADADDR(.s);"), "x = 7000"},
    {"LOG2CEIL", "", TOP("x = LOG2CEIL(9);"), "x = 4"},
    {"MAX", "", TOP("x = MAX(3, 4);"), "x = 4"},
    {"MIN", "", TOP("x = MIN(3, 4);"), "x = 3"},
    {"NEXT", "", "SECTIONS { . = 0x1001; x = NEXT(0x10); " CODE "}", "x = 1010"},
    {"SEGMENT_START", "", TOP("x = SEGMENT_START(\"ldata-segment\", 9); y = SEGMENT_START(\"text-segment\", 9);"), "x = 9\ny = 5000", "-Ttext-segment=0x5000 a.o"},
    {"SIZEOF", "", TOP("x = SIZEOF(.text) + 1;"), "x = 11"},
    {"SIZEOF_HEADERS", "", "PHDRS { t PT_LOAD; } SECTIONS { " CODE ":t } x = SIZEOF_HEADERS;", "x = 54"},
    {"sizeof_headers", "", "PHDRS { t PT_LOAD; } SECTIONS { " CODE ":t } x = sizeof_headers;", "x = 54"},
};
// clang-format on

/// Everything about a link that a row may ask for, a line each.
std::string summary(const Linked &linked) {
  std::string text = linked.errors;
  for (const auto &[name, bytes] : linked.files)
    text += "file " + name + "\n";
  if (linked.files.empty())
    return text;
  const Bytes &image = linked.files.begin()->second;
  if (image.size() < 4 || image[1] != 'E')
    return text + "binary\n";
  OutFile out(image);
  text += "entry " + utohexstr(out.entry, true) + "\n" + layoutOf(out);
  for (const OutSection &s : out.sections) {
    if (!(s.flags & 2))
      text += "plain " + s.name + " " + utohexstr(s.address, true) + " " +
              utohexstr(s.size, true) + "\n";
    text += "bytes " + s.name + " " +
            (s.bytes.empty() ? "empty" : hexDigits(s.bytes)) + "\n";
    text += "type " + s.name + " " + utohexstr(s.type, true) + "\n";
  }
  for (const OutSymbol &s : out.symbols) {
    std::string value = s.name + " = " + utohexstr(s.value, true) + "\n";
    text += value;
    if (s.binding == 0)
      text += "local " + value;
    if (s.shndx == 0xfff1)
      text += "absolute " + value;
  }
  SmallVector<StringRef, 8> segments;
  std::string all = segmentsOf(out);
  StringRef(all).split(segments, '\n', -1, false);
  for (StringRef s : segments)
    text += "segment " + s.str() + "\n";
  for (const OutSegment &s : out.segments)
    text += "load " + utohexstr(s.address, true) + " " +
            utohexstr(s.loadAddress, true) + "\n";
  return text;
}

std::string testName(const Row &row) {
  std::string name = StringRef(row.word).trim('/').str();
  return *row.variant ? name + "_" + row.variant : name;
}

class ScriptWord : public testing::TestWithParam<Row> {};

TEST_P(ScriptWord, Acts) {
  LinkHarness links;
  links.file("a.o", nyuzi(kObject)).file("x.ld", GetParam().script);
  links.file("one.o", one(".one", "one", "aa"));
  links.file("two.o", one(".two", "two", "bb"));
  links.file("first.o", one(".data", "first", "33"));
  links.file("dir/libone.a",
             makeArchive({{"one.o", one(".one", "one", "aa")}}));
  links.file("inc.ld", "included = 0x77;");
  links.file("in.ld", "INPUT(one.o) plain = 0x55;");
  links.file("loop.ld", "INCLUDE loop.ld");
  links.file("mem.ld", "all : ORIGIN = 0x50000, LENGTH = 1M");
  std::vector<std::string> arguments = {
      "-m", "nyuzi", "-e", "0", "--no-check-sections", "-T", "x.ld"};
  if (StringRef(GetParam().word) == "ENTRY")
    arguments.erase(arguments.begin() + 2, arguments.begin() + 4);
  SmallVector<StringRef, 8> words;
  StringRef(GetParam().arguments).split(words, ' ', -1, false);
  for (StringRef word : words)
    arguments.push_back(word.str());
  std::string text = "\n" + summary(links.linkAsGiven(arguments));
  SmallVector<StringRef, 8> lines;
  StringRef(GetParam().expected).split(lines, '\n', -1, false);
  for (StringRef line : lines)
    if (StringRef wanted = line; wanted.consume_front("not ")) {
      EXPECT_EQ(text.find(wanted.str()), std::string::npos) << text;
    } else {
      EXPECT_NE(text.find(("\n" + line).str()), std::string::npos)
          << line.str() << " is missing in" << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Words, ScriptWord, testing::ValuesIn(rows),
                         [](const auto &info) { return testName(info.param); });

/// Whether a test "Words/ScriptWord.Acts/NAME" is registered.
bool isRegistered(const std::string &name) {
  const testing::UnitTest &all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite &suite = *all.GetTestSuite(s);
    if (StringRef(suite.name()) != "Words/ScriptWord")
      continue;
    for (int t = 0; t < suite.total_test_count(); ++t)
      if (suite.GetTestInfo(t)->name() == "Acts/" + name)
        return true;
  }
  return false;
}

TEST(ScriptWords, EveryOneHasATest) {
  for (StringRef word : scriptKeywords())
    EXPECT_TRUE(isRegistered(word.trim('/').str()))
        << word.str() << " has no test of its name";
  for (const Row &row : rows)
    EXPECT_TRUE(scriptKeywords().count(row.word)) << row.word;
}

} // namespace
} // namespace xlink::test
