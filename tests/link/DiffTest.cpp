//===- DiffTest.cpp - --diff A B ------------------------------------------===//
#include "arch/Target.h"
#include "link/DiffFiles.h"
#include "link/Goldens.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace llvm;

namespace xlink::test {
namespace {

TEST(Diff, OfAFileAndItselfSaysNothing) {
  const Bytes file = linked({});
  const Linked result = diffOf(file, file);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.text + result.errors, "");
  EXPECT_TRUE(countsOf(file, file).empty());
}

TEST(Diff, OneConstant) {
  expectDiff(diffOf(linked({}), linked({.constant = "06000000"})),
             R"(2 files differ: 1 function changed; 1 byte really differs

Section .text
  _start changed: 1 byte at 1 place
    +0xc: 05 -> 06
)");
}

TEST(Diff, OneVariable) {
  expectDiff(diffOf(linked({}), linked({.value = "2b000000"})),
             R"(2 files differ: 1 object changed; 1 byte really differs

Section .data
  value changed: 1 byte at 1 place
    +0x0: 2a -> 2b
)");
}

// What is behind a function that grew moves, and what refers to it changes.
TEST(Diff, OneFunctionGrows) {
  const Words grown = wordsOfLongerEarly();
  expectDiff(diffOf(linked({}), linked(grown)),
             std::string(kEarlyGrew) +
                 "  because of moved targets: 1 byte in 1 function or object, "
                 "probably: no relocations tell\n");
  expectDiff(
      diffOf(linked({}, {"-q"}), linked(grown, {"-q"})),
      std::string(kEarlyGrew) +
          "  because of moved targets: 1 byte in 1 function or object\n");
}

// A symbol that is undefined in one of the files has no value there.
TEST(Diff, UndefinedSymbols) {
  auto object = [](const std::string &symbols) {
    return nyuzi("Sections:\n  - { Name: .text, Type: SHT_PROGBITS, Flags: [ "
                 "SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }\nSymbols:\n" +
                 symbols);
  };
  expectDiff(
      diffOf(object("  - { Name: bound, Binding: STB_GLOBAL }\n"
                    "  - { Name: gone, Binding: STB_GLOBAL }\n"),
             object("  - { Name: bound, Index: SHN_ABS, Value: 0x20, Binding: "
                    "STB_GLOBAL }\n"
                    "  - { Name: fresh, Index: SHN_ABS, Value: 0x30, Binding: "
                    "STB_GLOBAL }\n")),
      R"(2 files differ: 1 symbol new, 1 symbol gone, 1 symbol of another kind

Symbols in no section
  new: fresh at 0x30
  gone: gone, undefined
  bound: section undefined -> absolute
)");
}

// A number is another one; it does not move.
TEST(Diff, AbsoluteSymbols) {
  expectDiff(diffOf(linked({}, {"--defsym=words=5"}),
                    linked({}, {"--defsym=words=3"})),
             R"(2 files differ: 1 absolute symbol of another value

Symbols in no section
  another value, by -0x2: words (0x5)
)");
}

TEST(Diff, OneSectionMoves) {
  expectDiff(
      diffOf(linked({}), linked({}, {"-Tdata=0x9000"})),
      R"(2 files differ: 1 property of segments, 1 section, 2 symbols moved; 0 bytes really differ, 2 because of moved targets

Segments
  LOAD 1 address: 0x2000 -> 0x9000

Section .text
  because of moved targets: 2 bytes in 1 function or object, probably: no relocations tell

Section .data
  address: 0x2000 -> 0x9000
  moved by +0x7000: value (0x2000), pointer (0x2004)
)");
}

TEST(Diff, NamesAsInTheFile) {
  const Linked result =
      diffOf(linked({}), linked({.early = "0100000002000000cccccccc"}),
             {"--no-demangle"});
  EXPECT_NE(result.text.find("_ZN4work3runEi (0x1018)"), std::string::npos)
      << result.text;
}

// What a relocation refers to is told where the file has kept it.
TEST(Diff, AnotherTarget) {
  Bytes changed = linked({}, {"-q"});
  const OutFile out(changed);
  const OutSection &rela = *out.section(".rela.data");
  // The pointer's relocation names `early`.
  for (size_t i = 1; i < out.symbols.size(); ++i)
    if (out.symbols[i].name == "early")
      poke(changed, rela.offset + 4, i << 8 | 1, 4);
  poke(changed, out.section(".data")->offset + 4, out.value("early"), 4);
  expectDiff(diffOf(linked({}, {"-q"}), changed),
             R"(2 files differ: 1 object changed; 1 byte really differs

Section .data
  pointer changed: 1 byte at 1 place
    +0x0: 18 10 00 00 -> 00 10 00 00, R_NYUZI_ABS32 4120 -> 4096: work::run(int) -> early
)");
}

TEST(Diff, SymbolsComeAndGo) {
  const Words more = {.more = "  - { Name: second, Section: .data, Binding: "
                              "STB_GLOBAL, Value: 4 }\n"};
  expectDiff(diffOf(linked({}), linked(more)), R"(2 files differ: 1 symbol new

Section .data
  new: second at 0x2004
)");
  const Linked ignored =
      diffOf(linked({}), linked(more), {"--diff-ignore=symbols"});
  EXPECT_EQ(ignored.text + ignored.errors, "");
  EXPECT_EQ(ignored.status, 0);
}

TEST(Diff, Ignored) {
  const Bytes a = linked({}, {"--build-id=0x1234"});
  const Bytes b = linked({}, {"--build-id=0x5678"});
  expectDiff(diffOf(a, b), R"(2 files differ: 1 section

Section .note.gnu.build-id
  contents: 1234 -> 5678
)");
  for (const char *what : {"build-id", "debug,build-id", ".note.*"})
    EXPECT_EQ(diffOf(a, b, {std::string("--diff-ignore=") + what}).status, 0);
  for (const char *what : {"comment", "debug,comment,symbols,tables", ".data"})
    EXPECT_EQ(diffOf(a, b, {std::string("--diff-ignore=") + what}).status, 1);
}

TEST(Diff, WordThatNobodyKnows) {
  const Linked result = diffOf(linked({}), linked({}), {"--diff-ignore=dates"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(
      result.errors,
      "xlink: error: option '--diff-ignore': 'dates' is none of build-id, "
      "comment, debug, symbols, tables, nor a section: that begins with "
      "'.' or has a wildcard\n");
}

TEST(Diff, Trouble) {
  LinkHarness files;
  const Bytes elf = linked({});
  Bytes cut(elf.begin(), elf.begin() + 60), wide = elf, big = elf;
  setMachine(wide, ELF::EM_X86_64);
  big[ELF::EI_DATA] = ELF::ELFDATA2MSB;
  files.file("a", elf).file("cut", cut).file("text", "no ELF file");
  files.file("x86", wide).file("big", big);
  auto expect = [&](std::vector<std::string> names, StringRef errors) {
    names.insert(names.begin(), "--diff");
    const Linked result = files.linkAsGiven(names);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.text, "");
    EXPECT_EQ(result.errors, errors.str());
  };
  expect({"a", "none"},
         "xlink: error: cannot open none: No such file or directory\n");
  expect({"a"}, "xlink: error: option '--diff': compares two files, not 1\n");
  expect({"a", "a", "a"},
         "xlink: error: option '--diff': compares two files, not 3\n");
  expect({"--diff=xml", "a", "a"},
         "xlink: error: option '--diff': 'xml' is none of text, json\n");
  expect({"a", "-lfoo"}, "xlink: error: option '--diff': compares two files, "
                         "not libraries, scripts or symbols\n");
  expect({"text", "a"}, "xlink: error: text: ELF header: no ELF file\n");
  expect({"a", "x86"}, "xlink: error: x86: ELF header: machine 0x3e (x86_64) "
                       "of ELF32 is none that xlink knows\n");
  expect({"a", "big"}, "xlink: error: big: ELF header: big-endian, but all "
                       "machines that xlink knows are little-endian\n");
  expect({"cut", "a"},
         "xlink: error: cut: program headers: program headers are longer than "
         "binary of size 60: e_phoff = 0x34, e_phnum = 2, e_phentsize = 32\n");
}

TEST(Diff, OtherMachine) {
  Bytes dpu = linked({});
  setMachine(dpu, findTarget("dpu")->machines.front());
  expectDiff(diffOf(linked({}), dpu),
             R"(2 files differ: 1 field of the ELF header

ELF header
  machine: nyuzi -> dpu
  nothing else was compared
)");
}

// Segments are all that there is then.
TEST(Diff, WithoutSectionHeaders) {
  Bytes a = linked({}), b = linked({.constant = "06000000"});
  for (Bytes *file : {&a, &b}) {
    poke(*file, 0x20, 0, 4); // e_shoff
    poke(*file, 0x30, 0, 2); // e_shnum
    poke(*file, 0x32, 0, 2); // e_shstrndx
  }
  // What is left of the tables belongs to nothing, but is the same.
  expectDiff(
      diffOf(a, b),
      R"(2 files differ: 1 range without a name changed; 1 byte really differs

Section segment 0
  bytes without a name changed: 1 byte at 1 place
    +0x14: 05 -> 06
)");
}

// One that was stripped is compared by the names of the other.
TEST(Diff, WithoutSymbols) {
  const Bytes named = linked({}),
              bare = linked({.constant = "06000000"}, {"-s"});
  EXPECT_EQ(diffOf(linked({}, {"-s"}), named, {"--diff-ignore=symbols"}).text,
            "");
  expectDiff(diffOf(named, bare, {"--diff-ignore=symbols"}),
             R"(2 files differ: 1 function changed; 1 byte really differs

Section .text
  _start changed: 1 byte at 1 place
    +0xc: 05 -> 06
)");
  expectDiff(diffOf(bare, named, {"--diff-ignore=symbols"}),
             R"(2 files differ: 1 function changed; 1 byte really differs

Section .text
  _start changed: 1 byte at 1 place
    +0xc: 06 -> 05
)");
}

// Bytes that no table tells of.
TEST(Diff, PaddingInTheFile) {
  const Bytes a = linked({});
  Bytes b = a;
  b.push_back(7);
  expectDiff(diffOf(a, b), R"(2 files differ: 1 property of tables

Tables
  bytes that no table, section or segment holds: other bytes
)");
  EXPECT_EQ(diffOf(a, b, {"--diff-ignore=tables"}).status, 0);
}

// What -r makes has no addresses; its relocations say what is meant.
TEST(Diff, Relocatable) {
  const Bytes a = linked({}, {"-r"});
  expectDiff(diffOf(a, linked({.constant = "06000000"}, {"-r"})),
             R"(2 files differ: 1 function changed; 1 byte really differs

Section .text
  _start changed: 1 byte at 1 place
    +0xc: 05 -> 06
)");
  const json::Object grown = countsOf(a, linked(wordsOfLongerEarly(), {"-r"}));
  EXPECT_EQ(grown.getInteger("grew"), 1);
  EXPECT_EQ(grown.getInteger("bytesReal"), 4);
}

// A field that a further link will fill differs by its relocation alone.
TEST(Diff, RelocatableWithAnotherTarget) {
  Bytes changed = linked({}, {"-r"});
  const OutFile out(changed);
  for (size_t i = 1; i < out.symbols.size(); ++i)
    if (out.symbols[i].name == "early")
      poke(changed, out.section(".rela.data")->offset + 4, i << 8 | 1, 4);
  expectDiff(diffOf(linked({}, {"-r"}), changed),
             R"(2 files differ: 1 object changed

Section .data
  pointer changed: 1 reference
    +0x0: R_NYUZI_ABS32: work::run(int) -> early
)");
}

// Two entries of the symbol table that have changed places.
TEST(Diff, OrderOfSymbols) {
  const Bytes a = linked({});
  Bytes b = a;
  const OutSection table = *OutFile(a).section(".symtab");
  const size_t last = table.offset + table.size - 16;
  std::swap_ranges(b.begin() + last, b.begin() + last + 16,
                   b.begin() + last - 16);
  expectDiff(diffOf(a, b), R"(2 files differ: 1 property of tables

Tables
  symbols: another order
)");
  EXPECT_EQ(diffOf(a, b, {"--diff-ignore=tables"}).status, 0);
  EXPECT_EQ(diffOf(a, b, {"--diff-ignore=symbols"}).status, 0);
}

// Segments go by their addresses, not by where their headers stand.
TEST(Diff, OrderOfSegments) {
  const Bytes a = linked({});
  Bytes b = a;
  std::swap_ranges(b.begin() + 0x34, b.begin() + 0x54, b.begin() + 0x54);
  expectDiff(diffOf(a, b), R"(2 files differ: 1 property of tables

Tables
  program headers: another order
)");
}

TEST(Diff, KindOfSymbol) {
  const Bytes a = linked({});
  Bytes b = a;
  const OutFile out(a);
  for (size_t i = 1; i < out.symbols.size(); ++i)
    if (out.symbols[i].name == "value") // st_info: a weak object
      b[out.section(".symtab")->offset + 16 * i + 12] = 0x21;
  expectDiff(diffOf(a, b), R"(2 files differ: 1 symbol of another kind

Section .data
  value: binding global -> weak
)");
}

// A constant that happens to be an address elsewhere is no reference: nothing
// has moved.
TEST(Diff, ConstantLikeAnAddress) {
  const json::Object counts =
      countsOf(linked({.value = "00100000"}), linked({.value = "08100000"}));
  EXPECT_EQ(counts.getInteger("bytesReal"), 1);
  EXPECT_EQ(counts.getInteger("bytesMoved").value_or(0), 0);
}

// Strings without names are told by what they say.
TEST(Diff, StringsThatMove) {
  auto link = [](StringRef strings, StringRef offset) {
    LinkHarness links;
    links.file("a.o", nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: ')" +
                             strings + R"(' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: .rodata.str, Type: 1, Addend: )" +
                             offset + R"( } ] }
Symbols:
  - { Name: .rodata.str, Type: STT_SECTION, Section: .rodata.str }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: text, Section: .data, Type: STT_OBJECT, Size: 4 }
)")
                                .str()));
    return links.linkAsGiven({"-o", "out", "a.o"}).image();
  };
  const Bytes a = link("6f6e6500", "0"),
              b = link("7477656c7665006f6e6500", "7");
  const json::Object counts = countsOf(a, b);
  EXPECT_EQ(counts.getInteger("bytesMoved"), 1);
  EXPECT_EQ(counts.getInteger("objectsChanged").value_or(0), 0);
}

// Where the second file has DWARF, the source line of the first change.
TEST(Diff, SourceLine) {
  const std::string objects = XLINK_TESTDATA "/objects/nyuzi/";
  LinkHarness links;
  std::vector<std::string> arguments = {"-o", "out"};
  for (const char *name : {"start.o", "console.o", "primes.g.o"}) {
    links.file(name, readTestFile(objects + name));
    arguments.push_back(name);
  }
  const Bytes a = links.linkAsGiven(arguments).image();
  Bytes b = a;
  const OutFile out(a);
  const OutSection &text = *out.section(".text");
  b[text.offset + out.value("count_primes") + 0x20 - text.address] ^= 1;
  expectDiff(diffOf(a, b),
             R"(2 files differ: 1 function changed; 1 byte really differs

Section .text
  count_primes changed: 1 byte at 1 place; src/primes.c:9
    +0x20: a5 -> a4
)");
}

TEST(Diff, Image) {
  const Bytes a = linked({});
  const Bytes image = linked({}, {"--oformat=binary"});
  EXPECT_EQ(diffOf(image, image).status, 0);
  EXPECT_EQ(diffOf(a, image).errors,
            "xlink: error: b.elf: ELF header: no ELF file\n");
}

//===----------------------------------------------------------------------===//
// All machines
//===----------------------------------------------------------------------===//

class DiffOfGolden : public testing::TestWithParam<std::string> {
protected:
  Bytes link(const std::vector<std::string> &more = {}) {
    Golden golden(GetParam());
    golden.arguments.insert(golden.arguments.end(), more.begin(), more.end());
    const Linked result = golden.harness.link(golden.arguments);
    EXPECT_EQ(result.errors, "");
    return result.image();
  }
};

// With sections in other places everything that refers to them differs, and
// with relocations nothing differs really.
TEST_P(DiffOfGolden, Moved) {
  std::vector<std::string> moved = {"-q", "--section-start=.data=0x78000"};
  if (StringRef(GetParam()).starts_with("xs1"))
    moved.back() = "--section-start=.dp.data=0x18000";
  if (GetParam() == "dpu")
    moved.back() = "--section-start=.data=0x800";
  const json::Object counts = countsOf(link({"-q"}), link(moved));
  EXPECT_EQ(counts.getInteger("bytesReal").value_or(0), 0);
  EXPECT_GT(counts.getInteger("bytesMoved").value_or(0), 0);
  EXPECT_GT(counts.getInteger("symbolsMoved").value_or(0), 0);
}

// Every byte of the program that changes is found, whoever it belongs to.
TEST_P(DiffOfGolden, OneByte) {
  const Bytes file = link();
  const OutFile out(file);
  for (const OutSection &section : out.sections) {
    if (!(section.flags & ELF::SHF_ALLOC) || section.bytes.empty())
      continue;
    for (uint64_t at = 0; at < section.size; at += 7) {
      Bytes changed = file;
      changed[section.offset + at] ^= 0x11;
      const json::Object counts = countsOf(file, changed);
      EXPECT_EQ(counts.getInteger("bytesReal"), 1) << section.name << " " << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, DiffOfGolden, testing::ValuesIn(goldens()),
                         [](const auto &info) {
                           return goldenTestName(info.param);
                         });

// The programs in a container are compared, and what else it holds.
TEST(Diff, Containers) {
  Golden golden("xs1");
  auto link = [&](const std::vector<std::string> &more) {
    std::vector<std::string> arguments = golden.arguments;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return golden.harness.link(arguments).image();
  };
  const Bytes xe = link({"--oformat=xe"});
  const Bytes other = link({"--oformat=xe", "--xe-node=g"});
  expectDiff(diffOf(xe, other), R"(2 files differ: 2 parts of the container

Container
  node descriptor: 12 bytes -> the same size, other bytes
  SysConfig: 403 bytes -> the same size, other bytes
)");
  expectDiff(diffOf(xe, link({})), R"(2 files differ: 4 parts of the container

Container
  format: xe -> ELF
  node descriptor: 12 bytes -> not there
  GOTO: 12 bytes -> not there
  SysConfig: 403 bytes -> not there
)");
  // The largest of several programs of a name: the others prepare the
  // processor. Their sectors begin with type and length.
  auto sectorOf = [](const Bytes &file) {
    size_t at = 8;
    while (file[at] != 2)
      at += 12 + support::endian::read32le(file.data() + at + 4);
    return std::pair(at, 12 + support::endian::read32le(file.data() + at + 4));
  };
  Bytes boot = link({"--oformat=xe", "-s"});
  const auto [from, size] = sectorOf(boot);
  Bytes two = xe;
  two.insert(two.begin() + sectorOf(xe).first, boot.begin() + from,
             boot.begin() + from + size);
  const Linked more = diffOf(two, xe);
  EXPECT_EQ(more.text.find("Section"), std::string::npos) << more.text;
  EXPECT_NE(more.text.find("  ELF of node 0, tile 0: "), std::string::npos)
      << more.text;
  Bytes damaged = xe;
  damaged[damaged.size() / 2] ^= 1;
  const Linked result = diffOf(xe, damaged);
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("xlink: error: b.elf: offset 0x"),
            std::string::npos)
      << result.errors;
}

} // namespace
} // namespace xlink::test
