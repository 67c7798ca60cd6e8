//===- ImageFormatTest.cpp - --oformat ihex, srec, verilog; --gap-fill ----===//
//
// The texts are those that GNU objcopy 2.40 writes from an ELF file with these
// sections, to a file named "out", with --gap-fill where the link has it.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 1, Content: '000102030405060708090A0B0C0D0E0F10111213' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 1, Content: 'AABBCCDD' }
  - { Name: .far, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 1, Content: '5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 1, Size: 8 }
  - { Name: .comment, Type: SHT_PROGBITS, Content: '414243' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

/// .data is loaded behind .text, and .far to `far`.
std::string script(const std::string &far) {
  return "ENTRY(_start)\n"
         "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 0x100\n"
         "         ram : ORIGIN = 0x20000000, LENGTH = 0x100 }\n"
         "SECTIONS {\n"
         "  .text 0x1010 : { *(.text) } > rom\n"
         "  .data : ALIGN(16) { *(.data) } > ram AT> rom\n"
         "  .far " +
         far +
         " : AT(ADDR(.far)) { *(.far) }\n"
         "  .bss : { *(.bss) } > ram\n"
         "}\n";
}

/// The programs of both classes, and what links have in common.
struct Programs {
  LinkHarness links;
  Programs() {
    links.file("32.o", nyuzi(kProgram));
    links.file("64.o", aphelion(kProgram));
    links.file("x.ld", script("0x12fff8"));
    links.file("near.ld", script("0x1040"));
    links.file("beyond.ld", script("0xfffffff0"));
    links.file("same.ld", script("0x1020"));
  }
  /// The output's lines, without the CR that ends each.
  std::string link(std::vector<std::string> arguments) const {
    Linked linked = links.link(std::move(arguments));
    EXPECT_EQ(linked.errors, "");
    std::string text;
    for (uint8_t byte : linked.image())
      if (byte != '\r')
        text += char(byte);
    return text;
  }
};

TEST(ImageFormat, TextsOfBothClasses) {
  Programs programs;
  for (const char *object : {"32.o", "64.o"}) {
    EXPECT_EQ(programs.link({"--oformat=ihex", "-T", "x.ld", object}),
              ":10101000000102030405060708090A0B0C0D0E0F58\n"
              ":041020001011121386\n"
              ":04103000AABBCCDDAE\n"
              ":020000040012E8\n"
              ":08FFF8005A5A5A5A5A5A5A5A31\n"
              ":020000040013E7\n"
              ":100000005A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A50\n"
              ":0400000300001010D9\n"
              ":00000001FF\n");
    EXPECT_EQ(programs.link({"--oformat=srec", "-T", "x.ld", object}),
              "S00600006F7574A1\n"
              "S214001010000102030405060708090A0B0C0D0E0F53\n"
              "S2080010201011121381\n"
              "S208001030AABBCCDDA9\n"
              "S21412FFF85A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A42\n"
              "S20C1300085A5A5A5A5A5A5A5A08\n"
              "S804001010DB\n");
    EXPECT_EQ(programs.link({"--oformat=verilog", "-T", "x.ld", object}),
              "@00001010\n"
              "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n"
              "10 11 12 13\n"
              "@00001030\n"
              "AA BB CC DD\n"
              "@0012FFF8\n"
              "5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A\n"
              "5A 5A 5A 5A 5A 5A 5A 5A\n");
  }
}

// Filler begins lines of its own.
TEST(ImageFormat, GapFill) {
  Programs programs;
  const std::vector<std::string> rest = {"--gap-fill=0xee", "-T", "near.ld",
                                         "32.o"};
  auto link = [&](const char *format) {
    std::vector<std::string> arguments = rest;
    arguments.push_back(format);
    return programs.link(arguments);
  };
  EXPECT_EQ(link("--oformat=ihex"),
            ":10101000000102030405060708090A0B0C0D0E0F58\n"
            ":041020001011121386\n"
            ":0C102400EEEEEEEEEEEEEEEEEEEEEEEE98\n"
            ":04103000AABBCCDDAE\n"
            ":0C103400EEEEEEEEEEEEEEEEEEEEEEEE88\n"
            ":101040005A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A00\n"
            ":081050005A5A5A5A5A5A5A5AC8\n"
            ":0400000300001010D9\n"
            ":00000001FF\n");
  EXPECT_EQ(link("--oformat=srec"),
            "S00600006F7574A1\n"
            "S1131010000102030405060708090A0B0C0D0E0F54\n"
            "S10710201011121382\n"
            "S10F1024EEEEEEEEEEEEEEEEEEEEEEEE94\n"
            "S1071030AABBCCDDAA\n"
            "S10F1034EEEEEEEEEEEEEEEEEEEEEEEE84\n"
            "S11310405A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5AFC\n"
            "S10B10505A5A5A5A5A5A5A5AC4\n"
            "S9031010DC\n");
  EXPECT_EQ(link("--oformat=verilog"),
            "@00001010\n"
            "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n"
            "10 11 12 13\n"
            "@00001024\n"
            "EE EE EE EE EE EE EE EE EE EE EE EE\n"
            "@00001030\n"
            "AA BB CC DD\n"
            "@00001034\n"
            "EE EE EE EE EE EE EE EE EE EE EE EE\n"
            "@00001040\n"
            "5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A\n"
            "5A 5A 5A 5A 5A 5A 5A 5A\n");
  Linked binary = programs.links.link(
      {"--oformat=binary", "--gap-fill=238", "-T", "near.ld", "32.o"});
  EXPECT_EQ(binary.errors, "");
  EXPECT_EQ(hexDigits(binary.image()),
            "000102030405060708090a0b0c0d0e0f10111213"
            "eeeeeeeeeeeeeeeeeeeeeeee"
            "aabbccdd"
            "eeeeeeeeeeeeeeeeeeeeeeee"
            "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a");
}

// Long gaps are filled in blocks of 8192 bytes, which begin new lines.
TEST(ImageFormat, LongGaps) {
  Programs programs;
  programs.links.file("long.ld", script("0x4000"));
  const std::string text = programs.link(
      {"--oformat=verilog", "--gap-fill=0", "-T", "long.ld", "32.o"});
  std::string addresses;
  for (size_t at = text.find('@'); at != std::string::npos;
       at = text.find('@', at + 1))
    addresses += text.substr(at, 9);
  EXPECT_EQ(addresses,
            "@00001010@00001024@00001030@00001034@00003034@00004000");
}

TEST(ImageFormat, ByTheScript) {
  Programs programs;
  programs.links.file("format.ld", "OUTPUT_FORMAT(verilog)\n" + script("0"));
  EXPECT_EQ(programs.link({"-T", "format.ld", "32.o"}).substr(0, 10),
            "@00000000\n");
  Linked linked =
      programs.links.link({"--oformat=elf", "-T", "format.ld", "32.o"});
  EXPECT_EQ(OutFile(linked.image()).entry, 0x1010u);
}

// Bytes go where the segments of the ELF file load them: objcopy too, but that
// it takes the overlay's member, which its segment does not map, to be loaded
// to 0x2000.
TEST(ImageFormat, BySegments) {
  Programs programs;
  programs.links.file("phdrs.ld",
                      "PHDRS { text PT_LOAD AT(0x8000); data PT_LOAD; }\n"
                      "SECTIONS {\n"
                      "  .text 0x1000 : { *(.text) } :text\n"
                      "  .data 0x3000 : AT(0x9000) { *(.data) } :data\n"
                      "  .far : { *(.far) } .bss : { *(.bss) }\n"
                      "}\n");
  programs.links.file("overlay.ld",
                      "PHDRS { all PT_LOAD; }\n"
                      "SECTIONS {\n"
                      "  .text 0x1000 : { *(.text) } :all\n"
                      "  OVERLAY 0x2000 : AT(0x1400) { .data { *(.data) } }\n"
                      "  /DISCARD/ : { *(.far .bss) }\n"
                      "}\n");
  const std::string text = "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n"
                           "10 11 12 13\n";
  for (const char *object : {"32.o", "64.o"}) {
    EXPECT_EQ(programs.link({"--oformat=verilog", "-T", "phdrs.ld", object}),
              "@00008000\n" + text +
                  "@00009000\n"
                  "AA BB CC DD\n"
                  "@00009004\n"
                  "5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A 5A\n"
                  "5A 5A 5A 5A 5A 5A 5A 5A\n");
    EXPECT_EQ(programs.link({"--oformat=verilog", "-T", "overlay.ld", object}),
              "@00001000\n" + text + "@00001400\nAA BB CC DD\n");
  }
  // The plain binary file as well: .text is loaded to 0x8000, .data to 0x9000.
  Linked linked =
      programs.links.link({"--oformat=binary", "-T", "phdrs.ld", "32.o"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.image().size(), 0x101cu);
}

// .far ends at 0x100000008.
TEST(ImageFormat, AddressesBeyondTheFormat) {
  Programs programs;
  expectFailure(
      programs.links.link({"--oformat=ihex", "-T", "beyond.ld", "64.o"}),
      "xlink: error: cannot write out: section '.far' is loaded to 0xfffffff0, "
      "beyond the 32-bit addresses of Intel HEX\n");
  expectFailure(
      programs.links.link({"--oformat=srec", "-T", "beyond.ld", "64.o"}),
      "xlink: error: cannot write out: section '.far' is loaded to 0xfffffff0, "
      "beyond the 32-bit addresses of S-records\n");
  expectFailure(
      programs.links.link(
          {"--oformat=ihex", "-T", "x.ld", "-e", "0x100000000", "64.o"}),
      "xlink: error: cannot write out: execution starts at 0x100000000, "
      "beyond the 32-bit addresses of Intel HEX\n");
  // Verilog has no limit.
  EXPECT_NE(programs.link({"--oformat=verilog", "-T", "beyond.ld", "64.o"})
                .find("@FFFFFFF0\n5A"),
            std::string::npos);
}

TEST(ImageFormat, TwoBytesForOneAddress) {
  Programs programs;
  for (const char *format : {"ihex", "srec", "verilog"})
    expectFailure(
        programs.links.link({std::string("--oformat=") + format,
                             "--no-check-sections", "-T", "same.ld", "32.o"}),
        "xlink: error: cannot write out: sections '.text' and '.far' are both "
        "loaded to 0x1020\n");
}

TEST(ImageFormat, TooMuchFiller) {
  Programs programs;
  programs.links.file("huge.ld", script("0x10000000"));
  const char *message =
      "xlink: error: out would hold 268431320 bytes of filler, most of it in "
      "front of section '.far'\n"
      ">>> '.data' is loaded up to 0x1034, '.far' to 0x10000000\n"
      ">>> ihex, srec and verilog without --gap-fill hold no filler; --image "
      "writes a file for each memory region\n";
  for (const char *format : {"ihex", "binary"})
    expectFailure(
        programs.links.link({std::string("--oformat=") + format,
                             "--gap-fill=0xff", "-T", "huge.ld", "32.o"}),
        message);
  EXPECT_NE(programs.link({"--oformat=srec", "-T", "huge.ld", "32.o"}), "");
}

TEST(ImageFormat, GapFillWithoutImage) {
  Programs programs;
  Linked linked =
      programs.links.link({"--gap-fill=0xff", "-T", "near.ld", "32.o"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors,
            "xlink: warning: option '--gap-fill' has no effect without "
            "--image, --crc or an --oformat of images\n");
}

// Errors of the link are its only ones, and nothing is written.
TEST(ImageFormat, ErrorsOfTheLink) {
  Programs programs;
  programs.links.file("bad.ld", script("undefined_name"));
  Linked linked =
      programs.links.link({"--oformat=srec", "-T", "bad.ld", "32.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(linked.files.empty());
  EXPECT_NE(linked.errors.find("undefined_name"), std::string::npos);
  EXPECT_EQ(linked.errors.find("cannot write"), std::string::npos);
}

} // namespace
} // namespace xlink::test
