//===- MemoryUsageTest.cpp - --print-memory-usage -------------------------===//
#include "link/Linking.h"

namespace xlink::test {
namespace {

Linked link(const char *script, std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 0x1000 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 100 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x100000 }
)"));
  links.file("m.ld", script);
  std::vector<std::string> arguments = {"-e", "0",    "a.o",
                                        "-T", "m.ld", "--print-memory-usage"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

TEST(MemoryUsage, UnitsAndShares) {
  Linked linked = link(
      "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 64K\n"
      "ram : ORIGIN = 0x10000000, LENGTH = 16M\n"
      "big : ORIGIN = 0x40000000, LENGTH = 0x40000000\n"
      "a_long_name_for_a_region : ORIGIN = 0x20000000, LENGTH = 1001\n"
      "odd : ORIGIN = 0x30000000, LENGTH = 300 }\n"
      "SECTIONS { .text : { *(.text) } > rom .bss : { *(.bss) } > ram .data : "
      "{ *(.data) } > odd }");
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "             rom:          4 KB        64 KB      6.25%\n"
            "             ram:          1 MB        16 MB      6.25%\n"
            "             big:          0 GB         1 GB      0.00%\n"
            "a_long_name_for_a_region:          0 GB       1001 B      0.00%\n"
            "             odd:         100 B        300 B     33.33%\n");
}

TEST(MemoryUsage, LoadAddressesCount) {
  Linked linked =
      link("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 64K\n"
           "ram : ORIGIN = 0x10000000, LENGTH = 16M }\n"
           "SECTIONS { .text : { *(.text) } > rom .data : { *(.data) } > ram "
           "AT> rom .bss : { *(.bss) } > ram }");
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "             rom:        4196 B        64 KB      6.40%\n"
            "             ram:     1048676 B        16 MB      6.25%\n");
}

TEST(MemoryUsage, OfALinkThatFails) {
  Linked linked =
      link("MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
           "none : ORIGIN = 0, LENGTH = 0 }\n"
           "SECTIONS { .text : { *(.text) } > rom /DISCARD/ : { *(*) } }");
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "             rom:          4 KB         1 KB    400.00%\n"
            "            none:          0 GB\n");
}

TEST(MemoryUsage, WithoutRegions) {
  EXPECT_EQ(link("SECTIONS { .all : { *(*) } }").text,
            "Memory region         Used Size  Region Size  %age Used\n");
}

//===----------------------------------------------------------------------===//
// --print-gc-sections
//===----------------------------------------------------------------------===//

const char keepsText[] = "SECTIONS { .text : { KEEP(*(.text)) } .rest : { "
                         "*(.data .bss) } }";
const char collected[] = "removing unused section a.o:(.data)\n"
                         "removing unused section a.o:(.bss)\n"
                         "removed 2 sections of 1048676 bytes\n";
const char header[] =
    "Memory region         Used Size  Region Size  %age Used\n";

TEST(CollectedSections, OnStandardOutput) {
  EXPECT_EQ(link(keepsText, {"--gc-sections", "--print-gc-sections"}).text,
            std::string(collected) + header);
  EXPECT_EQ(link(keepsText, {"--print-gc-sections"}).text, header);
  EXPECT_EQ(link(keepsText, {"--gc-sections", "--print-gc-sections",
                             "--no-print-gc-sections"})
                .text,
            header);
}

TEST(CollectedSections, InAFile) {
  Linked linked =
      link(keepsText, {"--gc-sections", "--print-gc-sections=gc.txt"});
  EXPECT_EQ(linked.text, header);
  const Bytes &file = linked.files["gc.txt"];
  EXPECT_EQ(std::string(file.begin(), file.end()), collected);
}

} // namespace
} // namespace xlink::test
