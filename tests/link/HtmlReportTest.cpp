//===- HtmlReportTest.cpp - --html-report of whole links ------------------===//
//
// The page's data is the map in JSON, of every kind of link. What the page
// makes of it is tested in a browser, by tools/check-html-report.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace llvm;
using testing::HasSubstr;

namespace xlink::test {
namespace {

constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 64 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL, Type: STT_FUNC, Size: 8 }
  - { Name: _ZN3one3twoEv, Section: .text, Binding: STB_GLOBAL, Type: STT_FUNC, Size: 4 }
  - { Name: '</script><!--', Section: .bss, Binding: STB_GLOBAL, Type: STT_OBJECT, Size: 4 }
)";

Linked linkProgram(const Bytes &object, std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", object);
  links.file("tight.ld", "MEMORY { m : ORIGIN = 0x1000, LENGTH = 16 }\n"
                         "SECTIONS { .all : { *(.text .bss) } > m }\n");
  std::vector<std::string> arguments = {"a.o", "--html-report=p.html",
                                        "--map-json=m.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

std::string text(const Linked &linked, const std::string &name) {
  const auto file = linked.files.find(name);
  EXPECT_NE(file, linked.files.end()) << name;
  return file == linked.files.end()
             ? ""
             : std::string(file->second.begin(), file->second.end());
}

/// The JSON of one of the page's blocks.
json::Value block(StringRef page, StringRef id) {
  const StringRef text =
      page.split(("id=\"" + id + "\">").str()).second.split("</script>").first;
  Expected<json::Value> value = json::parse(text);
  EXPECT_TRUE(bool(value)) << toString(value.takeError());
  return value ? std::move(*value) : json::Value(nullptr);
}

/// Expects a page whose map is that of --map-json.
void expectPage(const Linked &linked) {
  const std::string page = text(linked, "p.html");
  Expected<json::Value> map = json::parse(text(linked, "m.json"));
  ASSERT_TRUE(bool(map)) << toString(map.takeError());
  EXPECT_EQ(block(page, "map"), *map);
  EXPECT_EQ(*map->getAsObject()->getString("format"), "xlink map");
  EXPECT_EQ(StringRef(page).count("</script>"), 4u);
}

TEST(HtmlReport, OfEveryKindOfLink) {
  for (const Bytes &object :
       {nyuzi(kProgram), xs1(kProgram), aphelion(kProgram), dpu(kProgram),
        colossus(kProgram)})
    for (std::vector<std::string> more : {std::vector<std::string>{},
                                          {"-r"},
                                          {"--oformat=binary"},
                                          {"--gc-sections"},
                                          {"-s"},
                                          {"--threads=2"}}) {
      SCOPED_TRACE(more.empty() ? "" : more.front());
      const Linked linked = linkProgram(object, more);
      EXPECT_EQ(linked.status, 0) << linked.errors;
      expectPage(linked);
    }
}

TEST(HtmlReport, HasReadableNamesUnlessTheyAreNotWanted) {
  Linked linked = linkProgram(nyuzi(kProgram));
  EXPECT_EQ(block(text(linked, "p.html"), "names"),
            json::Value(json::Object{{"_ZN3one3twoEv", "one::two()"}}));
  linked = linkProgram(nyuzi(kProgram), {"--no-demangle"});
  EXPECT_THAT(text(linked, "p.html"), HasSubstr("id=\"names\"></script>"));
}

TEST(HtmlReport, ExistsWhenTheLinkFails) {
  const Linked linked = linkProgram(nyuzi(kProgram), {"-T", "tight.ld"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_THAT(linked.errors, HasSubstr("region 'm'"));
  EXPECT_EQ(linked.files.count("out"), 0u);
  expectPage(linked);
}

TEST(HtmlReport, IsTheSameTwice) {
  EXPECT_EQ(text(linkProgram(nyuzi(kProgram)), "p.html"),
            text(linkProgram(nyuzi(kProgram), {"--threads=2"}), "p.html"));
}

TEST(HtmlReport, ToStandardOutput) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  const Linked linked = links.link({"a.o", "--html-report=-"});
  EXPECT_TRUE(StringRef(linked.text).starts_with("<!DOCTYPE html>\n"));
  EXPECT_EQ(linked.files.size(), 1u);
}

TEST(HtmlReport, ComparesWithABaseline) {
  const Linked older = linkProgram(nyuzi(kProgram));
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  links.file("old.json", text(older, "m.json"));
  links.file("bad.json", "{}");
  Linked linked =
      links.link({"a.o", "--html-report=p.html", "--baseline=old.json"});
  EXPECT_EQ(linked.errors, "");
  const json::Value changes = block(text(linked, "p.html"), "changes");
  EXPECT_EQ(changes.getAsObject()->getBoolean("equal"), true);
  for (const char *name : {"bad.json", "none.json"}) {
    linked = links.link(
        {"a.o", "--html-report=p.html", std::string("--baseline=") + name});
    EXPECT_EQ(linked.status, 1);
    EXPECT_THAT(linked.errors, HasSubstr(name));
    EXPECT_TRUE(linked.files.empty());
  }
}

TEST(HtmlReport, OverwritesNothing) {
  LinkHarness links;
  links.file("a.o", nyuzi(kProgram));
  Linked linked = links.link({"a.o", "--html-report=out"});
  EXPECT_EQ(linked.errors,
            "xlink: error: HTML report 'out' is the same as output file\n");
  linked = links.link({"a.o", "--html-report=a.o"});
  EXPECT_EQ(linked.errors,
            "xlink: error: input file 'a.o' is the same as HTML report\n");
  linked = links.link({"a.o", "--map-json=m", "--html-report=./m"});
  EXPECT_EQ(linked.errors,
            "xlink: error: HTML report './m' is the same as map in JSON\n"
            ">>> the map in JSON is 'm'\n");
  EXPECT_TRUE(linked.files.empty());
}

} // namespace
} // namespace xlink::test
