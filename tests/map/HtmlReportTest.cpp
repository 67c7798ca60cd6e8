//===- HtmlReportTest.cpp - what stands in the page of --html-report ------===//
//
// What the page does with it is tested in a browser: tools/check-html-report.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include <gmock/gmock.h>

using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace xlink {
namespace {

/// The text of the element that `begin` opens.
std::string element(StringRef page, StringRef begin, StringRef end) {
  EXPECT_EQ(page.count(begin), 1u) << begin.str();
  return page.split(begin).second.split(end).first.str();
}
std::string block(StringRef page, StringRef id) {
  return element(page,
                 ("<script type=\"application/json\" id=\"" + id + "\">").str(),
                 "</script");
}

/// A map with one symbol of that name.
LinkMap mapOf(StringRef name) {
  LinkMap map;
  map.machine = "xs1";
  map.output = name;
  map.files = {{.path = name, .member = {}, .symbol = {}, .source = {}}};
  map.outputs.resize(1);
  map.outputs[0].name = name;
  map.outputs[0].parts = 1;
  map.parts.resize(1);
  map.parts[0].name = name;
  map.parts[0].symbols = 1;
  map.symbols.assign(1, MapSymbol());
  map.symbols[0].name = name;
  return map;
}
std::string mapWith(StringRef name) { return mapJson(mapOf(name)); }

/// The page of these texts.
std::string pageOf(StringRef map, StringRef baseline, StringRef names = "") {
  std::string page;
  raw_string_ostream out(page);
  writeHtmlReport(out, map, baseline, names);
  return page;
}

TEST(HtmlReport, HoldsTheMapAsItIs) {
  const std::string json = mapWith("main"), older = mapWith("start");
  const std::string page = pageOf(json, older);
  EXPECT_EQ(block(page, "map"), json);
  EXPECT_EQ(block(page, "changes"), older);
  EXPECT_EQ(block(page, "names"), "");
  EXPECT_TRUE(StringRef(page).starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(StringRef(page).ends_with("</html>\n"));
  EXPECT_THAT(page, Not(HasSubstr("@STYLE@")));
  EXPECT_EQ(block(pageOf(json, ""), "changes"), "");
}

// 100,000 functions are 8 MB of JSON, and no page of 10 MB.
TEST(HtmlReport, PacksLargeBlocks) {
  LinkMap map = mapOf("main");
  map.symbols.assign(100000, MapSymbol());
  map.parts[0].symbols = uint32_t(map.symbols.size());
  for (size_t i = 0; i < map.symbols.size(); ++i) {
    map.symbols[i].name = map.keep("a_function_of_number_" + utostr(i));
    map.symbols[i].address = 8 * i;
    map.symbols[i].size = 8;
    map.symbols[i].kind = MapSymbol::Function;
  }
  const std::string json = mapJson(map), page = pageOf(json, json);
  EXPECT_GT(json.size(), 6000000u);
  EXPECT_LT(page.size(), 2000000u);
  const std::string text = block(page, "map");
  EXPECT_TRUE(StringRef(text).starts_with("e")); // which takes no JSON for it
  std::vector<char> packed;
  ASSERT_FALSE(errorToBool(decodeBase64(text, packed)));
  SmallVector<uint8_t, 0> plain;
  ASSERT_FALSE(errorToBool(compression::zlib::decompress(
      arrayRefFromStringRef({packed.data(), packed.size()}), plain,
      json.size())));
  EXPECT_EQ(toStringRef(plain), json);
  EXPECT_EQ(block(page, "changes"), text);
}

TEST(HtmlReport, EqualMapsGiveEqualPages) {
  const std::string json = mapWith("_ZN3one3twoEv");
  EXPECT_EQ(pageOf(json, json), pageOf(json, json));
}

// Whatever a name is, the page has as many elements as without it, and JSON
// reads the name as the map's writer wrote it.
TEST(HtmlReport, NamesCannotLeaveTheirPlace) {
  const std::string plain = pageOf(mapWith("x"), "");
  for (StringRef name :
       {StringRef("</script><script>alert(1)</script>"),
        StringRef("<!--<script>"), StringRef("]]>"), StringRef("\"'\\"),
        StringRef("\xE2\x80\xA8\xE2\x80\xA9"),
        StringRef("\0\x01\x1b\x7f\r\n", 6), StringRef("\xff\xfe broken"),
        StringRef("${1}`"), StringRef("@MAP@"), StringRef("__proto__"),
        StringRef("&lt;/script&gt;"), StringRef("\xF0\x9F\x92\xA9")}) {
    SCOPED_TRACE(toHex(name));
    const std::string json = mapWith(name);
    const std::string page = pageOf(json, json);
    EXPECT_EQ(StringRef(page).count('<'), StringRef(plain).count('<'));
    EXPECT_TRUE(json::isUTF8(page));
    Expected<json::Value> expected = json::parse(json);
    ASSERT_TRUE(bool(expected));
    for (StringRef id : {"map", "changes"}) {
      Expected<json::Value> read = json::parse(block(page, id));
      ASSERT_TRUE(bool(read)) << toString(read.takeError());
      EXPECT_EQ(*read, *expected);
    }
  }
}

TEST(HtmlReport, ShowsNamesAsTheirSourcesHaveThem) {
  const LinkMap map = mapOf("_ZN3one3twoEi"), older = mapOf("_ZlsIiEvT_S0_");
  const std::string page =
      pageOf(mapJson(map), mapJson(older), readableNames(map, &older));
  EXPECT_EQ(block(page, "names"),
            "{\"_ZN3one3twoEi\":\"one::two(int)\","
            "\"_ZlsIiEvT_S0_\":\"void operator\\u003c\\u003c\\u003cint>(int, "
            "int)\"}");
  EXPECT_EQ(readableNames(mapOf("main"), nullptr), "{}");
}

// Wherever a map has a symbol's name, the page tells how to read it.
TEST(HtmlReport, KnowsAllPlacesOfNames) {
  LinkMap map = mapOf("_Z3oneR1S");
  map.entryName = "_Z3twov";
  map.regions.resize(1);
  map.regions[0].reservations = {{MapReservation::Stack, "_Z5threev", 0, 1}};
  map.files[0].symbol = "_Z4fourv";
  map.absolutes.resize(1);
  map.absolutes[0].name = "_Z4fivev";
  map.stacks.resize(1);
  map.stacks[0].root = "_Z3sixv";
  map.stacks[0].path = {{"_Z5sevenv", 4}};
  EXPECT_EQ(readableNames(map, nullptr),
            "{\"_Z3twov\":\"two()\",\"_Z5threev\":\"three()\","
            "\"_Z4fourv\":\"four()\",\"_Z3oneR1S\":\"one(S&)\","
            "\"_Z4fivev\":\"five()\",\"_Z3sixv\":\"six()\","
            "\"_Z5sevenv\":\"seven()\"}");
}

// The linker's own maps are JSON; what a user gives may be anything.
TEST(HtmlReport, ABaselineMayBeAnything) {
  for (StringRef text : {"\"", "\"\\", "{\"_Z", "<", "\"_Z1fv", "\"_Z1fv\"\\\"",
                         "\xff\xff\"\xff"}) {
    const std::string page = pageOf("{}", text);
    EXPECT_TRUE(json::isUTF8(page));
    EXPECT_THAT(block(page, "changes"), Not(HasSubstr("<")));
  }
}

// A page that may run one script alone, by its hash, and load nothing.
TEST(HtmlReport, AllowsItsOwnScriptAndNothingElse) {
  const std::string page = pageOf(mapWith("main"), "");
  auto hash = [](StringRef text) {
    return encodeBase64(SHA256::hash(arrayRefFromStringRef(text)));
  };
  EXPECT_EQ(element(page,
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"",
                    "\""),
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            "script-src 'sha256-" +
                hash(element(page, "<script>", "</script")) +
                "'; style-src 'sha256-" +
                hash(element(page, "<style>", "</style")) + "'");
  for (StringRef outside : {"https:", "//cdn", "@import", "innerHTML", "eval("})
    EXPECT_EQ(StringRef(page).count(outside), 0u) << outside.str();
  EXPECT_EQ(StringRef(page).count("url("), StringRef(page).count("url(#"));
  // The name of SVG, which nobody loads.
  EXPECT_EQ(StringRef(page).count("http:"), 1u);
}

} // namespace
} // namespace xlink
