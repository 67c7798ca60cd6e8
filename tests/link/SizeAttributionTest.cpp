//===- SizeAttributionTest.cpp - --print-size-attribution of links --------===//
#include "link/Linking.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace llvm;

namespace xlink::test {
namespace {

LinkHarness inputs() {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 12 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 16, Size: 20 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 100 }
Symbols:
  - { Name: a.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: _Z4mainv, Type: STT_FUNC, Section: .text, Size: 8, Binding: STB_GLOBAL }
)"));
  links.file("m.ld", "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 64K\n"
                     "ram : ORIGIN = 0x10004, LENGTH = 256 }\n"
                     "SECTIONS { .text : { *(.text) } >rom\n"
                     ".data : { *(.data) } >ram AT>rom\n"
                     ".bss : { *(.bss) } >ram }");
  return links;
}

Linked link(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"-e", "0", "a.o", "-T", "m.ld"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return inputs().link(arguments);
}

TEST(SizeAttribution, OfALink) {
  const Linked linked = link({"--print-size-attribution"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "       Bytes     Share  Whose\n"
                         "         164   100.00%  all\n"
                         "         132    80.49%    ram\n"
                         "         100    60.98%      .bss\n"
                         "         100    60.98%        a.o  [a.c]\n"
                         "         100    60.98%          .bss\n"
                         "          20    12.20%      .data\n"
                         "          20    12.20%        a.o  [a.c]\n"
                         "          20    12.20%          .data\n"
                         "          12     7.32%      padding\n"
                         "          12     7.32%        in front of .data\n"
                         "          32    19.51%    rom\n"
                         "          20    12.20%      .data\n"
                         "          20    12.20%        a.o  [a.c]\n"
                         "          20    12.20%          .data\n"
                         "          12     7.32%      .text\n"
                         "          12     7.32%        a.o  [a.c]\n"
                         "           8     4.88%          main()\n"
                         "           4     2.44%          .text\n");
}

TEST(SizeAttribution, NamesAsInTheFile) {
  EXPECT_THAT(link({"--print-size-attribution", "--no-demangle"}).text,
              testing::HasSubstr("          _Z4mainv\n"));
}

TEST(SizeAttribution, Depth) {
  EXPECT_EQ(link({"--print-size-attribution=1"}).text,
            "       Bytes     Share  Whose\n"
            "         164   100.00%  all\n"
            "         132    80.49%    ram\n"
            "          32    19.51%    rom\n");
  expectFailure(link({"--print-size-attribution=deep"}),
                "xlink: error: option '--print-size-attribution': 'deep' is "
                "not a number of levels\n");
}

// Also when the program does not fit, which is when it is wanted.
TEST(SizeAttribution, OfALinkThatFails) {
  LinkHarness links = inputs();
  links.file("m.ld", "MEMORY { ram : ORIGIN = 0, LENGTH = 16 }\n"
                     "SECTIONS { .all : { *(.text .data .bss) } >ram }");
  const Linked linked =
      links.link({"-e", "0", "a.o", "-T", "m.ld", "--print-size-attribution=1",
                  "--print-memory-usage"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.text,
            "Memory region         Used Size  Region Size  %age Used\n"
            "             ram:         136 B         16 B    850.00%\n"
            "\n"
            "ram, 0x0 to 0xf\n"
            "  too much              120 B   750.00%\n"
            "  padding                 4 B    25.00%\n"
            "  largest               132 B   825.00%  a.o\n"
            "       Bytes     Share  Whose\n"
            "         136   100.00%  all\n"
            "         136   100.00%    ram\n");
}

TEST(SizeAttribution, AnswersJson) {
  const Linked linked =
      link({"--print-size-attribution=1", "--print-memory-usage=json",
            "--answers-json=a.json"});
  EXPECT_EQ(linked.errors, "");
  auto it = linked.files.find("a.json");
  ASSERT_NE(it, linked.files.end());
  Expected<json::Value> value = json::parse(StringRef(
      reinterpret_cast<const char *>(it->second.data()), it->second.size()));
  ASSERT_TRUE(bool(value)) << toString(value.takeError());
  const json::Object &answers = *value->getAsObject();
  EXPECT_EQ(answers.getString("format"), StringRef("xlink answers"));
  EXPECT_EQ(answers.getInteger("version"), 1);
  EXPECT_EQ(answers.getObject("sizeAttribution")->getInteger("bytes"), 164);
  const json::Array &regions =
      *answers.getObject("memoryUsage")->getArray("regions");
  EXPECT_EQ(regions[0].getAsObject()->getInteger("used"), 32);
  EXPECT_EQ(regions[0].getAsObject()->getInteger("loadOnly"), 20);
  EXPECT_EQ(regions[1].getAsObject()->getInteger("used"), 132);
  EXPECT_THAT(linked.text, testing::StartsWith("{\n  \"outside\": {"));
}

// Nothing was asked for.
TEST(SizeAttribution, NoAnswers) {
  const Linked linked = link({"--answers-json=a.json"});
  const Bytes &bytes = linked.files.at("a.json");
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()),
            "{\n  \"format\": \"xlink answers\",\n  \"version\": 1\n}\n");
}

} // namespace
} // namespace xlink::test
