//===- MapTest.cpp - the map of a tiny program ----------------------------===//
//
// GNU ld's columns: names take 16, numbers of sizes 10, addresses as many
// digits as the machine has, statements begin at 50.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "report/Reports.h"
#include "resolve/NamedOutputs.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::HasSubstr;

namespace {

/// What stands behind a headline.
std::string behind(const std::string &map, const std::string &headline) {
  const size_t at = map.find(headline);
  EXPECT_NE(at, std::string::npos) << headline << " in\n" << map;
  return at == std::string::npos ? "" : map.substr(at + headline.size());
}

std::string mapOf(HandLaid &h) {
  const Link link = h.link();
  const SymbolValues values = computeSymbolValues(link);
  std::string text;
  raw_string_ostream out(text);
  writeMap(out, link, values);
  return text;
}

const char *const kScript = "MEMORY { ram (rwx!i) : ORIGIN = 0x1000, "
                            "LENGTH = 4K }\n"
                            "SECTIONS { .text : { *(.text) s = .; BYTE(1) } "
                            ">ram\n"
                            ".data : ALIGN(8) { *(.data) } >ram }";

void addInputs(HandLaid &h) {
  h.file("a.o").section(".text", "ax", 6, 4).define("main", 2);
  h.file("b.o")
      .section(".data", "aw", 4, 4)
      .section(".text.a_long_name", "ax", 2);
  h.program.readFiles = {{ReadFile::Input, "a.o", {}},
                         {ReadFile::Script, "a.ld", {}},
                         {ReadFile::Input, "b.o", {}}};
}

TEST(Map, Whole32) {
  HandLaid h("nyuzi", kScript);
  addInputs(h);
  h.lay();
  EXPECT_EQ(
      mapOf(h),
      "\nMemory Configuration\n\n"
      "Name             Origin             Length             Attributes\n"
      "ram              0x00001000         0x00001000         xrw!l\n"
      "*default*        0x00000000         0xffffffff\n"
      "\nLinker script and memory map\n\n"
      "LOAD a.o\n"
      "\n"
      ".text           0x00001000        0x7\n"
      " *(.text)\n"
      " .text          0x00001000        0x6 a.o\n"
      "                0x00001002                main\n"
      "                0x00001006                        s = .\n"
      "                0x00001006        0x1 BYTE 0x1\n"
      "\n"
      ".text.a_long_name\n"
      "                0x00001007        0x2\n"
      " .text.a_long_name\n"
      "                0x00001007        0x2 b.o\n"
      "\n"
      ".data           0x00001010        0x4\n"
      " *(.data)\n"
      " .data          0x00001010        0x4 b.o\n"
      "LOAD b.o\n"
      "OUTPUT(out elf32-nyuzi)\n");
}

TEST(Map, AddressesOf64Bits) {
  HandLaid h("aphelion", kScript);
  addInputs(h);
  h.lay();
  const std::string map = mapOf(h);
  EXPECT_THAT(map, HasSubstr("\n .text          0x0000000000001000        0x6 "
                             "a.o\n"));
  EXPECT_THAT(map, HasSubstr("\n*default*        0x0000000000000000 "
                             "0xffffffffffffffff\n"));
  EXPECT_THAT(map, HasSubstr("OUTPUT(out elf64-aphelion)\n"));
}

// Room that nothing takes is shown with what fills it.
TEST(Map, Fill) {
  HandLaid h("nyuzi", "SECTIONS { .x 0x100 : { *(.a) . = . + 2; *(.b) } "
                      "=0x11223344 }");
  h.file("a.o").section(".a", "a", 2).section(".b", "a", 4, 8);
  h.lay();
  EXPECT_EQ(behind(mapOf(h), "memory map\n\n"),
            "\n"
            ".x              0x00000100        0xc\n"
            " *(.a)\n"
            " .a             0x00000100        0x2 a.o\n"
            "                0x00000104                        . = (. + 0x2)\n"
            " *fill*         0x00000102        0x2 11223344\n"
            " *(.b)\n"
            " *fill*         0x00000104        0x4 11223344\n"
            " .b             0x00000108        0x4 a.o\n"
            "OUTPUT(out elf32-nyuzi)\n");
}

TEST(Map, LoadAddresses) {
  HandLaid h("nyuzi", "SECTIONS { .x 0x100 : AT(0x8000) { *(.x) } }");
  h.file("a.o").section(".x", "a", 2);
  h.lay();
  EXPECT_THAT(mapOf(h),
              HasSubstr("\n.x              0x00000100        0x2 load address "
                        "0x00008000\n"));
}

TEST(Map, ProvidesThatStepBack) {
  HandLaid h("nyuzi", "PROVIDE(nobody = 1); a = 2;");
  h.lay();
  EXPECT_EQ(behind(mapOf(h), "memory map\n\n"),
            "                [!provide]                        "
            "PROVIDE (nobody = 0x1)\n"
            "                0x00000002                        a = 0x2\n"
            "OUTPUT(out elf32-nyuzi)\n");
}

TEST(Map, DiscardedSections) {
  HandLaid h("nyuzi", "SECTIONS { /DISCARD/ : { *(.gone) } }");
  h.file("a.o").section(".gone", "a", 2).section(".dead", "a", 3);
  h.lay();
  h.contributions.liveness.live.assign(h.program.sections.size(), true);
  h.contributions.liveness.live[h.sectionNamed(".dead").index()] = false;
  EXPECT_THAT(mapOf(h),
              testing::StartsWith("\nDiscarded input sections\n\n"
                                  " .gone          0x00000000        0x2 a.o\n"
                                  " .dead          0x00000000        0x3 "
                                  "a.o\n"));
}

TEST(Map, CommonSymbols) {
  HandLaid h("nyuzi", "SECTIONS { .bss : { *(COMMON) } }");
  h.file("a.o").common("buffer", 24, 8).common("name_of_20_letters__", 4, 4);
  h.lay();
  EXPECT_THAT(mapOf(h),
              testing::StartsWith("\nAllocating common symbols\n"
                                  "Common symbol       size              "
                                  "file\n\n"
                                  "buffer              0x18              "
                                  "a.o\n"
                                  "name_of_20_letters__\n"
                                  "                    0x4               "
                                  "a.o\n"));
}

TEST(Map, Inclusions) {
  HandLaid h("nyuzi", "");
  h.file("a.o").refer("f");
  h.file("lib.a(f.o)").section(".text", "ax", 4).define("f");
  h.lay();
  h.program.inclusions = {{FileId(1), FileId(0), h.symbolNamed("f")},
                          {FileId(1), kNone, h.symbolNamed("f")}};
  EXPECT_THAT(mapOf(h),
              testing::StartsWith("Archive member included to satisfy "
                                  "reference by file (symbol)\n\n"
                                  "lib.a(f.o)                    a.o (f)\n"
                                  "lib.a(f.o)                    (f)\n"));
}

// "% in a map's name": the output's name; nothing behind it means ".map".
TEST(Map, Path) {
  HandMade made;
  made.program.output.path = "dir/out";
  made.config.mapFile = "plain";
  EXPECT_EQ(mapPath(made.program), "plain");
  made.config.mapFile = "%";
  EXPECT_EQ(mapPath(made.program), "dir/out.map");
  made.config.mapFile = "maps/%.txt";
  EXPECT_EQ(mapPath(made.program), "maps/dir/out.txt");
}

} // namespace
