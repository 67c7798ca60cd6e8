//===- ChecksumTest.cpp - --crc: checks of what is loaded -----------------===//
#include "link/NamedObjects.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/SHA1.h"
#include <algorithm>

using namespace llvm;

namespace xlink::test {
namespace {

/// "123456789", what the catalogue's check values are of; two places; data.
constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 1, Content: '313233343536373839' }
  - { Name: .crc, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 1, Content: 'EEEEEEEEEEEEEEEE' }
  - { Name: .crc2, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 1, Content: 'EEEEEEEE' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: 'AABBCCDD' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: sum, Section: .crc, Type: STT_OBJECT, Size: 8, Binding: STB_GLOBAL }
  - { Name: half, Section: .crc, Type: STT_OBJECT, Size: 2, Binding: STB_GLOBAL }
  - { Name: late, Section: .crc, Value: 6, Binding: STB_GLOBAL }
  - { Name: sum2, Section: .crc2, Type: STT_OBJECT, Size: 4, Binding: STB_GLOBAL }
  - { Name: zeros, Section: .bss, Binding: STB_GLOBAL }
  - { Name: seven, Index: SHN_ABS, Value: 7, Binding: STB_GLOBAL }
)";

constexpr const char *kScript = R"(
MEMORY {
  rom (rx) : ORIGIN = 0x1000, LENGTH = 0x100
  ram (rw) : ORIGIN = 0x20000000, LENGTH = 0x100
  ids : ORIGIN = 0x3000, LENGTH = 0x100
  more : ORIGIN = 0x4000, LENGTH = 0x100
}
REGION_ALIAS(flash, rom)
SECTIONS {
  .text : { *(.text) } > rom
  .data 0x20000000 : AT(0x1010) { *(.data) }
  .crc : { *(.crc) place = .; LONG(0) } > ids
  .crc2 : { *(.crc2) } > more
  .bss 0x20000010 : { *(.bss) }
}
)";

struct Sums {
  LinkHarness links;
  explicit Sums(const char *script = kScript) {
    links.file("nyuzi.o", nyuzi(kProgram));
    links.file("aphelion.o", aphelion(kProgram));
    links.file("x.ld", script);
  }
  Linked link(std::vector<std::string> options,
              const char *machine = "nyuzi") const {
    options.insert(options.end(),
                   {"-e", "0", "-T", "x.ld", std::string(machine) + ".o"});
    return links.link(options);
  }
  /// Its place afterwards, in hex.
  std::string of(const std::string &option, const char *machine = "nyuzi",
                 std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "--crc=sum=" + option);
    return bytesOf(quiet(link(more, machine)), ".crc").substr(0, 16);
  }
};

std::string error(const std::string &option, const std::string &text) {
  return "xlink: error: option '--crc=" + option + "': " + text + "\n";
}

uint32_t crc32Of(const std::string &bytes) {
  return crc32(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

/// Little-endian digits, as bytesOf has them.
std::string digitsOf(uint32_t value) {
  Bytes bytes(4);
  poke(bytes, 0, value, 4);
  return hexDigits(bytes);
}

// The check values of the catalogue, lowest byte first.
TEST(Checksum, CatalogueValues) {
  Sums sums;
  const std::pair<const char *, const char *> rows[] = {
      {"", "2639f4cbeeeeeeee"},
      {",CRC-8/SMBUS", "f4eeeeeeeeeeeeee"},
      {",CRC-8/AUTOSAR", "dfeeeeeeeeeeeeee"},
      {",CRC-8/MAXIM-DOW", "a1eeeeeeeeeeeeee"},
      {",CRC-8/ROHC", "d0eeeeeeeeeeeeee"},
      {",CRC-8/SAE-J1850", "4beeeeeeeeeeeeee"},
      {",CRC-16/ARC", "3dbbeeeeeeeeeeee"},
      {",CRC-16/IBM-3740", "b129eeeeeeeeeeee"},
      {",CRC-16/CCITT-FALSE", "b129eeeeeeeeeeee"},
      {",CRC-16/GENIBUS", "4ed6eeeeeeeeeeee"},
      {",CRC-16/IBM-SDLC", "6e90eeeeeeeeeeee"},
      {",CRC-16/KERMIT", "8921eeeeeeeeeeee"},
      {",CRC-16/MODBUS", "374beeeeeeeeeeee"},
      {",CRC-16/SPI-FUJITSU", "cce5eeeeeeeeeeee"},
      {",CRC-16/UMTS", "e8feeeeeeeeeeeee"},
      {",CRC-16/USB", "c8b4eeeeeeeeeeee"},
      {",CRC-16/XMODEM", "c331eeeeeeeeeeee"},
      {",CRC-24/OPENPGP", "02cf21eeeeeeeeee"},
      {",CRC-32/ISO-HDLC", "2639f4cbeeeeeeee"},
      {",crc-32", "2639f4cbeeeeeeee"},
      {",CRC-32/AUTOSAR", "6ad09716eeeeeeee"},
      {",CRC-32/BZIP2", "181989fceeeeeeee"},
      {",CRC-32/CKSUM", "80765e76eeeeeeee"},
      {",CRC-32/ISCSI", "839206e3eeeeeeee"},
      {",CRC-32C", "839206e3eeeeeeee"},
      {",CRC-32/JAMCRC", "d9c60b34eeeeeeee"},
      {",CRC-32/MPEG-2", "e7e67603eeeeeeee"},
      {",CRC-64/ECMA-182", "4773490b5fdf406c"},
      {",CRC-64/GO-ISO", "0110a475c75609b9"},
      {",CRC-64/WE", "0af0a4f1e359ec62"},
      {",CRC-64/XZ", "fa3919dfbbc95d99"},
  };
  for (const auto &[kind, digits] : rows)
    for (const char *machine : bothClasses)
      EXPECT_EQ(sums.of(std::string("0x1000:0x1009") + kind, machine), digits)
          << kind;
}

// From the region's beginning to the last byte that is loaded into it.
TEST(Checksum, Regions) {
  Sums sums;
  const std::string text = "123456789", data = "\xaa\xbb\xcc\xdd";
  const uint32_t zeros = crc32Of(text + std::string(7, '\0') + data);
  EXPECT_EQ(sums.of("rom"), digitsOf(zeros) + "eeeeeeee");
  EXPECT_EQ(sums.of("flash"), digitsOf(zeros) + "eeeeeeee");
  const uint32_t filled = crc32Of(text + std::string(7, '\xff') + data);
  EXPECT_EQ(sums.of("rom", "aphelion", {"--gap-fill=0xff"}),
            digitsOf(filled) + "eeeeeeee");
  const uint32_t part = crc32Of("56789" + std::string(7, '\0') + "\xaa\xbb");
  EXPECT_EQ(sums.of("0x1004:0x1012"), digitsOf(part) + "eeeeeeee");
  const uint32_t around =
      crc32Of(std::string(4, '\0') + text + std::string(7, '\0') + data + "\0");
  EXPECT_EQ(sums.of("0xffc:4116"), digitsOf(around) + "eeeeeeee");
  // The bytes that --image writes of the region.
  Linked linked =
      sums.link({"--crc=sum=rom", "--image=rom=rom.bin", "--gap-fill=0x5a"});
  const Bytes &image = linked.files["rom.bin"];
  EXPECT_EQ(bytesOf(quiet(linked), ".crc").substr(0, 8),
            digitsOf(crc32(ArrayRef<uint8_t>(image))));
}

// The place in the range is left out; what is in front of it goes on behind it.
TEST(Checksum, ItsOwnPlace) {
  Sums sums("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 0x100 }\n"
            "SECTIONS { .text : { *(.text) *(.crc) *(.data) *(.crc2) } > rom "
            "/DISCARD/ : { *(.bss) } }");
  const std::string text = "123456789", data = "\xaa\xbb\xcc\xdd";
  const std::string behind("\xee\xee\xee\xee\0\0\0", 7);
  OutFile out = quiet(sums.link({"--crc=sum=rom"}));
  EXPECT_EQ(bytesOf(out, ".text").substr(18, 8),
            digitsOf(crc32Of(text + behind + data + "\xee\xee\xee\xee")));
  // At the range's end, and of a place that it holds a part of.
  out = quiet(sums.link({"--crc=sum=0x1000:0x100d"}));
  EXPECT_EQ(bytesOf(out, ".text").substr(18, 8), digitsOf(0xcbf43926));
  out = quiet(sums.link({"--crc=sum=0x1000:0x100b"}));
  EXPECT_EQ(bytesOf(out, ".text").substr(18, 8), digitsOf(0xcbf43926));
  // One after the other: the second one sees the first.
  out = quiet(sums.link({"--crc=sum2=0x1000:0x1009", "--crc=sum=rom"}));
  EXPECT_EQ(bytesOf(out, ".text").substr(18, 8),
            digitsOf(crc32Of(text + behind + data + "\x26\x39\xf4\xcb")));
  expectFailure(sums.link({"--crc=sum=rom", "--crc=sum2=rom"}),
                error("sum=rom", "the range holds 'sum2', which is computed "
                                 "later") +
                    ">>> --crc options take effect in their order: that "
                    "of 'sum2' has to stand in front\n");
  expectFailure(
      sums.link({"--crc=sum=0x1000:0x1009", "--crc=sum=0x1000:0x1008"}),
      error("sum=0x1000:0x1008", "its place is that of 'sum'"));
}

// A place that only the script names, and where it stands in images.
TEST(Checksum, ImagesAndScripts) {
  Sums sums;
  OutFile out = quiet(sums.link({"--crc=place=0x1000:0x1009"}));
  EXPECT_EQ(bytesOf(out, ".crc").substr(16), digitsOf(0xcbf43926));
  for (std::vector<std::string> options :
       {std::vector<std::string>{"--image=ids=out"},
        {"--image=ids=out", "--build-id=0x12"}}) {
    options.push_back("--crc=sum=0x1000:0x1009");
    options.push_back("-o");
    options.push_back("elf");
    EXPECT_EQ(hexDigits(sums.link(options).files["out"]).substr(0, 8),
              "2639f4cb");
  }
  Linked srec = sums.link({"--crc=sum=0x1000:0x1009", "--oformat=srec"});
  EXPECT_NE(std::string(srec.image().begin(), srec.image().end())
                .find("S10F30002639F4CBEEEEEEEE00000000"),
            std::string::npos);
  for (const char *format : {"binary", "--gap-fill=1"}) {
    Linked linked =
        sums.link({"--crc=sum=0x1000:0x1009",
                   StringRef(format) == "binary" ? "--no-gc-sections" : format,
                   "--oformat=binary"});
    EXPECT_EQ(hexDigits(linked.image()).substr(0x2000 * 2, 8), "2639f4cb");
  }
}

// The note's hash is made with zeros in the places, and is checked like any
// other bytes; an image holds the same ones as the output.
TEST(Checksum, WithBuildId) {
  Sums sums("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 0x100 }\n"
            "SECTIONS { .note.gnu.build-id : { *(.note.gnu.build-id) } > rom\n"
            ".text : { *(.text .data) *(.crc) *(.crc2) } > rom "
            "/DISCARD/ : { *(.bss) } }");
  Linked linked = sums.link(
      {"--build-id", "--crc=sum=0x1000:0x1028", "--image=rom=rom.bin"});
  OutFile out = quiet(linked);
  const OutSection *note = out.section(".note.gnu.build-id");
  const OutSection *text = out.section(".text");
  Bytes bytes = linked.image();
  const Bytes &image = linked.files["rom.bin"];
  EXPECT_EQ(Bytes(image.begin(), image.begin() + note->size), note->bytes);
  const uint64_t place = out.value("sum") - text->address;
  EXPECT_EQ(hexDigits(Bytes(text->bytes.begin() + place,
                            text->bytes.begin() + place + 4)),
            digitsOf(crc32(ArrayRef<uint8_t>(image).take_front(0x28))));
  std::fill_n(bytes.begin() + note->offset + 16, 20, 0);
  std::fill_n(bytes.begin() + text->offset + place, 4, 0);
  auto hash = SHA1::hash(bytes);
  EXPECT_EQ(hexDigits(note->bytes).substr(32),
            hexDigits(Bytes(hash.begin(), hash.end())));
}

TEST(Checksum, CollectionKeepsThePlace) {
  Sums sums;
  OutFile out =
      quiet(sums.link({"--gc-sections", "-u", "sum2", "--crc=sum=more"}));
  EXPECT_NE(out.section(".crc"), nullptr);
}

TEST(Checksum, WrongOptions) {
  Sums sums;
  for (const char *wrong : {"sum", "=rom", "sum=", "sum=,CRC-32"})
    expectFailure(sums.link({std::string("--crc=") + wrong}),
                  std::string("xlink: error: option '--crc': '") + wrong +
                      "' is not SYMBOL=REGION[,KIND]\n");
  for (const char *wrong : {"1:", ":1", "1:1", "2:1", "a:b", "1:2:3", "0x:2"})
    expectFailure(sums.link({std::string("--crc=sum=") + wrong}),
                  std::string("xlink: error: option '--crc': '") + wrong +
                      "' is not a range START:END of numbers\n");
  Linked linked = sums.link({"--crc=sum=rom,CRC-31/PHILIPS"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.errors.find(
                "xlink: error: option '--crc': 'CRC-31/PHILIPS' is not a kind "
                "of CRC (CRC-8/SMBUS, CRC-8/AUTOSAR, "),
            0u)
      << linked.errors;
  expectFailure(sums.link({"--crc=sum=ron"}),
                error("sum=ron", "memory region 'ron' is not declared; did "
                                 "you mean 'rom'?"));
}

TEST(Checksum, NoPlace) {
  Sums sums;
  auto fails = [&](const char *option, const char *text) {
    expectFailure(sums.link({std::string("--crc=") + option}),
                  error(option, text));
  };
  fails("none=rom", "symbol 'none' is not defined");
  fails("seven=rom", "symbol 'seven' is a number, and no place in a section");
  fails("zeros=rom", "symbol 'zeros' is in section '.bss', which has no bytes "
                     "that are loaded");
  fails("half=rom", "symbol 'half' has 2 bytes, CRC-32/ISO-HDLC has 4");
  fails("late=rom,CRC-64/XZ",
        "symbol 'late' leaves no room for 8 bytes in section '.crc'");
  Sums gone("SECTIONS { .text 0x1000 : { *(.text .crc2 .data .bss) } /DISCARD/ "
            ": { *(.crc) } }");
  expectFailure(gone.link({"--crc=sum=0x1000:0x1004"}),
                error("sum=0x1000:0x1004",
                      "symbol 'sum' is in no section of the output"));
}

TEST(Checksum, NoRange) {
  Sums sums;
  auto fails = [&](const char *option, const char *text) {
    expectFailure(sums.link({std::string("--crc=") + option}),
                  error(option, text));
  };
  fails("sum=ram", "nothing is loaded into memory region 'ram'");
  fails("sum=0x9000:0x9004", "nothing is loaded there");
  fails("sum=0:0x10000000", "the range would hold 268435427 bytes of filler");
  Sums twice("SECTIONS { .text 0x1000 : { *(.text) } .data 0x2000 : AT(0x1004) "
             "{ *(.data .crc .crc2) } .bss : { *(.bss) } }");
  expectFailure(
      twice.link({"--crc=sum=0x1000:0x1010", "--no-check-sections"}),
      error("sum=0x1000:0x1010",
            "sections '.text' and '.data' are both loaded to 0x1004"));
}

} // namespace
} // namespace xlink::test
