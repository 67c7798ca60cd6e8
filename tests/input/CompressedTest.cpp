//===- CompressedTest.cpp - SHF_COMPRESSED --------------------------------===//
#include "Reading.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Compression.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;
namespace compression = llvm::compression;

/// Contents of a compressed section: header and packed bytes.
static Bytes packed(const Bytes &plain, uint32_t type, bool is64,
                    uint64_t align = 8) {
  llvm::SmallVector<uint8_t> out;
  if (type == ELFCOMPRESS_ZSTD)
    compression::zstd::compress(plain, out);
  else
    compression::zlib::compress(plain, out);
  Bytes bytes(is64 ? 24 : 12);
  poke(bytes, 0, type, 4);
  poke(bytes, is64 ? 8 : 4, plain.size(), is64 ? 8 : 4);
  poke(bytes, is64 ? 16 : 8, align, is64 ? 8 : 4);
  bytes.insert(bytes.end(), out.begin(), out.end());
  return bytes;
}

static Bytes object(const char *machine, const Bytes &content,
                    const std::string &flags = "SHF_COMPRESSED",
                    const std::string &more = "") {
  return machineObject(machine, "Sections:\n  - Name: .debug_str\n    Type: "
                                "SHT_PROGBITS\n    Flags: [" +
                                    flags +
                                    "]\n    AddressAlign: 4\n    Content: '" +
                                    llvm::toHex(content) + "'\n" + more);
}

static Bytes repetitive(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = "entry of a table\0"[i % 17];
  return bytes;
}

TEST(Compressed, BothFormatsInBothClasses) {
  Bytes plain = repetitive(17 * 1000);
  for (uint32_t type : {ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD})
    for (const char *machine : {"nyuzi", "aphelion"}) {
      bool is64 = machine[0] == 'a';
      Read r = read(machine, object(machine, packed(plain, type, is64)));
      ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
      const ParsedSection *s = r.section(".debug_str");
      EXPECT_EQ(s->size, plain.size());
      EXPECT_EQ(s->align, 8u) << "the alignment of the plain contents";
      EXPECT_EQ(s->flags, 0u);
      EXPECT_EQ(s->fileFlags(), uint64_t(llvm::ELF::SHF_COMPRESSED));
      EXPECT_TRUE(s->data() == llvm::ArrayRef<uint8_t>(plain));
    }
}

TEST(Compressed, RelocationsAndMergingSeePlainContents) {
  Bytes plain = repetitive(17 * 10);
  Read r = read(
      "nyuzi",
      object("nyuzi", packed(plain, ELFCOMPRESS_ZLIB, false),
             "SHF_COMPRESSED, SHF_MERGE, SHF_STRINGS",
             "    EntSize: 1\n  - Name: .rela.debug_str\n    Type: SHT_RELA\n"
             "    Link: .symtab\n    Info: .debug_str\n    Relocations:\n"
             "      - Offset: 166\n        Type: 1\nSymbols: []\n"));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.section(".debug_str")->flags, uint64_t(SHF_MERGE | SHF_STRINGS));
  EXPECT_EQ(r.relocations(".debug_str").size(), 1u);
}

TEST(Compressed, EmptyContents) {
  Read r = read("nyuzi", object("nyuzi", packed({}, ELFCOMPRESS_ZLIB, false)));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.section(".debug_str")->size, 0u);
}

static std::string complaint(const Bytes &content,
                             const char *flags = "SHF_COMPRESSED") {
  std::vector<std::string> errors =
      read("nyuzi", object("nyuzi", content, flags)).errors;
  EXPECT_EQ(errors.size(), 1u);
  llvm::StringRef text = errors.empty() ? llvm::StringRef() : errors[0];
  EXPECT_TRUE(text.consume_front("a.o: section header 1 (.debug_str): "));
  return text.str();
}

TEST(Compressed, HeadersAreChecked) {
  Bytes good = packed(repetitive(100), ELFCOMPRESS_ZLIB, false);
  EXPECT_EQ(complaint(Bytes(good.begin(), good.begin() + 11)),
            "sh_size 0xb is too small for a compression header (0xc bytes)");
  Bytes bad = good;
  poke(bad, 0, 3, 4);
  EXPECT_EQ(complaint(bad), "ch_type 0x3 is neither zlib nor zstd");
  bad = good;
  poke(bad, 8, 6, 4);
  EXPECT_EQ(complaint(bad), "ch_addralign 0x6 is not a power of two");
  EXPECT_EQ(complaint(good, "SHF_COMPRESSED, SHF_ALLOC"),
            "SHF_COMPRESSED and SHF_ALLOC exclude each other");
}

TEST(Compressed, SizesAreBelievedWithinReason) {
  Bytes good = packed(repetitive(100), ELFCOMPRESS_ZLIB, false);
  Bytes bad = good;
  poke(bad, 4, 0xffffffff, 4);
  EXPECT_EQ(complaint(bad), "ch_size 0xffffffff is too large for " +
                                hex(good.size() - 12) + " compressed bytes");
  bad = good;
  poke(bad, 4, 101, 4);
  EXPECT_EQ(complaint(bad),
            "ch_size is 0x65, but the zlib contents have 0x64 bytes");
  poke(bad, 4, 99, 4);
  EXPECT_EQ(complaint(bad),
            "zlib contents cannot be decompressed: zlib error: Z_BUF_ERROR");
  // The best case of each method is not refused.
  Bytes zeros(4 << 20);
  for (unsigned type : {ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD})
    EXPECT_TRUE(
        read("nyuzi", object("nyuzi", packed(zeros, type, false))).object);
}

// A frame of nothing but blocks of one byte that is repeated (RFC 8878).
TEST(Compressed, TheBestOfZstandard) {
  constexpr uint32_t blocks = 64, most = 128 << 10, size = blocks * most;
  Bytes content(12);
  poke(content, 0, ELFCOMPRESS_ZSTD, 4);
  poke(content, 4, size, 4);
  poke(content, 8, 1, 4);
  // Magic number; a header with the content's size in four bytes, one segment.
  for (uint8_t byte : {0x28, 0xb5, 0x2f, 0xfd, 0xa0})
    content.push_back(byte);
  content.resize(content.size() + 4);
  poke(content, content.size() - 4, size, 4);
  for (uint32_t i = 0; i < blocks; ++i) {
    // Last, type (1: repeated), size.
    const uint32_t header = (i + 1 == blocks) | 1 << 1 | most << 3;
    for (unsigned shift : {0, 8, 16})
      content.push_back(uint8_t(header >> shift));
    content.push_back(0x5a);
  }
  Read r = read("nyuzi", object("nyuzi", content));
  ASSERT_TRUE(r.object) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.section(".debug_str")->size, size);
  poke(content, 4, 0xffffffff, 4);
  EXPECT_EQ(complaint(content),
            "ch_size 0xffffffff is too large for 0x109 compressed bytes");
}

TEST(Compressed, DamagedContents) {
  Bytes bad = packed(repetitive(1000), ELFCOMPRESS_ZLIB, false);
  bad[12] ^= 0xff;
  EXPECT_EQ(complaint(bad),
            "zlib contents cannot be decompressed: zlib error: Z_DATA_ERROR");
  bad = packed(repetitive(1000), ELFCOMPRESS_ZSTD, false);
  bad[12] ^= 0xff;
  EXPECT_THAT(complaint(bad),
              testing::StartsWith("zstd contents cannot be decompressed: "));
}
