//===- JustSymbolsTest.cpp - -R, --just-symbols ---------------------------===//
//
// Addresses that another program has: a boot loader's functions, say. What GNU
// ld 2.40 makes of x86-64 files of the same shape is what is expected here, but
// for what says otherwise.
//
//===----------------------------------------------------------------------===//
#include "link/NamedObjects.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Files of one machine, with a linked program among them: rom.elf.
struct Files {
  LinkHarness links;
  OutFile rom;
  explicit Files(const char *machine) : rom(makeRom(machine)) {
    links.file("user.o", namedObject(machine, {"own"}, {"f", "g", "five"}));
  }
  OutFile makeRom(const char *machine) {
    LinkHarness first;
    first.file("f.o", namedObject(machine, {"f", "g"}, {},
                                  "  - { Name: five, Index: SHN_ABS, Value: 5, "
                                  "Binding: STB_GLOBAL }\n"
                                  "  - { Name: maybe, Binding: STB_WEAK }\n"));
    Linked linked = first.link(
        {"-e", "0", "--section-start=.rodata=0x9000", "f.o", "--defsym=h=7"});
    links.file("rom.elf", linked.image());
    return quiet(linked);
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0"});
    return links.link(arguments);
  }
};

TEST(JustSymbols, AddressesOfAnExecutable) {
  for (const char *machine : bothClasses) {
    Files files(machine);
    for (std::vector<std::string> arguments :
         {std::vector<std::string>{"user.o", "-R", "rom.elf"},
          std::vector<std::string>{"-Rrom.elf", "user.o"},
          std::vector<std::string>{"user.o", "--just-symbols=rom.elf"}}) {
      OutFile out = quiet(files.link(arguments));
      EXPECT_EQ(out.value("f"), 0x9000u);
      EXPECT_EQ(out.value("g"), 0x9001u);
      EXPECT_EQ(out.value("h"), 7u);
      EXPECT_EQ(homeOf(out, "f"), "ABS");
      EXPECT_EQ(addressed(out), "f g five");
      // No contents.
      EXPECT_EQ(out.section(".rodata")->size, 1u);
      // What the other program lacks is its own affair.
      EXPECT_EQ(out.symbol("maybe"), nullptr);
    }
  }
}

// An object's sections stand at 0, and its COMMON symbols nowhere.
TEST(JustSymbols, Object) {
  Files files("nyuzi");
  files.links.file(
      "table.o",
      namedObject("nyuzi", {"x", "f", "g", "five"}, {"x"},
                  "  - { Name: local, Section: .rodata, Value: 3 }\n"
                  "  - { Name: c, Index: SHN_COMMON, Binding: STB_GLOBAL, "
                  "Value: 4, Size: 4 }\n"));
  OutFile out = quiet(files.link({"user.o", "-R", "table.o"}));
  EXPECT_EQ(out.value("f"), 1u);
  EXPECT_EQ(out.value("five"), 3u);
  EXPECT_EQ(out.symbol("local"), nullptr);
  EXPECT_EQ(out.symbol("c"), nullptr);
}

// What is linked and what lies beside it may define one name: the first counts.
TEST(JustSymbols, FirstDefinitionCounts) {
  Files files("nyuzi");
  files.links.file("f.o", namedObject("nyuzi", {"f"}));
  OutFile out = quiet(files.link({"user.o", "f.o", "-R", "rom.elf"}));
  EXPECT_EQ(homeOf(out, "f"), ".rodata");
  out = quiet(files.link({"user.o", "-R", "rom.elf", "f.o"}));
  EXPECT_EQ(homeOf(out, "f"), "ABS");
  EXPECT_EQ(out.value("f"), 0x9000u);
}

// A number is a number in either program.
TEST(JustSymbols, NumbersMustAgree) {
  Files files("nyuzi");
  auto five = [](const char *value) {
    return namedObject(
        "nyuzi", {"x"}, {},
        std::string("  - { Name: five, Index: SHN_ABS, Value: ") + value +
            ", Binding: STB_GLOBAL }\n");
  };
  files.links.file("same.o", five("5")).file("other.o", five("6"));
  quiet(files.link({"user.o", "same.o", "-R", "rom.elf"}));
  expectFailure(files.link({"user.o", "other.o", "-R", "rom.elf"}),
                "xlink: error: duplicate symbol: five\n"
                ">>> defined in other.o:(*ABS*, value 0x6)\n"
                ">>> defined in rom.elf:(*ABS*, value 0x5)\n");
}

// It satisfies what would else bring a member in, and asks for members itself.
TEST(JustSymbols, AndArchives) {
  Files files("nyuzi");
  files.links.file(
      "lib.a", makeArchive({{"f.o", namedObject("nyuzi", {"f", "extra"})}}));
  OutFile out = quiet(files.link({"user.o", "-R", "rom.elf", "lib.a"}));
  EXPECT_EQ(out.symbol("extra"), nullptr);
  files.links.file("asks.o", namedObject("nyuzi", {"x"}, {"extra"}));
  out = quiet(files.link(
      {"user.o", "-R", "asks.o", "lib.a", "--defsym=g=1", "--defsym=five=5"}));
  EXPECT_EQ(homeOf(out, "extra"), ".rodata");
}

TEST(JustSymbols, CollectionAndMachine) {
  Files files("nyuzi");
  OutFile out = quiet(
      files.link({"user.o", "-R", "rom.elf", "--gc-sections", "-u", "f"}));
  EXPECT_EQ(out.value("f"), 0x9000u);
  // Symbols alone say no machine.
  expectFailure(files.link({"-R", "rom.elf"}),
                "xlink: error: no input object says which machine to link for\n"
                ">>> use -m NAME\n");
}

const char kNotReported[] = "xlink: warning: undefined symbols are not "
                            "reported, since not all inputs could be read\n";

TEST(JustSymbols, WrongFiles) {
  Files files("nyuzi");
  Files other("aphelion");
  files.links.file(
      "other.elf",
      other.links.link({"-e", "0", "user.o", "-R", "rom.elf"}).image());
  expectFailure(files.link({"user.o", "-R", "other.elf"}),
                std::string("xlink: error: other.elf: machine 0xa9e1 "
                            "(aphelion) is not nyuzi\n") +
                    kNotReported);
  files.links.file("lib.a",
                   makeArchive({{"f.o", namedObject("nyuzi", {"f"})}}));
  files.links.file("text.ld", "f = 1;");
  files.links.file("empty", "");
  for (const char *name : {"lib.a", "text.ld", "empty"})
    expectFailure(files.link({"user.o", "-R", name}),
                  std::string("xlink: error: ") + name +
                      ": --just-symbols takes an ELF executable or a "
                      "relocatable ELF object\n" +
                      kNotReported);
  files.links.file("dir/file", "x");
  const char *note = ">>> --just-symbols (-R) names a file; a run-time search "
                     "path (--rpath) has no meaning in a static link\n";
  expectFailure(files.link({"user.o", "-R", "dir"}),
                std::string("xlink: error: cannot take symbols from dir: Is a "
                            "directory\n") +
                    note + kNotReported);
  expectFailure(
      files.link({"user.o", "-R", "missing"}),
      std::string("xlink: error: cannot take symbols from missing: No "
                  "such file or directory\n") +
          note + kNotReported);
  Bytes shared =
      files.links.link({"-e", "0", "user.o", "-R", "rom.elf"}).image();
  poke(shared, 16, ELF::ET_DYN, 2);
  files.links.file("lib.so", shared);
  expectFailure(
      files.link({"user.o", "-R", "lib.so"}),
      std::string(
          "xlink: error: lib.so: ELF header: e_type 0x3 at offset 0x10 is "
          "neither ET_EXEC nor ET_REL: --just-symbols takes executables "
          "and relocatable objects\n") +
          kNotReported);
}

TEST(JustSymbols, StrippedExecutable) {
  Files files("nyuzi");
  files.links.file("all.o", namedObject("nyuzi", {"f"}));
  files.links.file("stripped.elf", files.link({"-s", "all.o"}).image());
  warned(files.link({"all.o", "-R", "stripped.elf"}),
         "xlink: warning: stripped.elf: there is no symbol table: "
         "--just-symbols finds nothing\n");
}

} // namespace
} // namespace xlink::test
