//===- RegionImageTest.cpp - --image: a file for each memory region -------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"

using namespace llvm;

namespace xlink::test {
namespace {

constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0011223344556677' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: 'AABBCCDD' }
  - { Name: .fast, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '01020304' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)";

constexpr const char *kScript = R"(
ENTRY(_start)
MEMORY {
  rom (rx) : ORIGIN = 0x1000, LENGTH = 0x100
  ram (rw) : ORIGIN = 0x20000000, LENGTH = 0x100
  fast : ORIGIN = 0x30000000, LENGTH = 0x10
  all : ORIGIN = 0, LENGTH = 0xffffffff
  half : ORIGIN = 0x1008, LENGTH = 4
}
REGION_ALIAS(flash, rom)
SECTIONS {
  .text 0x1004 : { *(.text) } > rom
  .data : ALIGN(16) { *(.data) } > ram AT> rom
  .bss : { *(.bss) } > ram
  .fast : { *(.fast) } > fast
}
)";

struct Images {
  LinkHarness links;
  Images() {
    links.file("32.o", nyuzi(kProgram));
    links.file("64.o", aphelion(kProgram));
    links.file("x.ld", kScript);
  }
  Linked link(std::vector<std::string> options,
              const char *object = "32.o") const {
    options.insert(options.end(), {"-T", "x.ld", object});
    return links.link(options);
  }
};

std::string linesOf(const Linked &linked, const char *file) {
  auto at = linked.files.find(file);
  if (at == linked.files.end())
    return "missing";
  std::string text;
  for (uint8_t byte : at->second)
    if (byte != '\r')
      text += char(byte);
  return text;
}

// A binary file begins at the region's origin; what is initialised in RAM is
// loaded into the ROM.
TEST(RegionImage, BinaryFromTheOrigin) {
  Images images;
  for (const char *object : {"32.o", "64.o"}) {
    Linked linked =
        images.link({"--image=rom=rom.bin", "--image=fast=fast.bin"}, object);
    EXPECT_EQ(linked.errors, "");
    EXPECT_EQ(OutFile(linked.image()).entry, 0x1004u);
    EXPECT_EQ(hexDigits(linked.files["rom.bin"]), "00000000"
                                                  "0011223344556677"
                                                  "00000000"
                                                  "aabbccdd");
    EXPECT_EQ(hexDigits(linked.files["fast.bin"]), "01020304");
    EXPECT_EQ(linked.files.size(), 3u);
  }
}

TEST(RegionImage, GapFill) {
  Images images;
  Linked linked = images.link(
      {"--image=rom=rom.bin", "--gap-fill=0xff", "--image=rom=rom.hex,ihex"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(hexDigits(linked.files["rom.bin"]), "ffffffff"
                                                "0011223344556677"
                                                "ffffffff"
                                                "aabbccdd");
  // What has addresses begins with the first byte.
  EXPECT_EQ(linesOf(linked, "rom.hex"), ":08100400001122334455667708\n"
                                        ":04100C00FFFFFFFFE4\n"
                                        ":04101000AABBCCDDCE\n"
                                        ":0400000300001004E5\n"
                                        ":00000001FF\n");
}

// Execution begins where the code is loaded: only that file says so.
TEST(RegionImage, Texts) {
  Images images;
  Linked linked =
      images.link({"--image=rom=rom.s,srec", "--image=fast=fast.s,srec",
                   "--image=fast=fast.hex,ihex", "--image=fast=fast.v,verilog",
                   "--image=fast=fast,b.bin,binary"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linesOf(linked, "rom.s"), "S0080000726F6D2E7308\n"
                                      "S10B1004001122334455667704\n"
                                      "S1071010AABBCCDDCA\n"
                                      "S9031004E8\n");
  EXPECT_EQ(linesOf(linked, "fast.s"), "S0090000666173742E73A7\n"
                                       "S3093000000001020304BC\n"
                                       "S70500000000FA\n");
  EXPECT_EQ(linesOf(linked, "fast.hex"), ":020000043000CA\n"
                                         ":0400000001020304F2\n"
                                         ":00000001FF\n");
  EXPECT_EQ(linesOf(linked, "fast.v"), "@30000000\n01 02 03 04\n");
  EXPECT_EQ(hexDigits(linked.files["fast,b.bin"]), "01020304");
}

// Beside an output of any format; a region may have several files, be called by
// its alias, and overlap others: then it takes what lies inside it.
TEST(RegionImage, OfAnyOutput) {
  Images images;
  for (const char *format : {"elf", "srec", "verilog"}) {
    Linked linked =
        images.link({std::string("--oformat=") + format,
                     "--image=flash=rom.bin", "--image=half=h.v,verilog"});
    EXPECT_EQ(linked.errors, "");
    EXPECT_EQ(hexDigits(linked.files["rom.bin"]).substr(8, 16),
              "0011223344556677");
    EXPECT_EQ(linesOf(linked, "h.v"), "@00001008\n44 55 66 77\n");
  }
}

TEST(RegionImage, NothingInTheRegion) {
  Images images;
  Linked linked =
      images.link({"--image=ram=ram.bin", "--image=ram=ram.hex,ihex"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors,
            "xlink: warning: nothing is loaded into memory region 'ram': "
            "ram.bin holds no bytes\n"
            "xlink: warning: nothing is loaded into memory region 'ram': "
            "ram.hex holds no bytes\n");
  EXPECT_TRUE(linked.files.count("ram.bin") && linked.files["ram.bin"].empty());
  EXPECT_EQ(linesOf(linked, "ram.hex"), ":00000001FF\n");
  // Nothing appears where that is an error.
  linked = images.link({"--fatal-warnings", "--image=ram=ram.bin"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(linked.files.empty());
}

TEST(RegionImage, UnknownRegions) {
  Images images;
  expectFailure(images.link({"--image=rum=rum.bin"}),
                "xlink: error: option '--image': there is no memory region "
                "'rum'\n>>> the script has the regions rom, ram, fast, all, "
                "half\n");
  Images without;
  expectFailure(without.links.link({"--image=rom=rom.bin", "32.o"}),
                "xlink: error: option '--image': there is no memory region "
                "'rom'\n>>> the script has no MEMORY\n");
}

// The region `all` begins at 0 and holds what is loaded to 0x30000000.
TEST(RegionImage, TooMuchFiller) {
  Images images;
  expectFailure(
      images.link({"--image=all=all.bin"}),
      "xlink: error: all.bin would hold 805306356 bytes of filler, most of it "
      "in front of section '.fast'\n"
      ">>> '.data' is loaded up to 0x1014, '.fast' to 0x30000000\n"
      ">>> its place is memory region 'fast'; to store its initial values "
      "behind '.data', write AT> and region 'ram'\n"
      ">>> ihex, srec and verilog without --gap-fill hold no filler; --image "
      "writes a file for each memory region\n");
}

TEST(RegionImage, BadValues) {
  Images images;
  auto refused = [&](const char *option, const std::string &text) {
    expectFailure(images.link({option}),
                  "xlink: error: option '--image': " + text + "\n");
  };
  refused("--image=rom", "'rom' is not REGION=FILE[,FORMAT]");
  refused("--image=rom=", "'rom=' is not REGION=FILE[,FORMAT]");
  refused("--image==f", "'=f' is not REGION=FILE[,FORMAT]");
  refused("--image=rom=,ihex", "'rom=,ihex' is not REGION=FILE[,FORMAT]");
  refused("--image=rom=f,hex",
          "'hex' is not a format of images (binary, ihex, srec, verilog)");
  refused("--image=rom=f,elf",
          "'elf' is not a format of images (binary, ihex, srec, verilog)");
  expectFailure(images.link({"--gap-fill=256"}),
                "xlink: error: option '--gap-fill': '256' is not a byte (0 to "
                "255)\n");
}

TEST(RegionImage, NamesOfOtherFiles) {
  TemporaryDirectory directory;
  directory.write("a.o", nyuzi(kProgram));
  directory.write("x.ld", std::string(kScript));
  auto messages = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"-T", "x.ld", "a.o"});
    ToolRun run = runTool(directory, options);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(directory.list(), "a.o x.ld");
    return run.messages;
  };
  EXPECT_EQ(messages({"-o", "f", "--image=rom=f"}),
            "xlink: error: image file 'f' is the same as output file\n");
  EXPECT_EQ(messages({"-o", "o", "--image=rom=f", "--image=fast=./f,ihex"}),
            "xlink: error: image file './f' is the same as image file\n"
            ">>> the image file is 'f'\n");
  EXPECT_EQ(messages({"-o", "o", "--image=rom=a.o"}),
            "xlink: error: input file 'a.o' is the same as image file\n");
  // Where one cannot be written, none appears.
  EXPECT_EQ(messages({"-o", "o", "--image=rom=none/f", "--image=fast=f"}),
            "xlink: error: cannot write none/f: No such file or directory\n");
}

} // namespace
} // namespace xlink::test
