//===- BinaryInputTest.cpp - -b binary ------------------------------------===//
//
// Names, section and values are those of GNU ld 2.40.
//
//===----------------------------------------------------------------------===//
#include "link/NamedObjects.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine = "nyuzi") {
    harness.file("user.o",
                 namedObject(machine, {"own"},
                             {"_binary_d_x_bin_start", "_binary_d_x_bin_end"}));
    harness.file("plain.o", namedObject(machine, {"own"}));
    harness.file("d/x.bin", "hello");
  }
  OutFile link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0"});
    return quiet(harness.link(arguments));
  }
};

TEST(BinaryInput, BytesAndSymbols) {
  for (const char *machine : bothClasses) {
    Links links(machine);
    OutFile out = links.link({"user.o", "-b", "binary", "d/x.bin"});
    const OutSection *data = out.section(".data");
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data->flags, uint64_t(ELF::SHF_ALLOC | ELF::SHF_WRITE));
    EXPECT_EQ(textOf(out, ".data").substr(data->size - 5), "hello");
    EXPECT_EQ(out.value("_binary_d_x_bin_end"),
              out.value("_binary_d_x_bin_start") + 5);
    EXPECT_EQ(out.value("_binary_d_x_bin_end"), data->address + data->size);
    EXPECT_EQ(out.value("_binary_d_x_bin_size"), 5u);
    EXPECT_EQ(homeOf(out, "_binary_d_x_bin_start"), ".data");
    EXPECT_EQ(homeOf(out, "_binary_d_x_bin_end"), ".data");
    EXPECT_EQ(homeOf(out, "_binary_d_x_bin_size"), "ABS");
    const unsigned size = out.is64 ? 8 : 4;
    EXPECT_EQ(out.word(data->address, size),
              out.value("_binary_d_x_bin_start"));
    EXPECT_EQ(out.word(data->address + size, size),
              out.value("_binary_d_x_bin_end"));
  }
}

// Every byte of a name that is neither letter nor digit: é is two.
TEST(BinaryInput, Names) {
  Links links;
  links.harness.file("a-b.c \xc3\xa9.bin", "x");
  OutFile out =
      links.link({"plain.o", "--format=binary", "a-b.c \xc3\xa9.bin"});
  EXPECT_EQ(out.value("_binary_a_b_c____bin_size"), 1u);
}

// Up to the next -b, archives, scripts and objects among them.
TEST(BinaryInput, Positional) {
  Links links;
  const Bytes archive = makeArchive({{"f.o", namedObject("nyuzi", {"own"})}});
  links.harness.file("lib.a", archive);
  links.harness.file("text.ld", "SECTIONS { }");
  OutFile out = links.link(
      {"-b", "binary", "lib.a", "text.ld", "d/x.bin", "-b", "elf", "plain.o"});
  EXPECT_EQ(out.value("_binary_lib_a_size"), archive.size());
  EXPECT_EQ(out.value("_binary_text_ld_size"), 12u);
  out = links.link(
      {"--format", "binary", "d/x.bin", "--format=default", "plain.o"});
  EXPECT_EQ(out.value("_binary_d_x_bin_size"), 5u);
  out = links.link(
      {"-b", "binary", "-L", "d", "-l:x.bin", "-b", "elf32-nyuzi", "plain.o"});
  EXPECT_EQ(out.value("_binary_d_x_bin_size"), 5u);
}

TEST(BinaryInput, EmptyFile) {
  Links links;
  links.harness.file("none", "");
  OutFile out = links.link({"plain.o", "-b", "binary", "none"});
  EXPECT_EQ(out.value("_binary_none_size"), 0u);
  EXPECT_EQ(out.value("_binary_none_start"), out.value("_binary_none_end"));
}

// Scripts choose it by its name; collection drops what nothing refers to.
TEST(BinaryInput, ScriptsAndCollection) {
  Links links;
  links.harness.file("x.ld", "SECTIONS { .blob : { d/x.bin(.data) } "
                             ".data : { *(.data) } .rodata : { *(.rodata) } }");
  OutFile out = links.link({"-T", "x.ld", "user.o", "-b", "binary", "d/x.bin"});
  EXPECT_EQ(textOf(out, ".blob"), "hello");
  out = links.link(
      {"--gc-sections", "-u", "own", "plain.o", "-b", "binary", "d/x.bin"});
  EXPECT_EQ(out.section(".data"), nullptr);
  out = links.link({"--gc-sections", "-u", "_binary_d_x_bin_start", "plain.o",
                    "-b", "binary", "d/x.bin"});
  EXPECT_EQ(textOf(out, ".data"), "hello");
}

// Nothing but bytes, with -m.
TEST(BinaryInput, Alone) {
  Links links;
  OutFile out = links.link({"-m", "dpu", "-b", "binary", "d/x.bin", "-e", "0"});
  EXPECT_EQ(out.value("_binary_d_x_bin_size"), 5u);
  expectFailure(links.harness.link({"-b", "binary", "d/x.bin"}),
                "xlink: error: no input object says which machine to link for\n"
                ">>> use -m NAME\n");
}

// It says nothing of the family's member that the others are for.
TEST(BinaryInput, SaysNoMachine) {
  LinkHarness links;
  links.file("a.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: __bootstrap, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("x.bin", "12345678");
  OutFile out = quiet(links.link({"a.o", "-b", "binary", "x.bin"}));
  EXPECT_EQ(out.flags, 0x02800000u);
}

TEST(BinaryInput, OtherFormats) {
  Links links;
  expectFailure(links.harness.link({"-b", "srec", "plain.o"}),
                "xlink: error: option '--format': 'srec' is not a supported "
                "input format (elf, binary)\n");
  expectFailure(links.harness.link({"-m", "nyuzi", "-b", "binary", "missing"}),
                "xlink: error: cannot open missing: No such file or "
                "directory\n");
}

} // namespace
} // namespace xlink::test
