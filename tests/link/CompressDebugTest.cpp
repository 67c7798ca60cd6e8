//===- CompressDebugTest.cpp - --compress-debug-sections ------------------===//
#include "link/NamedObjects.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Debugging sections of some size, with a relocation, and others.
std::string program() {
  return R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .debug_info, Type: SHT_PROGBITS, AddressAlign: 1, Size: 999 }
  - { Name: .debug_str, Type: SHT_PROGBITS, Flags: [ SHF_MERGE, SHF_STRINGS ], EntSize: 1, AddressAlign: 1, Content: '6162636465666700' }
  - { Name: .debug_line, Type: SHT_PROGBITS, AddressAlign: 8, Size: 4096 }
  - { Name: .debug_here, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 1, Size: 1000 }
  - { Name: .other, Type: SHT_PROGBITS, AddressAlign: 1, Size: 1000 }
  - Name: .rela.debug_info
    Type: SHT_RELA
    Info: .debug_info
    Relocations:
      - { Offset: 16, Type: 1, Symbol: main, Addend: 2 }
Symbols:
  - { Name: main, Section: .text, Value: 4, Binding: STB_GLOBAL }
)";
}

uint64_t numberAt(const Bytes &bytes, size_t at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= uint64_t(bytes[at + i]) << (8 * i);
  return value;
}

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine) {
    harness.file("a.o", machineObject(machine, program()));
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "main", "a.o"});
    return harness.link(arguments);
  }
};

/// What a compressed section holds; checks its header.
Bytes expanded(const OutFile &out, const OutSection &section, uint32_t type,
               uint64_t align) {
  const size_t header = out.is64 ? 24 : 12;
  const unsigned word = out.is64 ? 8 : 4;
  EXPECT_TRUE(section.flags & ELF::SHF_COMPRESSED) << section.name;
  EXPECT_EQ(section.align, word);
  EXPECT_EQ(section.offset % word, 0u);
  EXPECT_EQ(numberAt(section.bytes, 0, 4), type);
  EXPECT_EQ(numberAt(section.bytes, header - word, word), align);
  if (out.is64) {
    EXPECT_EQ(numberAt(section.bytes, 4, 4), 0u);
  }
  SmallVector<uint8_t, 0> plain;
  const uint64_t size = numberAt(section.bytes, header - 2 * word, word);
  ArrayRef<uint8_t> packed =
      ArrayRef<uint8_t>(section.bytes).drop_front(header);
  Error error = type == ELF::ELFCOMPRESS_ZLIB
                    ? compression::zlib::decompress(packed, plain, size)
                    : compression::zstd::decompress(packed, plain, size);
  EXPECT_FALSE(bool(error));
  return Bytes(plain.begin(), plain.end());
}

// The same program; what is not loaded and shrinks takes less room.
TEST(CompressDebug, SameContents) {
  for (const char *machine : bothClasses)
    for (const char *type : {"zlib", "zlib-gabi", "zstd"}) {
      const uint32_t number = StringRef(type) == "zstd" ? ELF::ELFCOMPRESS_ZSTD
                                                        : ELF::ELFCOMPRESS_ZLIB;
      Links links(machine);
      const Linked whole = links.link({}),
                   packed = links.link(
                       {std::string("--compress-debug-sections=") + type});
      OutFile plain = quiet(whole), out = quiet(packed);
      EXPECT_LT(packed.image().size() + 4000, whole.image().size());
      EXPECT_EQ(sectionNames(out), sectionNames(plain));
      EXPECT_EQ(symbolNames(out), symbolNames(plain));
      EXPECT_EQ(segmentsOf(out), segmentsOf(plain));
      for (const OutSection &section : out.sections) {
        const OutSection *before = plain.section(section.name);
        if (section.name == ".debug_info" || section.name == ".debug_line") {
          EXPECT_EQ(expanded(out, section, number, before->align),
                    before->bytes)
              << section.name;
          EXPECT_EQ(section.flags & ~uint64_t(ELF::SHF_COMPRESSED),
                    before->flags);
        } else if (before && section.name != ".shstrtab") {
          EXPECT_EQ(section.bytes, before->bytes) << section.name;
          EXPECT_EQ(section.flags, before->flags) << section.name;
        }
      }
      EXPECT_EQ(numberAt(plain.section(".debug_info")->bytes, 16, 4),
                plain.value("main") + 2);
      // Small ones, loaded ones and others are as they were.
      EXPECT_FALSE(out.section(".debug_str")->flags & ELF::SHF_COMPRESSED);
      EXPECT_FALSE(out.section(".debug_here")->flags & ELF::SHF_COMPRESSED);
      EXPECT_FALSE(out.section(".other")->flags & ELF::SHF_COMPRESSED);
    }
}

TEST(CompressDebug, NothingToCompress) {
  Links links("nyuzi");
  EXPECT_EQ(links.link({"--compress-debug-sections=none"}).image(),
            links.link({}).image());
  EXPECT_EQ(links
                .link({"--compress-debug-sections=zlib",
                       "--compress-debug-sections=none"})
                .image(),
            links.link({}).image());
  EXPECT_EQ(links.link({"--compress-debug-sections=zlib", "-S"}).image(),
            links.link({"-S"}).image());
  EXPECT_EQ(links.link({"--compress-debug-sections=zlib", "--oformat=binary"})
                .image(),
            links.link({"--oformat=binary"}).image());
}

// A large output is written in pieces, and so is this one.
TEST(CompressDebug, LargeOutputs) {
  Links links("nyuzi");
  links.harness.file("b.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 3000000 }
  - { Name: .debug_line, Type: SHT_PROGBITS, AddressAlign: 8, Size: 3000000 }
)"));
  OutFile plain = quiet(links.link({"b.o"}));
  for (const char *threads : {"--threads=1", "--threads=4"}) {
    OutFile out =
        quiet(links.link({"b.o", "--compress-debug-sections=zlib", threads}));
    EXPECT_EQ(
        expanded(out, *out.section(".debug_line"), ELF::ELFCOMPRESS_ZLIB, 8),
        plain.section(".debug_line")->bytes);
    EXPECT_EQ(bytesOf(out, ".text"), bytesOf(plain, ".text"));
  }
}

// What is wrong with relocations is said once.
TEST(CompressDebug, Errors) {
  Links links("nyuzi");
  expectFailure(links.link({"--compress-debug-sections=zlib-gnu"}),
                "xlink: error: option '--compress-debug-sections': 'zlib-gnu' "
                "is none of none, zlib, zlib-gabi, zstd\n");
  links.harness.file("bad.o", nyuzi(R"(
Sections:
  - { Name: .debug_info, Type: SHT_PROGBITS, AddressAlign: 1, Size: 1000 }
  - Name: .rela.debug_info
    Type: SHT_RELA
    Info: .debug_info
    Relocations:
      - { Offset: 16, Type: 1, Symbol: missing }
Symbols:
  - { Name: missing, Binding: STB_GLOBAL }
)"));
  EXPECT_EQ(links.link({"bad.o", "--compress-debug-sections=zlib"}).errors,
            links.link({"bad.o"}).errors);
}

} // namespace
} // namespace xlink::test
